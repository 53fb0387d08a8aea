/* HDF5 without SCORPIO: the other party that reads what SCORPIO wrote, and writes what SCORPIO shall read.
 *
 *   stock_hdf5 read FILE DATASET OUT    all elements, in the native form of their type, into the file OUT
 *   stock_hdf5 attribute FILE OBJECT NAME OUT    the same of an attribute
 *   stock_hdf5 write FILE    a file with data sets of many kinds; what they hold is in foreign_test.cpp
 *   stock_hdf5 append FILE   opens for writing, adds the data set "appended", closes
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                         \
  do {                                                                      \
    if ((call) < 0) {                                                       \
      fprintf(stderr, "stock_hdf5: line %d: %s failed\n", __LINE__, #call); \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

static int store(const char* path, const void* bytes, size_t n) {
  FILE* out = fopen(path, "wb");
  if (out == NULL || fwrite(bytes, 1, n, out) != n) return 1;
  return fclose(out) == 0 ? 0 : 1;
}

static void* buffer_for(hid_t space, hid_t type, size_t* bytes) {
  *bytes = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
  return calloc(1, *bytes + 1);
}

static int read_data_set(const char* file, const char* name, const char* out) {
  size_t bytes = 0;
  hid_t f, d, space, type;
  void* data;
  CHECK(f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT));
  CHECK(d = H5Dopen2(f, name, H5P_DEFAULT));
  CHECK(space = H5Dget_space(d));
  CHECK(type = H5Tget_native_type(H5Dget_type(d), H5T_DIR_ASCEND));
  data = buffer_for(space, type, &bytes);
  CHECK(H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  CHECK(H5Dclose(d));
  CHECK(H5Fclose(f));
  return store(out, data, bytes);
}

static int read_attribute(const char* file, const char* object, const char* name, const char* out) {
  size_t bytes = 0;
  hid_t f, a, space, type;
  void* data;
  CHECK(f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT));
  CHECK(a = H5Aopen_by_name(f, object, name, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(space = H5Aget_space(a));
  CHECK(type = H5Tget_native_type(H5Aget_type(a), H5T_DIR_ASCEND));
  data = buffer_for(space, type, &bytes);
  CHECK(H5Aread(a, type, data));
  CHECK(H5Aclose(a));
  CHECK(H5Fclose(f));
  return store(out, data, bytes);
}

/* ---- writing ---- */

enum { k_rows = 12, k_columns = 10 };

static int32_t element(int row, int column) { return 100 * row + column; }

