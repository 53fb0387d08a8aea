// Ranks that are in different calls learn it in the first reduction, whatever each of them reduces.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "base/current_call.h"
#include "comm/agree.h"
#include "comm/node_map.h"
#include "comm/node_meeting.h"
#include "comm/shared_segment.h"

namespace scorpio::comm {
namespace {

// Number of nodes that ranks are said to be on, and meet on in memory; 99: by messages alone.
class Calls : public testing::TestWithParam<int> {
 protected:
  Calls() : comm_(Communicator::duplicate(MPI_COMM_WORLD).value()) {
    nodes_ = find_nodes(comm_, GetParam() == 99 ? 0 : GetParam(), GetParam() == 99).value();
    const size_t bytes = NodeMeeting::bytes(static_cast<int>(nodes_.local_ranks().size()));
    memory_ = SharedSegment::create(nodes_.node, bytes).value();
    meeting_ = NodeMeeting::create(comm_, nodes_, memory_.data()).value();
    comm_.compare_calls();
    if (GetParam() != 99) comm_.meet_through(&meeting_);
  }
  ~Calls() override {
    comm_.meet_through(nullptr);
    EXPECT_TRUE(meeting_.free().ok());
    EXPECT_TRUE(nodes_.free().ok());
    EXPECT_TRUE(comm_.free().ok());
  }
  bool last() const { return comm_.rank() == comm_.size() - 1; }
  uint64_t most() const { return static_cast<uint64_t>(comm_.size() - 1); }

  Communicator comm_;
  NodeMap nodes_;
  SharedSegment memory_;
  NodeMeeting meeting_;
};

INSTANTIATE_TEST_SUITE_P(Nodes, Calls, testing::Values(0, 2, 3, 99));

TEST_P(Calls, SameCallsReduceAsEver) {
  for (const size_t count : {0, 1, 14, 56, 57, 61, 62, 63, 64, 200}) {
    for (const size_t sums : {size_t{0}, count / 3, count}) {
      const InCall call("some_call");
      comm_.enter("kind", 7, "/a");
      for (int i = 0; i < 3; ++i) {  // the first of a call and later ones
        std::vector<uint64_t> values(count, static_cast<uint64_t>(comm_.rank()));
        ASSERT_TRUE(comm_.all_max(values, sums).ok());
        std::vector<uint64_t> expected(count, most());
        std::fill(expected.end() - static_cast<std::ptrdiff_t>(sums), expected.end(),
                  most() * (most() + 1) / 2);
        ASSERT_EQ(expected, values);
      }
      ASSERT_TRUE(comm_.barrier().ok());
    }
  }
}

TEST_P(Calls, OtherCallsFailOnAllRanksAndAreNamed) {
  if (comm_.size() == 1) GTEST_SKIP() << "one rank is always in the same call";
  const InCall call(last() ? "one_call" : "other_call");
  comm_.enter(last() ? "one" : "other", 1, last() ? "/a" : "/b");
  std::vector<uint64_t> values(last() ? 100 : 3, 1);
  const Status status = last() ? comm_.all_max(values, 2) : comm_.max_at(values, 0);
  EXPECT_EQ(Code::mismatch, status.code());
  EXPECT_EQ(comm_.size() - 1, status.origin());
  const std::string named =
      fmt::format("rank {} is in one_call of /a, rank 0 in other_call of /b", comm_.size() - 1);
  EXPECT_NE(std::string::npos, status.text().find(named)) << status.text();
  // From now on no rank waits for others, whatever it calls.
  if (comm_.rank() == 0) {
    EXPECT_EQ(Code::mismatch, comm_.barrier().code());
    EXPECT_EQ(Code::mismatch, agree(comm_, Status()).code());
    EXPECT_EQ(Code::mismatch, comm_.exclusive_sum(1).status().code());
  }
}

TEST_P(Calls, OtherFilesAndOtherPlaces) {
  if (comm_.size() == 1) GTEST_SKIP() << "one rank is always in the same call";
  const InCall call("a_call");
  const bool other_file = comm_.size() % 2 == 0;
  comm_.enter("kind", other_file && last() ? 1 : 2, "/a");
  std::vector<uint64_t> values(5, 1);
  if (!other_file && last()) {
    EXPECT_EQ(Code::mismatch, comm_.exclusive_sum(3).status().code());
  } else {
    EXPECT_EQ(Code::mismatch, comm_.all_max(values).code());
  }
}

}  // namespace
}  // namespace scorpio::comm
