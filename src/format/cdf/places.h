// Places the variables of a classic netCDF file: fixed ones in order of definition behind the header, then
// the records, in each the slabs of all record variables. Local; pure: every rank computes the same.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "format/cdf/alignment.h"
#include "format/cdf/geometry.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf {

// Sets begin and vsize of every variable of a new file, as the library whose rule `alignment` is would.
// Fails like check_sizes and check_places (limits.h); the header is then as before.
Status place(Header& header, const Alignment& alignment);

enum class Direction : uint8_t { none, up, down, mixed };

// Bytes that a file's data must be moved by, because its header or its fixed variables have grown.
struct Move {
  size_t variable = 0;  // index in the new header
  uint64_t from = 0;
  uint64_t to = 0;
  uint64_t bytes = 0;
};

struct Relayout {
  // Fixed variables that change place. They only move up, and the order is such that no move overwrites what
  // a later one reads, if `in_order`. The records are moved before them.
  std::vector<Move> fixed;
  // How the slabs of the old records move; from and to follow from Geometry::address() before and after. up:
  // from the last record and variable to the first; down: from the first to the last; mixed: by way of a
  // copy.
  Direction records = Direction::none;
  // The old file has its variables in order of definition. If not (legal, but no library writes so), a move
  // may overwrite what another one still reads: move by way of a copy.
  bool in_order = true;
};

// As place(), but variables that `old` has too (same name, type and slab size) stay where they are, or move
// up where what is before them now ends, aligned, behind their old begin. PnetCDF and netCDF-C do the same;
// only where the old file has no fixed variables, or none with records, they keep free the place where those
// would have begun, and here that room is used, so that less is moved.
Result<Relayout> replace(Header& header, const Header& old, const Alignment& alignment);

}  // namespace scorpio::format::cdf
