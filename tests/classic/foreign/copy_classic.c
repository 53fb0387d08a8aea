/* copy_classic FROM TO: makes a copy of a classic netCDF file by inquiry and data calls alone: dimensions,
 * variables and attributes by number, data by uniform decompositions, one record at a time. Exit code 3: the
 * library reported a failure, which is printed. */
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>

enum { k_name = 1024, k_dims = 32 };

static scorpio_iosystem* iosystem;
static scorpio_file *from, *to;

static void must(int code, const char* what) {
  if (code == SCORPIO_OK) return;
  scorpio_error error;
  scorpio_error_last(&error);
  printf("%s: %s\n", what, error.text);
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static size_t width_of(scorpio_type type) {
  static const size_t widths[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1};
  return widths[type];
}

static void copy_attributes(int object) {
  int count = 0;
  must(scorpio_attribute_count(from, object, &count), "attributes");
  for (int i = 0; i < count; ++i) {
    char name[k_name];
    scorpio_type type = SCORPIO_INT8;
    size_t element_bytes = 0;
    int ndims = 0;
    int64_t dims[1] = {1};
    must(scorpio_attribute_name(from, object, i, name, sizeof name, NULL), "attribute");
    must(scorpio_attribute_inquire(from, object, name, &type, &element_bytes, &ndims, dims, 1), name);
    const size_t bytes = element_bytes * (size_t)(ndims == 0 ? 1 : dims[0]);
    char* value = malloc(bytes + 1);
    must(scorpio_attribute_get(from, object, name, type, value, bytes), name);
    must(scorpio_attribute_put(to, object, name, type, element_bytes, ndims, dims, type, value), name);
    free(value);
  }
}

static int copy_definitions(void) {
  int count = 0;
  must(scorpio_dimension_count(from, &count), "dimensions");
  for (int d = 0; d < count; ++d) {
    char name[k_name];
    int64_t extent = 0;
    int unlimited = 0, id = 0;
    must(scorpio_dimension_inquire(from, d, name, sizeof name, NULL, &extent, &unlimited), "dimension");
    must(scorpio_dimension_define(to, name, unlimited ? SCORPIO_UNLIMITED : extent, &id), name);
  }
  copy_attributes(SCORPIO_GLOBAL);
  must(scorpio_file_variables(from, NULL, 0, &count), "variables");
  for (int v = 0; v < count; ++v) {
    char path[k_name];
    scorpio_type type = SCORPIO_INT8;
    int ndims = 0, id = 0, dimensions[k_dims];
    must(scorpio_variable_path(from, v, path, sizeof path, NULL), "variable");
    must(scorpio_variable_inquire(from, v, &type, NULL, &ndims, NULL, 0), path);
    must(scorpio_variable_dimensions(from, v, dimensions, k_dims), path);
    must(scorpio_variable_define_on(to, path, type, ndims, dimensions, &id), path);
    copy_attributes(v);
  }
  must(scorpio_define_end(to), "define_end");
  return count;
}

static void copy_scalars(int v, scorpio_type type, int records, int64_t count) {
  const int64_t start = 0;
  void* data = calloc((size_t)count + 1, width_of(type));
  const scorpio_access access = {.variable = v,
                                 .n = 1,
                                 .start = records ? &start : NULL,
                                 .count = records ? &count : NULL,
                                 .sharing = SCORPIO_ALL_RANKS,
                                 .type = type,
                                 .data = data};
  must(scorpio_get(from, &access), "get");
  must(scorpio_put(to, &access), "put");
  free(data);
}

static void copy_data(int v) {
  scorpio_type type = SCORPIO_INT8;
  int ndims = 0, first = -1, records = 0;
  int64_t dims[k_dims], elements = 0;
  must(scorpio_variable_inquire(from, v, &type, NULL, &ndims, dims, k_dims), "variable");
  if (ndims > 0) {
    must(scorpio_variable_dimensions(from, v, &first, 1), "dimensions");
    must(scorpio_dimension_inquire(from, first, NULL, 0, NULL, NULL, &records), "dimension");
  }
  if (ndims == records) {
    copy_scalars(v, type, records, records ? dims[0] : 1);
    return;
  }
  scorpio_decomp* decomp = NULL;
  must(scorpio_decomp_uniform(iosystem, ndims - records, dims + records, &decomp), "decomposition");
  must(scorpio_decomp_local_elements(decomp, &elements), "decomposition");
  void* data = calloc((size_t)elements + 1, width_of(type));
  for (int64_t r = 0; r < (records ? dims[0] : 1); ++r) {
    must(scorpio_get_darray(from, v, decomp, r, type, data), "get_darray");
    must(scorpio_put_darray(to, v, decomp, r, type, data), "put_darray");
  }
  free(data);
  must(scorpio_decomp_free(decomp), "decomposition");
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  MPI_Init(&argc, &argv);
  scorpio_format format = SCORPIO_FORMAT_HDF5;
  must(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &iosystem), "I/O system");
  must(scorpio_file_open(iosystem, argv[1], SCORPIO_READ, NULL, &from), "open");
  must(scorpio_file_inquire(from, &format, NULL, NULL), "format");
  must(scorpio_file_create(iosystem, argv[2], format, NULL, &to), "create");
  const int variables = copy_definitions();
  for (int v = 0; v < variables; ++v) copy_data(v);
  must(scorpio_file_close(to), "close");
  must(scorpio_file_close(from), "close");
  must(scorpio_iosystem_free(iosystem), "I/O system");
  MPI_Finalize();
  return 0;
}
