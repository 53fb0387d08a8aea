/* lossy STEP FILE INPUT FIELDS METHOD PARAMETER: FIELDS variables v0, v1, ... [steps][rows][columns], of
 * float and double in turn, of which step 0 creates the file, and each step puts one index of the first
 * dimension. METHOD is zfp, or the number of a method of quantisation. INPUT has the elements as doubles,
 * [FIELDS][steps][rows][columns]. */
#include <mpi.h>
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

enum { k_steps = 2, k_rows = 23, k_columns = 30, k_zfp = 32013, k_shuffle = 2, k_deflate = 1 };

static void define(scorpio_file* file, const char* name, scorpio_type type, const char* method,
                   int parameter) {
  const int64_t dims[3] = {k_steps, k_rows, k_columns}, chunk[3] = {1, 8, 11};
  const double fill = 1e20, missing = -999;
  const float short_fill = 1e20F;
  int id = -1;
  must(scorpio_variable_define(file, name, type, 3, dims, &id));
  must(scorpio_variable_fill_define(file, id, 1,
                                    type == SCORPIO_FLOAT32 ? (const void*)&short_fill : (const void*)&fill));
  must(scorpio_attribute_put_values(file, id, "missing_value", SCORPIO_FLOAT64, 1, &missing));
  must(scorpio_variable_define_chunks(file, id, chunk));
  if (strcmp(method, "zfp") == 0) {
    const int filters[2] = {k_zfp, k_deflate}, parameters[2] = {parameter, 1};
    must(scorpio_variable_define_filters(file, id, 2, filters, parameters));
  } else {
    const int filters[2] = {k_shuffle, k_deflate}, parameters[2] = {0, 1};
    must(scorpio_variable_define_filters(file, id, 2, filters, parameters));
    must(scorpio_variable_define_quantization(file, id, (scorpio_quantization)atoi(method), parameter));
  }
}

static void put(scorpio_file* file, const char* name, int step, const double* values) {
  int id = -1, rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  must(scorpio_variable_find(file, name, &id));
  const int64_t start[3] = {step, k_rows * rank / ranks, 0};
  const int64_t count[3] = {1, k_rows * (rank + 1) / ranks - start[1], k_columns};
  const scorpio_access access =
      scorpio_hyperslab(id, start, count, SCORPIO_FLOAT64, values + (step * k_rows + start[1]) * k_columns);
  must(scorpio_put(file, &access));
}

int main(int argc, char** argv) {
  scorpio_iosystem* system = NULL;
  scorpio_file* file = NULL;
  static double values[k_steps * k_rows * k_columns];
  MPI_Init(&argc, &argv);
  if (argc != 7) MPI_Abort(MPI_COMM_WORLD, 2);
  must(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &system));
  const int step = atoi(argv[1]), fields = atoi(argv[4]);
  if (step == 0)
    must(scorpio_file_create(system, argv[2], SCORPIO_FORMAT_NETCDF4, NULL, &file));
  else
    must(scorpio_file_open(system, argv[2], SCORPIO_WRITE, NULL, &file));
  FILE* const input = fopen(argv[3], "rb");
  for (int field = 0; field < fields; field++) {
    char name[16];
    snprintf(name, sizeof name, "v%d", field);
    if (input == NULL || fread(values, sizeof values, 1, input) != 1) MPI_Abort(MPI_COMM_WORLD, 2);
    if (step == 0)
      define(file, name, field % 2 == 0 ? SCORPIO_FLOAT32 : SCORPIO_FLOAT64, argv[5], atoi(argv[6]));
    put(file, name, step, values);
  }
  fclose(input);
  must(scorpio_file_close(file));
  must(scorpio_iosystem_free(system));
  MPI_Finalize();
  return 0;
}
