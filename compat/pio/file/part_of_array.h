// Decompositions of the first part of an array: along each dimension they have its first elements. Programs
// use them for variables that are longer than what they write or read at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pio/decompositions/layout.h"
#include "pio/file/write.h"

namespace scorpio_pio {

// Whether an array of `extents`, without leading extents of 1, is a first part of one of `array`. Local.
bool is_first_part(std::span<const int64_t> extents, std::span<const int64_t> array);

// Collective: the native decomposition of the layout's elements in an array of these extents, of which that
// of the layout is a first part. It belongs to the layout. Returns 0 or a code, the same on all ranks.
int part_of_array(const IoSystem& system, Layout& layout, const std::vector<int64_t>& array,
                  scorpio_decomp*& decomp);

// Collective: carries out a write whose `array` is not empty. As with other writes, elements of the layout's
// array that no rank holds get the fill value; those after it keep their values.
int put_part(scorpio_file* file, const IoSystem& system, const Write& write);

}  // namespace scorpio_pio
