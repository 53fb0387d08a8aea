// Work that is done inside the calls of the thread that submits it.
#include "async/inline_executor.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "support/allocations.h"

namespace scorpio::async {
namespace {

struct Step final : Work {
  explicit Step(std::function<void()> does) : does_(std::move(does)) {}
  void run() noexcept override { does_(); }
  std::function<void()> does_;
};

TEST(InlineExecutor, RunsInOrderAndOnlyWhenAsked) {
  std::string log;
  Step a([&] { log += 'a'; }), b([&] { log += 'b'; });
  InlineExecutor executor(3);
  EXPECT_FALSE(executor.progress());
  executor.submit(b);
  executor.submit(a);
  executor.submit(b);
  EXPECT_EQ("", log);
  EXPECT_TRUE(executor.progress());
  EXPECT_EQ("bab", log);
  EXPECT_FALSE(executor.progress());
}

TEST(InlineExecutor, WhatIsSubmittedByAWorkWaitsForTheNextTurn) {
  std::string log;
  InlineExecutor executor(1);
  Step again([&] { log += 'x'; });
  Step first([&] {
    log += 'f';
    executor.submit(again);
  });
  executor.submit(first);
  EXPECT_TRUE(executor.progress());
  EXPECT_EQ("f", log);
  EXPECT_TRUE(executor.progress());
  EXPECT_EQ("fx", log);
}

TEST(InlineExecutor, WithdrawnWorkIsNotRun) {
  std::string log;
  InlineExecutor executor(3);
  Step stays([&] { log += 's'; });
  {
    Step leaves([&] { log += 'l'; });
    executor.submit(leaves);
    executor.submit(stays);
    executor.submit(leaves);
    executor.withdraw(leaves);
  }
  executor.progress();
  EXPECT_EQ("s", log);
  EXPECT_FALSE(executor.progress());
}

TEST(InlineExecutor, AllocatesNothingWhenWorkIsSubmittedAndRun) {
  int runs = 0;
  Step step([&] { ++runs; });
  InlineExecutor executor(2);
  const uint64_t before = test::allocations();
  for (int i = 0; i < 100; ++i) {
    executor.submit(step);
    executor.submit(step);
    executor.progress();
  }
  EXPECT_EQ(before, test::allocations());
  EXPECT_EQ(200, runs);
}

}  // namespace
}  // namespace scorpio::async
