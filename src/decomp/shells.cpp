#include "decomp/shells.h"

#include <algorithm>
#include <array>
#include <bit>

namespace scorpio::decomp {

namespace {

// The number of binary digits of an index, and their sum over all dimensions.
constexpr size_t k_sums = 64;

constexpr int64_t k_limit = Shells::k_most;

constexpr int64_t add(int64_t a, int64_t b) { return a > k_limit - b ? k_limit : a + b; }
constexpr int64_t multiply(int64_t a, int64_t b) { return b != 0 && a > k_limit / b ? k_limit : a * b; }

// The indices with this number of digits: their first one, and how many they are.
constexpr int64_t first_of(size_t digits) { return digits == 0 ? 0 : int64_t{1} << (digits - 1); }
constexpr int64_t length_of(size_t digits) { return digits == 0 ? 1 : int64_t{1} << (digits - 1); }

struct Counts {
  // [dims][sum] points whose digits have this sum, and those with a smaller sum; at most k_limit.
  std::array<std::array<int64_t, k_sums>, Shells::k_most_dims + 1> of_sum{};
  std::array<std::array<int64_t, k_sums>, Shells::k_most_dims + 1> before{};
};

constexpr Counts count() {
  Counts counts;
  counts.of_sum[0][0] = 1;
  for (size_t dims = 1; dims <= Shells::k_most_dims; ++dims) {
    for (size_t sum = 0; sum < k_sums; ++sum) {
      int64_t points = 0;
      for (size_t digits = 0; digits <= std::min(sum, k_sums - 2); ++digits)
        points = add(points, multiply(length_of(digits), counts.of_sum[dims - 1][sum - digits]));
      counts.of_sum[dims][sum] = points;
      if (sum > 0) counts.before[dims][sum] = add(counts.before[dims][sum - 1], counts.of_sum[dims][sum - 1]);
    }
  }
  return counts;
}

constexpr Counts k_counts = count();

}  // namespace

std::optional<int64_t> Shells::number(std::span<const int64_t> point) const {
  std::array<size_t, k_most_dims> digits{};
  size_t sum = 0;
  for (size_t d = 0; d < dims_; ++d) {
    digits[d] = static_cast<size_t>(std::bit_width(static_cast<uint64_t>(point[d])));
    sum += digits[d];
  }
  const auto& before = k_counts.before[dims_];
  if (sum + 1 >= k_sums || before[sum + 1] >= k_limit) return std::nullopt;
  int64_t blocks = before[sum], inside = 0, length = 1;
  for (size_t d = 0; d < dims_; ++d) {
    const auto& rest = k_counts.of_sum[dims_ - d - 1];
    for (size_t fewer = 0; fewer < digits[d]; ++fewer)
      blocks += length * length_of(fewer) * rest[sum - fewer];
    sum -= digits[d];
    length *= length_of(digits[d]);
    inside = inside * length_of(digits[d]) + point[d] - first_of(digits[d]);
  }
  return blocks + inside;
}

void Shells::point(int64_t number, std::span<int64_t> point) const {
  const auto& before = k_counts.before[dims_];
  auto sum = static_cast<size_t>(std::ranges::upper_bound(before, number) - before.begin()) - 1;
  number -= before[sum];
  std::array<size_t, k_most_dims> digits{};
  int64_t length = 1;
  for (size_t d = 0; d < dims_; ++d) {
    const auto& rest = k_counts.of_sum[dims_ - d - 1];
    for (;; ++digits[d]) {
      const int64_t block = length * length_of(digits[d]) * rest[sum - digits[d]];
      if (number < block) break;
      number -= block;
    }
    sum -= digits[d];
    length *= length_of(digits[d]);
  }
  for (size_t d = dims_; d-- > 0; number /= length_of(digits[d]))
    point[d] = first_of(digits[d]) + number % length_of(digits[d]);
}

std::optional<int64_t> Shells::end(std::span<const int64_t> extents) const {
  std::array<int64_t, k_most_dims> last{};
  for (size_t d = 0; d < dims_; ++d) {
    if (extents[d] == 0) return 0;
    last[d] = extents[d] - 1;
  }
  const auto found = number(std::span(last).first(dims_));
  return found ? std::optional(*found + 1) : std::nullopt;
}

}  // namespace scorpio::decomp
