// FNV-1a, 64 bit: a hash that is the same on every machine, so that ranks can compare. Local; pure.
// Source: draft-eastlake-fnv.
#pragma once

#include <cstdint>
#include <string_view>

namespace scorpio {

inline constexpr uint64_t k_fnv_offset_basis = 0xcbf29ce484222325u;
inline constexpr uint64_t k_fnv_prime = 0x100000001b3u;

// `hash`: of what came before `bytes`.
constexpr uint64_t fnv1a(std::string_view bytes, uint64_t hash = k_fnv_offset_basis) {
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= k_fnv_prime;
  }
  return hash;
}

}  // namespace scorpio
