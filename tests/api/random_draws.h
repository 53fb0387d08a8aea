// What random programs have in common: the shapes of variables, and who does I/O. Local: ranks that pass
// generators in the same state draw the same.
#pragma once

#include <random>

#include "layout.h"

namespace scorpio::api_test {

// One to three dimensions of `least` elements or more, and below `most` of their number.
struct MostElements {
  size_t of_one, of_two, of_three;
};
Extents random_extents(std::mt19937_64& random, int64_t least, const MostElements& most);

// Settings that say which ranks do I/O: by number, list, stride and base, or none.
Settings random_io_ranks(std::mt19937_64& random, int ranks);

}  // namespace scorpio::api_test
