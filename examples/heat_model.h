/* The model of heat.c and of peers/heat_pnetcdf.c, without input and output: heat spreads in a plate whose
 * edge stays at 0 degrees. The processes are a grid of two dimensions, and each has a block of the plate in a
 * local array that is one ghost cell larger on each side. */
#pragma once

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAT_SECONDS_PER_STEP 0.5

typedef struct {
  long steps, every, ny, nx; /* number of steps, steps from one record to the next, size of the plate */
  const char *history, *restart;
} heat_arguments;

typedef struct {
  MPI_Comm comm;      /* the grid of processes */
  int64_t dims[2];    /* cells of the whole plate, in y and x */
  int64_t start[2];   /* the first cell of this process's block */
  int64_t count[2];   /* the cells of this process's block */
  int64_t extents[2]; /* the same with the ghost cells: the extents of `now` and `next` */
  double *now, *next; /* [extents] temperatures */
  int64_t step;       /* how often heat_advance() has been called, in earlier runs too */
} heat_plate;

static inline void heat_fail(const char* text) {
  fprintf(stderr, "%s\n", text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline void heat_usage(const char* program, const heat_arguments* defaults) {
  printf("usage: mpirun -n 4 %s [option value]...\n", program);
  printf("  --steps N       the step at which the run ends (%ld)\n", defaults->steps);
  printf("  --every N       steps from one record of the history to the next (%ld)\n", defaults->every);
  printf("  --ny N, --nx N  cells of the plate (%ld, %ld)\n", defaults->ny, defaults->nx);
  printf("  --history FILE  gets a record of the temperature every so many steps (%s)\n", defaults->history);
  printf("  --restart FILE  is written at the end; where it exists, the run continues from it (%s)\n",
         defaults->restart);
}

/* Ends the program after --help. */
static inline heat_arguments heat_read_arguments(int argc, char** argv) {
  heat_arguments arguments = {100, 10, 120, 160, "heat_history.nc", "heat_restart.nc"};
  const heat_arguments defaults = arguments;
  for (int i = 1; i < argc; i += 2) {
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--steps") == 0) {
      arguments.steps = atol(value);
    } else if (strcmp(argv[i], "--every") == 0) {
      arguments.every = atol(value);
    } else if (strcmp(argv[i], "--ny") == 0) {
      arguments.ny = atol(value);
    } else if (strcmp(argv[i], "--nx") == 0) {
      arguments.nx = atol(value);
    } else if (strcmp(argv[i], "--history") == 0) {
      arguments.history = value;
    } else if (strcmp(argv[i], "--restart") == 0) {
      arguments.restart = value;
    } else {
      int rank;
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      if (rank == 0) heat_usage(argv[0], &defaults);
      MPI_Finalize();
      exit(strcmp(argv[i], "--help") == 0 ? 0 : 1);
    }
  }
  if (arguments.steps < 0 || arguments.every < 1) heat_fail("--steps must be 0 or more, --every 1 or more");
  return arguments;
}

/* The plate is cold, but for a hot rectangle in its middle. */
static inline heat_plate heat_make_plate(const heat_arguments* arguments) {
  heat_plate plate = {.dims = {arguments->ny, arguments->nx}};
  int processes, rank, grid[2] = {0, 0}, at[2];
  const int periods[2] = {0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  MPI_Dims_create(processes, 2, grid);
  MPI_Cart_create(MPI_COMM_WORLD, 2, grid, periods, 0, &plate.comm);
  MPI_Comm_rank(plate.comm, &rank);
  MPI_Cart_coords(plate.comm, rank, 2, at);
  for (int d = 0; d < 2; d++) {
    if (plate.dims[d] < grid[d]) heat_fail("the plate has too few cells for so many processes");
    plate.start[d] = plate.dims[d] * at[d] / grid[d];
    plate.count[d] = plate.dims[d] * (at[d] + 1) / grid[d] - plate.start[d];
    plate.extents[d] = plate.count[d] + 2;
  }
  plate.now = calloc((size_t)(plate.extents[0] * plate.extents[1]), sizeof(double));
  plate.next = calloc((size_t)(plate.extents[0] * plate.extents[1]), sizeof(double));
  for (int64_t y = 0; y < plate.count[0]; y++) {
    for (int64_t x = 0; x < plate.count[1]; x++) {
      const int64_t py = plate.start[0] + y, px = plate.start[1] + x;
      const int hot = 3 * py >= plate.dims[0] && 3 * py < 2 * plate.dims[0] && 3 * px >= plate.dims[1] &&
                      3 * px < 2 * plate.dims[1];
      plate.now[(y + 1) * plate.extents[1] + x + 1] = hot ? 100 : 0;
    }
  }
  return plate;
}

static inline void heat_free_plate(heat_plate* plate) {
  free(plate->now);
  free(plate->next);
  MPI_Comm_free(&plate->comm);
}

/* Fills the ghost cells along one dimension with the cells of the neighbours. Beside the edge of the plate
 * they stay 0. */
static inline void heat_exchange(const heat_plate* plate, int dimension) {
  const int64_t width = plate->extents[1], last = plate->count[dimension];
  const int64_t step = dimension == 0 ? width : 1; /* from one cell to the next along the dimension */
  double* const first_ghost = plate->now + (dimension == 0 ? 1 : width);
  int before, after;
  MPI_Datatype side;
  MPI_Type_vector((int)plate->count[1 - dimension], 1, dimension == 0 ? 1 : (int)width, MPI_DOUBLE, &side);
  MPI_Type_commit(&side);
  MPI_Cart_shift(plate->comm, dimension, 1, &before, &after);
  MPI_Sendrecv(first_ghost + step, 1, side, before, 0, first_ghost + (last + 1) * step, 1, side, after, 0,
               plate->comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(first_ghost + last * step, 1, side, after, 0, first_ghost, 1, side, before, 0, plate->comm,
               MPI_STATUS_IGNORE);
  MPI_Type_free(&side);
}

static inline void heat_advance(heat_plate* plate) {
  const int64_t width = plate->extents[1];
  heat_exchange(plate, 0);
  heat_exchange(plate, 1);
  for (int64_t y = 1; y <= plate->count[0]; y++) {
    for (int64_t x = 1; x <= plate->count[1]; x++) {
      const double* cell = plate->now + y * width + x;
      const double flow = cell[-width] + cell[width] + cell[-1] + cell[1] - 4 * cell[0];
      plate->next[y * width + x] = cell[0] + 0.2 * flow;
    }
  }
  double* const previous = plate->now;
  plate->now = plate->next;
  plate->next = previous;
  plate->step++;
}
