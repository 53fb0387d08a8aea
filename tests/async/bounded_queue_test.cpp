// The queue against std::deque, and that it allocates once.
#include "async/bounded_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <vector>

#include "support/allocations.h"

namespace scorpio::async {
namespace {

RC_GTEST_PROP(BoundedQueue, IsFirstInFirstOut, ()) {
  const auto entries = *rc::gen::inRange<size_t>(1, 6);
  BoundedQueue<int> queue(entries);
  std::deque<int> expected;
  for (int step = 0; step < 40; ++step) {
    const bool push = *rc::gen::arbitrary<bool>();
    if (push && !queue.full()) {
      queue.push(step);
      expected.push_back(step);
    } else if (!push && !queue.empty()) {
      RC_ASSERT(queue.pop() == expected.front());
      expected.pop_front();
    }
    RC_ASSERT(queue.size() == expected.size());
    RC_ASSERT(queue.empty() == expected.empty());
    RC_ASSERT(queue.full() == (expected.size() == entries));
    for (size_t i = 0; i < expected.size(); ++i) RC_ASSERT(queue.at(i) == expected[i]);
  }
}

TEST(BoundedQueue, AllocatesOnlyWhenItIsMade) {
  std::vector<std::vector<int>> items;
  for (int i = 0; i < 8; ++i) items.push_back({i, i});
  BoundedQueue<std::vector<int>> queue(4);
  const uint64_t before = test::allocations();
  for (size_t round = 0; round < 2; ++round) {
    for (size_t i = 0; i < 4; ++i) queue.push(std::move(items[4 * round + i]));
    for (size_t i = 0; i < 4; ++i) items[4 * round + i] = queue.pop();
  }
  EXPECT_EQ(before, test::allocations());
  EXPECT_EQ((std::vector<int>{7, 7}), items[7]);
}

}  // namespace
}  // namespace scorpio::async
