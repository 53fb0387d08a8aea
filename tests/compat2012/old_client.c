/* old_client FOLDER SIZE: a program whose object knows the old layouts only links, runs, and finds the HDF5
 * id where it always was. What lies behind its structs stays untouched. Collective over MPI_COMM_WORLD. */
#include <stdlib.h>

#include "check.h"
#include "old_layout.h"
#include "values.h"

enum {
  k_guard = 64,
  k_create = 0,
  k_read_only = 1,
  k_nonuniform_read = 1,
  k_nonuniform_write = 5,
  k_rows = 3
};

/* In old programs the group is a member among others. */
typedef struct Guarded {
  OldConf conf;
  char behind_conf[k_guard];
  OldGroup* group;
  char* behind_group;
} Guarded;

static int untouched(const char* bytes) {
  for (int i = 0; i < k_guard; ++i) {
    if (bytes[i] != 0x33) return 0;
  }
  return 1;
}

static void start(Guarded* client, int size) {
  char* memory = malloc(sizeof(OldGroup) + k_guard);
  memset(memory, 0x7f, sizeof(OldGroup));
  memset(memory + sizeof(OldGroup), 0x33, k_guard);
  memset(client->behind_conf, 0x33, k_guard);
  client->group = (OldGroup*)memory;
  client->behind_group = memory + sizeof(OldGroup);
  client->conf.groups = 0;
  client->conf.size = size;
  client->conf.comm = MPI_COMM_WORLD;
  EXPECT(0, scorpio_IOgroup_init(&client->conf, client->group));
}

static void expect_group(const OldGroup* group, int size) {
  int compared = -1;
  const int used = size > world_size ? world_size : size, first = world_rank / used * used;
  EXPECT(world_rank - first, group->local_rank);
  EXPECT(world_rank, group->global_rank);
  EXPECT(first + used > world_size ? world_size - first : used, group->local_size);
  EXPECT(world_size, group->global_size);
  EXPECT((world_size + used - 1) / used, group->groups);
  EXPECT(used, group->preferred_size);
  MPI_Comm_compare(MPI_COMM_WORLD, group->global_comm, &compared);
  EXPECT(MPI_CONGRUENT, compared);
  MPI_Comm_compare(MPI_COMM_SELF, group->local_comm, &compared);
  EXPECT(group->local_size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL, compared);
}

static void expect_file(const OldGroup* group, int handle, const char* path) {
  if (group->local_rank != 0) {
    EXPECT_TRUE(group->file == NULL);
    EXPECT(0, group->files);
    return;
  }
  EXPECT_LESS(handle, group->files);
  EXPECT(handle, group->file[handle]->handle);
  EXPECT(0, strncmp(path, group->file[handle]->filename, 99));
  EXPECT(H5I_FILE, H5Iget_type(group->file[handle]->fid));
}

static void write_and_look(OldGroup* group, const char* path) {
  int global[2] = {k_rows * world_size, 1}, local[2] = {k_rows, 1};
  double data[k_rows];
  const int file = scorpio_open_file((char*)path, group, k_create);
  EXPECT(0, file);
  expect_file(group, file, path);
  for (int i = 0; i < k_rows; ++i) value_store(V_DOUBLE, data, i, k_rows * world_rank + i, 5);
  EXPECT(0,
         scorpio_write_dataset(data, V_DOUBLE, 2, global, local, file, "deep/er", group, k_nonuniform_write));
  expect_file(group, file, path);
  if (group->local_rank == 0) {
    const hid_t dataset = H5Dopen2(group->file[file]->fid, "deep/er", H5P_DEFAULT);
    double* all = calloc((size_t)(k_rows * world_size), sizeof *all);
    EXPECT_TRUE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
    for (int i = 0; i < k_rows * world_size; ++i) EXPECT_TRUE(value_is(V_DOUBLE, all, i, i, 5));
    EXPECT_TRUE(H5Dclose(dataset) >= 0);
    free(all);
  }
  EXPECT(0, scorpio_close_file(file, group));
}

static void read_back(OldGroup* group, const char* path) {
  int global[2] = {k_rows * world_size, 1}, local[2] = {k_rows, 1};
  double data[k_rows] = {0};
  const int file = scorpio_open_file((char*)path, group, k_read_only);
  EXPECT(1, file);
  expect_file(group, file, path);
  EXPECT(0,
         scorpio_read_dataset(data, V_DOUBLE, 2, global, local, file, "deep/er", group, k_nonuniform_read));
  for (int i = 0; i < k_rows; ++i) EXPECT_TRUE(value_is(V_DOUBLE, data, i, k_rows * world_rank + i, 5));
  EXPECT(0, scorpio_close_file(file, group));
}

int main(int argc, char** argv) {
  Guarded client;
  char path[4096];
  begin(&argc, &argv);
  const int size = atoi(argv[2]);
  snprintf(path, sizeof path, "%s/old.h5", argv[1]);
  start(&client, size);
  expect_group(client.group, size);
  write_and_look(client.group, path);
  read_back(client.group, path);
  EXPECT(0, scorpio_IOgroup_cleanup(client.group));
  EXPECT_TRUE(untouched(client.behind_conf));
  EXPECT_TRUE(untouched(client.behind_group));
  free(client.group);
  return finish();
}
