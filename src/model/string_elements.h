// Variables whose elements are strings of variable length (NC_STRING of netCDF-4). Their elements are no part
// of the data that I/O ranks move: the library of the format reads and writes them on the metadata rank.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/element_type.h"
#include "model/variable.h"

namespace scorpio::model {

// What Variable::foreign_type says of them.
inline constexpr const char* k_variable_length_string = "variable-length text";

inline bool holds_strings(const Variable& variable) {
  return variable.foreign_type == k_variable_length_string;
}

// In memory of the format's library an element is a pointer.
inline Variable variable_of_strings(const std::string& path) {
  Variable variable;
  variable.path = path;
  variable.type = native(Kind::opaque, sizeof(char*));
  variable.foreign_type = k_variable_length_string;
  variable.unreadable = "its elements are texts of variable length; use scorpio_strings_get()";
  return variable;
}

// A hyperslab of such a variable.
struct StringBox {
  int variable = -1;
  std::vector<int64_t> start, count, stride;  // [ndims]

  int64_t elements() const {
    int64_t elements = 1;
    for (const int64_t one : count) elements *= one;
    return elements;
  }
};

}  // namespace scorpio::model
