#include "format/hdf5/header_form.h"

#include "format/hdf5/errors.h"

namespace scorpio::format::hdf5 {

namespace {

unsigned order_of(bool indexed) {
  return H5P_CRT_ORDER_TRACKED | (indexed ? static_cast<unsigned>(H5P_CRT_ORDER_INDEXED) : 0u);
}

}  // namespace

Status set_header_form(hid_t creation_list, bool indexed) {
  if (H5Pset_attr_creation_order(creation_list, order_of(indexed)) < 0) {
    return library_failure(Code::internal, "HDF5 does not accept the form of object headers");
  }
  return {};
}

Status set_group_form(hid_t creation_list, bool indexed) {
  SCORPIO_TRY(set_header_form(creation_list, indexed));
  if (H5Pset_link_creation_order(creation_list, order_of(indexed)) < 0) {
    return library_failure(Code::internal, "HDF5 does not accept the form of groups");
  }
  return {};
}

bool has_old_header(hid_t object) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_native_info_t info;
  return H5Oget_native_info(object, &info, H5O_NATIVE_INFO_HDR) >= 0 && info.hdr.version < 2;
#else
  H5O_info_t info;
  return H5Oget_info2(object, &info, H5O_INFO_HDR) >= 0 && info.hdr.version < 2;
#endif
}

}  // namespace scorpio::format::hdf5
