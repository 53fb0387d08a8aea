/* Ends the program with the text of a failure. */
#ifndef SCORPIO_TESTS_READERS_MUST_H
#define SCORPIO_TESTS_READERS_MUST_H

#include <mpi.h>
#include <scorpio/scorpio.h>
#include <stdio.h>

static void must(int code) {
  if (code == SCORPIO_OK) return;
  scorpio_error error;
  scorpio_error_last(&error);
  fprintf(stderr, "%s\n", error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#endif