static void write_matrix(hid_t f, const char* name, hid_t type, hid_t creation) {
  const hsize_t dims[2] = {k_rows, k_columns};
  int32_t values[k_rows][k_columns];
  hid_t space, d;
  for (int r = 0; r < k_rows; ++r) {
    for (int c = 0; c < k_columns; ++c) values[r][c] = element(r, c);
  }
  CHECK(space = H5Screate_simple(2, dims, NULL));
  CHECK(d = H5Dcreate2(f, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  CHECK(H5Dwrite(d, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CHECK(H5Dclose(d));
  CHECK(H5Sclose(space));
}

static void write_chunked(hid_t f) {
  const hsize_t chunk[2] = {5, 4};
  hid_t creation;
  CHECK(creation = H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(creation, 2, chunk));
  CHECK(H5Pset_shuffle(creation));
  CHECK(H5Pset_deflate(creation, 4));
  write_matrix(f, "deflated", H5T_STD_I32LE, creation);
  CHECK(H5Pclose(creation));
}

static void write_compact(hid_t f) {
  hid_t creation;
  CHECK(creation = H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_layout(creation, H5D_COMPACT));
  write_matrix(f, "compact", H5T_STD_I32LE, creation);
  CHECK(H5Pclose(creation));
}

static void write_strings(hid_t f) {
  const hsize_t dims[1] = {3};
  const char values[3][5] = {{'a', 'l', 'p', 'h', 'a'}, {'b', 'e', 't', 'a', 0}, {'c', 0, 0, 0, 0}};
  hid_t type, space, d;
  CHECK(type = H5Tcopy(H5T_C_S1));
  CHECK(H5Tset_size(type, 5));
  CHECK(H5Tset_strpad(type, H5T_STR_NULLPAD));
  CHECK(space = H5Screate_simple(1, dims, NULL));
  CHECK(d = H5Dcreate2(f, "strings", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CHECK(H5Dclose(d));
}

static void write_compound(hid_t f) {
  struct pair {
    int32_t a;
    double b;
  } values[2] = {{1, 1.5}, {2, 2.5}};
  const hsize_t dims[1] = {2};
  hid_t type, space, d;
  CHECK(type = H5Tcreate(H5T_COMPOUND, sizeof(struct pair)));
  CHECK(H5Tinsert(type, "a", HOFFSET(struct pair, a), H5T_NATIVE_INT32));
  CHECK(H5Tinsert(type, "b", HOFFSET(struct pair, b), H5T_NATIVE_DOUBLE));
  CHECK(space = H5Screate_simple(1, dims, NULL));
  CHECK(d = H5Dcreate2(f, "compound", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CHECK(H5Dclose(d));
}

/* The upper half of "plain", then that of "deflated". */
static void write_virtual(hid_t f) {
  const hsize_t dims[2] = {k_rows, k_columns}, half[2] = {k_rows / 2, k_columns}, none[2] = {0, 0};
  const char* sources[2] = {"/plain", "/deflated"};
  hid_t whole, source, creation, d;
  CHECK(whole = H5Screate_simple(2, dims, NULL));
  CHECK(source = H5Screate_simple(2, dims, NULL));
  CHECK(creation = H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Sselect_hyperslab(source, H5S_SELECT_SET, none, NULL, half, NULL));
  for (int i = 0; i < 2; ++i) {
    const hsize_t start[2] = {(hsize_t)i * k_rows / 2, 0};
    CHECK(H5Sselect_hyperslab(whole, H5S_SELECT_SET, start, NULL, half, NULL));
    CHECK(H5Pset_virtual(creation, whole, ".", sources[i], source));
  }
  CHECK(H5Sselect_all(whole));
  CHECK(d = H5Dcreate2(f, "virtual", H5T_STD_I32LE, whole, H5P_DEFAULT, creation, H5P_DEFAULT));
  CHECK(H5Dclose(d));
}

static void write_attributes(hid_t f) {
  const double pi = 3.25;
  hid_t scalar, a;
  CHECK(scalar = H5Screate(H5S_SCALAR));
  CHECK(a = H5Acreate_by_name(f, "plain", "scale", H5T_IEEE_F64BE, scalar, H5P_DEFAULT, H5P_DEFAULT,
                              H5P_DEFAULT));
  CHECK(H5Awrite(a, H5T_NATIVE_DOUBLE, &pi));
  CHECK(H5Aclose(a));
}

static int write_file(const char* file) {
  hid_t f;
  CHECK(f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  write_matrix(f, "plain", H5T_STD_I32LE, H5P_DEFAULT);
  write_matrix(f, "big_endian", H5T_STD_I32BE, H5P_DEFAULT);
  write_chunked(f);
  write_compact(f);
  write_strings(f);
  write_compound(f);
  write_virtual(f);
  write_attributes(f);
  CHECK(H5Fclose(f));
  return 0;
}

static int append(const char* file) {
  hid_t f;
  CHECK(f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT));
  write_matrix(f, "appended", H5T_STD_I32LE, H5P_DEFAULT);
  CHECK(H5Fclose(f));
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 5 && strcmp(argv[1], "read") == 0) return read_data_set(argv[2], argv[3], argv[4]);
  if (argc == 6 && strcmp(argv[1], "attribute") == 0)
    return read_attribute(argv[2], argv[3], argv[4], argv[5]);
  if (argc == 3 && strcmp(argv[1], "write") == 0) return write_file(argv[2]);
  if (argc == 3 && strcmp(argv[1], "append") == 0) return append(argv[2]);
  fprintf(stderr, "usage: stock_hdf5 read|attribute|write|append FILE ...\n");
  return 2;
}
