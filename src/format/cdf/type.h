// The element types of classic netCDF files, and the corresponding types of the schema. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "format/cdf/header.h"
#include "model/element_type.h"

namespace scorpio::format::cdf {

// 1, 2, 4 or 8.
size_t size_bytes(Type type);
// "NC_SHORT"
const char* name(Type type);
// "CDF-2"
const char* name(Version version);
// Whether `code` is a type that a file of this version can hold.
bool holds(Version version, uint32_t code);

// The form in which the file stores the type: big-endian; NC_CHAR is text of one character.
model::ElementType element_type(Type type);
// Code::type for opaque types and, in the other versions, for kinds that only CDF-5 has. Text of any length
// is NC_CHAR: its length must be a dimension.
Result<Type> type_for(Version version, model::Kind kind);

}  // namespace scorpio::format::cdf
