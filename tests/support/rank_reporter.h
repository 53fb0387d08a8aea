// Prints the failures of one rank, each with the rank before it. Used on all ranks but 0, whose output is
// GoogleTest's own. Local.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace scorpio::test {

class RankReporter : public testing::EmptyTestEventListener {
 public:
  explicit RankReporter(int rank) : rank_(rank) {}

  void OnTestStart(const testing::TestInfo& test) override;
  void OnTestPartResult(const testing::TestPartResult& result) override;

 private:
  int rank_;
  std::string test_;  // kept, because GoogleTest holds its lock while it reports a failure
};

}  // namespace scorpio::test
