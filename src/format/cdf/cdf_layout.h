// The layout of the classic netCDF formats. Local; pure, see format/layout.h.
#pragma once

#include <cstdint>
#include <memory>

#include "format/cdf/header.h"
#include "format/layout.h"

namespace scorpio::format {

namespace cdf {

// All values are in bytes; 0: not given, which means PnetCDF's default. Alignments that are not multiples of
// 4 are raised to the next one. Hints and arguments have the meaning that they have in PnetCDF 1.12.
struct LayoutOptions {
  uint64_t header_free = 0;     // h_minfree of ncmpi__enddef: least free space after the header
  uint64_t data_align = 0;      // hint nc_header_align_size: alignment of the data after the header
  uint64_t variable_align = 0;  // hint nc_var_align_size: alignment of each variable without records
  uint64_t variable_free = 0;   // v_minfree of ncmpi__enddef: least free space after those
  uint64_t record_align = 0;    // hint nc_record_align_size: alignment of record 0
};

}  // namespace cdf

// The first end_definitions() of a file places the variables as PnetCDF would. Later ones keep the locations
// if they can, and do not restore free space that was used. If a variable has to move, all variables are
// placed as PnetCDF would, and the free space is restored.
std::unique_ptr<Layout> make_cdf_layout(cdf::Version version, const cdf::LayoutOptions& options);

}  // namespace scorpio::format
