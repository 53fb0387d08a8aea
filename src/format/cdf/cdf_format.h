// The classic netCDF formats as entries of the registry. Local; pure.
#pragma once

#include "format/cdf/header.h"
#include "format/format.h"

namespace scorpio::format {

const Format& cdf_format(cdf::Version version);

}  // namespace scorpio::format
