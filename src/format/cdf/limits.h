// The limits of each version of the classic netCDF format, checked when an object is defined. Local; pure.
// They are the limits that PnetCDF 1.12.3 and netCDF-C 4.9.0 apply (tests/cdf compares).
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "format/cdf/geometry.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf {

struct Limits {
  uint64_t dimension;  // largest length of a dimension
  uint64_t variable;   // padded size of a variable or of one record of it; check_sizes() has an exception
  uint64_t begin;      // largest offset at which a variable can begin
  uint64_t count;      // number of dimensions, attributes, variables, elements of an attribute
  uint64_t records;
};

Limits limits(Version version);

// Whether each can be added to `header`. Code::name, exists, type, shape, range or limit, with the name, the
// value and a remedy.
Status check_dimension(const Header& header, const Dimension& dimension);
Status check_attribute(Version version, const std::vector<Attribute>& owner, const Attribute& attribute);
Status check_variable(const Header& header, const Variable& variable);

// Called when all definitions are made: checks the sizes of the variables, and returns them; where the
// variables begin, and the number of records, are ignored. In CDF-1 and CDF-2 one variable may be of any
// size: the last one if no variable has records, or else the last one with records.
Result<Geometry> check_sizes(const Header& header);

// Called when the variables have locations: their begins, and the number of records, must fit into their
// fields.
Status check_places(const Header& header);

// The value of the field vsize for this padded size: 2^32 - 1 if it does not fit into 32 bits.
uint64_t vsize_field(Version version, uint64_t padded_bytes);

}  // namespace scorpio::format::cdf
