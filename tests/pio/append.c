/* append FOLDER TURN: makes files (turn 0), or adds a record, a variable and attributes to each file *.nc of
 * the folder (turn 1 and later), as a model that continues does. append.py makes files of the same form, has
 * turns in between, and checks them all. */
#include <dirent.h>
#include <pio.h>
#include <stdlib.h>

#include "must.h"

enum { k_columns = 7 };

static int io_system, file, turn, n_mine;
static int of_floats, of_doubles;
static PIO_Offset map[k_columns];

static int define(const char* name, int type, int ndims, const int* dims) {
  int id = -1;
  must(PIOc_def_var(file, name, type, ndims, dims, &id));
  return id;
}

static int find(const char* name) {
  int id = -1;
  must(PIOc_inq_varid(file, name, &id));
  return id;
}

static void write_row(int variable, int decomposition, double first) {
  float floats[k_columns];
  double doubles[k_columns];
  for (int i = 0; i < n_mine; ++i) {
    doubles[i] = first + (double)(map[i] - 1);
    floats[i] = (float)doubles[i];
  }
  must(PIOc_write_darray(file, variable, decomposition, n_mine,
                         decomposition == of_floats ? (void*)floats : (void*)doubles, NULL));
}

static void put_row(int variable, int record, int first) {
  const PIO_Offset start[] = {record, 0}, count[] = {1, k_columns};
  int values[k_columns];
  for (int i = 0; i < k_columns; ++i) values[i] = first + i;
  must(PIOc_put_vara_int(file, variable, start, count, values));
}

static void write_record(int record) {
  const PIO_Offset at = record;
  const double time = 0.5 * record;
  const int temperature = find("T");
  must(PIOc_setframe(file, temperature, record));
  write_row(temperature, of_floats, 100 * record);
  put_row(find("B"), record, 1000 * record);
  must(PIOc_put_var1_double(file, find("time"), &at, &time));
  write_row(find("S"), of_doubles, turn);
}

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "append: turn %d, record wrong: %s\n", turn, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void check_record(int record) {
  float row[k_columns];
  int big[k_columns];
  const PIO_Offset start[] = {record, 0}, count[] = {1, k_columns};
  const int temperature = find("T");
  must(PIOc_setframe(file, temperature, record));
  must(PIOc_read_darray(file, temperature, of_floats, n_mine, row));
  for (int i = 0; i < n_mine; ++i) expect(row[i] == (float)(100 * record + map[i] - 1), "T");
  must(PIOc_get_vara_int(file, find("B"), start, count, big));
  for (int i = 0; i < k_columns; ++i) expect(big[i] == 1000 * record + i, "B");
}

static void make(int iotype, const char* path) {
  const char* const members[] = {"first", "second one"};
  const int type = iotype;
  int dims[2];
  must(PIOc_createfile(io_system, &file, &type, path, PIO_CLOBBER));
  must(PIOc_def_dim(file, "time", PIO_UNLIMITED, &dims[0]));
  must(PIOc_def_dim(file, "x", k_columns, &dims[1]));
  (void)define("time", PIO_DOUBLE, 1, dims);
  const int temperature = define("T", PIO_FLOAT, 2, dims);
  const int big = define("B", PIO_INT, 2, dims);
  (void)define("S", PIO_DOUBLE, 1, dims + 1);
  must(PIOc_def_var_deflate(file, temperature, 1, 1, 4));
  must(PIOc_def_var_endian(file, big, NC_ENDIAN_BIG));
  must(PIOc_put_att_text(file, temperature, "units", 1, "K"));
  must(PIOc_put_att(file, temperature, "members", PIO_STRING, 2, members));
  must(PIOc_enddef(file));
  write_record(0);
  write_record(1);
  must(PIOc_closefile(file));
}

static int records(void) {
  int time = -1;
  PIO_Offset length = 0;
  must(PIOc_inq_dimid(file, "time", &time));
  must(PIOc_inq_dimlen(file, time, &length));
  return (int)length;
}

static int define_more(void) {
  char name[16], history[32];
  int dims[2];
  must(PIOc_inq_dimid(file, "time", &dims[0]));
  must(PIOc_inq_dimid(file, "x", &dims[1]));
  (void)snprintf(name, sizeof name, "N%d", turn);
  (void)snprintf(history, sizeof history, "continued in turn %d", turn);
  must(PIOc_redef(file));
  const int more = define(name, PIO_SHORT, 2, dims);
  must(PIOc_put_att_text(file, more, "units", 1, "m"));
  must(PIOc_put_att_text(file, PIO_GLOBAL, "history", (PIO_Offset)strlen(history), history));
  must(PIOc_put_att_text(file, find("T"), "units", 6, "kelvin"));
  must(PIOc_enddef(file));
  return more;
}

static void append(const char* path) {
  int iotype = PIO_IOTYPE_NETCDF4P;
  must(PIOc_openfile(io_system, &file, &iotype, path, PIO_WRITE));
  const int record = records();
  check_record(record - 1);
  write_record(record);
  if (turn % 2 == 0) must(PIOc_sync(file));
  const int more = define_more();
  put_row(more, record, 10 * turn);
  must(PIOc_closefile(file));
}

/* Rank 0 lists the files. */
static int paths(const char* folder, char (*found)[4096]) {
  int n = 0, rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    DIR* const open = opendir(folder);
    for (struct dirent* entry; (entry = readdir(open)) != NULL && n < 16;) {
      if (strstr(entry->d_name, ".nc") != NULL)
        (void)snprintf(found[n++], sizeof found[0], "%s/%s", folder, entry->d_name);
    }
    closedir(open);
  }
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(found, n * (int)sizeof found[0], MPI_CHAR, 0, MPI_COMM_WORLD);
  return n;
}

int main(int argc, char** argv) {
  const int types[] = {PIO_IOTYPE_NETCDF4C, PIO_IOTYPE_NETCDF4P, PIO_IOTYPE_HDF5, PIO_IOTYPE_HDF5C};
  const int extent = k_columns;
  static char found[16][4096];
  int rank = 0, ranks = 1;
  if (argc != 3) return 2;
  turn = atoi(argv[2]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int at = rank; at < k_columns; at += ranks) map[n_mine++] = at + 1;
  must(PIOc_Init_Intracomm(MPI_COMM_WORLD, ranks > 1 ? 2 : 1, 1, 0, PIO_REARR_BOX, &io_system));
  must(PIOc_InitDecomp(io_system, PIO_FLOAT, 1, &extent, n_mine, map, &of_floats, NULL, NULL, NULL));
  must(PIOc_InitDecomp(io_system, PIO_DOUBLE, 1, &extent, n_mine, map, &of_doubles, NULL, NULL, NULL));
  for (int i = 0; turn == 0 && i < 4; ++i) {
    (void)snprintf(found[0], sizeof found[0], "%s/type%d.nc", argv[1], types[i]);
    make(types[i], found[0]);
  }
  const int n = turn > 0 ? paths(argv[1], found) : 0;
  for (int i = 0; i < n; ++i) append(found[i]);
  must(PIOc_freedecomp(io_system, of_floats));
  must(PIOc_freedecomp(io_system, of_doubles));
  must(PIOc_finalize(io_system));
  MPI_Finalize();
  return 0;
}
