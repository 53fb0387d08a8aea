/* skipped FOLDER SIZE SEED ...: random calls, the same for all ranks, in which ranks without cells skip their
 * block writes and go on to whatever comes next: each block must land in the group that was current at its
 * call. Writes FOLDER/SEED.h5 and, on rank 0, FOLDER/SEED.txt: the path of each dataset, and how many rows it
 * has. A number of odd value is the last one of its job: the program then ends without cleaning up.
 * Collective over MPI_COMM_WORLD. */
#include "family.h"

enum { k_columns = 3, k_calls = 60, k_room = 256 };

typedef struct Job {
  iogroup_t group;
  unsigned state; /* of the random numbers */
  char path[4096];
  FILE* list; /* on rank 0 */
  int file;
  int roots_close;      /* groups and files are closed by I/O roots alone */
  int closed_by_roots;  /* such a group, since the last call of all ranks */
  unsigned cells;       /* which ranks have some; a new draw after each call of all ranks */
  char current[k_room]; /* "": the root group */
  int64_t id;           /* of the current group */
  int groups, in_root, in_group, others;
  char last[2 * k_room]; /* what was written last */
  int last_rows;
} Job;

static int draw(Job* job, int below) {
  job->state = job->state * 1664525u + 1013904223u;
  return (int)((job->state >> 8) % (unsigned)below);
}

static int has_cells(const Job* job, int rank) { return (int)(job->cells >> rank & 1u); }

static int ranks_with_cells(const Job* job, int below) {
  int n = 0;
  for (int rank = 0; rank < below; ++rank) n += has_cells(job, rank);
  return n;
}

/* All ranks have met: whoever skips does so from here on. */
static void all_met(Job* job) {
  const unsigned all = (1u << world_size) - 1u;
  job->cells = (unsigned)draw(job, (int)all + 1);
  if (draw(job, 4) == 0) job->cells &= ~1u;
  if (job->cells == 0) job->cells = 1u << draw(job, world_size);
  job->closed_by_roots = 0;
}

static void note(Job* job, const char* name, int in_current, int rows) {
  const int inside = in_current && job->current[0] != 0;
  snprintf(job->last, sizeof job->last, "%s%s/%s", inside ? "/" : "", inside ? job->current : "", name);
  job->last_rows = rows;
  if (world_rank == 0) fprintf(job->list, "%d %s\n", rows, job->last);
}

/* Names repeat in each group: what lands elsewhere meets something of the same name. */
static void new_name(Job* job, char* name, int in_current) {
  const int inside = in_current && job->current[0] != 0;
  snprintf(name, k_room, inside ? "part %d" : "root %d", inside ? job->in_group++ : job->in_root++);
}

static void fill(const Job* job, double* buffer, int first_row) {
  for (int i = 0; i < 2 * k_columns; ++i) {
    value_store(V_DOUBLE, buffer, i, (int64_t)first_row * k_columns + i, value_seed(job->last));
  }
}

/* Where I/O roots alone close a group, one that writes must know of it. */
static int some_writer_knows(const Job* job) {
  int knows = !job->closed_by_roots;
  for (int rank = 0; rank < world_size; rank += job->group.preferredGroupSize) knows |= has_cells(job, rank);
  return knows;
}

static void write_block(Job* job) {
  if (!some_writer_knows(job)) return;
  char name[k_room];
  double buffer[2 * k_columns];
  int dims[2] = {2 * ranks_with_cells(job, world_size), k_columns}, local[2] = {2, k_columns};
  int start[2] = {2 * ranks_with_cells(job, world_rank), 0};
  new_name(job, name, 1);
  note(job, name, 1, dims[0]);
  fill(job, buffer, start[0]);
  if (!has_cells(job, world_rank)) return;
  EXPECT(0, X(write_dataset_block)(buffer, T(DOUBLE), 2, dims, local, start, job->file, name, &job->group));
}

static void write_rows(Job* job, iopattern_t pattern, int in_current) {
  char name[k_room];
  double buffer[2 * k_columns];
  int dims[2] = {2 * world_size, k_columns}, local[2] = {2, k_columns};
  new_name(job, name, in_current);
  note(job, name, in_current, dims[0]);
  fill(job, buffer, 2 * world_rank);
  EXPECT(0, X(write_dataset)(buffer, T(DOUBLE), 2, dims, local, job->file, name, &job->group, pattern));
}

static void read_last(Job* job) {
  double buffer[64 * k_columns];
  int dims[2] = {job->last_rows, k_columns}, wrong = 0;
  EXPECT(0, X(read_dataset)(buffer, T(DOUBLE), 2, dims, dims, job->file, job->last, &job->group,
                            P(EVERYONE_ENTIRE_DATASET_READ)));
  for (int i = 0; i < job->last_rows * k_columns; ++i) {
    wrong += !value_is(V_DOUBLE, buffer, i, i, value_seed(job->last));
  }
  EXPECT(0, wrong);
}

