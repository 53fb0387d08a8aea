// The bytes of placement rounds between nodes: all I/O ranks learn the same numbers, in whichever order they
// tell them, and no message is left.
#include "exchange/between_nodes/round_sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "exchange/engine.h"
#include "exchange/link_rank.h"
#include "exchange/memory/staging.h"
#include "exchange/memory_messages.h"

namespace scorpio::exchange {
namespace {

// Ranks that are nodes of their own, and I/O ranks.
class RoundSizesTest : public testing::TestWithParam<int> {
 protected:
  struct Rank : test::LinkRank {
    using test::LinkRank::LinkRank;
    RoundSizes rounds{link};
  };

  RoundSizesTest() : post(GetParam(), test::Post::Sending::drawn, 1) {
    for (int r = 0; r < GetParam(); ++r) {
      shape.node_of_rank.push_back(r);
      shape.io_ranks.push_back(r);
    }
    shape.sizes = {.unit_bytes = 4096,
                   .bitmap_bytes = 512,
                   .slots = 3,
                   .scattered = 3,
                   .out_slots = 3,
                   .channels = 2,
                   .receives = 2};
    for (int r = 0; r < GetParam(); ++r) ranks.push_back(std::make_unique<Rank>(shape, post, r));
  }
  void end(uint64_t number) {
    for (const auto& rank : ranks) rank->rounds.ended(number);
  }
  // Of rank `r` in this round.
  static uint64_t bytes_of(int r, uint64_t number) { return 100 * number + static_cast<uint64_t>(r); }
  void tell(int r, uint64_t number) { ranks[static_cast<size_t>(r)]->rounds.tell(bytes_of(r, number)); }
  // Each rank in turn makes a step, for as long as a message may take.
  void run() {
    for (int step = 0; step < 400; ++step)
      for (const auto& rank : ranks) rank->rounds.progress();
  }
  void expect_known(uint64_t number) {
    std::vector<uint64_t> all;
    for (int r = 0; r < GetParam(); ++r) all.push_back(bytes_of(r, number));
    for (const auto& rank : ranks) {
      EXPECT_TRUE(rank->rounds.knows(number));
      EXPECT_EQ(all, rank->rounds.take(number).value_or(std::vector<uint64_t>())) << number;
      EXPECT_FALSE(rank->rounds.take(number)) << "once";
    }
  }
  void expect_over() {
    uint64_t sent = 0, planned = 0;
    for (const auto& rank : ranks) {
      EXPECT_TRUE(rank->rounds.complete());
      sent += rank->counters.messages;
      planned += rank->counters.planned_messages;
    }
    EXPECT_TRUE(post.empty());
    EXPECT_EQ(sent, planned);
  }

  test::Shape shape;
  test::Post post;
  std::vector<std::unique_ptr<Rank>> ranks;
};

TEST_P(RoundSizesTest, AllKnowThemInAnyOrder) {
  for (const uint64_t number : {1u, 2u, 3u}) end(number);
  for (const uint64_t number : {1u, 2u, 3u}) {
    for (int r = GetParam() - 1; r > 0; --r) tell(r, number);
    run();
    EXPECT_FALSE(ranks.back()->rounds.knows(number)) << "one has not told them";
    EXPECT_FALSE(ranks.back()->rounds.complete());
  }
  for (const uint64_t number : {1u, 2u, 3u}) tell(0, number);
  run();
  for (const uint64_t number : {1u, 2u, 3u}) expect_known(number);
  expect_over();
}

TEST_P(RoundSizesTest, NothingIsSentBeforeARoundHasEnded) {
  run();
  expect_over();
  EXPECT_FALSE(ranks.front()->rounds.take(1));
}

// What it has told is known, and later rounds have no bytes until it takes part again.
TEST_P(RoundSizesTest, OneGivesUp) {
  for (const uint64_t number : {7u, 8u, 9u}) end(number);
  for (int r = 0; r < GetParam(); ++r) {
    tell(r, 7);
    if (r < GetParam() - 1) tell(r, 8);
  }
  ranks.back()->rounds.give_up();
  run();
  expect_known(7);
  for (const auto& rank : ranks)
    EXPECT_EQ(0u, rank->rounds.take(8).value_or(std::vector<uint64_t>{1}).size());
  for (const auto& rank : ranks) rank->rounds.give_up();
  run();
  for (const auto& rank : ranks)
    EXPECT_EQ(0u, rank->rounds.take(9).value_or(std::vector<uint64_t>{1}).size());
  expect_over();
  for (const auto& rank : ranks) rank->rounds.take_part();
  end(10);
  for (int r = 0; r < GetParam(); ++r) tell(r, 10);
  run();
  expect_known(10);
  expect_over();
}

// A channel that has failed sends nothing more, and its receives can be cancelled.
TEST_P(RoundSizesTest, AFailedChannelIsLeft) {
  end(1);
  run();
  for (const auto& rank : ranks) rank->link.hear_failure();
  for (int r = 0; r < GetParam(); ++r) tell(r, 1);
  run();
  for (const auto& rank : ranks) {
    EXPECT_FALSE(rank->rounds.knows(1));
    rank->rounds.cancel_receives();
    rank->rounds.complete_sends();
    EXPECT_EQ(0u, rank->messages.receives());
  }
  EXPECT_TRUE(post.empty());
}

INSTANTIATE_TEST_SUITE_P(IoRanks, RoundSizesTest, testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace scorpio::exchange
