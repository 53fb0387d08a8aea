// The default fill values of netCDF, in all formats that follow its conventions. Local; pure.
#pragma once

#include <cstddef>
#include <vector>

#include "model/element_type.h"
#include "model/variable.h"

namespace scorpio::format {

// NC_FILL_* of the type, in its byte order; zeros for opaque elements and texts.
std::vector<std::byte> netcdf_default_fill(const model::ElementType& type);

// The value of elements that no rank wrote, one element: that of the attribute _FillValue, if this has the
// variable's type, or else `by_default`.
std::vector<std::byte> fill_value(const model::Variable& variable, std::vector<std::byte> by_default);

}  // namespace scorpio::format
