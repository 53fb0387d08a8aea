// Which data sets in chunks can be read without HDF5: their chunks passed filters that are built in.
// Local; the thread that calls SCORPIO alone.
#pragma once

#include <hdf5.h>

#include <memory>

#include "format/chunk_form.h"
#include "format/hdf5/types.h"
#include "model/schema.h"

namespace scorpio::format::hdf5 {

// `list`: with which the data set was made. Extents and chunks of `variable` are set. Null where only HDF5
// can read it. The raw space of the form is that of no file yet.
std::shared_ptr<const ChunkForm> examine_chunks(hid_t dataset, hid_t list, const TypeFacts& facts,
                                                const model::Variable& variable);

}  // namespace scorpio::format::hdf5
