// Reductions through the memory of nodes, real and pretended ones, against MPI's own.
#include "comm/node_meeting.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "comm/node_map.h"
#include "comm/shared_segment.h"

namespace scorpio::comm {
namespace {

// The number of nodes that the job is said to span.
class Meeting : public testing::TestWithParam<int> {
 protected:
  Meeting() : comm_(Communicator::duplicate(MPI_COMM_WORLD).value()) {
    nodes_ = find_nodes(comm_, GetParam(), false).value();
    const size_t bytes = NodeMeeting::bytes(static_cast<int>(nodes_.local_ranks().size()));
    memory_ = SharedSegment::create(nodes_.node, bytes).value();
    meeting_ = NodeMeeting::create(comm_, nodes_, memory_.data()).value();
  }
  ~Meeting() override {
    EXPECT_TRUE(meeting_.free().ok());
    EXPECT_TRUE(nodes_.free().ok());
    EXPECT_TRUE(comm_.free().ok());
  }

  // Another pause on each rank, also ones in which the others fall asleep.
  void dawdle(std::mt19937& random) const {
    const auto yields = random() % 3 == 0 ? random() % 200 : 0;
    for (unsigned i = 0; i < yields; ++i) sched_yield();
    if (random() % 50 == 0) usleep(3000);
  }

  Communicator comm_;
  NodeMap nodes_;
  SharedSegment memory_;
  NodeMeeting meeting_;
};

// All rounds' maxima are asked of MPI at once: an MPICH whose ranks outnumber the cores takes 40 ms for each.
TEST_P(Meeting, MaximaAreThoseOfMpi) {
  constexpr size_t k_rounds = 500;
  std::mt19937 random(static_cast<unsigned>(comm_.rank()));
  std::vector<uint64_t> given(k_rounds * NodeMeeting::k_most_values);
  for (uint64_t& value : given) value = (uint64_t{random()} << 32) | random();
  std::vector<uint64_t> expected = given;
  ASSERT_TRUE(comm_.all_max(expected).ok());
  for (size_t i = 0; i < k_rounds; ++i) {
    const size_t first = i * NodeMeeting::k_most_values, count = i % (NodeMeeting::k_most_values + 1);
    const std::span<uint64_t> values(given.data() + first, count);
    dawdle(random);
    ASSERT_TRUE(meeting_.all_max(values).ok());
    ASSERT_TRUE(std::equal(values.begin(), values.end(), expected.data() + first)) << i;
  }
}

// The last values are added up, wherever a meeting ends among them.
TEST_P(Meeting, SumsAreOfTheLastValues) {
  const auto ranks = static_cast<uint64_t>(comm_.size()), rank = static_cast<uint64_t>(comm_.rank());
  for (size_t count = 0; count <= NodeMeeting::k_most_values; ++count) {
    const size_t sums = count / 3;
    std::vector<uint64_t> values(count, rank);
    // Sums may wrap around.
    std::fill(values.end() - static_cast<std::ptrdiff_t>(sums), values.end(), ~uint64_t{0} - rank);
    ASSERT_TRUE((count % 2 == 0 ? meeting_.all_max(values, sums) : comm_.all_max(values, sums)).ok());
    std::vector<uint64_t> expected(count, ranks - 1);
    std::fill(expected.end() - static_cast<std::ptrdiff_t>(sums), expected.end(),
              uint64_t{0} - ranks - ranks * (ranks - 1) / 2);
    ASSERT_EQ(expected, values) << count;
  }
}

TEST_P(Meeting, SumsInPlaceOfMaximaAreAnotherCall) {
  if (comm_.size() == 1) GTEST_SKIP() << "one rank is always in the same call";
  std::vector<uint64_t> values(20, 1);
  EXPECT_EQ(Code::mismatch, meeting_.all_max(values, comm_.rank() == 0 ? 1 : 2).code());
  EXPECT_TRUE(meeting_.all_max({}).ok());
}

// Nobody leaves before the last has come: counters that MPI does not know of are as expected.
TEST_P(Meeting, NobodyLeavesBeforeTheLastHasCome) {
  std::mt19937 random(static_cast<unsigned>(comm_.rank()));
  for (uint64_t round = 1; round <= 200; ++round) {
    dawdle(random);
    std::vector<uint64_t> most{round}, least{~round};
    ASSERT_TRUE(meeting_.all_max(most).ok());
    ASSERT_TRUE(meeting_.all_max(least).ok());
    ASSERT_EQ(round, most[0]);
    ASSERT_EQ(round, ~least[0]);
    ASSERT_TRUE(meeting_.all_max({}).ok());
  }
}

TEST_P(Meeting, DifferentCallsFailOnAllRanks) {
  if (comm_.size() == 1) GTEST_SKIP() << "one rank is always in the same call";
  std::vector<uint64_t> values(comm_.rank() == comm_.size() - 1 ? 3 : 2, 7);
  const Status status = meeting_.all_max(values);
  EXPECT_EQ(Code::mismatch, status.code());
  EXPECT_NE(std::string::npos, status.text().find("different calls"));
  std::vector<uint64_t> again{static_cast<uint64_t>(comm_.rank())};
  EXPECT_TRUE(meeting_.all_max(again).ok());
  EXPECT_EQ(static_cast<uint64_t>(comm_.size() - 1), again[0]);
}

TEST_P(Meeting, ACommunicatorMeetsThroughIt) {
  comm_.meet_through(&meeting_);
  std::vector<uint64_t> few(2, static_cast<uint64_t>(comm_.rank())), many(100, few[0]), at_last = few;
  const auto most = static_cast<uint64_t>(comm_.size() - 1);
  EXPECT_TRUE(comm_.all_max(few).ok());
  EXPECT_EQ(std::vector<uint64_t>(2, most), few);
  EXPECT_TRUE(comm_.all_max(many).ok());
  EXPECT_EQ(std::vector<uint64_t>(100, most), many);
  EXPECT_TRUE(comm_.max_at(at_last, comm_.size() - 1).ok());
  EXPECT_EQ(std::vector<uint64_t>(2, static_cast<uint64_t>(comm_.rank())), at_last);
  EXPECT_TRUE(comm_.barrier().ok());
  comm_.meet_through(nullptr);
}

INSTANTIATE_TEST_SUITE_P(Nodes, Meeting, testing::Values(0, 2, 3));

}  // namespace
}  // namespace scorpio::comm
