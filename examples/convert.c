/* Copies a file of any format that the library reads into a new file of another format: groups, dimensions,
 * attributes, variables and soft links, and the data in parallel, with bounded memory. Objects that the new
 * file cannot hold, or that the library cannot read, are left out with a message. convert_pieces.h has the
 * pieces. peers/convert_pnetcdf.c does the same by PnetCDF, which reads and writes classic files only.
 *   mpirun -n 4 convert --format cdf5 model.h5 model.nc; convert --help
 */
#include <scorpio/scorpio.h>

#include "convert_pieces.h"

typedef struct {
  scorpio_file *from, *to;
  int* dimensions; /* [dimensions of `from`] their ids in `to`; -1 where the format cannot hold one */
  int n;           /* the number of variables that are in both */
  int (*variables)[2];
} convert_copy;

static void check(int code) {
  scorpio_error error;
  if (code == SCORPIO_OK) return;
  scorpio_error_last(&error);
  convert_fail(error.text);
}

/* Whether a call for this object succeeded. */
static int possible(int code, const char* object, const char* what) {
  scorpio_error error;
  if (code == SCORPIO_OK) return 1;
  scorpio_error_last(&error);
  convert_lose(object, what, error.text);
  return 0;
}

static void copy_dimensions(convert_copy* copy) {
  int count, unlimited;
  int64_t extent;
  char path[CONVERT_PATH];
  check(scorpio_dimension_count(copy->from, &count));
  copy->dimensions = malloc((size_t)(count + 1) * sizeof *copy->dimensions);
  for (int d = 0; d < count; d++) {
    int* const to = &copy->dimensions[d];
    check(scorpio_dimension_path(copy->from, d, path, sizeof path, NULL));
    check(scorpio_dimension_inquire(copy->from, d, NULL, 0, NULL, &extent, &unlimited));
    *to = -1;
    if (unlimited && possible(scorpio_dimension_define(copy->to, path, SCORPIO_UNLIMITED, to), path,
                              "the dimension is not unlimited"))
      continue;
    if (!possible(scorpio_dimension_define(copy->to, path, extent, to), path, "no dimension")) *to = -1;
  }
}

static void copy_attributes(convert_copy* copy, const char* path, int from, int to) {
  int count;
  check(scorpio_attribute_count(copy->from, from, &count));
  for (int i = 0; i < count; i++) {
    char name[CONVERT_PATH];
    check(scorpio_attribute_name(copy->from, from, i, name, sizeof name, NULL));
    possible(scorpio_attribute_copy(copy->from, from, name, copy->to, to), path, name);
  }
}

/* Uses the names of its dimensions, or its extents if the dimensions have no names. */
static int define(convert_copy* copy, const char* path, int from, int* to) {
  int ndims, ids[CONVERT_DIMS], named = 1;
  int64_t dims[CONVERT_DIMS];
  scorpio_type type;
  size_t bytes;
  check(scorpio_variable_inquire(copy->from, from, &type, &bytes, &ndims, dims, CONVERT_DIMS));
  check(scorpio_variable_dimensions(copy->from, from, ids, CONVERT_DIMS));
  for (int d = 0; d < ndims; d++) {
    ids[d] = ids[d] < 0 ? -1 : copy->dimensions[ids[d]];
    if (ids[d] < 0) named = 0;
  }
  return named ? scorpio_variable_define_sized_on(copy->to, path, type, bytes, ndims, ids, to)
               : scorpio_variable_define_sized(copy->to, path, type, bytes, ndims, dims, to);
}

/* Whether the elements can be read, and are of a type that can be defined: compounds are read as bytes alone.
 */
static int can_be_copied(convert_copy* copy, int from, char* reason, size_t capacity) {
  scorpio_type type;
  int readable;
  check(scorpio_variable_access_inquire(copy->from, from, &readable, NULL, reason, capacity, NULL));
  if (!readable) return 0;
  check(scorpio_variable_inquire(copy->from, from, &type, NULL, NULL, NULL, 0));
  if (type != SCORPIO_OPAQUE) return 1;
  check(scorpio_variable_type_describe(copy->from, from, reason, capacity, NULL));
  return strncmp(reason, "opaque", strlen("opaque")) == 0;
}

