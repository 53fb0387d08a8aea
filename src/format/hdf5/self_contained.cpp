#include "format/hdf5/self_contained.h"

#include "format/hdf5/handle.h"

namespace scorpio::format::hdf5 {

namespace {

bool is_self_contained_at(hid_t type, int depth) {
  if (depth > k_deepest_type) return false;
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
    case H5T_FLOAT:
    case H5T_ENUM:
    case H5T_OPAQUE:
    case H5T_BITFIELD:
    case H5T_TIME:
      return true;
    case H5T_STRING:
      return H5Tis_variable_str(type) == 0;
    case H5T_ARRAY: {
      const Handle element(H5Tget_super(type), H5Tclose);
      return is_self_contained_at(element.get(), depth + 1);
    }
    case H5T_COMPOUND: {
      const int count = H5Tget_nmembers(type);
      for (int i = 0; i < count; ++i) {
        const Handle member(H5Tget_member_type(type, static_cast<unsigned>(i)), H5Tclose);
        if (!is_self_contained_at(member.get(), depth + 1)) return false;
      }
      return count > 0;
    }
    default:
      return false;
  }
}

}  // namespace

bool is_self_contained(hid_t type) { return is_self_contained_at(type, 0); }

}  // namespace scorpio::format::hdf5
