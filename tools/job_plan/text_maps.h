// Maps in the text form of PIO:
//   version 2001 npes RANKS ndims DIMENSIONS
//   the extents of the array
//   for each rank: its number and the length of its map, and the map (from 1; 0 is a hole)
#pragma once

#include <string>

#include "maps.h"

namespace job_plan {

// `text`: the contents of the file. BadInput, which begins with `path`, if it is damaged or no such text.
Maps read_text_maps(const std::string& path, const std::string& text);

}  // namespace job_plan
