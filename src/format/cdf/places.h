// Assigns locations to the variables of a classic netCDF file: fixed-size variables follow the header in
// order of definition, then the records, each with the slabs of all record variables. Local; pure: the same
// on every rank.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "format/cdf/alignment.h"
#include "format/cdf/geometry.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf {

// Sets begin and vsize of every variable of a new file. `alignment` has the rule of PnetCDF or netCDF-C.
// Fails like check_sizes and check_places (limits.h); the header is then unchanged.
Status place(Header& header, const Alignment& alignment);

enum class Direction : uint8_t { none, up, down, mixed };

// The data that must be moved, because the header or the fixed-size variables of a file have grown.
struct Move {
  size_t variable = 0;  // index in the new header
  uint64_t from = 0;
  uint64_t to = 0;
  uint64_t bytes = 0;
};

struct Relayout {
  // Fixed-size variables that move. They move to higher offsets only. If `in_order`, no move overwrites bytes
  // that a later move reads. The records are moved before them.
  std::vector<Move> fixed;
  // How the slabs of the old records move; the offsets are those of Geometry::address() before and after. up:
  // move from the last record and variable to the first; down: from the first to the last; mixed: through a
  // copy.
  Direction records = Direction::none;
  // The old file has its variables in order of definition. Otherwise (legal, but no library writes such
  // files) a move may overwrite bytes that a later one reads, so that the data must be moved through a copy.
  bool in_order = true;
};

// As place(), but variables that `old` has too (same name, type and slab size) keep their locations, or move
// to higher offsets, aligned, if the data before them now end after their old begin. PnetCDF and netCDF-C do
// the same, with one exception: if the old file has no fixed-size variables, or no record variables, they
// keep the space before it free, and this function uses it, so that less is moved.
Result<Relayout> replace(Header& header, const Header& old, const Alignment& alignment);

}  // namespace scorpio::format::cdf
