// What the classic netCDF formats make of definitions. Local; pure, see format/layout.h.
#pragma once

#include <cstdint>
#include <memory>

#include "format/cdf/header.h"
#include "format/layout.h"

namespace scorpio::format {

namespace cdf {

// All in bytes; 0: not given, which means PnetCDF's choice without hints. Alignments that are no multiple of
// 4 are raised to the next one. Hints and arguments are meant as PnetCDF 1.12 takes them.
struct LayoutOptions {
  uint64_t header_free = 0;     // h_minfree of ncmpi__enddef: kept free behind the header, at least
  uint64_t data_align = 0;      // hint nc_header_align_size: where the data behind the header begin
  uint64_t variable_align = 0;  // hint nc_var_align_size: each variable without records
  uint64_t variable_free = 0;   // v_minfree of ncmpi__enddef: kept free behind those, at least
  uint64_t record_align = 0;    // hint nc_record_align_size: where record 0 begins
};

}  // namespace cdf

// The places of a file's first end_definitions() are those that PnetCDF would choose. Later ones keep the
// variables where they are if they can, and leave free room free only where it is still there; where
// something has to move, all moves to where PnetCDF would put it, with the free room renewed.
std::unique_ptr<Layout> make_cdf_layout(cdf::Version version, const cdf::LayoutOptions& options);

}  // namespace scorpio::format
