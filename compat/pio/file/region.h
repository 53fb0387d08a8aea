// A part of a variable that is the same on all ranks: the whole variable, one element, or a hyperslab. Local;
// pure.
#pragma once

#include <cstdint>
#include <vector>

#include "pio/definitions/variable_facts.h"

namespace scorpio_pio {

struct Region {
  enum class Kind { whole, element, slab };
  Kind kind = Kind::whole;
  const PIO_Offset* start = nullptr;
  const PIO_Offset* count = nullptr;
  const PIO_Offset* stride = nullptr;  // NULL: 1
  const PIO_Offset* map = nullptr;     // distances in memory; NULL: row-major
};

// A region with its extents, all of which a variable has.
struct CheckedRegion {
  std::vector<int64_t> start, count, stride, map;
  int64_t elements = 1;
  std::vector<Growth> growth;  // by a put
};

// Returns 0, or the code of what is wrong with its text. A put may extend unlimited dimensions.
int check_region(const Region& region, const Variable& variable, bool reading, CheckedRegion& checked);

}  // namespace scorpio_pio
