// The work that a worker runs next.
#include "async/chooser.h"

#include <gtest/gtest.h>

#include <vector>

namespace scorpio::async {
namespace {

using namespace std::chrono_literals;

const Time k_now = Time() + 1h;

size_t chosen(const std::vector<Turn>& turns) {
  Chooser chooser(k_now);
  for (size_t i = 0; i < turns.size(); ++i) chooser.offer(i, turns[i]);
  return chooser.chosen();
}

TEST(Chooser, TakesTheFirstOfEqualWorks) {
  EXPECT_EQ(Chooser::k_none, chosen({}));
  EXPECT_EQ(0u, chosen({{}, {}, {}}));
  EXPECT_EQ(1u, chosen({{}, {true, 0, {}}, {true, 0, {}}}));
  EXPECT_EQ(1u, chosen({{}, {false, 7, {}}, {false, 7, {}}}));
}

TEST(Chooser, WhoIsWaitedForPrecedesPriority) {
  EXPECT_EQ(2u, chosen({{false, 9, {}}, {false, 3, {}}, {true, 0, {}}}));
  EXPECT_EQ(2u, chosen({{true, 1, {}}, {false, 9, {}}, {true, 2, {}}}));
}

TEST(Chooser, WorksWaitForTheirTimeUnlessSomebodyWaits) {
  EXPECT_EQ(1u, chosen({{false, 9, k_now + 1ms}, {false, 0, k_now}}));
  EXPECT_EQ(0u, chosen({{true, 0, k_now + 1h}, {false, 9, {}}}));
  EXPECT_EQ(Chooser::k_none, chosen({{false, 9, k_now + 1ms}}));
}

TEST(Chooser, TellsWhenTheNextWorkMayRun) {
  Chooser chooser(k_now);
  EXPECT_EQ(Time::max(), chooser.soonest());
  for (const auto later : {5ms, 2ms, 3ms}) chooser.offer(0, {false, 0, k_now + later});
  EXPECT_EQ(k_now + 2ms, chooser.soonest());
}

}  // namespace
}  // namespace scorpio::async
