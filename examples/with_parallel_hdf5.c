/* A program that calls parallel HDF5. The program from_parallel_hdf5.c does the same with SCORPIO.
 *   mpirun -n 4 with_parallel_hdf5 [file]
 * docs/from-parallel-hdf5.md shows the lines between the marks.
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static hid_t check(hid_t result) {
  if (result < 0) MPI_Abort(MPI_COMM_WORLD, 1);
  return result;
}

enum { NY = 60, NX = 80 };

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "with_parallel_hdf5.h5";
  static double t[NY * NX];
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const hsize_t first = (hsize_t)(NY * rank / ranks), rows = (hsize_t)(NY * (rank + 1) / ranks) - first;
  for (hsize_t i = 0; i < rows * NX; i++) t[i] = (double)(first * NX + i);

  /* <shown> */
  const hid_t access = check(H5Pcreate(H5P_FILE_ACCESS));
  check(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  const hid_t collective = check(H5Pcreate(H5P_DATASET_XFER));
  check(H5Pset_dxpl_mpio(collective, H5FD_MPIO_COLLECTIVE));
  const hid_t file = check(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const hid_t group = check(H5Gcreate(file, "/ocean", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const hsize_t dims[2] = {NY, NX}, start[2] = {first, 0}, count[2] = {rows, NX};
  const hid_t space = check(H5Screate_simple(2, dims, NULL));
  const hid_t set =
      check(H5Dcreate(group, "temperature", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));

  const hid_t scalar = check(H5Screate(H5S_SCALAR));
  const double scale = 0.01;
  const hid_t attribute =
      check(H5Acreate(set, "scale_factor", H5T_IEEE_F64LE, scalar, H5P_DEFAULT, H5P_DEFAULT));
  check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &scale));

  const hid_t memory = check(H5Screate_simple(2, count, NULL));
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL));
  check(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, collective, t));

  check(H5Sclose(memory));
  check(H5Aclose(attribute));
  check(H5Sclose(scalar));
  check(H5Dclose(set));
  check(H5Sclose(space));
  check(H5Gclose(group));
  check(H5Fclose(file));
  check(H5Pclose(collective));
  check(H5Pclose(access));
  /* </shown> */

  MPI_Finalize();
  return 0;
}
