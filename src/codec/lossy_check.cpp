#include "codec/lossy_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "codec/loss.h"

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
double change_of(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return distance(a, b);
  } else {
    const uint64_t difference = a > b ? static_cast<uint64_t>(a) - static_cast<uint64_t>(b)
                                      : static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
    constexpr uint64_t k_all_exact = uint64_t{1} << std::numeric_limits<double>::digits;
    const auto change = static_cast<double>(difference);
    return difference <= k_all_exact ? change
                                     : std::nextafter(change, std::numeric_limits<double>::infinity());
  }
}

template <class T>
std::optional<double> largest_of(double bound, std::span<const std::byte> before,
                                 std::span<const std::byte> after, const Exactness& exact) {
  const std::vector<T> kept = elements_of<T>(exact.values);
  const auto must_stay = [&](T value) {
    return !is_finite(value) ||
           std::ranges::any_of(kept, [&](T one) { return std::memcmp(&one, &value, sizeof(T)) == 0; });
  };
  double largest = 0;
  for (size_t i = 0; i < before.size() / sizeof(T); ++i) {
    const T old = element_at<T>(before, i), now = element_at<T>(after, i);
    if (bound <= 0 && must_stay(old)) return std::nullopt;
    if (std::memcmp(&old, &now, sizeof(T)) == 0) continue;
    if (must_stay(old) || must_stay(now)) return std::nullopt;
    const double change = change_of(old, now);
    if (bound > 0 && !(change <= bound)) return std::nullopt;
    largest = std::max(largest, change);
  }
  return largest;
}

}  // namespace

std::optional<double> largest_change(double bound, std::span<const std::byte> before,
                                     std::span<const std::byte> after, model::Kind kind,
                                     const Exactness& exact) {
  if (before.size() != after.size()) return std::nullopt;
  switch (kind) {
    case model::Kind::float32:
      return largest_of<float>(bound, before, after, exact);
    case model::Kind::float64:
      return largest_of<double>(bound, before, after, exact);
    case model::Kind::int32:
      return largest_of<int32_t>(bound, before, after, exact);
    case model::Kind::int64:
      return largest_of<int64_t>(bound, before, after, exact);
    default:
      return std::ranges::equal(before, after) ? std::optional(0.0) : std::nullopt;
  }
}

}  // namespace scorpio::codec
