/* bad_input FOLDER SIZE: every call with each of its arguments wrong, on the last rank, on rank 0, or on all:
 * the contract's code on every rank, nothing made, and the group works on. Collective over MPI_COMM_WORLD. */
#include "bad_calls.h"

#include "check.h"

enum { k_any_failure = -1000, k_columns = 3, k_space = 4096 };

typedef struct Spoiler {
  const char* what;
  int needs;          /* the call must have these */
  int refuses;        /* and none of these */
  int only_together;  /* not wrong when one rank alone has it */
  int attribute_code; /* what reading an attribute then returns; others -1 */
  void (*spoil)(Arguments*);
} Spoiler;

static int closed_file, read_only_file;

static void negative_handle(Arguments* a) { a->file = -1; }
static void large_handle(Arguments* a) { a->file = 1 << 30; }
static void closed_handle(Arguments* a) { a->file = closed_file; }
static void read_only_handle(Arguments* a) { a->file = read_only_file; }
static void no_name(Arguments* a) { a->name = NULL; }
static void empty_name(Arguments* a) { a->name = ""; }
static void missing_name(Arguments* a) { a->name = "no such/object"; }
static void name_below_dataset(Arguments* a) { a->name = "good/below"; }
static void large_type(Arguments* a) { a->type = 99; }
static void negative_type(Arguments* a) { a->type = -1; }
static void string_type(Arguments* a) { a->type = SCORPIO_STRING; }
static void other_type(Arguments* a) { a->type = SCORPIO_FLOAT; }
static void no_dimensions(Arguments* a) { a->ndims = -1; }
static void many_dimensions(Arguments* a) { a->ndims = 1000; }
static void negative_extent(Arguments* a) { a->global[1] = -4; }
static void other_extent(Arguments* a) { a->global[0] += 1; }
static void negative_rows(Arguments* a) { a->local[0] = -2; }
static void many_rows(Arguments* a) { a->local[0] = a->global[0] + 1; }
static void other_columns(Arguments* a) { a->local[1] = k_columns + 1; }
static void negative_start(Arguments* a) { a->start[0] = -1; }
static void large_start(Arguments* a) { a->start[0] = a->global[0]; }
static void no_pattern(Arguments* a) { a->pattern = 77; }
static void opposite_pattern(Arguments* a) {
  a->pattern = a->pattern < 4 ? SCORPIO_NONUNIFORM_CONTIGUOUS_WRITE : SCORPIO_NONUNIFORM_CONTIGUOUS_READ;
}
static void pattern_without_list(Arguments* a) {
  a->pattern = a->pattern < 4 ? SCORPIO_NONCONTIGUOUS_READ : SCORPIO_NONCONTIGUOUS_WRITE;
}
static void missing_attribute(Arguments* a) { a->attribute = "no such attribute"; }
static void no_attribute(Arguments* a) { a->attribute = NULL; }
static void attribute_of_other_type(Arguments* a) { a->attribute = "an integer"; }
static void negative_length(Arguments* a) { a->n = -3; }
static void index_outside(Arguments* a) { a->index[2] = (int64_t)a->global[0] * k_columns; }
static void negative_index(Arguments* a) { a->index[2] = -2; }
static void no_location(Arguments* a) { a->location = -1; }
static void no_buffer(Arguments* a) { a->buffer = NULL; }

