/* Programs as the tests of a user of the PIO interface: every documented code and value of a call is compared
 * on each rank, for each I/O type that creates files. */
#ifndef SCORPIO_TESTS_PIO_DOCUMENTED_H
#define SCORPIO_TESTS_PIO_DOCUMENTED_H

#include <pio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { k_most_ranks = 8 };

static int rank, ranks, wrong, iotype, iosys;
static const char* folder;
static char path[PIO_MAX_NAME + 1];

static void compare(long long wanted, long long got, const char* call, const char* file, int line) {
  if (wanted == got) return;
  ++wrong;
  fprintf(stderr, "%s:%d: rank %d, I/O type %d: %s is %lld instead of %lld\n", file, line, rank, iotype, call,
          got, wanted);
}
#define IS(wanted, call) compare((long long)(wanted), (long long)(call), #call, __FILE__, __LINE__)
#define DONE(call) IS(PIO_NOERR, call)
#define FAILS(call) IS(1, (call) != PIO_NOERR)
#define SAME(wanted, text) IS(0, strcmp(wanted, text))

static inline int is_netcdf4(void) { return iotype != PIO_IOTYPE_PNETCDF && iotype != PIO_IOTYPE_NETCDF; }

static int create(const char* name, int mode) {
  int file = -1;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  DONE(PIOc_createfile(iosys, &file, &iotype, path, mode));
  return file;
}

/* The file that was created last. */
static inline int open_again(int mode) {
  int file = -1, type = iotype;
  DONE(PIOc_openfile(iosys, &file, &type, path, mode));
  return file;
}

/* Calls check() for each I/O type, with an I/O system whose failures are returned. */
static int run(int argc, char** argv, void (*check)(void)) {
  const int types[] = {PIO_IOTYPE_PNETCDF,  PIO_IOTYPE_NETCDF, PIO_IOTYPE_NETCDF4C,
                       PIO_IOTYPE_NETCDF4P, PIO_IOTYPE_HDF5,   PIO_IOTYPE_HDF5C};
  size_t i;
  int sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 2 || ranks > k_most_ranks) MPI_Abort(MPI_COMM_WORLD, 1);
  folder = argv[1];
  DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_BCAST_ERROR, NULL));
  for (i = 0; i < sizeof types / sizeof types[0]; ++i) {
    iotype = types[i];
    IS(1, PIOc_iotype_available(iotype));
    DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &iosys));
    check();
    DONE(PIOc_finalize(iosys));
  }
  MPI_Allreduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return sum == 0 ? 0 : 1;
}

#endif
