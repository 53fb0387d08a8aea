// The steps of a definition on ranks that are threads, without the definitions that take them.
#include "session/definitions/definition_steps.h"

#include "session/parts.h"

namespace scorpio::test {
namespace {

class DefinitionStepsTest : public PartsTest {};

TEST_P(DefinitionStepsTest, WhatTheCheckRefusesIsNotMade) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<CoreAlone>(system, options());
    session::Core& core = *file->core;
    session::DefinitionSteps steps(core);
    bool made = false;
    const auto change = [&] {
      made = true;
      return core.contents.schema().add_group("/g");
    };
    const Status refused = steps.define([] { return failure(Code::argument, "no"); }, change);
    EXPECT_EQ(Code::argument, refused.code());
    EXPECT_FALSE(made);
    EXPECT_EQ(Code::argument, core.calls.outcomes().failed_definition().code())
        << "a synchronisation point says it";
    EXPECT_TRUE(steps.define([] { return Status(); }, change).ok());
    EXPECT_TRUE(core.contents.schema().objects().has_group("/g"));
    drop(core);
  });
}

TEST_P(DefinitionStepsTest, NothingIsComparedWhereObjectsAreMadeLater) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<CoreAlone>(system, options());
    session::DefinitionSteps steps(*file->core);
    const Cost cost(system);
    EXPECT_TRUE(steps.compare("of rank {}", system.rank()).ok());
    EXPECT_TRUE(steps.end({}).ok());
    EXPECT_EQ(0u, cost.count());
    drop(*file->core);
  });
}

TEST_P(DefinitionStepsTest, ARankThatDiffersIsNamed) {
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const auto file = created<CoreAlone>(system, options());
    session::Core& core = *file->core;
    const session::DefinitionSteps steps(core);
    EXPECT_TRUE(core.contents.schema().add_group(culprit(system) ? "/other" : "/g").ok());
    const Status status = steps.explain(core.contents.schema().hash());
    EXPECT_EQ(Code::mismatch, agreed(system, status));
    EXPECT_TRUE(mentions(status, {"group /other", "group /g"}));
    drop(core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, DefinitionStepsTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

class EagerStepsTest : public PartsTest {};

TEST_P(EagerStepsTest, RanksCompareArgumentsFirst) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<CoreAlone>(system, eager());
    session::DefinitionSteps steps(*file->core);
    EXPECT_TRUE(steps.compare("group {}", "g").ok());
    if (several()) {
      const Status status = steps.compare("group {}", culprit(system) ? "a" : "b");
      EXPECT_EQ(Code::mismatch, agreed(system, status));
    }
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, EagerStepsTest, testing::ValuesIn(cases({"hdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test
