/* xdmf FOLDER: fields on columns, planes and boxes with an XDMF description beside the file, which is read by
 * the oracle; a file without one when it is off. Collective over MPI_COMM_WORLD. */
#include "family.h"

static void write_field(iogroup_t* group, int file, const char* name, int type, int ndims) {
  int global[3] = {2 * world_size, 3, 4}, local[3] = {2, 3, 4};
  const int columns = ndims == 1 ? 1 : ndims == 2 ? 3 : 12;
  char data[1024];
  for (int k = 0; k < 2 * columns; ++k) value_store(type, data, k, 2 * columns * world_rank + k, 1);
  EXPECT(0, X(write_dataset)(data, (datatype_t)type, ndims, global, local, file, name, group,
                             P(NONUNIFORM_CONTIGUOUS_WRITE)));
}

/* The last rank alone; the others go on to close the file. */
static void write_late(iogroup_t* group, int file) {
  int global[3] = {2, 3, 4}, start[3] = {0, 0, 0};
  double data[24];
  for (int k = 0; k < 24; ++k) value_store(V_DOUBLE, data, k, k, 1);
  if (world_rank != world_size - 1) return;
  EXPECT(0, X(write_dataset_block)(data, T(DOUBLE), 3, global, global, start, file, "late", group));
}

static void write_file(iogroup_t* group, const char* folder, const char* name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const int file = X(open_file)(path, group, M(CREATE));
  EXPECT_TRUE(file >= 0);
  write_field(group, file, "pressure", V_DOUBLE, 3);
  write_field(group, file, "group/temperature", V_FLOAT, 3);
  write_field(group, file, "a & b <\"c\">", V_INTEGER, 2);
  write_field(group, file, "ids", V_LONG, 1);
  write_late(group, file);
  EXPECT(0, X(close_file)(file, group));
}

int main(int argc, char** argv) {
  iogroup_t group;
  begin(&argc, &argv);
  make_group(MPI_COMM_WORLD, world_size, &group);
  write_file(&group, argv[1], "without.h5");
  EXPECT(0, X(set_xdmf)(1, &group));
  write_file(&group, argv[1], "with & more.h5");
  EXPECT(0, X(IOgroup_cleanup)(&group));
  return finish();
}
