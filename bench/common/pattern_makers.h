// One function per workload that is a pattern; make_pattern chooses among them. Local; pure but for the
// process grids, which MPI_Dims_create makes.
#pragma once

#include <string>
#include <vector>

#include "common/pattern.h"

namespace bench {

Pattern make_blocks_pattern(const PatternSizes& sizes, int rank, int ranks);
Pattern make_btio_pattern(const PatternSizes& sizes, int rank, int ranks);
Pattern make_flash_pattern(const PatternSizes& sizes, int rank, int ranks);
Pattern make_wrf_pattern(const PatternSizes& sizes, int rank, int ranks);
Pattern make_ior_pattern(const PatternSizes& sizes, int rank, int ranks);

// The form of `sizes`, the first of `forms` if it is empty. Throws std::invalid_argument if it is none.
std::string form_among(const PatternSizes& sizes, const std::vector<std::string>& forms);

}  // namespace bench