static const Spoiler k_spoilers[] = {
    {"a negative handle", 0, 0, 0, k_any_failure, negative_handle},
    {"a handle never given", 0, 0, 0, k_any_failure, large_handle},
    {"a closed handle", 0, 0, 0, k_any_failure, closed_handle},
    {"a file opened for reading", WRITES, 0, 1, -1, read_only_handle},
    {"no name", HAS_NAME, 0, 0, k_any_failure, no_name},
    {"an empty name", HAS_NAME, 0, 0, k_any_failure, empty_name},
    {"a missing name", MUST_EXIST, 0, 0, -1, missing_name},
    {"a name below a dataset", HAS_NAME, 0, 0, -1, name_below_dataset},
    {"type 99", HAS_TYPE, 0, 0, k_any_failure, large_type},
    {"type -1", HAS_TYPE, 0, 0, k_any_failure, negative_type},
    {"strings as data", HAS_TYPE | HAS_NDIMS, HAS_ATTRIBUTE, 0, -1, string_type},
    {"another type than other ranks", HAS_TYPE | WRITES, HAS_ATTRIBUTE, 0, -1, other_type},
    {"-1 dimensions", HAS_NDIMS, 0, 0, -1, no_dimensions},
    {"1000 dimensions", HAS_NDIMS, 0, 0, -1, many_dimensions},
    {"a negative extent", HAS_GLOBAL, 0, 0, -1, negative_extent},
    {"extents that are not the file's", MATCHES_FILE, 0, 0, -1, other_extent},
    {"negative rows", HAS_LOCAL, 0, 0, -1, negative_rows},
    {"rows beyond the array", HAS_LOCAL, 0, 0, -1, many_rows},
    {"other columns", HAS_LOCAL, 0, 0, -1, other_columns},
    {"a negative start", HAS_START, 0, 0, -1, negative_start},
    {"a start behind the end", HAS_START, 0, 0, -1, large_start},
    {"pattern 77", HAS_PATTERN, 0, 0, -1, no_pattern},
    {"a pattern of the other direction", HAS_PATTERN, 0, 0, -1, opposite_pattern},
    {"a pattern without its list", HAS_PATTERN, 0, 0, -1, pattern_without_list},
    {"a missing attribute", READS_ATTRIBUTE, 0, 0, -5, missing_attribute},
    {"no attribute's name", HAS_ATTRIBUTE, 0, 0, k_any_failure, no_attribute},
    {"an attribute of another type", READS_ATTRIBUTE, 0, 0, -2, attribute_of_other_type},
    {"a negative length", HAS_INDEX, 0, 0, -1, negative_length},
    {"an index outside", HAS_INDEX | HAS_NAME, 0, 0, -1, index_outside},
    {"an index of -2", HAS_INDEX | HAS_NAME, 0, 0, -1, negative_index},
    {"no location", HAS_LOCATION, 0, 1, -1, no_location},
    {"no buffer", HAS_BUFFER, 0, 0, k_any_failure, no_buffer},
};

/* Right arguments: existing objects to read, new names to write. */
static Arguments good_arguments(iogroup_t* group, int file, const Call* call, void* buffer) {
  Arguments a = {group,
                 file,
                 call->has & MUST_EXIST ? "good" : "new/name",
                 SCORPIO_DOUBLE,
                 2,
                 {2 * world_size, k_columns, 1, 1},
                 {2, k_columns, 1, 1},
                 {2 * world_rank, 0, 0, 0},
                 call->pattern,
                 "a double",
                 6,
                 {0, 1, -1, 2, 3, 3},
                 0,
                 buffer};
  if (call->has & HAS_ATTRIBUTE && call->has & WRITES) a.attribute = "new";
  if (call->has & HAS_LOCATION) a.location = group->localrank == 0 ? group->file[file]->fid : 0;
  if (strcmp(call->what, "read_same_sub_dataset") == 0) a.start[0] = 0;
  if (strcmp(call->what, "read_str_array") == 0) a.name = "strings";
  if (strcmp(call->what, "write_attr") == 0) a.global[0] = 1;
  return a;
}

static void tell(const char* call, const char* spoiler, const char* who, int wanted, int code) {
  char what[256];
  snprintf(what, sizeof what, "%s with %s on %s", call, spoiler, who);
  complain(__FILE__, __LINE__, what, wanted, code);
}

