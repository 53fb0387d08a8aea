// In what form a data set keeps its elements, and what HDF5 needs to read them.
// Local; the thread that calls SCORPIO alone.
#pragma once

#include <hdf5.h>

#include "format/hdf5/types.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::format::hdf5 {

// Where the elements are. Sets what the model has of it: type, storage, and why the elements cannot be read,
// if they cannot. Path and extents are set.
Placement examine_form(hid_t dataset, const TypeFacts& facts, model::Variable& variable);

}  // namespace scorpio::format::hdf5
