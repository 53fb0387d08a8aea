#include "format/cdf/alignment.h"

#include "format/cdf/geometry.h"

namespace scorpio::format::cdf {
namespace {

constexpr uint64_t k_pnetcdf_data_align = 512;

// The first value that is given, raised to a multiple of 4; a value past 2^63 - 4 is unchanged, and fails
// later.
uint64_t choose(uint64_t first, uint64_t second, uint64_t otherwise) {
  const uint64_t given = first > 0 ? first : second > 0 ? second : otherwise;
  return round_up(given, k_padding_bytes).value_or(given);
}

}  // namespace

Alignment pnetcdf_alignment(const PnetcdfHints& hints, const Padding& padding, bool fixed_variables) {
  const uint64_t from_records = fixed_variables ? padding.r_align : 0;
  const uint64_t otherwise = from_records > 0 ? from_records : k_pnetcdf_data_align;
  Alignment out;
  out.header_free = padding.h_minfree;
  out.data = choose(hints.header, padding.v_align, otherwise);
  out.variable = choose(hints.variable, 0, k_padding_bytes);
  out.variable_free = padding.v_minfree;
  out.record = choose(hints.record, padding.r_align, k_padding_bytes);
  return out;
}

}  // namespace scorpio::format::cdf
