// An example of an added format: each variable is divided into chunks of a fixed number of bytes, each chunk
// is an object of its own in a folder, and one object of JSON, written last, describes them. It has no
// records, and its objects are not renamed or removed.
#pragma once

#include <cstdint>

#include "format/format.h"

namespace scorpio::format {

// Of chunks that are small beside a slot of the staging memory, ...
inline constexpr uint64_t k_toy_chunk_bytes = 1024;
// ... and of chunks that are three slots long, where tests make slots of 64 KiB.
inline constexpr uint64_t k_toy_slot_bytes = 64 << 10;
inline constexpr uint64_t k_toy_large_chunk_bytes = 3 * k_toy_slot_bytes;

const Format& toy_format();        // "toy"
const Format& toy_large_format();  // "toy_large"

}  // namespace scorpio::format
