// HDF5 as the registry has it. Local; pure.
#pragma once

#include "format/format.h"

namespace scorpio::format {

const Format& hdf5_format();

}  // namespace scorpio::format
