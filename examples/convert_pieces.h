/* The arguments, the messages and the pieces of convert.c and of peers/convert_pnetcdf.c. */
#pragma once

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONVERT_DIMS = 64, CONVERT_PATH = 4096, CONVERT_INCOMPLETE = 3 };

typedef struct {
  const char *format, *from, *to;
  long bytes; /* of memory for data on each process */
} convert_arguments;

/* A variable is copied in pieces of equal extents, of which those at its end may be smaller. */
typedef struct {
  int ndims;
  int64_t dims[CONVERT_DIMS], piece[CONVERT_DIMS];
  int64_t pieces; /* 0 if the variable has no elements */
} convert_tiling;

static int convert_losses; /* how many messages convert_lose() has printed */

static inline int convert_rank(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static inline void convert_fail(const char* text) {
  fprintf(stderr, "%s\n", text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Says that the new file lacks something. All processes call it, one prints. */
static inline void convert_lose(const char* object, const char* what, const char* reason) {
  convert_losses++;
  if (convert_rank() == 0) fprintf(stderr, "%s: %s: %s\n", object, what, reason);
}

static inline void convert_usage(const char* program, const char* formats) {
  printf("usage: mpirun -n 4 %s [--format FORMAT] [--bytes N] FROM TO\n", program);
  printf("Copies the file FROM into a new file TO.\n");
  printf("  --format FORMAT  the format of TO: %s (cdf5)\n", formats);
  printf("  --bytes N        memory for data on each rank in bytes (16777216)\n");
  printf("Exit code %d: TO lacks objects that FROM has; each of them, or its group, is named.\n",
         CONVERT_INCOMPLETE);
}

/* Ends the program after --help, and where arguments are missing. */
static inline convert_arguments convert_read_arguments(int argc, char** argv, const char* formats) {
  convert_arguments arguments = {"cdf5", NULL, NULL, 1L << 24};
  const int help = argc > 1 && strcmp(argv[1], "--help") == 0;
  for (int i = 1; i < argc && !help; i++) {
    if (strcmp(argv[i], "--format") == 0 && i + 1 < argc) {
      arguments.format = argv[++i];
    } else if (strcmp(argv[i], "--bytes") == 0 && i + 1 < argc) {
      arguments.bytes = atol(argv[++i]);
    } else if (arguments.from == NULL) {
      arguments.from = argv[i];
    } else {
      arguments.to = argv[i];
    }
  }
  if (arguments.to == NULL || arguments.bytes < 1) {
    if (convert_rank() == 0) convert_usage(argv[0], formats);
    MPI_Finalize();
    exit(help ? 0 : 1);
  }
  return arguments;
}

/* Whole inner dimensions as long as they fit `limit` bytes, a part of the next one, and one index of the
 * others. Fills in `piece` and `pieces`. */
static inline void convert_tile(convert_tiling* tiling, size_t element_bytes, long limit) {
  int64_t room = limit / (int64_t)element_bytes;
  tiling->pieces = 1;
  for (int d = tiling->ndims - 1; d >= 0; d--) {
    const int64_t extent = tiling->dims[d];
    tiling->piece[d] = room < 1 ? 1 : room < extent ? room : extent;
    if (extent == 0) tiling->pieces = 0;
    if (tiling->pieces == 0) continue;
    tiling->pieces *= (extent + tiling->piece[d] - 1) / tiling->piece[d];
    room /= tiling->piece[d];
  }
}

/* The hyperslab of a piece. Returns the number of its elements; 0 if there is no such piece. The element of a
 * variable without dimensions is every piece, because such a variable has no empty part. */
static inline int64_t convert_piece(const convert_tiling* tiling, int64_t number, int64_t* start,
                                    int64_t* count) {
  int64_t elements = tiling->ndims == 0 || number < tiling->pieces;
  for (int d = tiling->ndims - 1; d >= 0; d--) {
    const int64_t piece = tiling->piece[d];
    const int64_t along = elements == 0 ? 1 : (tiling->dims[d] + piece - 1) / piece;
    start[d] = elements == 0 ? 0 : number % along * piece;
    count[d] = elements == 0 ? 0 : tiling->dims[d] - start[d] < piece ? tiling->dims[d] - start[d] : piece;
    number /= along;
    elements *= count[d];
  }
  return elements;
}
