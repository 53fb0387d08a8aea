/* The oracle by netCDF-C. */
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static int file = -1;

int oracle_begin(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  return NC_NOERR;
}

int oracle_end(void) { return NC_NOERR; }

const char* oracle_version(void) { return nc_inq_libvers(); }

static int creation_mode(int version) {
  if (version == 5) return NC_CLOBBER | NC_64BIT_DATA;
  return version == 2 ? NC_CLOBBER | NC_64BIT_OFFSET : NC_CLOBBER;
}

int oracle_create(const char* path, int version, const struct OracleHint* hints, int hint_count) {
  (void)hints;
  if (hint_count > 0) return NC_EINVAL;
  int error = nc_create(path, creation_mode(version), &file);
  int old = 0;
  return error != NC_NOERR ? error : nc_set_fill(file, NC_NOFILL, &old);
}

int oracle_open(const char* path) {
  int error = nc_open(path, NC_WRITE, &file);
  int old = 0;
  return error != NC_NOERR ? error : nc_set_fill(file, NC_NOFILL, &old);
}

int oracle_dimension(const char* name, long long length) {
  int id = 0;
  return nc_def_dim(file, name, (size_t)length, &id);
}

int oracle_variable(const char* name, int type, int dims, const int* dim_ids) {
  int id = 0;
  return nc_def_var(file, name, type, dims, dim_ids, &id);
}

int oracle_attribute(int variable, const char* name, int type, size_t count, const void* values) {
  return nc_put_att(file, variable, name, type, count, values);
}

int oracle_end_definitions(const long long* padding) {
  if (padding == NULL) return nc_enddef(file);
  return nc__enddef(file, (size_t)padding[0], (size_t)padding[1], (size_t)padding[2], (size_t)padding[3]);
}

int oracle_redefine(void) { return nc_redef(file); }

int oracle_records(int variable, int dims, long long records) {
  size_t* index = calloc((size_t)dims, sizeof *index);
  if (index == NULL) return NC_ENOMEM;
  index[0] = (size_t)(records - 1);
  const double value = 0; /* eight bytes of zero: an element of any type */
  const int error = nc_put_var1(file, variable, index, &value);
  free(index);
  return error;
}

int oracle_write(int variable, int dims, const long long* counts, int value) {
  enum { k_widest = 8 };
  size_t* sizes = calloc((size_t)dims + 1, sizeof *sizes);
  size_t* starts = calloc((size_t)dims + 1, sizeof *starts);
  size_t bytes = k_widest;
  for (int i = 0; i < dims; ++i) bytes *= (size_t)counts[i];
  char* values = malloc(bytes);
  int error = NC_ENOMEM;
  if (sizes != NULL && starts != NULL && values != NULL) {
    for (int i = 0; i < dims; ++i) sizes[i] = (size_t)counts[i];
    memset(values, value, bytes);
    error = nc_put_vara(file, variable, starts, sizes, values);
  }
  free(sizes);
  free(starts);
  free(values);
  return error;
}

int oracle_close(void) { return nc_close(file); }
