// Slots that several channels have in common, with ranks that are played by one thread: what a rank remembers
// of activations is bounded, and slots that are given back after a failure wake those who want one.
#include "exchange/memory/common_slots.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "async/inline_executor.h"
#include "exchange/channel_pool.h"
#include "exchange/one_node.h"
#include "exchange/progress/slot_binder.h"
#include "support/allocations.h"
#include "transfer/slot_io.h"

namespace scorpio::test {
namespace {

using namespace exchange;

constexpr int k_ranks = 2;
constexpr int k_files = 2;
constexpr int k_io_rank = 0;

struct CommonSlotsTest : OneNode {
  CommonSlotsTest() : OneNode(k_ranks, {k_io_rank}, k_files) {}

  Lease lend(int rank) { return stagings[static_cast<size_t>(rank)]->lend(k_files, true); }
  // The activation of this number in a schedule in which each slot is used in turn.
  static plan::Activation activation(uint64_t opening, const Lease& lease) {
    plan::Activation made;
    made.slot = static_cast<int>(opening % lease.most_slots());
    made.use = opening / lease.most_slots();
    made.opening = opening;
    return made;
  }
};

// A rank without elements is far ahead of the others, and then needs a slot.
TEST_F(CommonSlotsTest, ARankRemembersNoMoreActivationsThanThereAreSlots) {
  const Lease lease = lend(k_io_rank);
  ASSERT_GT(lease.common, 0);
  Link io_rank(fabrics[0], lease), other(fabrics[1], lease);
  SlotBinder first(io_rank), ahead(other);
  constexpr uint64_t k_openings = 10000;
  const uint64_t before = allocations();
  for (uint64_t i = 0; i < k_openings; ++i) {
    plan::Activation opened = activation(i, lease);
    ahead.expect(opened);
  }
  EXPECT_EQ(before, allocations());
  plan::Activation last = activation(k_openings - 1, lease);
  last.tag = tag_of(last, other.calls().hash());
  for (uint64_t i = 0; i < k_openings; ++i) {
    if (i + lease.most_slots() < k_openings) {
      EXPECT_FALSE(ahead.bind(last)) << "others bind those before it";
    }
    plan::Activation opened = activation(i, lease);
    first.expect(opened);
    ASSERT_TRUE(first.bind(opened)) << i;
    if (i + 1 < k_openings) io_rank.advance(opened.slot, SlotCounter::end_of(opened.use));
  }
  EXPECT_TRUE(ahead.bind(last));
  EXPECT_FALSE(other.failed());
}

// The rank that waits for the others is woken by the one that binds the last of them.
TEST_F(CommonSlotsTest, WhoWaitsForOthersToBindIsWoken) {
  const Lease lease = lend(k_io_rank);
  Link io_rank(fabrics[0], lease), other(fabrics[1], lease);
  SlotBinder first(io_rank), ahead(other);
  const uint64_t openings = lease.most_slots() + 1;
  plan::Activation last;
  for (uint64_t i = 0; i < openings; ++i) {
    last = activation(i, lease);
    ahead.expect(last);
  }
  EXPECT_FALSE(ahead.bind(last));
  RankLine& line = stagings[0]->rank_line(lease.channel, 1);
  line.sleeping.store(1);
  plan::Activation opened = activation(0, lease);
  first.expect(opened);
  ASSERT_TRUE(first.bind(opened));
  EXPECT_EQ(0u, line.sleeping.load());
}

struct GivenBack : CommonSlotsTest {
  GivenBack() : executor(8), pool(fabrics[0], make_io(), k_files) {}

  ChannelPool::MakeIoPhase make_io() {
    return [this](size_t slots, size_t, bool) -> std::unique_ptr<IoPhase> {
      return std::make_unique<transfer::SlotIo>(slots, executor, counters);
    };
  }
  // Binds slots until none is left: returns how many.
  int take_all(const FileChannel& channel) {
    const CommonSlots slots(*stagings[0], channel.lease());
    uint64_t wake = 0, taken = 0;
    while (slots.bind(Opened(activation(taken, channel.lease())), wake)) ++taken;
    return static_cast<int>(taken);
  }
  // A rank of this channel sleeps until a slot is free.
  RankLine& sleeper(const FileChannel& channel) {
    RankLine& line = stagings[0]->rank_line(channel.lease().channel, 1);
    line.sleeping.store(1);
    return line;
  }

  async::InlineExecutor executor;
  ChannelPool pool;
};

TEST_F(GivenBack, AChannelThatIsClosedWithoutItsDataWakesOthers) {
  auto one = pool.open(1, true), other = pool.open(2, true);
  EXPECT_EQ(sizes.reserved + sizes.common(), take_all(*one));
  EXPECT_EQ(sizes.reserved, take_all(*other));
  const RankLine& line = sleeper(*other);
  pool.close(std::move(one), false);
  EXPECT_EQ(0u, line.sleeping.load());
  EXPECT_EQ(1u, line.bell.load());
}

TEST_F(GivenBack, AChannelThatIsReplacedWakesOthers) {
  auto one = pool.open(1, true), other = pool.open(2, true);
  (void)take_all(*one);
  (void)take_all(*other);
  const RankLine& line = sleeper(*other);
  pool.replace(*one, Loss::some);
  EXPECT_EQ(0u, line.sleeping.load());
  EXPECT_EQ(1u, line.bell.load());
}

}  // namespace
}  // namespace scorpio::test
