/* patterns FOLDER: every pattern, type and number of dimensions, in groups of 1, 2, 3 and all ranks: writes
 * FOLDER/out_gN.h5 and reads FOLDER/in.h5, which h5py made. Collective over MPI_COMM_WORLD. */
#include "boxes.h"
#include "family.h"

enum { k_entries = 4096 };
static const int k_poison = 0x5a;

typedef struct Job {
  iogroup_t group;
  int file;
  int type;
  Box whole;
  char name[64];
} Job;

static void set_name(Job* job, const char* pattern) {
  snprintf(job->name, sizeof job->name, "%s/%s/%d", pattern, value_type_names[job->type], job->whole.ndims);
}

static void write_rows(Job* job, const char* pattern_name, iopattern_t pattern, Box box) {
  char buffer[k_box_bytes];
  set_name(job, pattern_name);
  box_fill(&box, job->type, buffer, value_seed(job->name));
  EXPECT(0, X(write_dataset)(buffer, (datatype_t)job->type, box.ndims, box.dims, box.count, job->file,
                             job->name, &job->group, pattern));
}

/* What rank 0 passes counts. */
static void write_entire(Job* job) {
  char buffer[k_box_bytes];
  set_name(job, "entire");
  box_fill(&job->whole, job->type, buffer, value_seed(job->name) + 100 * world_rank);
  EXPECT(0,
         X(write_dataset)(buffer, (datatype_t)job->type, job->whole.ndims, job->whole.dims, job->whole.count,
                          job->file, job->name, &job->group, P(EVERYONE_ENTIRE_DATASET_WRITE)));
}

/* Two calls to one dataset; where ranks overlap the highest wins, and the later call over the earlier. */
static void write_blocks(Job* job) {
  char buffer[k_box_bytes];
  set_name(job, "block");
  for (int call = 0; call < 2; ++call) {
    Box box = box_overlapping(job->whole, world_rank, world_size, call == 0);
    if (call == 1 && world_rank % 3 != 0) box.count[0] = 0;
    box_fill(&box, job->type, buffer, value_seed(job->name) + 100 * call + world_rank);
    EXPECT(0, X(write_dataset_block)(buffer, (datatype_t)job->type, box.ndims, box.dims, box.count, box.start,
                                     job->file, job->name, &job->group));
  }
}

static int64_t fill_listed(const Job* job, int64_t* list, char* buffer) {
  const int64_t n = list_to_write(box_size(&job->whole), world_rank, world_size, list);
  for (int64_t k = 0; k < n; ++k) {
    value_store(job->type, buffer, k, list[k] < 0 ? 7 : list[k], value_seed(job->name) + world_rank);
  }
  return n;
}

static void write_indexed(Job* job) {
  int64_t list[k_entries], dims[k_box_dims];
  char buffer[k_box_bytes];
  set_name(job, "indexed");
  const int64_t n = fill_listed(job, list, buffer);
  for (int d = 0; d < k_box_dims; ++d) dims[d] = job->whole.dims[d];
  EXPECT(0, X(write_dataset_indexed)(buffer, (datatype_t)job->type, job->whole.ndims, dims, n, list,
                                     job->file, job->name, &job->group));
}

static void write_noncontiguous(Job* job) {
  int64_t list[k_entries];
  int count[k_box_dims] = {0, 1, 1, 1};
  char buffer[k_box_bytes];
  set_name(job, "noncontiguous");
  const int64_t n = fill_listed(job, list, buffer);
  count[0] = (int)n;
  EXPECT(0, X(set_index_list)(n, list, job->file, &job->group));
  memset(list, 0, sizeof list); /* the library keeps what it needs */
  EXPECT(0, X(write_dataset)(buffer, (datatype_t)job->type, job->whole.ndims, job->whole.dims, count,
                             job->file, job->name, &job->group, P(NONCONTIGUOUS_WRITE)));
}

static void write_all(Job* job) {
  write_rows(job, "uniform", P(UNIFORM_CONTIGUOUS_WRITE), box_uniform(job->whole, world_rank, world_size));
  write_rows(job, "nonuniform", P(NONUNIFORM_CONTIGUOUS_WRITE), box_nonuniform(job->whole, world_rank));
  write_entire(job);
  write_blocks(job);
  write_indexed(job);
  write_noncontiguous(job);
}

/* What every reader does with its box: nothing but the box is touched. */
static void expect_box(const Job* job, const Box* box, const char* buffer) {
  const size_t bytes = (size_t)box_size(box) * value_size(job->type);
  EXPECT(0, box_wrong(box, job->type, buffer, value_seed(job->name)));
  EXPECT(k_poison, buffer[bytes]);
}

