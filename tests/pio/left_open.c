/* left_open write|write_beside_io|read FILE: writes a file and leaves it and the I/O system to MPI_Finalize,
 * with write_beside_io while rank 0 does I/O alone; or finds in it what was written. */
#include <pio.h>
#include <string.h>

static int must(int code) {
  if (code != PIO_NOERR) MPI_Abort(MPI_COMM_WORLD, 3);
  return code;
}

static void write_file(int system, const char* path) {
  int file = -1, x = -1, v = -1, iotype = PIO_IOTYPE_PNETCDF;
  const int values[3] = {4, 5, 6};
  must(PIOc_createfile(system, &file, &iotype, path, PIO_CLOBBER));
  must(PIOc_def_dim(file, "x", 3, &x));
  must(PIOc_def_var(file, "v", PIO_INT, 1, &x, &v));
  must(PIOc_enddef(file));
  must(PIOc_put_var_int(file, v, values));
}

static int read_file(int system, const char* path) {
  int file = -1, v = -1, iotype = PIO_IOTYPE_PNETCDF, values[3] = {0};
  must(PIOc_openfile(system, &file, &iotype, path, PIO_NOWRITE));
  must(PIOc_inq_varid(file, "v", &v));
  must(PIOc_get_var_int(file, v, values));
  must(PIOc_closefile(file));
  must(PIOc_finalize(system));
  return values[0] == 4 && values[1] == 5 && values[2] == 6 ? 0 : 4;
}

static void write_beside_io(const char* path) {
  int rank = -1, ranks = 0, id = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int computing = ranks - 1;
  must(PIOc_init_async(MPI_COMM_WORLD, 1, NULL, 1, &computing, NULL, NULL, NULL, PIO_REARR_BOX, &id));
  if (rank > 0) write_file(id, path);
}

int main(int argc, char** argv) {
  int system = -1, second = -1, code = 0;
  if (argc != 3) return 2;
  MPI_Init(&argc, &argv);
  must(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &system));
  if (strcmp(argv[1], "write_beside_io") == 0) {
    write_beside_io(argv[2]); /* and leaves the first I/O system too, in which rank 0 is */
  } else if (strcmp(argv[1], "write") == 0) {
    must(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &second));
    write_file(second, argv[2]);
  } else {
    code = read_file(system, argv[2]);
  }
  MPI_Finalize();
  return code;
}
