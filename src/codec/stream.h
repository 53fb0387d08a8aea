// Copies that bypass the cache, for data that are not in the cache when they are used next. They need half
// the memory traffic, because a line that is only written is not read first. Local.
#pragma once

#include <cstddef>

namespace scorpio::codec {

// Smaller amounts stay in the cache.
inline constexpr size_t k_stream_total_bytes = 512 * 1024;

// As memcpy, but other threads see the bytes only after end_streams(). It is memcpy if the processor has no
// such stores.
void stream(std::byte* to, const std::byte* from, size_t bytes);
void end_streams();

}  // namespace scorpio::codec