static void read_rows(Job* job, iopattern_t pattern, Box box) {
  char buffer[k_box_bytes];
  memset(buffer, k_poison, sizeof buffer);
  EXPECT(0, X(read_dataset)(buffer, (datatype_t)job->type, box.ndims, box.dims, box.count, job->file,
                            job->name, &job->group, pattern));
  expect_box(job, &box, buffer);
}

static void read_block(Job* job) {
  char buffer[k_box_bytes];
  Box box = box_overlapping(job->whole, world_rank, world_size, 1);
  if (world_rank % 4 == 3) box.count[0] = 0;
  memset(buffer, k_poison, sizeof buffer);
  EXPECT(0, X(read_dataset_block)(buffer, (datatype_t)job->type, box.ndims, box.dims, box.count, box.start,
                                  job->file, job->name, &job->group));
  expect_box(job, &box, buffer);
}

static void read_same_sub(Job* job) {
  char buffer[k_box_bytes];
  const Box box = box_overlapping(job->whole, world_size - 1, world_size, 0);
  int count[k_box_dims], start[k_box_dims];
  memcpy(count, box.count, sizeof count);
  memcpy(start, box.start, sizeof start);
  memset(buffer, k_poison, sizeof buffer);
  EXPECT(0, X(read_same_sub_dataset)(buffer, (datatype_t)job->type, box.ndims, count, start, job->file,
                                     job->name, &job->group));
  expect_box(job, &box, buffer);
}

/* Holes keep what was in the buffer. */
static void expect_listed(const Job* job, const int64_t* list, int64_t n, const char* buffer) {
  const size_t size = value_size(job->type);
  int64_t wrong = 0;
  for (int64_t k = 0; k < n; ++k) {
    if (list[k] < 0) {
      wrong += buffer[(size_t)k * size] != k_poison || buffer[(size_t)(k + 1) * size - 1] != k_poison;
    } else {
      wrong += !value_is(job->type, buffer, k, list[k], value_seed(job->name));
    }
  }
  EXPECT(0, wrong);
  EXPECT(k_poison, buffer[(size_t)n * size]);
}

static void read_indexed(Job* job) {
  int64_t list[k_entries], dims[k_box_dims];
  char buffer[k_box_bytes];
  const int64_t n = list_to_read(box_size(&job->whole), world_rank, list);
  for (int d = 0; d < k_box_dims; ++d) dims[d] = job->whole.dims[d];
  memset(buffer, k_poison, sizeof buffer);
  EXPECT(0, X(read_dataset_indexed)(buffer, (datatype_t)job->type, job->whole.ndims, dims, n, list, job->file,
                                    job->name, &job->group));
  expect_listed(job, list, n, buffer);
}

static void read_noncontiguous(Job* job) {
  int64_t list[k_entries];
  int count[k_box_dims] = {0, 1, 1, 1};
  char buffer[k_box_bytes];
  const int64_t n = list_to_read(box_size(&job->whole), world_rank, list);
  count[0] = (int)n;
  memset(buffer, k_poison, sizeof buffer);
  EXPECT(0, X(set_index_list)(n, list, job->file, &job->group));
  EXPECT(0, X(read_dataset)(buffer, (datatype_t)job->type, job->whole.ndims, job->whole.dims, count,
                            job->file, job->name, &job->group, P(NONCONTIGUOUS_READ)));
  expect_listed(job, list, n, buffer);
}

static void inquire(Job* job) {
  int ndims = -1, dims[k_box_dims] = {0}, size = -1;
  int64_t dims64[k_box_dims] = {0}, size64 = -1;
  EXPECT(0, X(get_dataset_ndims)(&ndims, job->file, job->name, &job->group));
  EXPECT(job->whole.ndims, ndims);
  EXPECT(0, X(get_dataset_dims)(dims, job->file, job->name, &job->group));
  EXPECT(0, X(get_dataset_dims64)(dims64, job->file, job->name, &job->group));
  for (int d = 0; d < job->whole.ndims; ++d) {
    EXPECT(job->whole.dims[d], dims[d]);
    EXPECT(job->whole.dims[d], dims64[d]);
  }
  EXPECT(0, X(get_dataset_size)(&size, job->file, job->name, &job->group));
  EXPECT(0, X(get_dataset_size64)(&size64, job->file, job->name, &job->group));
  EXPECT(box_size(&job->whole), size);
  EXPECT(box_size(&job->whole), size64);
}

static void read_all(Job* job) {
  set_name(job, "in");
  inquire(job);
  read_rows(job, P(UNIFORM_CONTIGUOUS_READ), box_uniform(job->whole, world_rank, world_size));
  read_rows(job, P(NONUNIFORM_CONTIGUOUS_READ), box_nonuniform(job->whole, world_rank));
  read_rows(job, P(EVERYONE_ENTIRE_DATASET_READ), job->whole);
  read_block(job);
  read_same_sub(job);
  read_indexed(job);
  read_noncontiguous(job);
}

