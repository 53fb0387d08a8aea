// Hashes of numbers: they depend on the order and on the count, and do not collide where numbers are small.
#include "base/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace scorpio {
namespace {

TEST(Hash, OfNumbersDiffersForShortListsOfSmallNumbers) {
  std::set<uint64_t> seen{hash_of_numbers({})};
  constexpr uint64_t k_numbers = 20;
  size_t lists = 1;
  for (uint64_t a = 0; a < k_numbers; ++a) {
    seen.insert(hash_of_numbers(std::array{a}));
    for (uint64_t b = 0; b < k_numbers; ++b) {
      seen.insert(hash_of_numbers(std::array{a, b}));
      for (uint64_t c = 0; c < k_numbers; ++c) seen.insert(hash_of_numbers(std::array{a, b, c}));
    }
  }
  for (size_t n = 1, power = k_numbers; n <= 3; ++n, power *= k_numbers) lists += power;
  EXPECT_EQ(lists, seen.size());
}

TEST(Hash, OfNumbersIsThatOfOneAfterTheOther) {
  const std::vector<uint64_t> numbers{7, 0, ~uint64_t{0}, 7};
  uint64_t hash = k_fnv_offset_basis;
  for (const uint64_t number : numbers) hash = followed_by(hash, number);
  EXPECT_EQ(hash, hash_of_numbers(numbers));
}

}  // namespace
}  // namespace scorpio
