// Determines which chunked data sets can be read without HDF5, because all their filters are built in. Local;
// only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <memory>
#include <optional>
#include <vector>

#include "format/chunk_form.h"
#include "format/hdf5/types.h"
#include "model/variable.h"

namespace scorpio::format::hdf5 {

// A filter of a creation property list, with the parameter by which it encodes a chunk as its writer did, or
// nearly so; 0 for a filter that is not built in.
codec::Filter stored_filter(hid_t list, unsigned index);

// `list` is the creation property list of the data set. Extents and chunks of `variable` are set. Null if
// only HDF5 can read the data set. The result has no range in raw space yet.
std::shared_ptr<const ChunkForm> examine_chunks(hid_t dataset, hid_t list, const TypeFacts& facts,
                                                const model::Variable& variable);

// The fill value, one element as it is stored; zeros if none is defined. None if HDF5
// cannot return it, or if it has more than 1 MiB.
std::optional<std::vector<std::byte>> fill_of(hid_t dataset, hid_t list, uint32_t element_bytes);

}  // namespace scorpio::format::hdf5
