// The form in which a data set stores its elements, and the requirements of HDF5 to read them. Local; only
// the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include "format/hdf5/types.h"
#include "format/placement.h"
#include "model/variable.h"

namespace scorpio::format::hdf5 {

// The placement of the elements. Sets the fields of the variable that describe it: type, storage, fill, and
// why the elements cannot be read, if they cannot. Path and extents are set before.
Placement examine_form(hid_t dataset, const TypeFacts& facts, model::Variable& variable);

}  // namespace scorpio::format::hdf5
