// The language of injected faults.
#include "storage/fault_plan.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "support.h"

namespace scorpio::storage::test {
namespace {

// Which of `calls` calls fail: "..x" for the third.
std::string pattern(FaultPlan& plan, Operation operation, int calls) {
  std::string text;
  for (int i = 0; i < calls; ++i) text += plan.next(operation) ? 'x' : '.';
  return text;
}

TEST(FaultPlan, OnceEachAndOnwards) {
  const auto plan = *FaultPlan::parse("write:3=ENOSPC;read:*2=EINTR;sync:2+=EIO");
  EXPECT_EQ(pattern(*plan, Operation::write, 6), "..x...");
  EXPECT_EQ(pattern(*plan, Operation::read, 6), ".x.x.x");
  EXPECT_EQ(pattern(*plan, Operation::sync, 4), ".xxx");
  EXPECT_EQ(pattern(*plan, Operation::close, 4), "....");
  EXPECT_EQ(plan->calls(Operation::write), 6u);
  EXPECT_EQ(plan->all_calls(), 20u);
}

TEST(FaultPlan, AnyCountsAllOperations) {
  const auto plan = *FaultPlan::parse("any:3=EIO");
  EXPECT_FALSE(plan->next(Operation::open));
  EXPECT_FALSE(plan->next(Operation::write));
  EXPECT_TRUE(plan->next(Operation::close));
  EXPECT_FALSE(plan->next(Operation::close));
}

TEST(FaultPlan, EffectsAndTheFirstRuleThatApplies) {
  const auto plan = *FaultPlan::parse("write:1=short;write:2=ENOSPC;write:2=kill;");
  EXPECT_EQ(plan->next(Operation::write)->effect, Effect::shortened);
  const auto second = plan->next(Operation::write);
  EXPECT_EQ(second->effect, Effect::error);
  EXPECT_EQ(second->error, ENOSPC);
}

TEST(FaultPlan, EmptyPlanNeverFails) {
  EXPECT_EQ(pattern(**FaultPlan::parse(""), Operation::open, 3), "...");
}

TEST(FaultPlan, BadRulesAreRefusedAndQuoted) {
  for (const char* bad :
       {"write", "write:3", "write=EIO", "write:=EIO", "write:0=EIO", "write:-1=EIO", "write:3=EFOO",
        "write:*=EIO", "write:3x=EIO", "scribble:3=EIO", ":3=EIO", "write:1=EIO;x", "write=1:EIO"}) {
    const Status status = FaultPlan::parse(bad).status();
    EXPECT_EQ(status.code(), Code::argument) << bad;
  }
  EXPECT_TRUE(mentions(FaultPlan::parse("write:1=EIO;scribble:3=EIO").status(), "\"scribble:3=EIO\""));
}

}  // namespace
}  // namespace scorpio::storage::test
