/* A program that calls PnetCDF. The program from_pnetcdf.c does the same with SCORPIO.
 *   mpirun -n 4 with_pnetcdf [file]
 * docs/from-pnetcdf.md shows the lines between the marks.
 */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

static void check(int code) {
  if (code == NC_NOERR) return;
  fprintf(stderr, "%s\n", ncmpi_strerror(code));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

enum { NY = 60, NX = 80 };

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "with_pnetcdf.nc";
  static double t[NY * NX];
  static float u[NY * NX], v[NY * NX];
  int rank, ranks, dims[3], temperature, wind[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const MPI_Offset first = NY * rank / ranks, rows = NY * (rank + 1) / ranks - first;
  for (MPI_Offset i = 0; i < rows * NX; i++) {
    t[i] = (double)(first * NX + i);
    u[i] = (float)(first * NX + i) / 2;
    v[i] = -u[i];
  }

  /* <shown> */
  int file;
  check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
  check(ncmpi_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  check(ncmpi_def_dim(file, "y", NY, &dims[1]));
  check(ncmpi_def_dim(file, "x", NX, &dims[2]));
  check(ncmpi_def_var(file, "t", NC_DOUBLE, 2, &dims[1], &temperature));
  check(ncmpi_def_var(file, "u", NC_FLOAT, 3, dims, &wind[0]));
  check(ncmpi_def_var(file, "v", NC_FLOAT, 3, dims, &wind[1]));
  check(ncmpi_put_att_text(file, temperature, "units", 1, "K"));
  check(ncmpi_enddef(file));

  const MPI_Offset start[3] = {0, first, 0}, count[3] = {1, rows, NX};
  check(ncmpi_put_vara_double_all(file, temperature, &start[1], &count[1], t));

  int requests[2], statuses[2];
  check(ncmpi_iput_vara_float(file, wind[0], start, count, u, &requests[0]));
  check(ncmpi_iput_vara_float(file, wind[1], start, count, v, &requests[1]));
  check(ncmpi_wait_all(file, 2, requests, statuses));
  check(ncmpi_close(file));
  /* </shown> */

  MPI_Finalize();
  return 0;
}
