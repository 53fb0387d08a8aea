// Boxes that are posted again share their runs while somebody holds them, and no others do.
#include "session/boxes.h"

#include <gtest/gtest.h>

#include <vector>

namespace scorpio::session {
namespace {

// A box with its own numbers.
struct Asked {
  std::vector<int64_t> dims{4, 6}, start{1, 2}, stride{1, 2}, count{2, 2}, map{};
  Box box() const { return {start, stride, count, map}; }
};

RecentRuns::Listed runs_of(RecentRuns& recent, const Asked& asked) {
  auto listed = recent.of(asked.dims, asked.box());
  EXPECT_TRUE(listed.ok());
  return std::move(listed).value();
}

TEST(RecentRuns, TheSameBoxIsListedOnce) {
  RecentRuns recent;
  const RecentRuns::Listed first = runs_of(recent, {}), again = runs_of(recent, {});
  EXPECT_EQ(first.runs, again.runs);
  EXPECT_EQ(4, again.elements);
  EXPECT_EQ((std::vector<decomp::Run>{{8, 0, 1}, {10, 1, 1}, {14, 2, 1}, {16, 3, 1}}), again.runs->expand());
}

TEST(RecentRuns, AnyOtherNumberIsAnotherBox) {
  RecentRuns recent;
  const RecentRuns::Listed first = runs_of(recent, {});
  std::vector<Asked> others(7);
  others[0].dims = {5, 6};
  others[1].start = {0, 2};
  others[2].stride = {1, 3};
  others[3].count = {2, 1};
  others[4].map = {2, 1};
  others[5].map = {1, 2};
  others[6].stride = {};
  std::vector<RecentRuns::Listed> held;
  for (const Asked& other : others) {
    held.push_back(runs_of(recent, other));
    for (size_t i = 0; i + 1 < held.size(); ++i) EXPECT_NE(held[i].runs, held.back().runs);
    EXPECT_NE(first.runs, held.back().runs);
  }
  EXPECT_EQ((std::vector<decomp::Run>{{8, 0, 1}, {10, 2, 1}, {14, 1, 1}, {16, 3, 1}}),
            held[5].runs->expand());
}

TEST(RecentRuns, WhatNobodyHoldsIsGone) {
  RecentRuns recent;
  const std::weak_ptr<const decomp::RunList> first = runs_of(recent, {}).runs;
  EXPECT_TRUE(first.expired());
  EXPECT_EQ(4, runs_of(recent, {}).runs->elements());
}

TEST(RecentRuns, MoreBoxesThanItKnowsAreListedAnew) {
  RecentRuns recent;
  std::vector<RecentRuns::Listed> held;
  for (int round = 0; round < 2; ++round) {
    for (int64_t i = 0; i < 20; ++i) {
      Asked asked;
      asked.dims[0] = 4 + i;
      asked.start[0] = i;
      held.push_back(runs_of(recent, asked));
      EXPECT_EQ((i + 1) * 6 - 6 + 2, held.back().runs->hull().begin);
    }
  }
}

TEST(RecentRuns, ABoxThatLeavesTheArrayIsRefusedEachTime) {
  RecentRuns recent;
  Asked asked;
  asked.count = {2, 3};
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Code::shape, recent.of(asked.dims, asked.box()).status().code());
}

}  // namespace
}  // namespace scorpio::session
