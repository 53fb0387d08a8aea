// What a file must hold, in the memory of each rank: dimensions, variables, attributes, and elements, each of
// which is known or undefined. Local.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "numbers.h"

namespace scorpio::drawn {

constexpr size_t k_most_dimensions = 4;
using Extents = std::vector<int64_t>;
using Place = std::array<int64_t, k_most_dimensions>;

struct Element {
  Number number = 0;
  bool known = false;
};

struct Dimension {
  std::string name;
  int64_t length = 0;  // of an unlimited one the number of records so far
  bool unlimited = false;
};

struct Attribute {
  scorpio_type type = SCORPIO_TEXT;
  std::string text;
  std::vector<Number> numbers;
};
using Attributes = std::map<std::string, Attribute>;

struct Variable {
  std::string name;
  scorpio_type type = SCORPIO_INT32;
  std::vector<size_t> dimensions;  // indices in Contents
  bool filled = false;
  Number fill = 0;
  Attributes attributes{};
  bool removed = false;
  bool unsigned_too = false;  // a byte of CDF-1 or CDF-2, which has the sign of the type in memory
  int id = -1;
  Extents extents{};
  std::vector<Element> elements{};

  size_t at(const Place& place) const;
  void grow(const Extents& to);
};

struct Contents {
  std::string format;
  bool eager = false, classic_model = false;
  std::vector<Dimension> dimensions;
  std::vector<Variable> variables;
  Attributes attributes{};

  bool classic() const { return format.starts_with("cdf"); }
  Extents extents(const Variable& variable) const;
  bool unlimited(const Variable& variable, size_t d) const {
    return dimensions[variable.dimensions[d]].unlimited;
  }
  // Extends unlimited dimensions so that the variable has this place, and all variables with them.
  void reach(const Variable& variable, const Extents& to);
  void forget();  // all elements become undefined
};

}  // namespace scorpio::drawn
