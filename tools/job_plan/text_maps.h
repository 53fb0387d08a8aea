// Maps in the text form of PIO, which compat/pio/decompositions/map_text.h describes.
#pragma once

#include <string>

#include "maps.h"

namespace job_plan {

// `text`: the contents of the file. BadInput, which begins with `path`, if it is damaged or no such text.
Maps read_text_maps(const std::string& path, const std::string& text);

}  // namespace job_plan
