/* A program as a climate model calls the PIO interface: one distributed array in a file, and back. */
#include <pio.h>

#define CHECK(call)                         \
  if ((call) != PIO_NOERR) {                \
    fprintf(stderr, "failed: %s\n", #call); \
    MPI_Abort(MPI_COMM_WORLD, 1);           \
  }

int main(int argc, char** argv) {
  int rank, ranks, system, file, dim, variable, decomposition, iotype = PIO_IOTYPE_PNETCDF;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_SUBSET, &system));
  const PIO_Offset map[] = {2 * rank + 1, 2 * rank + 2};
  const int extent = 2 * ranks;
  CHECK(PIOc_InitDecomp(system, PIO_INT, 1, &extent, 2, map, &decomposition, NULL, NULL, NULL));
  CHECK(PIOc_createfile(system, &file, &iotype, "client.nc", PIO_64BIT_DATA));
  CHECK(PIOc_def_dim(file, "x", extent, &dim));
  CHECK(PIOc_def_var(file, "v", PIO_INT, 1, &dim, &variable));
  CHECK(PIOc_enddef(file));
  const int values[] = {10 * rank, 10 * rank + 1};
  CHECK(PIOc_write_darray(file, variable, decomposition, 2, values, NULL));
  CHECK(PIOc_closefile(file));
  CHECK(PIOc_openfile(system, &file, &iotype, "client.nc", PIO_NOWRITE));
  int read[] = {-1, -1};
  CHECK(PIOc_read_darray(file, variable, decomposition, 2, read));
  if (read[0] != values[0] || read[1] != values[1]) MPI_Abort(MPI_COMM_WORLD, 2);
  CHECK(PIOc_closefile(file));
  CHECK(PIOc_freedecomp(system, decomposition));
  CHECK(PIOc_finalize(system));
  MPI_Finalize();
  return 0;
}
