// The default fill values of netCDF, in all formats that follow its conventions. Local; pure.
#pragma once

#include <cstddef>
#include <vector>

#include "model/element_type.h"

namespace scorpio::format {

// NC_FILL_* of the type, in its byte order; zeros for opaque elements and texts of more than 8 characters.
std::vector<std::byte> netcdf_default_fill(const model::ElementType& type);

}  // namespace scorpio::format
