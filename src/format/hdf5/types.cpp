#include "format/hdf5/types.h"

#include <algorithm>

#include "format/hdf5/errors.h"
#include "format/hdf5/type_text.h"

namespace scorpio::format::hdf5 {
namespace {

using model::ByteOrder;
using model::ElementType;
using model::Kind;

hid_t make_text(const ElementType& type, TextForm form) {
  const hid_t id = H5Tcopy(H5T_C_S1);
  // HDF5 has no strings of length 0: the empty string is one NUL.
  H5Tset_size(id, std::max<size_t>(type.size_bytes, 1));
  H5Tset_strpad(id, form.terminated || type.size_bytes <= 1 ? H5T_STR_NULLTERM : H5T_STR_NULLPAD);
  if (form.utf8) H5Tset_cset(id, H5T_CSET_UTF8);
  return id;
}

hid_t make_opaque(const ElementType& type) {
  const hid_t id = H5Tcreate(H5T_OPAQUE, std::max<size_t>(type.size_bytes, 1));
  if (id >= 0) H5Tset_tag(id, "");
  return id;
}

TypeFacts examine_enumeration(hid_t stored) {
  const Handle base(H5Tget_super(stored), H5Tclose);
  TypeFacts facts = examine_integer(base.get());
  facts.foreign = text_of_type(stored);
  return facts;
}

}  // namespace

Result<Handle> make_type(const ElementType& type, TextForm form) {
  hid_t id = -1;
  if (type.kind == Kind::text) {
    id = make_text(type, form);
  } else if (type.kind == Kind::opaque) {
    id = make_opaque(type);
  } else {
    id = H5Tcopy(standard_type(type.kind, type.order == ByteOrder::little));
  }
  if (id < 0) return library_failure(Code::type, "HDF5 cannot make a type for " + model::to_string(type));
  return Handle(id, H5Tclose);
}

Result<Handle> make_string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  if (!type.valid() || H5Tset_size(type.get(), H5T_VARIABLE) < 0 ||
      H5Tset_cset(type.get(), H5T_CSET_UTF8) < 0)
    return library_failure(Code::type, "HDF5 cannot make a type of strings");
  return type;
}

TypeFacts examine_type(hid_t stored) {
  switch (H5Tget_class(stored)) {
    case H5T_ENUM:
      return examine_enumeration(stored);
    case H5T_BITFIELD:
    case H5T_COMPOUND:
    case H5T_VLEN:
    case H5T_REFERENCE:
    case H5T_ARRAY:
    case H5T_TIME:
      return foreign_type(stored, text_of_type(stored));
    default:
      return examine_simple_type(stored);
  }
}

std::string encode_type(hid_t type) {
  size_t bytes = 0;
  if (H5Tencode(type, nullptr, &bytes) < 0) return {};
  std::string encoded(bytes, '\0');
  return H5Tencode(type, encoded.data(), &bytes) < 0 ? std::string() : encoded;
}

Result<Handle> decode_type(const std::string& encoded) {
  Handle type(H5Tdecode(encoded.data()), H5Tclose);
  if (!type.valid()) return library_failure(Code::type, "HDF5 cannot make its type");
  return type;
}

Result<Handle> make_memory_type(hid_t stored, const ElementType& type) {
  const H5T_class_t what = H5Tget_class(stored);
  // Without a conversion elements are read as they are stored.
  if (examine_type(stored).bytes_alone) return Handle(H5Tcopy(stored), H5Tclose);
  // HDF5 converts opaque types only to the same tag, and enumerations best to enumerations. A text that is
  // marked as terminated need not be: without a conversion nothing is truncated.
  const bool exact_text = what == H5T_STRING && H5Tget_strpad(stored) != H5T_STR_SPACEPAD;
  if (what == H5T_OPAQUE || exact_text) return Handle(H5Tcopy(stored), H5Tclose);
  if (what == H5T_ENUM) return Handle(H5Tget_native_type(stored, H5T_DIR_ASCEND), H5Tclose);
  return make_type(type, {.utf8 = what == H5T_STRING && H5Tget_cset(stored) == H5T_CSET_UTF8});
}

}  // namespace scorpio::format::hdf5