/* Who: 0 the last rank, 1 rank 0, 2 all. */
static void run_one(iogroup_t* group, int file, const Call* call, const Spoiler* spoiler, int who) {
  static const char* const k_who[] = {"the last rank", "rank 0", "all ranks"};
  double space[k_space / sizeof(double)];
  Arguments a = good_arguments(group, file, call, space);
  const int mine = who == 2 || world_rank == (who == 1 ? 0 : world_size - 1);
  if (mine) spoiler->spoil(&a);
  memset(space, 0, sizeof space);
  int wanted = call->has & READS_ATTRIBUTE ? spoiler->attribute_code : -1;
  if (who != 2 && world_size > 1 && wanted < -1) wanted = k_any_failure; /* first of all the ranks differ */
  if (call->has & ANSWERS) wanted = 0;
  if (call->has & HAS_ATTRIBUTE && spoiler->attribute_code == k_any_failure) wanted = k_any_failure;
  const int code = call->run(&a);
  if (wanted == k_any_failure ? code >= 0 : code != wanted) {
    tell(call->what, spoiler->what, k_who[who], wanted, code);
  }
  expect_same(__FILE__, __LINE__, call->what, code, MPI_COMM_WORLD);
}

static int applies(const Call* call, const Spoiler* spoiler, int who) {
  const int one_alone = who != 2 && world_size > 1;
  if ((call->has & spoiler->needs) != spoiler->needs || call->has & spoiler->refuses) return 0;
  if (spoiler->only_together && one_alone) return 0;
  if (spoiler->spoil == other_type && !one_alone) return 0;
  /* The entire pattern takes what rank 0 has, and asks no other rank for a buffer. */
  if (spoiler->spoil == no_buffer && call->pattern == SCORPIO_EVERYONE_ENTIRE_DATASET_WRITE && who == 0)
    return 0;
  if (spoiler->spoil == no_buffer && (call->has & (WRITES | HAS_ATTRIBUTE)) == (WRITES | HAS_ATTRIBUTE) &&
      who == 0) {
    return 0; /* likewise an attribute */
  }
  return 1;
}

static void expect_nothing_made(iogroup_t* group, int file) {
  EXPECT(0, scorpio_dataset_exists("new/name", file, group));
  EXPECT(0, scorpio_group_exists("new/name", file, group));
  if (world_rank == 0) EXPECT(0, H5Aexists(group->file[file]->fid, "new"));
}

/* Data are written and read. */
static void expect_working(iogroup_t* group, int file, int time) {
  int global[2] = {2 * world_size, k_columns}, local[2] = {2, k_columns};
  double data[2 * k_columns], back[2 * k_columns] = {0};
  char name[32];
  snprintf(name, sizeof name, "works %d", time);
  for (int i = 0; i < 2 * k_columns; ++i) data[i] = 100 * world_rank + i + time;
  EXPECT(0, scorpio_write_dataset(data, SCORPIO_DOUBLE, 2, global, local, file, name, group,
                                  SCORPIO_NONUNIFORM_CONTIGUOUS_WRITE));
  EXPECT(0, scorpio_read_dataset(back, SCORPIO_DOUBLE, 2, global, local, file, name, group,
                                 SCORPIO_UNIFORM_CONTIGUOUS_READ));
  EXPECT(0, memcmp(data, back, sizeof data));
}

static void spoil_everything(iogroup_t* group, int file) {
  const int n = (int)(sizeof k_spoilers / sizeof k_spoilers[0]);
  int time = 0;
  for (const Call* call = k_calls; call->what != NULL; ++call) {
    for (int s = 0; s < n; ++s) {
      for (int who = world_size == 1 ? 2 : 0; who <= 2; ++who) {
        if (applies(call, &k_spoilers[s], who)) run_one(group, file, call, &k_spoilers[s], who);
      }
    }
    expect_nothing_made(group, file);
    expect_working(group, file, ++time);
  }
}

/* A spoiled argument is the reason only if the call is good without it. */
static void run_unspoiled(iogroup_t* group, int file) {
  double space[k_space / sizeof(double)] = {0};
  for (const Call* call = k_calls; call->what != NULL; ++call) {
    char name[64];
    Arguments a = good_arguments(group, file, call, space);
    snprintf(name, sizeof name, "unspoiled/%s", call->what);
    if (!(call->has & MUST_EXIST)) a.name = name;
    const int code = call->run(&a);
    if (code != 0) complain(__FILE__, __LINE__, call->what, 0, code);
  }
}

