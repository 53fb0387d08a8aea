/* Ends the program with the text of a failure. */
#ifndef SCORPIO_TESTS_PIO_MUST_H
#define SCORPIO_TESTS_PIO_MUST_H

#include <pio.h>
#include <stdio.h>

static void must(int code) {
  char text[PIO_MAX_NAME + 1] = "";
  if (code == PIO_NOERR) return;
  PIOc_strerror(code, text, sizeof text);
  fprintf(stderr, "%s\n", text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#endif