/* A file of doubles asked for as other numbers. */
static void read_converted(Job* job) {
  char buffer[k_box_bytes];
  Box box = box_nonuniform(job->whole, world_rank);
  int64_t wrong = 0;
  job->type = V_DOUBLE;
  set_name(job, "in");
  EXPECT(0, X(read_dataset)(buffer, T(INTEGER), box.ndims, box.dims, box.count, job->file, job->name,
                            &job->group, P(NONUNIFORM_CONTIGUOUS_READ)));
  for (int64_t at = 0; at < box_size(&box); ++at) {
    double whole;
    value_store(V_DOUBLE, &whole, 0, box_index(&box, at), value_seed(job->name));
    wrong += ((const int*)buffer)[at] != (int)whole;
  }
  EXPECT(0, wrong);
}

/* The same patterns under names of their own. */
static void use_other_names(Job* job) {
  char buffer[k_box_bytes];
  Box box = box_uniform(job->whole, world_rank, world_size);
  snprintf(job->name, sizeof job->name, "other/1");
  box_fill(&box, job->type, buffer, value_seed(job->name));
  EXPECT(0, X(write_dataset1)(buffer, (datatype_t)job->type, box.ndims, box.dims, box.count, job->file,
                              job->name, &job->group));
  memset(buffer, k_poison, sizeof buffer);
  EXPECT(0, X(read_dataset1)(buffer, (datatype_t)job->type, box.ndims, box.dims, box.count, job->file,
                             job->name, &job->group));
  expect_box(job, &box, buffer);
  memset(buffer, k_poison, sizeof buffer);
  EXPECT(0, X(read_entire_dataset)(buffer, (datatype_t)job->type, box.ndims, box.dims, box.count, job->file,
                                   job->name, &job->group));
  expect_box(job, &job->whole, buffer);
  box = box_nonuniform(job->whole, world_rank);
  snprintf(job->name, sizeof job->name, "other/2");
  box_fill(&box, job->type, buffer, value_seed(job->name));
  EXPECT(0, X(write_dataset2)(buffer, (datatype_t)job->type, box.ndims, box.dims, box.count, job->file,
                              job->name, &job->group));
  memset(buffer, k_poison, sizeof buffer);
  EXPECT(0, X(read_dataset2)(buffer, (datatype_t)job->type, box.ndims, box.dims, box.count, job->file,
                             job->name, &job->group));
  expect_box(job, &box, buffer);
}

/* The scratch fields of the struct. */
static void initialize_types(iogroup_t* group) {
  const hid_t in_memory[] = {H5T_NATIVE_INT, H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_LONG,
                             H5T_NATIVE_CHAR};
  const MPI_Datatype in_messages[] = {MPI_INT, MPI_DOUBLE, MPI_FLOAT, MPI_LONG, MPI_CHAR, MPI_BYTE};
  for (int type = 0; type < V_TYPES; ++type) {
    initialize_datatype((datatype_t)type, group);
    EXPECT(value_size(type), group->datatype_size);
    EXPECT_TRUE(group->mpi_type == in_messages[type]);
    EXPECT(value_size(type), H5Tget_size(group->hdf_type));
    if (type != V_BYTE) EXPECT_TRUE(H5Tequal(group->hdf_type, in_memory[type]) > 0);
  }
}

static void for_each_array(Job* job, void (*act)(Job*)) {
  for (int type = 0; type < V_TYPES; ++type) {
    for (int ndims = 1; ndims <= k_box_dims; ++ndims) {
      job->type = type;
      job->whole = box_whole(ndims, world_size);
      act(job);
    }
  }
}

static void with_groups_of(const char* folder, int size) {
  char path[4096];
  Job job;
  make_group(MPI_COMM_WORLD, size, &job.group);
  snprintf(path, sizeof path, "%s/out_g%d.h5", folder, size);
  job.file = X(open_file)(path, &job.group, M(CREATE));
  EXPECT(0, job.file);
  for_each_array(&job, write_all);
  job.type = V_LONG;
  job.whole = box_whole(3, world_size);
  use_other_names(&job);
  initialize_types(&job.group);
  EXPECT(0, X(close_file)(job.file, &job.group));
  snprintf(path, sizeof path, "%s/in.h5", folder);
  job.file = X(open_file)(path, &job.group, M(READONLY));
  EXPECT(1, job.file);
  for_each_array(&job, read_all);
  job.whole = box_whole(2, world_size);
  read_converted(&job);
  EXPECT(0, X(close_file)(job.file, &job.group));
  EXPECT(0, X(IOgroup_cleanup)(&job.group));
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int size = 1; size <= 3 && size < world_size; ++size) with_groups_of(argv[1], size);
  with_groups_of(argv[1], world_size);
  return finish();
}