static void copy_variable(convert_copy* copy, const char* path, int from) {
  char reason[CONVERT_PATH];
  const int readable = can_be_copied(copy, from, reason, sizeof reason);
  int to;
  if (!readable) convert_lose(path, "no variable", reason);
  if (!readable || !possible(define(copy, path, from, &to), path, "no variable")) return;
  copy_attributes(copy, path, from, to);
  copy->variables[copy->n][0] = from;
  copy->variables[copy->n++][1] = to;
}

static void copy_group(convert_copy* copy, const char* path, int from) {
  int members, kind, object, to = SCORPIO_GLOBAL;
  char name[CONVERT_PATH], below[2 * CONVERT_PATH], target[CONVERT_PATH];
  if (from != SCORPIO_GLOBAL &&
      !possible(scorpio_group_define(copy->to, path, &to), path, "no group, and nothing of it"))
    return;
  copy_attributes(copy, *path ? path : "/", from, to);
  check(scorpio_group_count(copy->from, from, &members));
  for (int i = 0; i < members; i++) {
    check(scorpio_group_member(copy->from, from, i, name, sizeof name, NULL, &kind, &object));
    snprintf(below, sizeof below, "%s/%s", path, name);
    if (kind == SCORPIO_OBJECT_GROUP) copy_group(copy, below, object);
    if (kind == SCORPIO_OBJECT_VARIABLE) copy_variable(copy, below, object);
    if (kind != SCORPIO_OBJECT_LINK) continue;
    check(scorpio_link_target(copy->from, below, target, sizeof target, NULL));
    possible(scorpio_link_define(copy->to, below, target), below, "no link");
  }
}

/* Each rank reads and writes one piece in each turn, in the type of the file. */
static void copy_data(convert_copy* copy, const int ids[2], long limit) {
  int ranks;
  scorpio_type type;
  size_t bytes;
  convert_tiling tiling;
  int64_t start[CONVERT_DIMS], count[CONVERT_DIMS];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(
      scorpio_variable_inquire(copy->from, ids[0], &type, &bytes, &tiling.ndims, tiling.dims, CONVERT_DIMS));
  convert_tile(&tiling, bytes, limit);
  void* data = malloc((size_t)limit + bytes);
  for (int64_t turn = 0; turn < tiling.pieces; turn += ranks) {
    scorpio_access access = scorpio_hyperslab(ids[0], start, count, type, data);
    access.n = convert_piece(&tiling, turn + convert_rank(), start, count) > 0;
    if (access.n == 0) access.start = access.count = NULL;
    check(scorpio_get(copy->from, &access));
    access.variable = ids[1];
    check(scorpio_put(copy->to, &access));
  }
  free(data);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const convert_arguments arguments = convert_read_arguments(argc, argv, "hdf5, netcdf4, cdf1, cdf2 or cdf5");
  convert_copy copy = {.n = 0};
  scorpio_iosystem* io;
  scorpio_format format;
  int variables;
  check(scorpio_format_find(arguments.format, &format));
  check(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  check(scorpio_file_open(io, arguments.from, SCORPIO_READ, NULL, &copy.from));
  check(scorpio_file_create(io, arguments.to, format, NULL, &copy.to));
  check(scorpio_file_variables(copy.from, NULL, 0, &variables));
  copy.variables = malloc((size_t)(variables + 1) * sizeof *copy.variables);

  copy_dimensions(&copy);
  copy_group(&copy, "", SCORPIO_GLOBAL);
  for (int v = 0; v < copy.n; v++) copy_data(&copy, copy.variables[v], arguments.bytes);
  check(scorpio_file_close(copy.to));
  check(scorpio_file_close(copy.from));

  free(copy.variables);
  free(copy.dimensions);
  check(scorpio_iosystem_free(io));
  MPI_Finalize();
  return convert_losses > 0 ? CONVERT_INCOMPLETE : 0;
}
