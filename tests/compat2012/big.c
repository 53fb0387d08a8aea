/* big FOLDER SIZE: datasets of 2.5e9 elements, almost all of which nobody writes: their sizes, and slabs at
 * the start, across element 2^31 and at the end, written and read in blocks and by index. Collective over
 * MPI_COMM_WORLD. */
#include "family.h"

enum { k_side = 50000, k_near = 1000 };
static const int64_t k_long = 2500000000;
/* First rows of the slabs, of two rows each. Element 2^31 is in row 42949. */
static const int k_rows[3] = {0, 42949, k_side - 2};

typedef struct Job {
  iogroup_t group;
  int file;
} Job;

/* k_near elements at the three places, dealt out to the ranks in turn. */
static int64_t near_list(int64_t* list) {
  const int64_t firsts[3] = {0, ((int64_t)1 << 31) - k_near / 2, k_long - k_near};
  int64_t n = 0;
  for (int place = 0; place < 3; ++place) {
    for (int64_t i = world_rank; i < k_near; i += world_size) list[n++] = firsts[place] + i;
  }
  return n;
}

static void write_line(Job* job) {
  int64_t list[3 * k_near];
  char data[3 * k_near];
  const int64_t n = near_list(list);
  for (int64_t k = 0; k < n; ++k) value_store(V_CHAR, data, k, list[k], 1);
  EXPECT(0, X(write_dataset_indexed)(data, T(CHAR), 1, &k_long, n, list, job->file, "line", &job->group));
}

static void expect_line(Job* job, const char* name) {
  int64_t list[3 * k_near], dims = 0, size = 0, wrong = 0;
  int cut = 0;
  char data[3 * k_near];
  const int64_t n = near_list(list);
  EXPECT(0, X(get_dataset_dims64)(&dims, job->file, name, &job->group));
  EXPECT(k_long, dims);
  EXPECT(0, X(get_dataset_size64)(&size, job->file, name, &job->group));
  EXPECT(k_long, size);
  /* An int cannot say it. */
  EXPECT(-1, X(get_dataset_size)(&cut, job->file, name, &job->group));
  EXPECT(0, X(read_dataset_indexed)(data, T(CHAR), 1, &k_long, n, list, job->file, name, &job->group));
  for (int64_t k = 0; k < n; ++k) wrong += !value_is(V_CHAR, data, k, list[k], 1);
  EXPECT(0, wrong);
}

/* This rank's columns of a slab. */
static void my_columns(int* first, int* n) {
  *first = (int)((int64_t)k_side * world_rank / world_size);
  *n = (int)((int64_t)k_side * (world_rank + 1) / world_size) - *first;
}

static int64_t square_index(int row, int column) { return (int64_t)row * k_side + column; }

static void write_square(Job* job) {
  int global[2] = {k_side, k_side}, local[2] = {2, 0}, start[2] = {0, 0};
  long* data = malloc(2 * k_side * sizeof *data);
  my_columns(&start[1], &local[1]);
  for (int slab = 0; slab < 3; ++slab) {
    start[0] = k_rows[slab];
    for (int k = 0; k < 2 * local[1]; ++k) {
      value_store(V_LONG, data, k, square_index(start[0] + k / local[1], start[1] + k % local[1]), 2);
    }
    EXPECT(0,
           X(write_dataset_block)(data, T(LONG), 2, global, local, start, job->file, "square", &job->group));
  }
  free(data);
}

static void expect_square(Job* job) {
  int global[2] = {k_side, k_side}, local[2] = {2, 0}, start[2] = {0, 0}, block[2] = {1, 100};
  long* data = malloc(2 * k_side * sizeof *data);
  int64_t wrong = 0, size = 0;
  my_columns(&start[1], &local[1]);
  EXPECT(0, X(get_dataset_size64)(&size, job->file, "square", &job->group));
  EXPECT(k_long, size);
  for (int slab = 0; slab < 3; ++slab) {
    start[0] = k_rows[slab];
    EXPECT(0,
           X(read_dataset_block)(data, T(LONG), 2, global, local, start, job->file, "square", &job->group));
    for (int k = 0; k < 2 * local[1]; ++k) {
      wrong += !value_is(V_LONG, data, k, square_index(start[0] + k / local[1], start[1] + k % local[1]), 2);
    }
  }
  start[0] = k_side - 1;
  start[1] = k_side - 100;
  EXPECT(0, X(read_same_sub_dataset)(data, T(LONG), 2, block, start, job->file, "square", &job->group));
  for (int k = 0; k < 100; ++k) wrong += !value_is(V_LONG, data, k, square_index(start[0], start[1] + k), 2);
  EXPECT(0, wrong);
  free(data);
}

int main(int argc, char** argv) {
  Job job;
  char path[4096];
  begin(&argc, &argv);
  make_group(MPI_COMM_WORLD, atoi(argv[2]), &job.group);
  snprintf(path, sizeof path, "%s/out.h5", argv[1]);
  job.file = X(open_file)(path, &job.group, M(CREATE));
  EXPECT(0, job.file);
  write_line(&job);
  write_square(&job);
  expect_line(&job, "line");
  expect_square(&job);
  EXPECT(0, X(close_file)(job.file, &job.group));
  snprintf(path, sizeof path, "%s/in.h5", argv[1]);
  job.file = X(open_file)(path, &job.group, M(READONLY));
  EXPECT(1, job.file);
  expect_line(&job, "made by h5py");
  EXPECT(0, X(close_file)(job.file, &job.group));
  EXPECT(0, X(IOgroup_cleanup)(&job.group));
  return finish();
}
