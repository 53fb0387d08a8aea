// Collections of the global heap of HDF5, which hold the texts and lists of variable length that attributes
// and variables refer to. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace scorpio::format::hdf5 {

// The length of the collection whose first bytes these are; none if no collection begins so. Lengths have 8
// bytes in the file.
std::optional<uint64_t> heap_collection_bytes(std::span<const std::byte> bytes);

// Whether the objects of the collection follow each other up to its end. HDF5 1.10 looks for the next one
// without an end if one is damaged so that it has no length, or leads out of the collection.
bool heap_objects_end(std::span<const std::byte> collection);

}  // namespace scorpio::format::hdf5
