/* write FILE [EAGER]: an HDF5 file with what readers may stumble over, as readers.py expects it: few and many
 * attributes, a long one, dimensions with and without a coordinate variable, groups, links, no data, and,
 * where the file is not eager, chunks that are compressed. */
#include <mpi.h>
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

enum { k_rows = 6, k_columns = 4, k_many = 20, k_long = 9000, k_group_members = 12 };

static scorpio_file* file;
static scorpio_decomp* rows;
static int64_t mine;

static void text(int object, const char* name, const char* value) {
  must(scorpio_attribute_put_text(file, object, name, value));
}

/* Element i of the global array is first + i. */
static void put(int variable, double first) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int64_t more = k_rows % ranks < rank ? k_rows % ranks : rank;
  const int64_t before = (k_rows / ranks * rank + more) * k_columns;
  double* values = malloc((size_t)(mine + 1) * sizeof *values);
  for (int64_t i = 0; i < mine; i++) values[i] = first + (double)(before + i);
  must(scorpio_put_darray(file, variable, rows, 0, SCORPIO_FLOAT64, values));
  free(values);
}

static void define(int eager) {
  int y, x, packed, temperature, salt, names, coordinate, nothing;
  must(scorpio_dimension_define(file, "y", k_rows, &y));
  must(scorpio_dimension_define(file, "x", k_columns, &x));
  const int space[2] = {y, x};
  const int64_t none = 0;
  text(SCORPIO_GLOBAL, "title", "what readers may stumble over");
  must(scorpio_variable_define_on(file, "temperature", SCORPIO_FLOAT64, 2, space, &temperature));
  must(scorpio_variable_define_on(file, "salt", SCORPIO_FLOAT32, 2, space, &salt));
  must(scorpio_variable_define_on(file, "packed", SCORPIO_FLOAT64, 2, space, &packed));
  if (!eager) {
    const int64_t chunk[2] = {4, 3};
    const int filters[2] = {2, 1}, parameters[2] = {0, 1};
    must(scorpio_variable_define_chunks(file, packed, chunk));
    must(scorpio_variable_define_filters(file, packed, 2, filters, parameters));
  }
  must(scorpio_variable_define_on(file, "x", SCORPIO_INT32, 1, &x, &coordinate));
  must(scorpio_variable_define_sized_on(file, "/ocean/names", SCORPIO_TEXT, 7, 1, &y, &names));
  must(scorpio_variable_define(file, "/ocean/nothing", SCORPIO_INT16, 1, &none, &nothing));
  text(temperature, "units", "degree_Celsius");
  text(temperature, "comment", "");
  const double factor = 2.5;
  const int64_t one = 1;
  must(scorpio_attribute_put_values(file, temperature, "one", SCORPIO_FLOAT64, 1, &factor));
  must(
      scorpio_attribute_put(file, salt, "_FillValue", SCORPIO_FLOAT32, 0, 1, &one, SCORPIO_FLOAT64, &factor));
  char name[16];
  for (int32_t i = 0; i < k_many; i++) {
    snprintf(name, sizeof name, "a%d", (int)i);
    must(scorpio_attribute_put(file, salt, name, SCORPIO_INT32, 0, 0, NULL, SCORPIO_INT32, &i));
  }
  double values[k_long];
  for (int i = 0; i < k_long; i++) values[i] = i;
  const int64_t length = k_long;
  int ocean, inner, profile;
  must(scorpio_group_find(file, "/ocean", &ocean));
  must(scorpio_dimension_define(file, "/ocean/x", k_rows, &inner));
  must(scorpio_variable_define_on(file, "/ocean/profile", SCORPIO_FLOAT32, 1, &inner, &profile));
  must(scorpio_attribute_put(file, ocean, "long", SCORPIO_FLOAT64, 0, 1, &length, SCORPIO_FLOAT64, values));
  for (int i = 0; i < k_group_members; i++) {
    snprintf(name, sizeof name, "/many/g%d", i);
    must(scorpio_group_define(file, name, NULL));
  }
  must(scorpio_link_define(file, "/ocean/alias", "/temperature"));
  put(temperature, 0.5);
  put(salt, 100);
  put(packed, 7);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  scorpio_iosystem* io;
  scorpio_options* options;
  must(scorpio_options_create(&options));
  if (argc > 2) must(scorpio_options_set(options, "eager", argv[2]));
  must(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  const int64_t dims[2] = {k_rows, k_columns};
  must(scorpio_decomp_uniform(io, 2, dims, &rows));
  must(scorpio_decomp_local_elements(rows, &mine));
  must(scorpio_file_create(io, argv[1], SCORPIO_FORMAT_DEFAULT, options, &file));
  define(argc > 2 && strcmp(argv[2], "true") == 0);
  must(scorpio_file_close(file));
  must(scorpio_decomp_free(rows));
  must(scorpio_iosystem_free(io));
  must(scorpio_options_free(options));
  MPI_Finalize();
  return 0;
}
