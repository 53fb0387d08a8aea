/* zfp write FILE: variables whose chunks zfp encodes: values[row][column] = 280 + row^2 / 7 + column^2 / 11.
 * zfp read FILE NAME OUT: writes the elements of a variable to OUT, as they are in memory. */
#include <mpi.h>
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

enum { k_rows = 30, k_columns = 40, k_zfp = 32013 };

static void put(scorpio_file* file, const char* name, scorpio_type type, int parameter) {
  const int64_t dims[2] = {k_rows, k_columns}, chunk[2] = {10, 20};
  const int filter = k_zfp;
  int id = -1, rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  must(scorpio_variable_define(file, name, type, 2, dims, &id));
  must(scorpio_variable_define_chunks(file, id, chunk));
  must(scorpio_variable_define_filters(file, id, 1, &filter, &parameter));
  const int64_t start[2] = {k_rows * rank / ranks, 0};
  const int64_t count[2] = {k_rows * (rank + 1) / ranks - start[0], k_columns};
  double* values = malloc(sizeof(double) * (size_t)(count[0] * k_columns + 1));
  for (int64_t row = 0; row < count[0]; row++)
    for (int64_t column = 0; column < k_columns; column++)
      values[row * k_columns + column] =
          280 + (double)((start[0] + row) * (start[0] + row)) / 7 + (double)(column * column) / 11;
  const scorpio_access access = scorpio_hyperslab(id, start, count, SCORPIO_FLOAT64, values);
  must(scorpio_put(file, &access));
  free(values);
}

static void write_file(scorpio_iosystem* system, const char* path) {
  scorpio_file* file = NULL;
  must(scorpio_file_create(system, path, SCORPIO_FORMAT_NETCDF4, NULL, &file));
  put(file, "accuracy", SCORPIO_FLOAT32, 2000 - 5);
  put(file, "precision", SCORPIO_FLOAT64, 20);
  put(file, "reversible", SCORPIO_FLOAT64, 100);
  must(scorpio_file_close(file));
}

static void read_file(scorpio_iosystem* system, const char* path, const char* name, const char* out) {
  static double values[k_rows * k_columns];
  const int64_t start[2] = {0, 0}, count[2] = {k_rows, k_columns};
  scorpio_file* file = NULL;
  int id = -1, rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  must(scorpio_file_open(system, path, SCORPIO_READ, NULL, &file));
  must(scorpio_variable_find(file, name, &id));
  const scorpio_access access = scorpio_hyperslab(id, start, count, SCORPIO_FLOAT64, values);
  must(scorpio_get(file, &access));
  must(scorpio_file_close(file));
  if (rank != 0) return;
  FILE* const to = fopen(out, "wb");
  if (to == NULL || fwrite(values, sizeof values, 1, to) != 1 || fclose(to) != 0)
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  scorpio_iosystem* system = NULL;
  MPI_Init(&argc, &argv);
  must(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &system));
  if (argc == 3 && strcmp(argv[1], "write") == 0) write_file(system, argv[2]);
  if (argc == 5 && strcmp(argv[1], "read") == 0) read_file(system, argv[2], argv[3], argv[4]);
  must(scorpio_iosystem_free(system));
  MPI_Finalize();
  return 0;
}
