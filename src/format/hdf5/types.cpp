#include "format/hdf5/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "format/hdf5/errors.h"
#include "format/hdf5/type_text.h"
#include "model/string_elements.h"

namespace scorpio::format::hdf5 {
namespace {

using model::ByteOrder;
using model::ElementType;
using model::Kind;

hid_t standard_type(Kind kind, bool little) {
  switch (kind) {
    case Kind::int8:
      return little ? H5T_STD_I8LE : H5T_STD_I8BE;
    case Kind::uint8:
      return little ? H5T_STD_U8LE : H5T_STD_U8BE;
    case Kind::int16:
      return little ? H5T_STD_I16LE : H5T_STD_I16BE;
    case Kind::uint16:
      return little ? H5T_STD_U16LE : H5T_STD_U16BE;
    case Kind::int32:
      return little ? H5T_STD_I32LE : H5T_STD_I32BE;
    case Kind::uint32:
      return little ? H5T_STD_U32LE : H5T_STD_U32BE;
    case Kind::int64:
      return little ? H5T_STD_I64LE : H5T_STD_I64BE;
    case Kind::uint64:
      return little ? H5T_STD_U64LE : H5T_STD_U64BE;
    case Kind::float32:
      return little ? H5T_IEEE_F32LE : H5T_IEEE_F32BE;
    case Kind::float64:
      return little ? H5T_IEEE_F64LE : H5T_IEEE_F64BE;
    case Kind::text:
    case Kind::opaque:
      break;
  }
  return -1;
}

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

Kind integer_kind(bool is_signed, size_t bytes) {
  switch (bytes) {
    case 1:
      return is_signed ? Kind::int8 : Kind::uint8;
    case 2:
      return is_signed ? Kind::int16 : Kind::uint16;
    case 4:
      return is_signed ? Kind::int32 : Kind::uint32;
    default:
      return is_signed ? Kind::int64 : Kind::uint64;
  }
}

ElementType ordered(Kind kind, hid_t stored) {
  ElementType type = model::native(kind);
  type.order = H5Tget_order(stored) == H5T_ORDER_BE ? ByteOrder::big : ByteOrder::little;
  return type;
}

TypeFacts foreign_type(hid_t stored, std::string what) {
  TypeFacts facts;
  const size_t bytes = std::clamp<size_t>(H5Tget_size(stored), 1, std::numeric_limits<uint32_t>::max());
  facts.type = model::native(Kind::opaque, static_cast<uint32_t>(bytes));
  facts.foreign = std::move(what);
  facts.exact = facts.bytes_alone = is_self_contained(stored) && H5Tget_size(stored) == bytes;
  return facts;
}

// Also for the base type of an enumeration. Integers of other widths or with unused bits are converted.
TypeFacts examine_integer(hid_t stored) {
  const size_t bytes = H5Tget_size(stored);
  if (bytes > 8) return foreign_type(stored, fmt::format("integer of {} bytes", bytes));
  TypeFacts facts;
  facts.convertible = true;
  const size_t wide = bytes <= 1 ? 1 : bytes <= 2 ? 2 : bytes <= 4 ? 4 : 8;
  facts.type = ordered(integer_kind(H5Tget_sign(stored) != H5T_SGN_NONE, wide), stored);
  facts.exact = H5Tequal(stored, standard_type(facts.type.kind, facts.type.order == ByteOrder::little)) > 0;
  return facts;
}

TypeFacts examine_float(hid_t stored) {
  TypeFacts facts;
  facts.convertible = true;
  facts.type = ordered(H5Tget_size(stored) <= 4 ? Kind::float32 : Kind::float64, stored);
  facts.exact = H5Tequal(stored, standard_type(facts.type.kind, facts.type.order == ByteOrder::little)) > 0;
  return facts;
}

TypeFacts examine_bytes(hid_t stored, Kind kind) {
  const size_t bytes = H5Tget_size(stored);
  if (bytes == 0 || bytes > std::numeric_limits<uint32_t>::max()) {
    return foreign_type(stored, fmt::format("element of {} bytes", bytes));
  }
  return {.type = model::native(kind, static_cast<uint32_t>(bytes)), .exact = true, .convertible = true};
}

TypeFacts examine_text(hid_t stored) {
  if (H5Tis_variable_str(stored) <= 0) return examine_bytes(stored, Kind::text);
  TypeFacts facts = foreign_type(stored, model::k_variable_length_string);
  facts.variable_text = true;
  return facts;
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
    case H5T_INTEGER:
      return examine_integer(stored);
    case H5T_FLOAT:
      return examine_float(stored);
    case H5T_ENUM:
      return examine_enumeration(stored);
    case H5T_STRING:
      return examine_text(stored);
    case H5T_OPAQUE:
      return examine_bytes(stored, Kind::opaque);
    case H5T_BITFIELD:
    case H5T_COMPOUND:
    case H5T_VLEN:
    case H5T_REFERENCE:
    case H5T_ARRAY:
    case H5T_TIME:
      return foreign_type(stored, text_of_type(stored));
    default:
      return foreign_type(stored, "unknown type");
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
