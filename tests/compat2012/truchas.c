/* truchas FOLDER SIZE: the call sequence of Truchas' output, I/O groups of SIZE ranks. Collective over
 * MPI_COMM_WORLD. As Truchas it includes nothing of the C library by itself, and declares
 * scorpio_write_dataset2 (and the other), which no header of the old library did. */
#include "scorpio.h"

extern int scorpio_write_dataset2(void* vector, datatype_t type, int ndims, int* globaldims, int* localdims,
                                  int fhandle, char* dset_name, iogroup_t* group);
extern int scorpio_read_same_sub_dataset(void* vector, datatype_t type, int ndims, int* blockdims,
                                         int* starts, int fhandle, char* dset_name, iogroup_t* group);

#include "check.h"
#include "truchas_probe.h"
#include "values.h"

enum { k_columns = 3, k_cycles = 3, k_buffer = 1 << 14 };

typedef struct Output {
  iogroup_t* group;
  int file;
} Output;

/* Rank r has r+2 rows, but every third none. */
static int rows_before(int rank) {
  int rows = 0;
  for (int r = 0; r < rank; ++r) rows += r % 3 == 2 ? 0 : r + 2;
  return rows;
}

static int is_root(const Output* out) { return out->group->localrank == 0; }

static void expect_live_id(const Output* out) {
  if (is_root(out)) {
    EXPECT(H5I_FILE, H5Iget_type(out->group->file[out->file]->fid));
  } else {
    EXPECT_TRUE(out->group->file == NULL);
  }
}

static void write_array(const Output* out, const char* name, int type, int ndims, int seed) {
  const int first = rows_before(world_rank), n = rows_before(world_rank + 1) - first;
  const int columns = ndims == 1 ? 1 : k_columns;
  int global[2] = {rows_before(world_size), k_columns}, local[2] = {n, k_columns};
  char buffer[k_buffer];
  for (int k = 0; k < n * columns; ++k) value_store(type, buffer, k, first * columns + k, seed);
  EXPECT(0, scorpio_write_dataset2(buffer, (datatype_t)type, ndims, global, local, out->file, (char*)name,
                                   out->group));
  expect_live_id(out);
}

/* Text of rank 0, or of nobody. */
static void write_text(const Output* out, const char* name, const char* text) {
  char copy[64];
  int global = (int)strlen(text), local = world_rank == 0 ? global : 0;
  strcpy(copy, text);
  EXPECT(0,
         scorpio_write_dataset2(copy, SCORPIO_CHAR, 1, &global, &local, out->file, (char*)name, out->group));
}

static void write_empty(const Output* out, const char* name) {
  int global[2] = {0, k_columns}, local[2] = {0, k_columns};
  double none = 0;
  EXPECT(0,
         scorpio_write_dataset2(&none, SCORPIO_DOUBLE, 2, global, local, out->file, (char*)name, out->group));
}

static void attribute(const Output* out, const char* name, int value, const char* object) {
  EXPECT(0, scorpio_write_simple_attr((char*)name, &value, SCORPIO_INTEGER, out->file, (char*)object,
                                      out->group));
}

/* A group that is made beside others that stay open. The id is a real one on roots, 0 elsewhere. */
static int64_t open_group(const Output* out, const char* name) {
  const int64_t id = scorpio_create_dataset_group((char*)name, out->file, out->group);
  if (is_root(out)) {
    EXPECT(H5I_GROUP, H5Iget_type((hid_t)id));
  } else {
    EXPECT(0, id);
  }
  return id;
}

static void close_group(const Output* out, int64_t id) {
  EXPECT(0, scorpio_close_dataset_group(id, out->file, out->group));
}

/* A uniform write and all reads go from the root, whatever group is open. */
static void write_uniform(const Output* out) {
  int global = world_size, local = 1, number = 3 * world_rank, back = -1, size = -1;
  EXPECT(0, scorpio_write_dataset(&number, SCORPIO_INTEGER, 1, &global, &local, out->file, "uniform",
                                  out->group, SCORPIO_UNIFORM_CONTIGUOUS_WRITE));
  EXPECT(0, scorpio_read_dataset(&back, SCORPIO_INTEGER, 1, &global, &local, out->file, "uniform", out->group,
                                 SCORPIO_UNIFORM_CONTIGUOUS_READ));
  EXPECT(number, back);
  EXPECT(-1, scorpio_get_dataset_size(&size, out->file, "Nodal Coordinates", out->group));
}

static void write_mesh(const Output* out) {
  const int64_t mesh = open_group(out, "Meshes/DEFAULT");
  write_array(out, "Nodal Coordinates", V_DOUBLE, 2, 1);
  write_uniform(out);
  write_array(out, "Element Connectivity", V_INTEGER, 2, 2);
  write_empty(out, "No Sides");
  close_group(out, mesh);
  double extent[2][2] = {{0.5, 1.5}, {2.5, 3.5}};
  int dims[2] = {2, 2};
  EXPECT(0, scorpio_write_attr("Extent", extent, SCORPIO_DOUBLE, 2, dims, out->file, "Meshes/DEFAULT",
                               out->group));
  EXPECT(0, scorpio_write_simple_attr("Element Type", "HEX", SCORPIO_STRING, out->file, "Meshes/DEFAULT",
                                      out->group));
  /* No group is open: from the root. */
  write_array(out, "at the root", V_FLOAT, 1, 3);
}

