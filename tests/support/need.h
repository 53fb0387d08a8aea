/* Ends the program with the text of a failure, and with the name of the call. */
#ifndef SCORPIO_TESTS_NEED_H
#define SCORPIO_TESTS_NEED_H

#include <mpi.h>
#include <stdio.h>

#include "scorpio/scorpio.h"

static void need(int code, const char* what) {
  scorpio_error error;
  if (code == SCORPIO_OK) return;
  scorpio_error_last(&error);
  fprintf(stderr, "%s: %s\n", what, error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#endif
