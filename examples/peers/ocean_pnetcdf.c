/* The program ocean.c by PnetCDF: the same model, and a file with the same content. Each process holds
 * columns of water anywhere in the file, in any order, and the last one holds none. No process holds the
 * cells on land: these get a fill value. ocean_model.h has all that is not output. mpirun -n 4 ocean_pnetcdf
 * --cells 100000 --levels 40; ocean_pnetcdf --help
 */
#include <pnetcdf.h>

#include "../ocean_model.h"

static const float missing = 1e20f;

typedef struct {
  int file;
  int time, depth, lat, lon, temp, salt, height; /* variables */
} ocean_file;

/* The places of this process's columns in a variable, and in memory. */
typedef struct {
  int n;                /* the number of elements in the file */
  MPI_Offset** start;   /* [n][ndims] */
  MPI_Offset* indices;  /* the memory of `start` */
  MPI_Datatype columns; /* the elements in memory, without the padding */
} ocean_places;

static void check(int code) {
  if (code != NC_NOERR) ocean_fail(ncmpi_strerror(code));
}

static void describe(int file, int variable, const char* name, const char* text) {
  check(ncmpi_put_att_text(file, variable, name, (MPI_Offset)strlen(text), text));
}

/* Defines a variable; one whose names of coordinates are given has cells on land. */
static int define(int file, const char* name, nc_type type, int ndims, const int* dims,
                  const char* standard_name, const char* units, const char* coordinates) {
  int variable;
  check(ncmpi_def_var(file, name, type, ndims, dims, &variable));
  describe(file, variable, "standard_name", standard_name);
  describe(file, variable, "units", units);
  if (coordinates == NULL) return variable;
  check(ncmpi_def_var_fill(file, variable, 0, &missing));
  if (*coordinates) describe(file, variable, "coordinates", coordinates);
  return variable;
}

static ocean_file create_file(const char* path, const ocean_mesh* mesh) {
  ocean_file ocean;
  int dims[3], surface[2];
  check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ocean.file));
  const int file = ocean.file;
  check(ncmpi_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  check(ncmpi_def_dim(file, "depth", mesh->levels, &dims[1]));
  check(ncmpi_def_dim(file, "cell", mesh->cells, &dims[2]));
  surface[0] = dims[0];
  surface[1] = dims[2];
  describe(file, NC_GLOBAL, "Conventions", "CF-1.8");
  ocean.time = define(file, "time", NC_DOUBLE, 1, dims, "time", "hours since 2000-01-01 00:00:00", NULL);
  describe(file, ocean.time, "calendar", "standard");
  ocean.depth = define(file, "depth", NC_DOUBLE, 1, &dims[1], "depth", "m", NULL);
  describe(file, ocean.depth, "positive", "down");
  ocean.lat = define(file, "lat", NC_FLOAT, 1, &dims[2], "latitude", "degrees_north", "");
  ocean.lon = define(file, "lon", NC_FLOAT, 1, &dims[2], "longitude", "degrees_east", "");
  ocean.temp =
      define(file, "thetao", NC_FLOAT, 3, dims, "sea_water_potential_temperature", "degC", "lat lon");
  ocean.salt = define(file, "so", NC_FLOAT, 3, dims, "sea_water_salinity", "1e-3", "lat lon");
  ocean.height = define(file, "zos", NC_FLOAT, 2, surface, "sea_surface_height_above_geoid", "m", "lat lon");
  check(ncmpi_enddef(file));
  return ocean;
}

/* The last dimension is that of the cells, the one before it that of the levels if there are several. */
static ocean_places place(const ocean_mesh* mesh, int ndims, int64_t levels) {
  ocean_places places = {.n = (int)(levels * mesh->columns)};
  MPI_Offset place = 0;
  places.indices = calloc((size_t)(places.n * ndims + 1), sizeof *places.indices);
  places.start = malloc((size_t)(places.n + 1) * sizeof *places.start);
  for (int64_t level = 0; level < levels; level++) {
    for (int64_t c = 0; c < mesh->columns; c++, place++) {
      MPI_Offset* const start = places.start[place] = places.indices + place * ndims;
      if (levels > 1) start[ndims - 2] = level;
      start[ndims - 1] = mesh->cell[c];
    }
  }
  MPI_Type_vector((int)levels, (int)mesh->columns, (int)mesh->padded, MPI_DOUBLE, &places.columns);
  MPI_Type_commit(&places.columns);
  return places;
}

static void free_places(ocean_places* places) {
  free(places->start);
  free(places->indices);
  MPI_Type_free(&places->columns);
}

/* The doubles in memory become floats on their way into the file. */
static void post(int file, int variable, const ocean_places* places, const double* data) {
  check(ncmpi_iput_varn(file, variable, places->n, places->start, NULL, data, places->n > 0, places->columns,
                        NULL));
}

static void put_coordinates(ocean_file ocean, const ocean_mesh* mesh) {
  ocean_places cells = place(mesh, 1, 1);
  post(ocean.file, ocean.lat, &cells, mesh->lat);
  post(ocean.file, ocean.lon, &cells, mesh->lon);
  check(ncmpi_wait_all(ocean.file, NC_REQ_ALL, NULL, NULL));
  check(ncmpi_put_var_double_all(ocean.file, ocean.depth, mesh->depth));
  free_places(&cells);
}

/* The fill mode does not concern new records: these are filled before the columns are put. */
static void add_record(ocean_file ocean, ocean_places* volume, ocean_places* surface,
                       const ocean_mesh* mesh) {
  const double hours = 6 * (double)mesh->step;
  for (int i = 0; i < volume->n; i++) volume->start[i][0] = mesh->step;
  for (int i = 0; i < surface->n; i++) surface->start[i][0] = mesh->step;
  check(ncmpi_fill_var_rec(ocean.file, ocean.temp, mesh->step));
  check(ncmpi_fill_var_rec(ocean.file, ocean.salt, mesh->step));
  check(ncmpi_fill_var_rec(ocean.file, ocean.height, mesh->step));
  post(ocean.file, ocean.temp, volume, mesh->temp);
  post(ocean.file, ocean.salt, volume, mesh->salt);
  post(ocean.file, ocean.height, surface, mesh->height);
  check(ncmpi_wait_all(ocean.file, NC_REQ_ALL, NULL, NULL));
  const MPI_Offset record = mesh->step;
  check(ncmpi_put_var1_double_all(ocean.file, ocean.time, &record, &hours));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const ocean_arguments arguments = ocean_read_arguments(argc, argv);
  ocean_mesh mesh = ocean_make_mesh(&arguments);
  ocean_places volume = place(&mesh, 3, mesh.levels), surface = place(&mesh, 2, 1);

  const ocean_file ocean = create_file(arguments.file, &mesh);
  put_coordinates(ocean, &mesh);
  add_record(ocean, &volume, &surface, &mesh);
  while (mesh.step < arguments.steps) {
    ocean_advance(&mesh);
    add_record(ocean, &volume, &surface, &mesh);
  }
  check(ncmpi_close(ocean.file));

  free_places(&volume);
  free_places(&surface);
  ocean_free_mesh(&mesh);
  MPI_Finalize();
  return 0;
}
