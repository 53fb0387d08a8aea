// What the ranks of a node have in shared memory, on real and pretended nodes, and with messages alone.
#include "session/iosystem/node_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace scorpio::session {
namespace {

class NodeMemoryTest : public testing::Test {
 protected:
  NodeMemoryTest() : comm_(comm::Communicator::duplicate(MPI_COMM_WORLD).value()) {}
  ~NodeMemoryTest() override { EXPECT_TRUE(comm_.free().ok()); }

  // On so many nodes; rank 0 is the I/O rank.
  void make(int nodes, const std::string& exchange = "auto") {
    OptionSet set;
    EXPECT_TRUE(set.set("exchange", exchange).ok());
    EXPECT_TRUE(set.set("staging_bytes", "4MiB").ok());
    options_.overlay(set);
    nodes_ = comm::find_nodes(comm_, nodes, false).value();
    const Status made = memory_.make(comm_, {0}, nodes_, options_, events_);
    ASSERT_TRUE(made.ok()) << made.text();
    ASSERT_TRUE(memory_.meet(comm_, nodes_).ok());
  }
  void release() {
    comm_.meet_through(nullptr);
    memory_.release();
    EXPECT_FALSE(memory_.made());
    EXPECT_TRUE(memory_.free().ok());
    EXPECT_TRUE(nodes_.free().ok());
  }
  int my_owner() const { return comm_.rank() == 0 ? 0 : -1; }

  comm::Communicator comm_;
  comm::NodeMap nodes_;
  Options options_;
  observe::EventLog events_;
  observe::Counters counters_;
  NodeMemory memory_;
};

// Whether or not the ranks meet in memory, a reduction has the values of all.
TEST_F(NodeMemoryTest, RanksOfANodeMeetInIt) {
  for (const int nodes : {1, 2}) {
    if (nodes > comm_.size()) continue;
    make(nodes);
    EXPECT_EQ(nodes_.nodes() < comm_.size(), memory_.meeting() != nullptr);
    for (int64_t step = 0; step < 50; ++step) {
      std::array<uint64_t, 1> most{static_cast<uint64_t>(step + comm_.rank())};
      EXPECT_TRUE(comm_.all_max(most).ok());
      EXPECT_EQ(static_cast<uint64_t>(step + comm_.size() - 1), most[0]);
    }
    EXPECT_TRUE(memory_.text().starts_with("node-shared memory; collective buffers: ")) << memory_.text();
    release();
  }
}

// Each rank is a node of its own then, and has nobody to meet.
TEST_F(NodeMemoryTest, MessagesAloneShareNothing) {
  make(1, "messages");
  EXPECT_EQ(comm_.size(), nodes_.nodes());
  EXPECT_EQ(nullptr, memory_.meeting());
  memory_.share_encoding(comm_, nodes_, my_owner(), counters_);
  EXPECT_EQ(nullptr, memory_.tasks());
  EXPECT_EQ("private memory and messages, as asked for", memory_.kind());
  release();
}

// Only a rank beside the I/O ranks can help; the ranks of a node know alike whether there is one.
TEST_F(NodeMemoryTest, RanksThatWaitHelpToEncode) {
  make(1);
  memory_.share_encoding(comm_, nodes_, my_owner(), counters_);
  EXPECT_TRUE(comm_.size() > 1 || memory_.tasks() == nullptr);
  std::array<uint64_t, 2> helpers{memory_.tasks() == nullptr ? 0U : memory_.tasks()->helpers_with(0)};
  helpers[1] = ~helpers[0];
  EXPECT_TRUE(comm_.all_max(helpers).ok());
  EXPECT_EQ(helpers[0], ~helpers[1]);
  EXPECT_LT(helpers[0], static_cast<uint64_t>(comm_.size()));
  release();
}

}  // namespace
}  // namespace scorpio::session
