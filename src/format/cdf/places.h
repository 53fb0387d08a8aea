// Assigns locations to the variables of a classic netCDF file: fixed-size variables follow the header in
// order of definition, then the records, each with the slabs of all record variables. Local; pure: the same
// on every rank.
#pragma once

#include "base/status.h"
#include "format/cdf/alignment.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf {

// Sets begin and vsize of every variable of a new file. Fails like check_sizes and check_places (limits.h);
// the header is then unchanged.
Status place(Header& header, const Alignment& alignment);

// As place(), but variables that `old` has too (same name, type and slab size) keep their locations, or move
// to higher offsets, aligned, if the data before them now end after their old begin. PnetCDF and netCDF-C do
// the same, with one exception: if the old file has no fixed-size variables, or no record variables, they
// keep the space before it free, and this function uses it, so that less is moved. What moves: shifts.h.
Status replace(Header& header, const Header& old, const Alignment& alignment);

}  // namespace scorpio::format::cdf
