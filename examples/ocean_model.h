/* The model of ocean.c and of peers/ocean_pnetcdf.c, without input and output: an ocean on an unstructured
 * mesh of the globe. The cells are numbered from pole to pole, and a continent covers some of them. Each
 * process computes columns of water in an order of its own: the first processes have few of them, the one
 * before the last has most, and the last has none if there is more than one process. */
#pragma once

#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OCEAN_VECTOR = 8 }; /* the columns of a process are padded to a multiple of this */

static const double ocean_degrees = 57.295779513082323; /* in a radian */

typedef struct {
  long cells, levels, steps;
  const char* file;
} ocean_arguments;

typedef struct {
  int64_t cells, levels; /* of the whole ocean, with the cells on land */
  int64_t columns;       /* the columns of this process */
  int64_t padded;        /* the length of its arrays along the columns */
  int64_t* cell;         /* [padded] the number of the cell of each column; -1 in the padding */
  double *lat, *lon;     /* [padded] in degrees */
  double* depth;         /* [levels] in metres */
  double *temp, *salt;   /* [levels][padded] */
  double* height;        /* [padded] */
  int64_t step;          /* how often ocean_advance() has been called */
} ocean_mesh;

static inline void ocean_fail(const char* text) {
  fprintf(stderr, "%s\n", text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline void ocean_usage(const char* program, const ocean_arguments* defaults) {
  printf("usage: mpirun -n 4 %s [option value]...\n", program);
  printf("  --cells N    cells of the mesh, those on land included (%ld)\n", defaults->cells);
  printf("  --levels N   levels from the surface to the bottom (%ld)\n", defaults->levels);
  printf("  --steps N    steps, each of which adds a record to the file (%ld)\n", defaults->steps);
  printf("  --file FILE  the file that is written (%s)\n", defaults->file);
}

/* Ends the program after --help. */
static inline ocean_arguments ocean_read_arguments(int argc, char** argv) {
  ocean_arguments arguments = {2000, 8, 10, "ocean.nc"};
  const ocean_arguments defaults = arguments;
  for (int i = 1; i < argc; i += 2) {
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--cells") == 0) {
      arguments.cells = atol(value);
    } else if (strcmp(argv[i], "--levels") == 0) {
      arguments.levels = atol(value);
    } else if (strcmp(argv[i], "--steps") == 0) {
      arguments.steps = atol(value);
    } else if (strcmp(argv[i], "--file") == 0) {
      arguments.file = value;
    } else {
      int rank;
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      if (rank == 0) ocean_usage(argv[0], &defaults);
      MPI_Finalize();
      exit(strcmp(argv[i], "--help") == 0 ? 0 : 1);
    }
  }
  if (arguments.cells < 1 || arguments.levels < 1 || arguments.steps < 0)
    ocean_fail("--cells and --levels must be 1 or more, --steps 0 or more");
  return arguments;
}

/* The cells lie on a spiral from the south pole to the north pole, at equal distances. */
static inline double ocean_latitude(const ocean_mesh* mesh, int64_t cell) {
  return asin((2 * (double)cell + 1) / (double)mesh->cells - 1) * ocean_degrees;
}

static inline double ocean_longitude(int64_t cell) { return fmod((double)cell * 137.5, 360); }

static inline int ocean_is_land(const ocean_mesh* mesh, int64_t cell) {
  const double lat = ocean_latitude(mesh, cell), lon = ocean_longitude(cell);
  return lat > -30 && lat < 60 && lon > 40 && lon < 140;
}

/* All cells of water in an order in which neighbours in the file are far from each other. Returns their
 * number. */
static inline int64_t ocean_order(const ocean_mesh* mesh, int64_t* water) {
  int64_t stride = mesh->cells * 3 / 8 + 1, n = 0;
  for (int64_t a = stride, b = mesh->cells; b != 0;) { /* stride and cells shall have no common divisor */
    const int64_t rest = a % b;
    a = b;
    b = rest;
    if (b == 0 && a != 1) {
      a = ++stride;
      b = mesh->cells;
    }
  }
  for (int64_t i = 0; i < mesh->cells; i++) {
    const int64_t cell = i * stride % mesh->cells;
    if (!ocean_is_land(mesh, cell)) water[n++] = cell;
  }
  return n;
}

/* Gives this process its columns: shares that grow from process to process, and none for the last one. */
static inline void ocean_distribute(ocean_mesh* mesh) {
  int64_t* water = malloc((size_t)mesh->cells * sizeof *water);
  const int64_t wet = ocean_order(mesh, water);
  int rank, processes;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const int64_t working = processes > 1 ? processes - 1 : 1;
  const int64_t first = rank < working ? wet * rank * rank / (working * working) : wet;
  const int64_t end = rank < working ? wet * (rank + 1) * (rank + 1) / (working * working) : wet;
  mesh->columns = end - first;
  mesh->padded = (mesh->columns + OCEAN_VECTOR - 1) / OCEAN_VECTOR * OCEAN_VECTOR;
  mesh->cell = malloc((size_t)(mesh->padded + 1) * sizeof *mesh->cell);
  for (int64_t c = 0; c < mesh->padded; c++) mesh->cell[c] = c < mesh->columns ? water[first + c] : -1;
  free(water);
}

static inline void ocean_compute(ocean_mesh* mesh) {
  const double phase = 0.1 * (double)mesh->step;
  for (int64_t c = 0; c < mesh->columns; c++) {
    const double wave = sin(mesh->lon[c] / ocean_degrees + phase);
    const double warm = cos(mesh->lat[c] / ocean_degrees);
    mesh->height[c] = warm * wave;
    for (int64_t level = 0; level < mesh->levels; level++) {
      const double surface = exp(-mesh->depth[level] / 1000);
      mesh->temp[level * mesh->padded + c] = 2 + (25 * warm + wave) * surface;
      mesh->salt[level * mesh->padded + c] = 35 + warm - 0.25 * wave * surface;
    }
  }
}

static inline void ocean_advance(ocean_mesh* mesh) {
  mesh->step++;
  ocean_compute(mesh);
}

static inline ocean_mesh ocean_make_mesh(const ocean_arguments* arguments) {
  ocean_mesh mesh = {.cells = arguments->cells, .levels = arguments->levels};
  ocean_distribute(&mesh);
  const size_t row = (size_t)mesh.padded + 1,
               levels = (size_t)mesh.levels; /* not 0: calloc may return NULL */
  mesh.lat = calloc(row, sizeof(double));
  mesh.lon = calloc(row, sizeof(double));
  mesh.height = calloc(row, sizeof(double));
  mesh.depth = calloc(levels, sizeof(double));
  mesh.temp = calloc(row * levels, sizeof(double));
  mesh.salt = calloc(row * levels, sizeof(double));
  for (int64_t level = 0; level < mesh.levels; level++)
    mesh.depth[level] = 5 * (double)((level + 1) * (level + 1));
  for (int64_t c = 0; c < mesh.columns; c++) {
    mesh.lat[c] = ocean_latitude(&mesh, mesh.cell[c]);
    mesh.lon[c] = ocean_longitude(mesh.cell[c]);
  }
  ocean_compute(&mesh);
  return mesh;
}

static inline void ocean_free_mesh(ocean_mesh* mesh) {
  double* arrays[] = {mesh->lat, mesh->lon, mesh->height, mesh->depth, mesh->temp, mesh->salt};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  free(mesh->cell);
}
