#include "format/hdf5/simple_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "format/hdf5/self_contained.h"
#include "model/string_elements.h"

namespace scorpio::format::hdf5 {

namespace {

using model::ByteOrder;
using model::ElementType;
using model::Kind;

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

}  // namespace

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

TypeFacts foreign_type(hid_t stored, std::string what) {
  TypeFacts facts;
  const size_t bytes = std::clamp<size_t>(H5Tget_size(stored), 1, std::numeric_limits<uint32_t>::max());
  facts.type = model::native(Kind::opaque, static_cast<uint32_t>(bytes));
  facts.foreign = std::move(what);
  facts.exact = facts.bytes_alone = is_self_contained(stored) && H5Tget_size(stored) == bytes;
  return facts;
}

// Integers of other widths or with unused bits are converted.
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

TypeFacts examine_simple_type(hid_t stored) {
  switch (H5Tget_class(stored)) {
    case H5T_INTEGER:
      return examine_integer(stored);
    case H5T_FLOAT:
      return examine_float(stored);
    case H5T_STRING:
      return examine_text(stored);
    case H5T_OPAQUE:
      return examine_bytes(stored, Kind::opaque);
    default:
      return foreign_type(stored, "unknown type");
  }
}

}  // namespace scorpio::format::hdf5
