// What each version of the classic netCDF format can hold, checked when something is defined. Local; pure.
// The limits are those that PnetCDF 1.12.3 and netCDF-C 4.9.0 were seen to keep (and tests/cdf compares).
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf {

struct Limits {
  uint64_t dimension;  // longest dimension
  uint64_t
      variable;    // bytes, padded, of a variable or of one record of it; see check_sizes() for the exception
  uint64_t begin;  // highest offset where a variable can begin
  uint64_t count;  // of dimensions, attributes, variables, elements of an attribute
  uint64_t records;
};

Limits limits(Version version);

// Each of these may be added to what `header` has already. Code::name, exists, type, shape, range or limit,
// with the name, the value and what to do.
Status check_dimension(const Header& header, const Dimension& dimension);
Status check_attribute(Version version, const std::vector<Attribute>& owner, const Attribute& attribute);
Status check_variable(const Header& header, const Variable& variable);

// All definitions are made: sizes of the variables. In CDF-1 and CDF-2 one variable may be of any size: the
// last one if no variable has records, or else the last one with records.
Status check_sizes(const Header& header);

// The variables are placed: their begins, and the number of records, fit into their fields.
Status check_places(const Header& header);

// What the field vsize holds for that many padded bytes: 2^32 - 1 where 32 bits are too few.
uint64_t vsize_field(Version version, uint64_t padded_bytes);

}  // namespace scorpio::format::cdf