/* One sequence of Truchas: a group below that of the simulation, a link in it, fields in it. */
static void write_cycle(const Output* out, int64_t simulation, int cycle) {
  char path[128], name[64];
  snprintf(name, sizeof name, "Series %d", cycle + 1);
  snprintf(path, sizeof path, "Simulations/MAIN/Series Data/%s", name);
  const int64_t series = open_group(out, path);
  write_array(out, "Z_TEMP", V_DOUBLE, 1, 10 + cycle);
  write_array(out, "Z_BYTES", V_BYTE, 2, 20 + cycle);
  write_array(out, "/absolute/Z_LONG", V_LONG, 1, 30 + cycle);
  if (is_root(out))
    EXPECT_TRUE(H5Ldelete(out->group->file[out->file]->fid, "/absolute/Z_LONG", H5P_DEFAULT) >= 0);
  /* Neither question changes where names lead to. */
  EXPECT(1, scorpio_group_exists("Simulations", out->file, out->group));
  EXPECT(0, scorpio_group_exists("Z_TEMP", out->file, out->group));
  EXPECT(0, scorpio_dataset_exists("no such data", out->file, out->group));
  EXPECT(1, scorpio_dataset_exists("Meshes/DEFAULT/Nodal Coordinates", out->file, out->group));
  EXPECT(0, scorpio_dataset_exists("Meshes/DEFAULT", out->file, out->group));
  EXPECT(0, scorpio_group_exists("Meshes/DEFAULT/Nodal Coordinates", out->file, out->group));
  write_array(out, "Z_RHO", V_DOUBLE, 2, 40 + cycle);
  close_group(out, series);
  attribute(out, "cycle", cycle, path);
  /* The simulation's group was opened first and is open yet. */
  snprintf(path, sizeof path, "/Simulations/MAIN/Series Data/Series %d", cycle + 1);
  snprintf(name, sizeof name, "Step %d", cycle + 1);
  EXPECT(0, scorpio_create_link(path, simulation, name, out->file, out->group));
}

static void write_simulation(const Output* out) {
  const int64_t simulation = open_group(out, "Simulations/MAIN");
  const int64_t probes = open_group(out, "Simulations/MAIN/Probes");
  close_group(out, probes);
  attribute(out, "ndim", 3, "Simulations/MAIN");
  EXPECT(0, scorpio_create_link("/Meshes/DEFAULT", simulation, "Mesh", out->file, out->group));
  EXPECT(0, scorpio_create_link("/nowhere", simulation, "Dangling", out->file, out->group));
  double row[2] = {0.0, 0.5};
  const hid_t first = probe_create((hid_t)simulation, "pressure", 2, row, out->group);
  hid_t second = -1;
  for (int cycle = 0; cycle < k_cycles; ++cycle) {
    write_cycle(out, simulation, cycle);
    row[0] = cycle + 1;
    row[1] = 0.5 * (cycle + 2);
    probe_append(first, 2, row, out->group);
    if (cycle == 0) second = probe_create((hid_t)simulation, "late", 2, row, out->group);
    if (cycle > 0) probe_append(second, 2, row, out->group);
  }
  write_text(out, "/Simulations/MAIN/Output", "mesh and fields");
  close_group(out, simulation);
}

static void open_output(Output* out, const char* path, int size, file_mode_t mode) {
  iogroup_conf_t conf;
  conf.numIOgroups = 0;
  conf.preferredGroupSize = size;
  conf.commIncoming = MPI_COMM_WORLD;
  out->group = malloc(sizeof *out->group);
  EXPECT(0, scorpio_IOgroup_init(&conf, out->group));
  const int used = size <= 0 || size > world_size ? world_size : size;
  EXPECT(used, conf.preferredGroupSize);
  EXPECT(world_rank % used, out->group->localrank);
  EXPECT(world_rank, out->group->globalrank);
  out->file = scorpio_open_file((char*)path, out->group, mode);
  EXPECT(0, out->file);
  expect_live_id(out);
}

static void close_output(Output* out) {
  if (is_root(out)) close_objects(out->group->file[out->file]->fid);
  EXPECT(0, scorpio_close_file(out->file, out->group));
  EXPECT(0, scorpio_IOgroup_cleanup(out->group));
  free(out->group);
}

/* The library's own reader sees what was made by hand, and a file of which much was closed by the client. */
static void read_again(const char* path, int size) {
  Output out;
  double rows[8];
  int dims[2] = {0, 0}, start[2] = {0, 0};
  open_output(&out, path, size, SCORPIO_FILE_READWRITE);
  EXPECT(0, scorpio_get_dataset_dims(dims, out.file, "Simulations/MAIN/Probes/pressure", out.group));
  EXPECT(k_cycles + 1, dims[0]);
  EXPECT(2, dims[1]);
  EXPECT(0, scorpio_read_same_sub_dataset(rows, SCORPIO_DOUBLE, 2, dims, start, out.file,
                                          "Simulations/MAIN/Probes/pressure", out.group));
  for (int r = 0; r <= k_cycles; ++r) EXPECT_TRUE(rows[2 * r] == r && rows[2 * r + 1] == 0.5 * (r + 1));
  /* Through a link. */
  EXPECT(1, scorpio_dataset_exists("Simulations/MAIN/Mesh/Nodal Coordinates", out.file, out.group));
  write_array(&out, "added", V_INTEGER, 1, 50);
  close_output(&out);
}

int main(int argc, char** argv) {
  Output out;
  char path[4096];
  begin(&argc, &argv);
  snprintf(path, sizeof path, "%s/truchas.h5", argv[1]);
  open_output(&out, path, atoi(argv[2]), SCORPIO_FILE_CREATE);
  attribute(&out, "version", 13, "/");
  write_mesh(&out);
  write_simulation(&out);
  close_output(&out);
  read_again(path, atoi(argv[2]));
  return finish();
}
