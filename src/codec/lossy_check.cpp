#include "codec/lossy_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace scorpio::codec {

namespace {

template <class T>
std::vector<T> elements_of(std::span<const std::byte> bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  if (!elements.empty()) std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
  return elements;
}

template <class T>
T element_at(std::span<const std::byte> bytes, size_t i) {
  T element{};
  std::memcpy(&element, bytes.data() + i * sizeof(T), sizeof(T));
  return element;
}

template <class T>
bool is_finite(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isfinite(value);
  return true;
}

template <class T>
bool are_close(T a, T b, double bound) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= bound;
  }
  const uint64_t difference = a > b ? static_cast<uint64_t>(a) - static_cast<uint64_t>(b)
                                    : static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
  return static_cast<double>(difference) <= bound;
}

template <class T>
bool all_within(double bound, std::span<const std::byte> before, std::span<const std::byte> after,
                const Exactness& exact) {
  const std::vector<T> kept = elements_of<T>(exact.values);
  const auto must_stay = [&](T value) {
    return !is_finite(value) ||
           std::ranges::any_of(kept, [&](T one) { return std::memcmp(&one, &value, sizeof(T)) == 0; });
  };
  for (size_t i = 0; i < before.size() / sizeof(T); ++i) {
    const T old = element_at<T>(before, i), now = element_at<T>(after, i);
    if (bound <= 0 && must_stay(old)) return false;
    if (std::memcmp(&old, &now, sizeof(T)) == 0) continue;
    if (must_stay(old) || must_stay(now) || (bound > 0 && !are_close(old, now, bound))) return false;
  }
  return true;
}

}  // namespace

bool is_within(double bound, std::span<const std::byte> before, std::span<const std::byte> after,
               model::Kind kind, const Exactness& exact) {
  if (before.size() != after.size()) return false;
  switch (kind) {
    case model::Kind::float32:
      return all_within<float>(bound, before, after, exact);
    case model::Kind::float64:
      return all_within<double>(bound, before, after, exact);
    case model::Kind::int32:
      return all_within<int32_t>(bound, before, after, exact);
    case model::Kind::int64:
      return all_within<int64_t>(bound, before, after, exact);
    default:
      return std::ranges::equal(before, after);
  }
}

}  // namespace scorpio::codec
