/* An unstructured ocean, whose file is netCDF with the attributes of the CF conventions. Each rank holds
 * columns of water anywhere in the file, in any order, and the last one holds none. No rank holds the cells
 * on land: these get a fill value. ocean_model.h has everything but output. peers/ocean_pnetcdf.c does the
 * same by PnetCDF. Link it with -lm. mpirun -n 4 ocean --cells 100000 --levels 40; ocean --help
 */
#include <scorpio/scorpio.h>

#include "ocean_model.h"

static const double missing = 1e20;

typedef struct {
  scorpio_file* file;
  int time, depth, lat, lon, temp, salt, height; /* variables */
} ocean_file;

static void check(int code) {
  scorpio_error error;
  if (code == SCORPIO_OK) return;
  scorpio_error_last(&error);
  ocean_fail(error.text);
}

/* Defines a variable; one whose names of coordinates are given has cells on land. */
static int define(scorpio_file* file, const char* name, scorpio_type type, int ndims, const int* dims,
                  const char* standard_name, const char* units, const char* coordinates) {
  const float land = (float)missing;
  int variable;
  check(scorpio_variable_define_on(file, name, type, ndims, dims, &variable));
  check(scorpio_attribute_put_text(file, variable, "standard_name", standard_name));
  check(scorpio_attribute_put_text(file, variable, "units", units));
  if (coordinates == NULL) return variable;
  check(scorpio_attribute_put_values(file, variable, "_FillValue", SCORPIO_FLOAT32, 1, &land));
  if (*coordinates) check(scorpio_attribute_put_text(file, variable, "coordinates", coordinates));
  return variable;
}

static ocean_file create_file(scorpio_iosystem* io, const char* path, const ocean_mesh* mesh) {
  ocean_file ocean;
  int dims[3], surface[2];
  const scorpio_type real = SCORPIO_FLOAT32, exact = SCORPIO_FLOAT64;
  check(scorpio_file_create(io, path, SCORPIO_FORMAT_CDF5, NULL, &ocean.file));
  scorpio_file* const file = ocean.file;
  check(scorpio_dimension_define(file, "time", SCORPIO_UNLIMITED, &dims[0]));
  check(scorpio_dimension_define(file, "depth", mesh->levels, &dims[1]));
  check(scorpio_dimension_define(file, "cell", mesh->cells, &dims[2]));
  surface[0] = dims[0];
  surface[1] = dims[2];
  check(scorpio_attribute_put_text(file, SCORPIO_GLOBAL, "Conventions", "CF-1.8"));
  ocean.time = define(file, "time", exact, 1, dims, "time", "hours since 2000-01-01 00:00:00", NULL);
  check(scorpio_attribute_put_text(file, ocean.time, "calendar", "standard"));
  ocean.depth = define(file, "depth", exact, 1, &dims[1], "depth", "m", NULL);
  check(scorpio_attribute_put_text(file, ocean.depth, "positive", "down"));
  ocean.lat = define(file, "lat", real, 1, &dims[2], "latitude", "degrees_north", "");
  ocean.lon = define(file, "lon", real, 1, &dims[2], "longitude", "degrees_east", "");
  ocean.temp = define(file, "thetao", real, 3, dims, "sea_water_potential_temperature", "degC", "lat lon");
  ocean.salt = define(file, "so", real, 3, dims, "sea_water_salinity", "1e-3", "lat lon");
  ocean.height = define(file, "zos", real, 2, surface, "sea_surface_height_above_geoid", "m", "lat lon");
  return ocean;
}

/* The positions of this rank's columns in an array of `levels` levels. */
static scorpio_decomp* place(scorpio_iosystem* io, const ocean_mesh* mesh, int64_t levels) {
  const int64_t dims[2] = {levels, mesh->cells}, n = levels * mesh->padded;
  int64_t* index = malloc((size_t)(n + 1) * sizeof *index);
  scorpio_decomp* places;
  for (int64_t level = 0; level < levels; level++) {
    for (int64_t c = 0; c < mesh->padded; c++)
      index[level * mesh->padded + c] = mesh->cell[c] < 0 ? -1 : level * mesh->cells + mesh->cell[c];
  }
  check(scorpio_decomp_map(io, 2, dims, n, index, &places));
  free(index);
  return places;
}

/* The doubles in memory become floats on their way into the file. */
static scorpio_access columns(int variable, scorpio_decomp* places, int64_t record, const double* data) {
  scorpio_access access = scorpio_darray(variable, places, record, SCORPIO_FLOAT64, data);
  access.fill = &missing;
  return access;
}

static scorpio_access shared(int variable, const int64_t* start, const int64_t* count, const double* data) {
  scorpio_access access = scorpio_hyperslab(variable, start, count, SCORPIO_FLOAT64, data);
  access.sharing = SCORPIO_ALL_RANKS;
  return access;
}

static void put_coordinates(ocean_file ocean, scorpio_decomp* surface, const ocean_mesh* mesh) {
  const int64_t zero = 0;
  const scorpio_access accesses[3] = {columns(ocean.lat, surface, 0, mesh->lat),
                                      columns(ocean.lon, surface, 0, mesh->lon),
                                      shared(ocean.depth, &zero, &mesh->levels, mesh->depth)};
  check(scorpio_put_n(ocean.file, 3, accesses));
}

static void add_record(ocean_file ocean, scorpio_decomp* volume, scorpio_decomp* surface,
                       const ocean_mesh* mesh) {
  const double hours = 6 * (double)mesh->step;
  const int64_t one = 1;
  const scorpio_access accesses[4] = {columns(ocean.temp, volume, mesh->step, mesh->temp),
                                      columns(ocean.salt, volume, mesh->step, mesh->salt),
                                      columns(ocean.height, surface, mesh->step, mesh->height),
                                      shared(ocean.time, &mesh->step, &one, &hours)};
  check(scorpio_put_n(ocean.file, 4, accesses));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const ocean_arguments arguments = ocean_read_arguments(argc, argv);
  ocean_mesh mesh = ocean_make_mesh(&arguments);
  scorpio_iosystem* io;
  check(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  scorpio_decomp *volume = place(io, &mesh, mesh.levels), *surface = place(io, &mesh, 1);

  const ocean_file ocean = create_file(io, arguments.file, &mesh);
  put_coordinates(ocean, surface, &mesh);
  add_record(ocean, volume, surface, &mesh);
  while (mesh.step < arguments.steps) {
    ocean_advance(&mesh);
    add_record(ocean, volume, surface, &mesh);
  }
  check(scorpio_file_close(ocean.file));

  check(scorpio_decomp_free(volume));
  check(scorpio_decomp_free(surface));
  check(scorpio_iosystem_free(io));
  ocean_free_mesh(&mesh);
  MPI_Finalize();
  return 0;
}
