/* Truchas' probes, with HDF5 alone. Independent; one thread. All that is included is the library's header,
 * which brings the C library's: that is how Truchas has it. */
#include "scorpio.h"

#include "check.h"
#include "truchas_probe.h"

/* Truchas asks for collective transfers unless it was told that the library uses serial HDF5. */
static hid_t transfer_properties(void) {
  const hid_t properties = H5Pcreate(H5P_DATASET_XFER);
#if !defined(SERIAL_HDF5)
  EXPECT_TRUE(H5Pset_dxpl_mpio(properties, H5FD_MPIO_COLLECTIVE) >= 0);
#endif
  return properties;
}

/* Writes at row `first`: one row on global rank 0, none on the other roots. */
static void write_row(hid_t probe, hsize_t first, int columns, const double* row, const iogroup_t* group) {
  const hsize_t start[2] = {first, 0};
  const hsize_t count[2] = {group->globalrank == 0 ? 1 : 0, (hsize_t)columns};
  const hid_t in_file = H5Dget_space(probe), in_memory = H5Screate_simple(2, count, NULL);
  const hid_t properties = transfer_properties();
  EXPECT_TRUE(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
  EXPECT_TRUE(H5Dwrite(probe, H5T_NATIVE_DOUBLE, in_memory, in_file, properties, row) >= 0);
  H5Pclose(properties);
  H5Sclose(in_memory);
  H5Sclose(in_file);
}

static hid_t create_extendible(hid_t parent, const char* name, int columns) {
  const hsize_t size[2] = {1, (hsize_t)columns}, most[2] = {H5S_UNLIMITED, (hsize_t)columns};
  const hid_t space = H5Screate_simple(2, size, most), properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 2, size);
  const hid_t probe =
      H5Dcreate2(parent, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Pclose(properties);
  H5Sclose(space);
  return probe;
}

hid_t probe_create(hid_t parent, const char* name, int columns, const double* row, const iogroup_t* group) {
  if (group->localrank != 0) return -1;
  const hid_t folder = H5Gopen2(parent, "Probes", H5P_DEFAULT);
  EXPECT_TRUE(folder >= 0);
  const hid_t probe = create_extendible(folder, name, columns);
  EXPECT_TRUE(probe >= 0);
  write_row(probe, 0, columns, row, group);
  H5Gclose(folder);
  return probe;
}

void probe_append(hid_t probe, int columns, const double* row, const iogroup_t* group) {
  if (group->localrank != 0) return;
  hsize_t size[2] = {0, 0};
  const hid_t space = H5Dget_space(probe);
  EXPECT(2, H5Sget_simple_extent_dims(space, size, NULL));
  H5Sclose(space);
  const hsize_t more[2] = {size[0] + 1, size[1]};
  EXPECT_TRUE(H5Dset_extent(probe, more) >= 0);
  write_row(probe, size[0], columns, row, group);
}

static void close_kind(hid_t file, unsigned kind, herr_t (*close)(hid_t)) {
  const ssize_t n = H5Fget_obj_count(file, kind);
  EXPECT_TRUE(n >= 0);
  if (n <= 0) return;
  hid_t* objects = malloc((size_t)n * sizeof *objects);
  EXPECT(n, H5Fget_obj_ids(file, kind, (size_t)n, objects));
  for (ssize_t i = 0; i < n; ++i) EXPECT_TRUE(close(objects[i]) >= 0);
  free(objects);
}

void close_objects(hid_t file) {
  close_kind(file, H5F_OBJ_DATASET, H5Dclose);
  close_kind(file, H5F_OBJ_GROUP, H5Gclose);
}
