// The harness of the engine's tests: a seed repeats a run, and it finds what it is there to find.
#include "exchange/interleaving.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <vector>

#include "comm/shared_word.h"

namespace scorpio::test {
namespace {

// Which thread made each of the accesses.
std::vector<int> order_of(uint64_t seed) {
  std::vector<std::atomic<int>> order(60);
  std::atomic<size_t> accesses{0};
  Interleaving interleaving({.seed = seed});
  interleaving.run(3, [&](int number) {
    comm::Shared<uint64_t> word;
    for (int i = 0; i < 20; ++i) {
      word.store(1);
      order[accesses++] = number;
    }
  });
  EXPECT_EQ(60u, interleaving.draws());
  return {order.begin(), order.end()};
}

TEST(InterleavingTest, ASeedRepeatsARun) {
  EXPECT_EQ(order_of(3), order_of(3));
  EXPECT_NE(order_of(3), order_of(4));
}

TEST(InterleavingTest, ARankThatNobodyWakesIsReported) {
  const auto sleeps = [] {
    std::atomic<uint32_t> word{0};
    Interleaving interleaving({.seed = 7});
    interleaving.run(2, [&](int number) {
      if (number == 0) sleep_on(word, 0);
    });
  };
  EXPECT_EXIT(sleeps(), testing::ExitedWithCode(EXIT_FAILURE),
              "seed 7: every rank that has not returned is asleep");
}

TEST(InterleavingTest, WhoIsWokenGoesOn) {
  std::atomic<uint32_t> word{0};
  for (const Pace pace : {Pace::one_at_a_time, Pace::parallel}) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      word = 0;
      Interleaving interleaving({.seed = seed, .pace = pace});
      interleaving.run(2, [&](int number) {
        if (number == 1) {
          shared_access();
          word = 1;
          wake_sleepers(word);
        }
        while (word == 0) sleep_on(word, 0);
      });
    }
  }
}

// Each of two ranks says that it is there and looks whether the other is: runs in which neither sees the
// other.
int missed(bool stores_linger, std::memory_order order) {
  int missed = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    comm::Shared<uint32_t> there[2];
    bool seen[2] = {};
    Interleaving interleaving({.seed = seed, .one_in = 2, .stores_linger = stores_linger});
    interleaving.run(2, [&](int number) {
      there[number].store(1, order);
      seen[number] = there[1 - number].load() == 1;
      shared_access();  // a store may linger longer than this load
    });
    missed += seen[0] || seen[1] ? 0 : 1;
  }
  return missed;
}

TEST(InterleavingTest, StoresThatLingerAreMissedUnlessOrdered) {
  EXPECT_EQ(0, missed(false, std::memory_order_release));
  EXPECT_LT(0, missed(true, std::memory_order_release));
  EXPECT_EQ(0, missed(true, std::memory_order_seq_cst));
}

}  // namespace
}  // namespace scorpio::test
