// The memory for the paths of written files: no object for each.
#include "session/iosystem/known_paths.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "support/allocations.h"

namespace scorpio::session {
namespace {

TEST(KnownPaths, AreFoundAndTakeFewAllocations) {
  constexpr uint64_t k_paths = 4096, k_most_allocations = 32;
  KnownPaths known;
  const auto hash = [](uint64_t i) { return fnv1a(std::to_string(i)); };
  const uint64_t before = test::allocations();
  for (uint64_t i = 0; i < k_paths; ++i) {
    known.add(hash(i));
    known.add(hash(i / 2));
  }
  EXPECT_GE(k_most_allocations, test::allocations() - before);
  for (uint64_t i = 0; i < k_paths; ++i) EXPECT_TRUE(known.contains(hash(i)));
  EXPECT_FALSE(known.contains(hash(k_paths)));
}

}  // namespace
}  // namespace scorpio::session
