// The alignment of netCDF-C, and of PnetCDF 1.12 without arguments, in the files of the tests. The rules are
// those of alignment.h. Local; pure.
#pragma once

#include "format/cdf/alignment.h"

namespace scorpio::format::cdf::test {

// `padding`: the arguments of nc__enddef, alignments of at least 1; without it, of nc_enddef.
inline Alignment netcdf_alignment(const Padding& padding = {}) {
  return {.header_free = padding.h_minfree,
          .data = padding.v_align,
          .variable = 1,  // variables are adjacent; their sizes are multiples of 4
          .variable_free = padding.v_minfree,
          .record = padding.r_align};
}

// Of ncmpi_enddef, which has no arguments for it.
inline Alignment alignment_of_enddef(const PnetcdfHints& hints) {
  return pnetcdf_alignment(hints, {.h_minfree = 0, .v_align = 0, .v_minfree = 0, .r_align = 0}, true);
}

}  // namespace scorpio::format::cdf::test
