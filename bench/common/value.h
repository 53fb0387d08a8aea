// What every element of every workload holds: a function of variable, global index and step, so that any
// number of ranks, any decomposition and any reader can check it. Local; pure. harness/values.py is its twin.
#pragma once

#include <cstdint>
#include <type_traits>

namespace bench {

// The finaliser of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
inline uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

inline uint64_t element_seed(uint32_t variable, uint32_t step) {
  return mix((uint64_t{variable} << 32 | step) + 0x9e3779b97f4a7c15ULL);
}

template <class T>
T element_value(uint64_t seed, uint64_t index) {
  const uint64_t bits = mix(seed ^ index);
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(bits >> 11) * static_cast<T>(0x1p-53);
  } else {
    return static_cast<T>(bits >> 33);
  }
}

}  // namespace bench
