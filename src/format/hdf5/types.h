// Converts element types of the schema to data types of HDF5, and back. Local; only the thread that calls
// SCORPIO.
#pragma once

#include <string>

#include "base/result.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/simple_types.h"
#include "model/element_type.h"

namespace scorpio::format::hdf5 {

// The end of a text, and its character set.
struct TextForm {
  bool utf8 = false;  // there are bytes that are not ASCII
  bool terminated =
      false;  // by NUL, as HDF5 defines it; else padded with NUL, so that the text can fill the element
};

// The type as it is stored. Single characters have the form in which netCDF-C writes them: terminated. Opaque
// types have an empty tag.
Result<Handle> make_type(const model::ElementType& type, TextForm form = {});

// Of texts of any lengths, in memory and in the file, as netCDF-C stores NC_STRING.
Result<Handle> make_string_type();

TypeFacts examine_type(hid_t type);

// What Objects::others() says of a type that has a name in the file.
inline constexpr const char* k_named_type = "a named type";

// The type as HDF5 writes it to files, which is empty if it cannot; and such a type again.
std::string encode_type(hid_t type);
Result<Handle> decode_type(const std::string& encoded);

// The type in memory, in the byte order of `type`, to which HDF5 converts elements of `stored`, for which
// examine_type() has set `convertible`. Texts keep all bytes, but blanks at their end become NUL if `stored`
// is padded with blanks.
Result<Handle> make_memory_type(hid_t stored, const model::ElementType& type);

}  // namespace scorpio::format::hdf5