/* The calls that take no handle of an open file. */
static void spoil_the_rest(iogroup_t* group, int file, const char* folder) {
  iogroup_t other;
  iogroup_conf_t conf = {0, 1, MPI_COMM_NULL};
  EXPECT(-1, scorpio_open_file(NULL, group, SCORPIO_FILE_CREATE));
  EXPECT(-1, scorpio_open_file("", group, SCORPIO_FILE_CREATE));
  EXPECT(-1, scorpio_open_file(folder, group, SCORPIO_FILE_CREATE));
  EXPECT(-1, scorpio_open_file(world_rank == world_size - 1 ? NULL : "x.h5", group, SCORPIO_FILE_READONLY));
  EXPECT(-1, scorpio_open_file("x.h5", NULL, SCORPIO_FILE_READONLY));
  EXPECT_TRUE(scorpio_IOgroup_init(NULL, &other) < 0);
  EXPECT_TRUE(scorpio_IOgroup_init(&conf, &other) < 0);
  conf.commIncoming = MPI_COMM_WORLD;
  EXPECT_TRUE(scorpio_IOgroup_init(&conf, NULL) < 0);
  EXPECT_TRUE(scorpio_IOgroup_cleanup(NULL) < 0);
  EXPECT(-1, scorpio_set_max_buffer(1 << 20, group)); /* a file is open */
  EXPECT(-1, scorpio_set_max_buffer(-1, group));
  EXPECT_TRUE(scorpio_close_file(1 << 20, group) <= 0);
  EXPECT_TRUE(scorpio_close_file(-1, group) <= 0);
  EXPECT_TRUE(scorpio_close_dataset_group(12345, file, group) <= 0);
  EXPECT_TRUE(scorpio_close_dataset_group(0, -1, group) <= 0);
  EXPECT_TRUE(!scorpio_name_exists(-1, "good"));
  if (world_rank == 0) EXPECT_TRUE(!scorpio_name_exists(group->file[file]->fid, NULL));
}

static int open_files(iogroup_t* group, const char* folder) {
  char path[4096], word[] = "word";
  char* words[1] = {word};
  double one = 1;
  int whole = 1;
  snprintf(path, sizeof path, "%s/in.h5", folder);
  closed_file = scorpio_open_file(path, group, SCORPIO_FILE_READONLY);
  EXPECT(0, scorpio_close_file(closed_file, group));
  read_only_file = scorpio_open_file(path, group, SCORPIO_FILE_READONLY);
  EXPECT_TRUE(read_only_file >= 0);
  snprintf(path, sizeof path, "%s/out.h5", folder);
  const int file = scorpio_open_file(path, group, SCORPIO_FILE_CREATE);
  EXPECT_TRUE(file >= 0);
  int global[2] = {2 * world_size, k_columns}, local[2] = {2, k_columns};
  double data[2 * k_columns] = {0};
  EXPECT(0, scorpio_write_dataset(data, SCORPIO_DOUBLE, 2, global, local, file, "good", group,
                                  SCORPIO_NONUNIFORM_CONTIGUOUS_WRITE));
  EXPECT(0, scorpio_write_simple_attr("a double", &one, SCORPIO_DOUBLE, file, "good", group));
  EXPECT(0, scorpio_write_simple_attr("an integer", &whole, SCORPIO_INTEGER, file, "good", group));
  EXPECT(0, scorpio_write_str_array(words, 1, file, "strings", group));
  return file;
}

int main(int argc, char** argv) {
  iogroup_conf_t conf;
  iogroup_t group;
  begin(&argc, &argv);
  EXPECT(0, setenv("SCORPIO_MAX_BUFFER", "0", 1)); /* the default */
  conf.numIOgroups = 0;
  conf.preferredGroupSize = atoi(argv[2]);
  conf.commIncoming = MPI_COMM_WORLD;
  EXPECT(0, scorpio_IOgroup_init(&conf, &group));
  const int file = open_files(&group, argv[1]);
  spoil_everything(&group, file);
  spoil_the_rest(&group, file, argv[1]);
  expect_working(&group, file, 1000);
  run_unspoiled(&group, file);
  EXPECT(0, scorpio_close_file(file, &group));
  EXPECT(0, scorpio_close_file(read_only_file, &group));
  EXPECT(0, scorpio_IOgroup_cleanup(&group));
  return finish();
}
