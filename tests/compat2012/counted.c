/* counted FOLDER SIZE BUFFER ARRAYS: one file with ARRAYS datasets of 12 MiB, written as blocks of columns,
 * so that the parts of the ranks alternate in the file, and read back. Its system calls are counted by
 * count_calls. Collective over MPI_COMM_WORLD. */
#include "family.h"

enum { k_side = 1024, k_width = 1536 };

static int64_t seed_of(int array) { return 7 + array; }

static void transfer(iogroup_t* group, int file, int array, int writes) {
  const int first = k_width * world_rank / world_size, n = k_width * (world_rank + 1) / world_size - first;
  int global[2] = {k_side, k_width}, local[2] = {k_side, n}, start[2] = {0, first};
  double* data = calloc((size_t)(k_side * n), sizeof *data);
  char name[32];
  int64_t wrong = 0;
  snprintf(name, sizeof name, "array %d", array);
  for (int64_t k = 0; writes && k < k_side * n; ++k) {
    value_store(V_DOUBLE, data, k, k / n * k_width + first + k % n, seed_of(array));
  }
  if (writes) {
    EXPECT(0, X(write_dataset_block)(data, T(DOUBLE), 2, global, local, start, file, name, group));
  } else {
    EXPECT(0, X(read_dataset_block)(data, T(DOUBLE), 2, global, local, start, file, name, group));
  }
  for (int64_t k = 0; k < k_side * n; ++k) {
    wrong += !value_is(V_DOUBLE, data, k, k / n * k_width + first + k % n, seed_of(array));
  }
  EXPECT(0, wrong);
  free(data);
}

int main(int argc, char** argv) {
  iogroup_t group;
  char path[4096];
  begin(&argc, &argv);
  const int arrays = atoi(argv[4]);
  make_group(MPI_COMM_WORLD, atoi(argv[2]), &group);
  /* 0: as the environment says. */
  EXPECT(0, X(set_max_buffer)(atol(argv[3]), &group));
  snprintf(path, sizeof path, "%s/counted.h5", argv[1]);
  int file = X(open_file)(path, &group, M(CREATE));
  EXPECT(0, file);
  for (int array = 0; array < arrays; ++array) transfer(&group, file, array, 1);
  EXPECT(0, X(close_file)(file, &group));
  MPI_Barrier(MPI_COMM_WORLD);
  /* Another name, so that the calls on it are told apart. */
  char again[4096];
  snprintf(again, sizeof again, "%s/read.h5", argv[1]);
  if (world_rank == 0) EXPECT(0, rename(path, again));
  MPI_Barrier(MPI_COMM_WORLD);
  file = X(open_file)(again, &group, M(READONLY));
  EXPECT(1, file);
  for (int array = 0; array < arrays; ++array) transfer(&group, file, array, 0);
  EXPECT(0, X(close_file)(file, &group));
  EXPECT(0, X(IOgroup_cleanup)(&group));
  return finish();
}
