// The event log is bounded and may be used from several threads.
#include "observe/event_log.h"

#include <gtest/gtest.h>

#include <thread>

namespace scorpio::observe {
namespace {

TEST(EventLog, KeepsTheFirstEventsInOrderAndCountsTheRest) {
  EventLog log(2);
  log.add("a");
  log.add("b");
  log.add("c");
  EXPECT_EQ(log.events(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(log.dropped(), 1u);
}

TEST(EventLog, LosesNothingBetweenThreads) {
  EventLog log(150);
  const auto add_hundred = [&log] {
    for (int i = 0; i < 100; ++i) log.add("event");
  };
  std::thread other(add_hundred);
  add_hundred();
  other.join();
  EXPECT_EQ(log.events().size() + log.dropped(), 200u);
  EXPECT_EQ(log.dropped(), 50u);
}

}  // namespace
}  // namespace scorpio::observe
