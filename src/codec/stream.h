// Copies past the cache: of data that will not be in it anyway when somebody comes to use them, it takes half
// the traffic, for a line that is only written need not be read first. Local.
#pragma once

#include <cstddef>

namespace scorpio::codec {

// Less than this a cache keeps.
inline constexpr size_t k_stream_total_bytes = 512 * 1024;

// As memcpy; other threads see the bytes for sure after end_streams(). Where the processor has no such stores
// it is memcpy.
void stream(std::byte* to, const std::byte* from, size_t bytes);
void end_streams();

}  // namespace scorpio::codec
