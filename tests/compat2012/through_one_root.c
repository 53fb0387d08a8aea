/* through_one_root FOLDER MEBIBYTES: more than 2 GiB of the other ranks written and read by one I/O root with
 * a buffer of 16 MiB, whose memory grows by no more than that and a twentieth. Collective over
 * MPI_COMM_WORLD, 2 ranks or more. */
#include "family.h"

enum { k_buffer = 16 << 20, k_columns = 1 << 20 };

/* Peak resident memory of this process, in bytes. */
static int64_t peak_memory(void) {
  char line[256];
  long kibibytes = 0;
  FILE* status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL) {
    if (strncmp(line, "VmHWM:", 6) == 0) kibibytes = strtol(line + 6, NULL, 10);
  }
  if (status != NULL) fclose(status);
  return 1024 * (int64_t)kibibytes;
}

/* The peak begins anew at what is in use now. */
static int forget_peak(void) {
  FILE* file = fopen("/proc/self/clear_refs", "w");
  if (file == NULL) return 0;
  const int done = fputs("5", file) >= 0;
  return fclose(file) == 0 && done;
}

/* Rows of 1 MiB; the root has none. */
static int rows_before(int rank, int rows) {
  return rank == 0 ? 0 : (int)((int64_t)rows * (rank - 1) / (world_size - 1));
}

/* Sparse in what is compared, dense in what is moved: each row is one value, its ends its number. */
static void fill_row(char* row, int number) {
  memset(row, number % 113, k_columns);
  value_store(V_INTEGER, row, 0, number, 3);
  value_store(V_INTEGER, row, k_columns / 4 - 1, number, 4);
}

static int64_t wrong_rows(const char* data, int first, int n) {
  char* row = malloc(k_columns);
  int64_t wrong = 0;
  for (int r = 0; r < n; ++r) {
    fill_row(row, first + r);
    wrong += memcmp(row, data + (size_t)r * k_columns, k_columns) != 0;
  }
  free(row);
  return wrong;
}

static void expect_memory(const char* what, int64_t before) {
  const int64_t grown = peak_memory() - before;
  if (world_rank != 0) return;
  /* The first use of HDF5 and MPI brings pages of theirs: 2.6 MiB were seen. */
  if (grown > k_buffer + k_buffer / 20 + (3 << 20))
    complain(__FILE__, __LINE__, what, k_buffer + k_buffer / 20, grown);
}

static void write_and_read(iogroup_t* group, const char* path, int rows) {
  const int first = rows_before(world_rank, rows), n = rows_before(world_rank + 1, rows) - first;
  int global[2] = {rows, k_columns}, local[2] = {n, k_columns};
  char* data = malloc((size_t)n * k_columns + 1);
  for (int r = 0; r < n; ++r) fill_row(data + (size_t)r * k_columns, first + r);
  EXPECT_TRUE(world_rank != 0 || forget_peak());
  int64_t before = peak_memory();
  int file = X(open_file)(path, group, M(CREATE));
  EXPECT(0, file);
  EXPECT(0, X(write_dataset)(data, T(CHAR), 2, global, local, file, "rows", group,
                             P(NONUNIFORM_CONTIGUOUS_WRITE)));
  EXPECT(0, X(close_file)(file, group));
  expect_memory("memory of the root while writing", before);
  memset(data, 0, (size_t)n * k_columns);
  before = peak_memory();
  file = X(open_file)(path, group, M(READONLY));
  EXPECT(1, file);
  EXPECT(0, X(read_dataset)(data, T(CHAR), 2, global, local, file, "rows", group,
                            P(NONUNIFORM_CONTIGUOUS_READ)));
  EXPECT(0, X(close_file)(file, group));
  expect_memory("memory of the root while reading", before);
  EXPECT(0, wrong_rows(data, first, n));
  free(data);
}

int main(int argc, char** argv) {
  iogroup_t group;
  char path[4096];
  begin(&argc, &argv);
  snprintf(path, sizeof path, "%s/out.h5", argv[1]);
  make_group(MPI_COMM_WORLD, world_size, &group);
  EXPECT(0, X(set_max_buffer)(k_buffer, &group));
  write_and_read(&group, path, atoi(argv[2]));
  EXPECT(0, X(IOgroup_cleanup)(&group));
  return finish();
}
