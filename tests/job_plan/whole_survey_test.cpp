// The survey of all parts in one process is that which the ranks of a job make together.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "comm/communicator.h"
#include "plan/make_survey.h"
#include "plan/whole_survey.h"

namespace scorpio::plan {
namespace {

using decomp::Interval;
using decomp::LocalPart;

// The same on all ranks: the index lists of all of them.
std::vector<LocalPart> draw_parts(std::mt19937_64& random, int ranks) {
  const auto draw = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  const std::vector<int64_t> dims{1 + draw(9), 1 + draw(300)};
  const int64_t total = dims[0] * dims[1];
  const bool blocks = draw(4) == 0;
  std::vector<LocalPart> parts;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<int64_t> index;
    if (blocks) {
      for (int64_t i = total * rank / ranks; i < total * (rank + 1) / ranks; ++i) index.push_back(i);
      parts.push_back(decomp::map(dims, index).value());
      continue;
    }
    const int64_t length = draw(5) == 0 ? 0 : draw(2 * total / ranks + 1), most = 1 + draw(20);
    while (static_cast<int64_t>(index.size()) < length) {
      const int64_t first = draw(total), end = std::min(total, first + 1 + draw(most));
      for (int64_t i = first; i < end; ++i) index.push_back(draw(30) == 0 ? -1 : i);
    }
    parts.push_back(decomp::map(dims, index).value());
  }
  return parts;
}

class Surveys : public testing::Test {
 protected:
  // On one node, on some nodes, and with a node for each rank.
  void SetUp() override {
    comm_ = comm::Communicator::duplicate(MPI_COMM_WORLD).value();
    comm_.enter("nodes");
    for (const int wanted : {1, 3, comm_.size()})
      nodes_.push_back(comm::find_nodes(comm_, wanted, wanted == comm_.size()).value());
  }
  void TearDown() override {
    for (comm::NodeMap& nodes : nodes_) EXPECT_TRUE(nodes.free().ok());
    EXPECT_TRUE(comm_.free().ok());
  }

  void compare(const std::vector<LocalPart>& parts) {
    for (const comm::NodeMap& nodes : nodes_) compare_on(nodes, parts);
  }

  void compare_on(const comm::NodeMap& nodes, const std::vector<LocalPart>& parts) {
    SCOPED_TRACE(testing::Message() << nodes.nodes() << " nodes");
    const auto rank = static_cast<size_t>(comm_.rank());
    comm_.enter("a survey");
    const Result<Survey> together = survey(comm_, nodes, {}, parts[rank]);
    const Result<WholeSurvey> alone = whole_survey(parts, nodes);
    ASSERT_TRUE(together.ok() && alone.ok());
    EXPECT_EQ(together->total, alone->common.total);
    EXPECT_EQ(together->coverage, alone->common.coverage);
    EXPECT_EQ(together->exact, alone->common.exact);
    EXPECT_EQ(together->overlaps, alone->common.overlaps);
    EXPECT_TRUE(together->nodes == alone->common.nodes);
    EXPECT_EQ(together->write_runs.expand(), alone->write_runs[rank].expand());
    check_held(parts, *alone);
  }

  // Each element that any rank holds, and no other one.
  void check_held(const std::vector<LocalPart>& parts, const WholeSurvey& alone) {
    std::vector<char> expected(static_cast<size_t>(alone.common.total)), held(expected.size());
    int64_t writes = 0;
    for (size_t rank = 0; rank < parts.size(); ++rank) {
      for (const decomp::Run& run : parts[rank].runs.expand())
        std::fill_n(expected.begin() + run.global, run.length, char{1});
      writes += alone.write_runs[rank].elements();
    }
    for (const Interval& interval : alone.held)
      std::fill(held.begin() + interval.begin, held.begin() + interval.end, char{1});
    EXPECT_EQ(expected, held);
    EXPECT_EQ(std::ranges::count(held, char{1}), writes);
  }

  comm::Communicator comm_;
  std::vector<comm::NodeMap> nodes_;
};

TEST_F(Surveys, OfRandomMapsAreTheSame) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    compare(draw_parts(random, comm_.size()));
  }
}

// More intervals than the coverage may have, and several rounds: gaps are closed in the same places.
TEST_F(Surveys, OfTooManyIntervalsAreTheSame) {
  const int64_t ranks = comm_.size(), total = 700'000;
  const std::vector<int64_t> dims{total};
  std::vector<LocalPart> parts;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    std::vector<int64_t> index;
    for (int64_t i = rank; 3 * i + i % 2 < total; i += ranks) index.push_back(3 * i + i % 2);
    parts.push_back(decomp::map(dims, index).value());
  }
  ASSERT_FALSE(whole_survey(parts, nodes_.front())->common.exact);
  compare(parts);
}

}  // namespace
}  // namespace scorpio::plan
