/* reasons FOLDER SIZE: calls that fail, on one rank or on all: get_last_error says why on every rank of the
 * call, and SCORPIO_VERBOSE prints it once. The last line on stdout is how many calls failed. Collective over
 * MPI_COMM_WORLD. */
#include "family.h"

enum { k_columns = 3 };
static int failed;
static iogroup_t group;
static int out, in;
static double data[2 * k_columns];

static void expect_text(int line, const char* wanted) {
  char text[1024] = "nothing", cut[6];
  const int length = X(get_last_error)(text, (int)sizeof text);
  if (strstr(text, wanted) == NULL) {
    fprintf(stdout, "line %d, rank %d: '%s' is not in '%s'\n", line, world_rank, wanted, text);
    complain(__FILE__, line, "the reason", 1, 0);
  }
  EXPECT((int)strlen(text), length);
  EXPECT(length, X(get_last_error)(NULL, 0));
  EXPECT(length, X(get_last_error)(cut, (int)sizeof cut));
  EXPECT(5, (int)strlen(cut));
}

/* A call that fails on all ranks, and three parts of its reason. */
#define EXPECT_REASON(code, call, first, second, third) \
  do {                                                  \
    EXPECT(code, call);                                 \
    ++failed;                                           \
    expect_text(__LINE__, first);                       \
    expect_text(__LINE__, second);                      \
    expect_text(__LINE__, third);                       \
  } while (0)

static int is_last(void) { return world_rank == world_size - 1; }

static int write_rows(const char* name, int type, int rows) {
  int whole[2] = {rows, k_columns}, mine[2] = {2, k_columns};
  return X(write_dataset)(data, (datatype_t)type, 2, whole, mine, out, name, &group,
                          P(NONUNIFORM_CONTIGUOUS_WRITE));
}

static void open_files(const char* folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/missing.h5", folder);
  EXPECT(0, X(get_last_error)(NULL, 0));
  EXPECT_REASON(-1, X(open_file)(path, &group, M(READONLY)), "open_file: ", "missing.h5", "not found");
  EXPECT_REASON(-1, X(open_file)(is_last() ? NULL : path, &group, M(READONLY)), "open_file", "rank ",
                "the file name is NULL");
  snprintf(path, sizeof path, "%s/in.h5", folder);
  in = X(open_file)(path, &group, M(CREATE));
  EXPECT(0, X(close_file)(in, &group));
  in = X(open_file)(path, &group, M(READONLY));
  snprintf(path, sizeof path, "%s/out.h5", folder);
  out = X(open_file)(path, &group, M(CREATE));
  EXPECT_TRUE(in >= 0 && out >= 0);
}

static void fail_to_write(void) {
  char rank[32];
  int whole[2] = {2 * world_size, k_columns}, mine[2] = {2, k_columns};
  snprintf(rank, sizeof rank, "rank %d: 99", world_size - 1);
  EXPECT_REASON(-1, write_rows("pressure", is_last() ? 99 : 1, 2 * world_size), "out.h5: pressure", rank,
                "write_dataset");
  EXPECT(0, write_rows("pressure", 1, 2 * world_size));
  expect_text(__LINE__, rank); /* success leaves it */
  EXPECT_REASON(-1, write_rows("pressure", 1, 2 * world_size), "write_dataset", "out.h5", "exists already");
  EXPECT_REASON(
      -1, X(write_dataset)(data, T(DOUBLE), 2, whole, mine, in, "x", &group, P(NONUNIFORM_CONTIGUOUS_WRITE)),
      "in.h5", "x", "opened for reading");
  EXPECT_REASON(
      -1, X(write_dataset)(data, T(DOUBLE), 2, whole, mine, out, "x", &group, P(NONUNIFORM_CONTIGUOUS_READ)),
      "out.h5", "rank 0", "pattern 1");
}

static void fail_to_read(void) {
  int dims[4], whole[2] = {2 * world_size, k_columns}, mine[2] = {2, k_columns};
  void* value = NULL;
  EXPECT_REASON(-1, X(get_dataset_dims)(dims, out, "no such", &group), "get_dataset_dims", "out.h5",
                "no such");
  EXPECT_REASON(
      -1,
      X(read_dataset)(data, T(DOUBLE), 2, whole, mine, out, "no such", &group, P(NONUNIFORM_CONTIGUOUS_READ)),
      "read_dataset", "out.h5", "no such");
  EXPECT(0, X(write_simple_attr)("an integer", &failed, T(INTEGER), out, "/", &group));
  EXPECT_REASON(-5, X(read_simple_attr)("none", &value, T(INTEGER), out, "/", &group), "out.h5",
                "no attribute", "none");
  EXPECT_REASON(-2, X(read_simple_attr)("an integer", &value, T(DOUBLE), out, "/", &group), "out.h5",
                "an integer", "type");
  EXPECT_REASON(-1, X(read_simple_attr)("a", &value, T(DOUBLE), out, "nowhere", &group), "out.h5", "nowhere",
                "no group or dataset");
}

static void fail_by_handles(void) {
  EXPECT_REASON(-1, X(close_file)(17, &group), "close_file", "no file", "handle 17");
  EXPECT_REASON(0, X(group_exists)("/", 17, &group), "group_exists", "no file", "handle 17");
  EXPECT_REASON(-1, X(set_xdmf)(1, NULL), "set_xdmf", "iogroup_t", "IOgroup_init");
  EXPECT_REASON(-1, X(set_max_buffer)(5, &group), "set_max_buffer", "rank 0", "65536");
}

/* Ranks that do not do the same. */
static void fail_by_difference(void) {
  int number = 0;
  if (world_size == 1) return;
  EXPECT_REASON(-1, write_rows("y", 1, 2 * world_size + is_last()), "out.h5", ": y: ", "different arguments");
  EXPECT_REASON(-1,
                is_last() ? X(get_dataset_ndims)(&number, out, "pressure", &group)
                          : X(get_dataset_size)(&number, out, "pressure", &group),
                "get_dataset_", "pressure", "different functions");
}

/* Rank 0 skips a block write that fails: it is not told as rank 0's. */
static void fail_without_rank_0(void) {
  int whole[2] = {2 * world_size, k_columns}, mine[2] = {2, k_columns}, start[2] = {0, 0};
  char before[1024], after[1024];
  if (world_size == 1) return;
  X(get_last_error)(before, (int)sizeof before);
  if (world_rank == 0) {
    ++failed;
  } else {
    EXPECT_REASON(-1,
                  X(write_dataset_block)(data, T(INTEGER), 2, whole, mine, start, out, "pressure", &group),
                  "write_dataset_block", "pressure", "another type");
  }
  EXPECT(1, X(dataset_exists)("pressure", out, &group));
  X(get_last_error)(after, (int)sizeof after);
  if (world_rank == 0) EXPECT(0, strcmp(before, after));
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  make_group(MPI_COMM_WORLD, atoi(argv[2]), &group);
  open_files(argv[1]);
  fail_to_write();
  fail_to_read();
  fail_by_handles();
  fail_by_difference();
  fail_without_rank_0();
  EXPECT(0, X(close_file)(in, &group));
  EXPECT(0, X(close_file)(out, &group));
  EXPECT(0, X(IOgroup_cleanup)(&group));
  if (world_rank == 0) printf("%d\n", failed);
  return finish();
}
