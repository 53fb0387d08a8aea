// The attributes of a group or variable. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/element_type.h"

namespace scorpio::model {

// The attribute with the value of elements that no rank has written.
inline constexpr const char* k_fill_value = "_FillValue";

// A type that the schema does not have, of an attribute of another program.
struct ForeignType {
  std::string description;
  std::string encoded;  // by HDF5, so that a copy in an HDF5 file has the type; empty: HDF5 cannot
};

// The limit of a list of strings, all of which are kept with the length of the longest one on every rank.
inline constexpr uint64_t k_most_list_bytes = uint64_t{64} << 20;
constexpr bool fits_in_list(uint64_t strings, uint64_t longest) {
  return longest < k_most_list_bytes && (longest == 0 || strings <= k_most_list_bytes / longest);
}

struct Attribute {
  ElementType type;
  bool scalar = true;
  std::vector<int64_t> dims;     // extents, slowest first; empty when scalar
  std::vector<std::byte> value;  // elements in native order, row-major
  bool readable = true;          // false: a type that the schema cannot hold; `value` is then empty
  std::string unreadable{};      // ... and the reason
  uint64_t order = 0;            // position in the order of definition among the attributes of an object
  bool strings = false;          // texts, each of which the file holds with a length of its own
  std::shared_ptr<const ForeignType>
      foreign{};  // not null: the type in the file, of which `type` is a substitute
};
using Attributes = std::map<std::string, Attribute>;
// The attributes in order of definition; those without a number by name.
std::vector<Attributes::iterator> in_order(Attributes& attributes);
std::vector<Attributes::const_iterator> in_order(const Attributes& attributes);

}  // namespace scorpio::model
