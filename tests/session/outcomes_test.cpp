// The results of calls that a rank keeps until a synchronisation point.
#include "session/state/outcomes.h"

#include <gtest/gtest.h>

namespace scorpio::session::test {
namespace {

const Status k_clipped(Code::range, "clipped"), k_failed(Code::io, "failed"),
    k_later(Code::no_space, "later");
const Status k_gave_up(Code::aborted, "gave up"), k_refused(Code::argument, "refused");

TEST(Outcomes, KeepsTheFirstFailureThatMatters) {
  Outcomes outcomes;
  EXPECT_EQ(outcomes.note(k_gave_up).code(), Code::aborted);
  EXPECT_TRUE(outcomes.with_earlier({}).ok());
  (void)outcomes.note(k_clipped);
  EXPECT_EQ(outcomes.with_earlier({}).code(), Code::range);
  (void)outcomes.note(k_failed);
  (void)outcomes.note(k_later);
  (void)outcomes.note({});
  EXPECT_EQ(outcomes.with_earlier({}).code(), Code::io);
}

TEST(Outcomes, ACallsOwnFailureSaysMoreThanEarlierOnes) {
  Outcomes outcomes;
  (void)outcomes.note(k_failed);
  EXPECT_EQ(outcomes.with_earlier(k_later).code(), Code::no_space);
  EXPECT_EQ(outcomes.with_earlier(k_clipped).code(), Code::io);
  EXPECT_EQ(outcomes.with_earlier(k_gave_up).code(), Code::io);
}

TEST(Outcomes, ARefusedPutExplainsThatARankGaveUp) {
  Outcomes outcomes;
  outcomes.refuse(k_refused);
  outcomes.refuse(k_later);
  EXPECT_EQ(outcomes.with_earlier(k_gave_up).code(), Code::argument);
  outcomes.told(k_refused);
  EXPECT_TRUE(outcomes.with_earlier({}).ok());
}

TEST(Outcomes, WhatWasNotToldIsKept) {
  Outcomes outcomes;
  outcomes.refuse(k_refused);
  (void)outcomes.note(k_clipped);
  outcomes.told(k_failed);  // of another rank
  EXPECT_EQ(outcomes.with_earlier({}).code(), Code::argument);
  outcomes.told(k_refused);
  EXPECT_EQ(outcomes.with_earlier({}).code(), Code::range);
  outcomes.told(k_clipped);
  EXPECT_TRUE(outcomes.with_earlier({}).ok());
}

TEST(Outcomes, WhatTheFileLacksIsToldAgainAndClippedValuesAreNot) {
  Outcomes outcomes;
  (void)outcomes.note(k_clipped);
  outcomes.told(k_clipped);
  EXPECT_TRUE(outcomes.with_earlier({}).ok());
  (void)outcomes.note(k_failed);
  outcomes.told(k_failed);
  EXPECT_EQ(outcomes.with_earlier({}).code(), Code::io);
}

TEST(Outcomes, ASyncPointTakesAllAndMayPutItBack) {
  Outcomes outcomes;
  (void)outcomes.note(k_failed);
  outcomes.refuse(k_refused);
  Outcomes::Earlier earlier = outcomes.take();
  EXPECT_EQ(earlier.failed.code(), Code::io);
  EXPECT_EQ(earlier.refused.code(), Code::argument);
  EXPECT_TRUE(outcomes.with_earlier({}).ok());
  outcomes.put_back(earlier);
  EXPECT_EQ(outcomes.take().failed.code(), Code::io);
}

TEST(Outcomes, TheLastFailedDefinitionIsKeptUntilDefinitionsAreAgreed) {
  Outcomes outcomes;
  outcomes.definition_failed(k_refused);
  outcomes.definition_failed(k_later);
  EXPECT_EQ(outcomes.failed_definition().code(), Code::no_space);
  outcomes.definitions_agreed();
  EXPECT_TRUE(outcomes.failed_definition().ok());
}

}  // namespace
}  // namespace scorpio::session::test