static void create_group(Job* job) {
  snprintf(job->current, sizeof job->current, "Time:  %d.00000E+00 y", ++job->groups);
  if (draw(job, 4) == 0) strcat(job->current, "/deep/er");
  job->in_group = 0;
  job->id = X(create_dataset_group)(job->current, job->file, &job->group);
  EXPECT_TRUE(job->id >= 0);
}

static int closes(const Job* job) { return !job->roots_close || job->group.localrank == 0; }

static void close_group(Job* job) {
  if (job->current[0] == 0) return;
#ifdef FAMILY_PARALLELIO
  if (closes(job)) EXPECT(0, X(close_dataset_group)(job->file, &job->group));
#else
  if (closes(job)) EXPECT(0, X(close_dataset_group)(job->id, job->file, &job->group));
#endif
  job->current[0] = 0;
  job->closed_by_roots = job->roots_close;
}

static void open_file(Job* job, file_mode_t mode) {
  job->file = X(open_file)(job->path, &job->group, mode);
  EXPECT_TRUE(job->file >= 0);
  job->current[0] = 0;
  all_met(job);
}

/* A group over the same ranks comes and goes. */
static void other_group(Job* job) {
  iogroup_t group;
  make_group(MPI_COMM_WORLD, 1 + draw(job, world_size), &group);
  EXPECT(0, X(IOgroup_cleanup)(&group));
}

static void any_other_call(Job* job) {
  int value = ++job->others, ndims = 0;
  char name[k_room];
  switch (draw(job, 9)) {
    case 0:
      EXPECT(0, X(group_exists)("nothing", job->file, &job->group));
      break;
    case 1:
      EXPECT(1, X(dataset_exists)(job->last, job->file, &job->group));
      break;
    case 2:
      write_rows(job, P(NONUNIFORM_CONTIGUOUS_WRITE), 1);
      break;
    case 3:
      write_rows(job, P(UNIFORM_CONTIGUOUS_WRITE), 0);
      break;
    case 4:
      snprintf(name, sizeof name, "attribute %d", value);
      EXPECT(0, X(write_simple_attr)(name, &value, T(INTEGER), job->file, "/", &job->group));
      break;
    case 5:
      EXPECT(0, X(get_dataset_ndims)(&ndims, job->file, job->last, &job->group));
      EXPECT(2, ndims);
      break;
    case 6:
      read_last(job);
      break;
    case 7:
      other_group(job);
      break;
    default:
      EXPECT(-1, X(open_file)("no such file.h5", &job->group, M(READONLY)));
  }
  all_met(job);
}

static void any_call(Job* job) {
  const int which = draw(job, 20);
  if (which < 8) {
    write_block(job);
  } else if (which < 12) {
    create_group(job);
    all_met(job);
  } else if (which < 15) {
    close_group(job);
  } else if (which < 17) {
    if (closes(job)) EXPECT(0, X(close_file)(job->file, &job->group));
    open_file(job, M(READWRITE));
  } else {
    any_other_call(job);
  }
}

/* The order of PFLOTRAN: the block writes are the first calls in a group, closing it and the file the next.
 */
static void write_times(Job* job) {
  for (int time = 0; time < 3; ++time) {
    open_file(job, time == 0 ? M(CREATE) : M(READWRITE));
    create_group(job);
    all_met(job);
    write_block(job);
    write_block(job);
    close_group(job);
    if (closes(job)) EXPECT(0, X(close_file)(job->file, &job->group));
  }
}

static void run(const char* folder, int size, int seed) {
  Job* job = calloc(1, sizeof *job);
  char path[4096];
  job->state = (unsigned)seed * 2654435761u;
  job->roots_close = draw(job, 2);
  snprintf(job->path, sizeof job->path, "%s/%d.h5", folder, seed);
  snprintf(path, sizeof path, "%s/%d.txt", folder, seed);
  if (world_rank == 0) job->list = fopen(path, "w");
  make_group(MPI_COMM_WORLD, size, &job->group);
  write_times(job);
  open_file(job, M(READWRITE));
  for (int i = 0; i < k_calls; ++i) any_call(job);
  write_block(job);
  if (closes(job)) EXPECT(0, X(close_file)(job->file, &job->group));
  if (seed % 2 == 0) EXPECT(0, X(IOgroup_cleanup)(&job->group));
  if (job->list != NULL) fclose(job->list);
  free(job);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int i = 3; i < argc; ++i) run(argv[1], atoi(argv[2]), atoi(argv[i]));
  return finish_alone();
}
