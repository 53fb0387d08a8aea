// What a StallWatch makes of the calls of two ranks on two channels.
#include "exchange/link/stall_watch.h"

#include <memory>
#include <optional>
#include <vector>

#include "exchange/one_node.h"

namespace scorpio::test {
namespace {

using exchange::CallOrder;
using exchange::NodeLines;
using exchange::StallWatch;

constexpr uint64_t k_put = 17, k_other_put = 18, k_token = 5;

class Channel final : public exchange::WatchedChannel {
 public:
  explicit Channel(const NodeLines& lines) : order(lines) {}

  const CallOrder& calls() const override { return order; }
  bool failed() const override { return has_failed; }
  void fail() override { has_failed = true; }
  void hear_failure() override { has_heard = true; }

  CallOrder order;
  bool has_failed = false, has_heard = false;
};

// The counters of both ranks are in one memory; what nodes they are on is said to the watches.
struct StallWatchTest : OneNode {
  StallWatchTest() : OneNode(2, {0}, 2) {
    for (int number = 0; number < 2; ++number) {
      const int of_memory = stagings[0]->lend(1, false).channel;
      for (size_t r = 0; r < 2; ++r)
        lines[r].push_back(std::make_unique<NodeLines>(*stagings[r], maps[r], of_memory));
    }
  }
  void place(const std::vector<int64_t>& nodes) {
    for (size_t r = 0; r < 2; ++r) {
      nodes_of[r] = comm::node_map(nodes, static_cast<int>(r));
      watches[r].emplace(StallWatch::Agreements{*messages[r], calls, nullptr}, nodes_of[r], io_ranks,
                         k_token);
      for (const auto& of_channel : lines[r]) {
        channels[r].push_back(std::make_unique<Channel>(*of_channel));
        watches[r]->add(*channels[r].back());
      }
    }
  }
  void enter(size_t rank, size_t channel, uint64_t call) { channels[rank][channel]->order.enter(call); }
  std::vector<bool> failed(size_t rank) const {
    return {channels[rank][0]->has_failed, channels[rank][1]->has_failed};
  }

  const comm::CallLog calls;
  comm::NodeMap nodes_of[2];
  std::vector<std::unique_ptr<NodeLines>> lines[2];  // [ranks][channels]
  std::vector<std::unique_ptr<Channel>> channels[2];
  std::optional<StallWatch> watches[2];
};

using Failed = std::vector<bool>;

TEST_F(StallWatchTest, ARankOfTheNodeThatIsInACallOnAnotherFileHasPassed) {
  place({0, 0});
  enter(0, 0, k_put);
  EXPECT_FALSE(watches[0]->passed_by(*channels[0][0], 1)) << "it may be on its way";
  enter(1, 1, k_put);
  EXPECT_TRUE(watches[0]->passed_by(*channels[0][0], 1));
  EXPECT_FALSE(watches[0]->passed_by(*channels[0][1], 1)) << "this rank does not wait there";
}

TEST_F(StallWatchTest, RanksThatWaitInCallsOnDifferentFilesMakeBothFail) {
  place({0, 1});
  enter(0, 0, k_put);
  enter(1, 1, k_put);
  watches[1]->ask();
  watches[0]->answer(false);
  EXPECT_EQ((Failed{true, true}), failed(0));
}

TEST_F(StallWatchTest, ARankThatIsBehindAnswersNothing) {
  place({0, 1});
  for (const size_t channel : {size_t{0}, size_t{1}}) enter(1, channel, k_put);
  watches[1]->ask();
  watches[0]->answer(false);
  EXPECT_EQ((Failed{false, false}), failed(0));
}

TEST_F(StallWatchTest, AnotherCallOnAFileMakesThisOneFail) {
  place({0, 1});
  for (const size_t rank : {size_t{0}, size_t{1}}) enter(rank, 0, k_put);
  enter(0, 1, k_put);
  enter(1, 1, k_other_put);
  watches[1]->ask();
  watches[0]->answer(false);
  EXPECT_EQ((Failed{false, true}), failed(0));
}

TEST_F(StallWatchTest, AFailureIsToldToOtherNodesOnce) {
  place({0, 1});
  watches[0]->tell_failure(*channels[0][1]);
  watches[0]->tell_failure(*channels[0][1]);
  EXPECT_EQ(1u, post.waiting(1));
  watches[1]->answer(false);
  EXPECT_FALSE(channels[1][0]->has_heard);
  EXPECT_TRUE(channels[1][1]->has_heard);
}

TEST_F(StallWatchTest, AChannelThatEndedIsNoLongerWatched) {
  place({0, 1});
  watches[1]->remove(*channels[1][1]);
  watches[0]->tell_failure(*channels[0][1]);
  watches[1]->answer(false);
  EXPECT_FALSE(channels[1][1]->has_heard);
}

}  // namespace
}  // namespace scorpio::test
