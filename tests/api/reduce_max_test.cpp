// scorpio_iosystem_reduce_max: the largest values of all ranks, on one node and on several, by shared memory
// and by messages.
#include <limits>
#include <string>
#include <vector>

#include "session.h"

namespace scorpio::api_test {
namespace {

struct Way {
  const char* nodes;
  const char* exchange;
};
void PrintTo(const Way& way, std::ostream* out) {
  *out << "nodes=" << way.nodes << " exchange=" << way.exchange;
}

class ReduceMax : public ::testing::TestWithParam<Way> {
 protected:
  const System system_{{{"nodes", GetParam().nodes}, {"exchange", GetParam().exchange}}};

  int reduce(std::vector<uint64_t>& values) const {
    return scorpio_iosystem_reduce_max(system_.get(), static_cast<int>(values.size()), values.data());
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, ReduceMax,
                         testing::Values(Way{"0", "auto"}, Way{"2", "auto"}, Way{"0", "messages"}));

TEST_P(ReduceMax, GivesTheLargestToAllRanks) {
  for (const size_t n : {size_t{0}, size_t{1}, size_t{11}, size_t{200}}) {
    std::vector<uint64_t> values(n), largest(n);
    for (size_t i = 0; i < n; ++i) {
      const auto one = [&](int rank) { return (i * 7 + static_cast<size_t>(rank) * 3) % 11; };
      values[i] = one(rank_in());
      for (int rank = 0; rank < ranks_in(); ++rank) largest[i] = std::max<uint64_t>(largest[i], one(rank));
    }
    const uint64_t before = system_.counter("agreements");
    EXPECT_SUCCESS(reduce(values));
    EXPECT_EQ(1u, system_.counter("agreements") - before);
    EXPECT_EQ(largest, values);
  }
}

TEST_P(ReduceMax, OfTheFullRange) {
  std::vector<uint64_t> values{rank_in() == ranks_in() - 1 ? std::numeric_limits<uint64_t>::max() : 1, 0};
  EXPECT_SUCCESS(reduce(values));
  EXPECT_EQ((std::vector<uint64_t>{std::numeric_limits<uint64_t>::max(), 0}), values);
}

TEST_P(ReduceMax, AWrongArgumentOfOneRank) {
  uint64_t value = 5;
  const int code = scorpio_iosystem_reduce_max(system_.get(), 1, rank_in() == 0 ? nullptr : &value);
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, code);
  EXPECT_TRUE(equal_on_all(last_text()));
  EXPECT_EQ(5u, value);
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_reduce_max(system_.get(), -1, &value));
  EXPECT_SUCCESS(scorpio_iosystem_reduce_max(system_.get(), 0, nullptr));
}

TEST_P(ReduceMax, OtherNumbersOfValues) {
  if (ranks_in() == 1) GTEST_SKIP() << "it takes two ranks";
  std::vector<uint64_t> values(rank_in() == 0 ? 1 : 2, 5);
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, reduce(values));
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, reduce(values));
  const_cast<System&>(system_).expect_ended();
}

}  // namespace
}  // namespace scorpio::api_test
