/* write_netcdf4 FOLDER: a file of the same contents by each I/O type that makes netCDF-4 files,
 * type<number>.nc, which read_netcdf4.py reads. */
#include <pio.h>
#include <stdlib.h>

#include "must.h"

enum { k_rows = 4, k_columns = 5, k_elements = k_rows * k_columns, k_records = 3 };

static int file;

static int define(const char* name, int type, int ndims, const int* dims) {
  int id = -1;
  must(PIOc_def_var(file, name, type, ndims, dims, &id));
  return id;
}

static void put_attributes(int temperature) {
  const long long numbers[] = {-5000000000LL, 7};
  const unsigned char few[] = {0, 255};
  const float fill = -1e30f;
  const char* const members[] = {"first", "second one"};
  must(PIOc_put_att_text(file, PIO_GLOBAL, "title", 7, "a model"));
  must(PIOc_put_att(file, temperature, "members", PIO_STRING, 2, members));
  must(PIOc_put_att(file, temperature, "member", PIO_STRING, 1, members));
  must(PIOc_put_att_longlong(file, PIO_GLOBAL, "numbers", PIO_INT64, 2, numbers));
  must(PIOc_put_att_uchar(file, temperature, "few", PIO_UBYTE, 2, few));
  must(PIOc_put_att_text(file, temperature, "units", 1, "K"));
  must(PIOc_def_var_fill(file, temperature, 0, &fill));
}

/* The last element belongs to no rank. */
static void write_temperature(int variable, int decomposition, const PIO_Offset* map, int n) {
  const float fill = -1e30f;
  float values[k_elements];
  for (int record = 0; record < k_records; ++record) {
    for (int i = 0; i < n; ++i) values[i] = (float)(100 * record) + (float)map[i] / 2;
    must(PIOc_setframe(file, variable, record));
    must(PIOc_write_darray(file, variable, decomposition, n, values, &fill));
  }
}

static void write_all(int system, int iotype, const char* path, int decomposition, const PIO_Offset* map,
                      int n) {
  const int type = iotype;
  int dims[3];
  must(PIOc_createfile(system, &file, &type, path, PIO_CLOBBER));
  must(PIOc_def_dim(file, "time", PIO_UNLIMITED, &dims[0]));
  must(PIOc_def_dim(file, "y", k_rows, &dims[1]));
  must(PIOc_def_dim(file, "x", k_columns, &dims[2]));
  const int time = define("time", PIO_DOUBLE, 1, dims);
  const int temperature = define("T", PIO_FLOAT, 3, dims);
  const int area = define("area", PIO_INT64, 2, dims + 1);
  const int tiled = define("tiled", PIO_USHORT, 2, dims + 1);
  const int label = define("label", PIO_CHAR, 1, dims + 2);
  const int one = define("one", PIO_DOUBLE, 0, NULL);
  const int big = define("big", PIO_FLOAT, 3, dims);
  const int members = define("members", PIO_STRING, 1, dims + 1);
  const int notes = define("notes", PIO_STRING, 1, dims);
  int inner[] = {dims[0], -1, dims[2]}; /* both are unlimited, member is as long as what is written */
  must(PIOc_def_dim(file, "member", PIO_UNLIMITED, &inner[1]));
  const int ensemble = define("ensemble", PIO_FLOAT, 3, inner);
  const PIO_Offset chunk[] = {2, 3};
  must(PIOc_def_var_chunking(file, tiled, NC_CHUNKED, chunk));
  must(PIOc_def_var_deflate(file, tiled, 1, 1, 4));
  must(PIOc_def_var_endian(file, big, NC_ENDIAN_BIG));
  must(PIOc_def_var_endian(file, area, NC_ENDIAN_BIG));
  put_attributes(temperature);
  must(PIOc_enddef(file));
  const double half = 0.5, times[] = {0, 6, 12};
  const PIO_Offset start = 0, count = k_records;
  long long areas[k_elements];
  for (int i = 0; i < k_elements; ++i) areas[i] = 3000000000LL * i;
  must(PIOc_put_vara_double(file, time, &start, &count, times));
  must(PIOc_put_var_longlong(file, area, areas));
  must(PIOc_put_var_longlong(file, tiled, (const long long[k_elements]){1, 2, 3, 65535}));
  must(PIOc_put_var_text(file, label, "abcde"));
  must(PIOc_put_var_double(file, one, &half));
  must(PIOc_put_var(file, members, (const char* const[k_rows]){"r1", "", "a third row", "r4"}));
  must(PIOc_put_var1(file, notes, (const PIO_Offset[]){1}, (const char* const[]){"the second record"}));
  write_temperature(temperature, decomposition, map, n);
  write_temperature(big, decomposition, map, n);
  write_temperature(ensemble, decomposition, map, n);
  must(PIOc_redef(file));
  must(PIOc_put_att_text(file, PIO_GLOBAL, "history", 4, "late"));
  must(PIOc_enddef(file));
  must(PIOc_closefile(file));
}

int main(int argc, char** argv) {
  const int types[] = {PIO_IOTYPE_NETCDF4C, PIO_IOTYPE_NETCDF4P, PIO_IOTYPE_HDF5, PIO_IOTYPE_HDF5C};
  const int extents[] = {k_rows, k_columns};
  int system = -1, decomposition = -1, rank = 0, ranks = 1, n = 0;
  PIO_Offset map[k_elements];
  if (argc != 2) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int at = rank; at < k_elements - 1; at += ranks) map[n++] = at + 1;
  must(PIOc_Init_Intracomm(MPI_COMM_WORLD, ranks > 1 ? 2 : 1, 1, 0, PIO_REARR_BOX, &system));
  must(PIOc_InitDecomp(system, PIO_FLOAT, 2, extents, n, map, &decomposition, NULL, NULL, NULL));
  for (int i = 0; i < 4; ++i) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/type%d.nc", argv[1], types[i]);
    write_all(system, types[i], path, decomposition, map, n);
  }
  must(PIOc_freedecomp(system, decomposition));
  must(PIOc_finalize(system));
  MPI_Finalize();
  return 0;
}
