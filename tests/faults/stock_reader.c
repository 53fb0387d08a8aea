/* stock_reader FILE NAME...: opens FILE with HDF5 alone, reads every data set "v<k>" (element i is
 * 1,000,000 k + i) and wants each NAME among them. Exit code 0: all is there; else 1, and a line says what is
 * not. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_values(const char* name, const double* values, hsize_t count) {
  const double base = 1e6 * atoi(name + 1);
  for (hsize_t i = 0; i < count; ++i) {
    if (values[i] != base + (double)i) {
      printf("stock_reader: %s[%llu] = %g, expected %g\n", name, (unsigned long long)i, values[i],
             base + (double)i);
      return -1;
    }
  }
  return 0;
}

static int check_data_set(hid_t file, const char* name) {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0) return -1;
  const hid_t space = H5Dget_space(set);
  const hsize_t count = (hsize_t)H5Sget_simple_extent_npoints(space);
  double* values = malloc(count * sizeof *values);
  int status = H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0 ? -1 : 0;
  if (status == 0) status = check_values(name, values, count);
  free(values);
  H5Sclose(space);
  H5Dclose(set);
  return status;
}

static herr_t visit(hid_t file, const char* name, const H5L_info_t* info, void* data) {
  (void)info;
  (void)data;
  return name[0] == 'v' ? check_data_set(file, name) : 0;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) {
    printf("stock_reader: %s cannot be opened\n", argv[1]);
    return 1;
  }
  if (H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, NULL) < 0) {
    printf("stock_reader: %s cannot be read\n", argv[1]);
    return 1;
  }
  for (int i = 2; i < argc; ++i) {
    if (H5Lexists(file, argv[i], H5P_DEFAULT) > 0) continue;
    printf("stock_reader: %s has no %s\n", argv[1], argv[i]);
    return 1;
  }
  return H5Fclose(file) < 0;
}
