// What PnetCDF chooses and allows, where its versions differ; alignment.h and limits.h have 1.12.3's rules.
//
// Since 1.13 (seen with 1.14.0; pull requests 124 to 126 of 2024 tell why): nc_var_align_size aligns where
// the data begin, if nc_header_align_size is not given, and the variables follow each other; r_align has no
// say in where the data begin; what was given to ncmpi__enddef holds for that call, hints until the file is
// closed; a file that has its data already is not aligned to 512.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "format/cdf/alignment.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf::test {

enum class PnetcdfRules { until_1_12, since_1_13 };

// Of a library that says it is of `version` ("1.12.3").
PnetcdfRules rules_of(const std::string& version);

// `placed`: the file's data have places already.
Alignment alignment_since_1_13(const PnetcdfHints& hints, const std::optional<Padding>& padding, bool placed);

// The longest dimension.
uint64_t longest_since_1_13(Version version);

}  // namespace scorpio::format::cdf::test
