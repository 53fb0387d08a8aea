// Numbers at unaligned addresses, and their bytes in opposite order. Local; thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace scorpio::codec {

template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

inline uint16_t reversed(uint16_t value) { return __builtin_bswap16(value); }
inline uint32_t reversed(uint32_t value) { return __builtin_bswap32(value); }
inline uint64_t reversed(uint64_t value) { return __builtin_bswap64(value); }

}  // namespace scorpio::codec
