// Headers for the tests: small ones by hand, and random ones that are as the specification allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "format/cdf/header.h"

namespace scorpio::format::cdf::test {

using Random = std::mt19937_64;

// In [low, high].
uint64_t between(Random& random, uint64_t low, uint64_t high);

struct Shape {
  Version version = Version::cdf5;
  int most = 6;              // dimensions, attributes and variables, of each
  uint64_t longest = 12;     // dimension
  bool plain_names = false;  // letters and digits only
  bool unlimited = true;     // may have an unlimited dimension
};

Version random_version(Random& random);
// Not placed: begin and vsize are 0.
Header random_header(Random& random, const Shape& shape);
// Appends dimensions, attributes and variables.
void grow(Random& random, const Shape& shape, Header& header);

Attribute text_attribute(const std::string& name, const std::string& value);

// Places the header by a random rule; false if its version cannot hold it.
bool place_randomly(Random& random, Header& header);

std::vector<std::byte> bytes_of(const std::string& text);
// From "43 44 46"; blanks are passed over.
std::vector<std::byte> from_hex(const std::string& digits);
std::string to_hex(const void* data, size_t size);

}  // namespace scorpio::format::cdf::test
