#include "format/hdf5/attribute_names.h"

#include <cstddef>
#include <vector>

namespace scorpio::format::hdf5 {

namespace {

// An attribute of this size or more is in a heap, which holds all attributes of its object then.
constexpr hsize_t k_heap_bytes = 60000;

hsize_t attributes_of(hid_t object) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  return H5Oget_info3(object, &info, H5O_INFO_NUM_ATTRS) < 0 ? 0 : info.num_attrs;
#else
  H5O_info_t info;
  return H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS) < 0 ? 0 : info.num_attrs;
#endif
}

Handle creation_list_of(hid_t object) {
  const H5I_type_t kind = H5Iget_type(object);
  if (kind == H5I_DATASET) return {H5Dget_create_plist(object), H5Pclose};
  if (kind == H5I_GROUP) return {H5Gget_create_plist(object), H5Pclose};
  return {H5Tget_create_plist(object), H5Pclose};
}

bool any_is_large(hid_t object) {
  const auto visit = [](hid_t, const char*, const H5A_info_t* info, void*) -> herr_t {
    return info->data_size >= k_heap_bytes ? 1 : 0;
  };
  hsize_t position = 0;
  return H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, &position, visit, nullptr) > 0;
}

// Whether the object has an index of the order of creation, and may hold its attributes in a heap.
bool is_copied(hid_t object) {
  const Handle list = creation_list_of(object);
  unsigned order = 0, most_in_header = 0, least_in_heap = 0;
  if (!list.valid() || H5Pget_attr_creation_order(list.get(), &order) < 0 ||
      H5Pget_attr_phase_change(list.get(), &most_in_header, &least_in_heap) < 0)
    return false;
  if ((order & H5P_CRT_ORDER_INDEXED) == 0) return false;
  return attributes_of(object) >= least_in_heap || any_is_large(object);
}

// Elements are copied as the file has them, texts and lists of variable length too.
bool copy_value(hid_t from, hid_t to, hid_t type, hid_t space) {
  const hssize_t elements = H5Sget_simple_extent_npoints(space);
  if (elements <= 0) return elements == 0;
  std::vector<std::byte> value(static_cast<size_t>(elements) * H5Tget_size(type));
  if (H5Aread(from, type, value.data()) < 0) return false;
  const bool written = H5Awrite(to, type, value.data()) >= 0;
  const bool has_lists = H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tdetect_class(type, H5T_STRING) > 0;
  if (has_lists) (void)H5Dvlen_reclaim(type, space, H5P_DEFAULT, value.data());
  return written;
}

herr_t copy(hid_t object, const char* name, const char* new_name) {
  const Handle old(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  if (!old.valid()) return -1;
  const Handle type(H5Aget_type(old.get()), H5Tclose), space(H5Aget_space(old.get()), H5Sclose);
  const Handle list(H5Aget_create_plist(old.get()), H5Pclose);
  const Handle made(H5Acreate2(object, new_name, type.get(), space.get(), list.get(), H5P_DEFAULT), H5Aclose);
  if (!made.valid()) return -1;
  if (copy_value(old.get(), made.get(), type.get(), space.get())) return 0;
  (void)H5Adelete(object, new_name);
  return -1;
}

}  // namespace

herr_t rename_attribute(hid_t file, const char* path, const char* name, const char* new_name) {
  const Handle object(H5Oopen(file, path, H5P_DEFAULT), H5Oclose);
  if (!object.valid()) return -1;
  if (!is_copied(object.get())) return H5Arename(object.get(), name, new_name);
  const herr_t copied = copy(object.get(), name, new_name);
  return copied < 0 ? copied : H5Adelete(object.get(), name);
}

}  // namespace scorpio::format::hdf5
