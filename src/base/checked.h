// Arithmetic on 64-bit sizes and offsets that detects overflow. Local; pure.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

namespace scorpio {

template <typename T>
concept Counted = std::same_as<T, int64_t> || std::same_as<T, uint64_t>;

template <Counted T>
constexpr std::optional<T> checked_add(T a, T b) {
  T sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

template <Counted T>
constexpr std::optional<T> checked_mul(T a, T b) {
  T product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

}  // namespace scorpio
