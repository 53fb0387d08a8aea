// The named dimensions of a file, and numbers for unlimited ones without names. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace scorpio::model {

// A named dimension, which variables of the whole file can have. Its name is unique in its group; dimensions
// that are defined here are in the root group.
struct Dimension {
  std::string name;
  int64_t extent = 0;  // the present number of records, if unlimited
  bool unlimited = false;
  std::string group{"/"};

  std::string path() const { return (group == "/" ? "" : group) + "/" + name; }
};

// The least lengths of dimensions, by their indices, or own_dimension().
using Lengths = std::map<int, int64_t>;

inline constexpr int k_most_own_dimensions = 32;  // the first ones of a variable
// Stands for dimension d < k_most_own_dimensions of a variable of another program that is unlimited and has
// no name: no other variable has it. Less than -1.
constexpr int own_dimension(int variable, size_t d) {
  return -2 - (variable * k_most_own_dimensions + static_cast<int>(d));
}

}  // namespace scorpio::model
