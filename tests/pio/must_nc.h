/* Ends the program with the text of a failure of netCDF-C. */
#ifndef SCORPIO_TESTS_PIO_MUST_NC_H
#define SCORPIO_TESTS_PIO_MUST_NC_H

#include <mpi.h>
#include <netcdf.h>
#include <stdio.h>

static void must_nc(int code) {
  if (code == NC_NOERR) return;
  fprintf(stderr, "netCDF: %s\n", nc_strerror(code));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#endif
