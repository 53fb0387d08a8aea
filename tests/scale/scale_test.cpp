// The costs of a rank at 1,024 ranks are those at 256.
#include <gtest/gtest.h>

#include "scale/exchange_counts.h"
#include "scale/plan_counts.h"

namespace scorpio::scale {
namespace {

TEST(Scale, ScatteredMapsOfNodesCostARankTheSameInLargerJobs) {
  const PlanCounts small = counts_of_scattered(256, 16, 0), large = counts_of_scattered(1024, 16, 0);
  EXPECT_EQ(small.bytes, uint64_t{256} * 3072 * 8);
  EXPECT_EQ(large.bytes, 4 * small.bytes);
  EXPECT_EQ(large.io_ranks, 4 * small.io_ranks);
  EXPECT_LE(large.per_rank(large.opens), 1.2 * small.per_rank(small.opens));
  EXPECT_GT(small.messages, 0u);
  EXPECT_LE(large.per_rank(large.messages), 1.2 * small.per_rank(small.messages));
  EXPECT_EQ(large.staging, small.staging);
}

TEST(Scale, BlocksNeedTheSameStagingMemoryAndOpensInLargerJobs) {
  const PlanCounts small = counts_of_blocks(256, 16, 0), large = counts_of_blocks(1024, 16, 0);
  EXPECT_EQ(small.bytes, uint64_t{256} * 32 * 32 * 32 * 8);
  EXPECT_EQ(large.bytes, 4 * small.bytes);
  EXPECT_EQ(large.io_ranks, 4 * small.io_ranks);
  EXPECT_LE(large.per_rank(large.opens), 1.2 * small.per_rank(small.opens));
  EXPECT_GT(small.messages, 0u);
  EXPECT_LE(large.crossing, large.bytes);
  EXPECT_LE(large.needed, large.messages);
  EXPECT_EQ(large.staging, small.staging);
}

// Nodes of consecutive ranks need no table.
TEST(Scale, WhatNamesTheNodesDoesNotGrow) {
  const PlanCounts small = counts_of_scattered(256, 16, 0), large = counts_of_scattered(4096, 16, 0);
  EXPECT_GT(small.placement, 0u);
  EXPECT_EQ(small.placement, large.placement);
}

// Each pair of a node and an I/O rank with its elements needs a message.
TEST(Scale, MessagesAreFewForEachPair) {
  for (const int ranks : {256, 1024}) {
    for (const PlanCounts& counts : {counts_of_blocks(ranks, 16, 0), counts_of_scattered(ranks, 16, 0)}) {
      EXPECT_GT(counts.pairs, 0u);
      EXPECT_LE(counts.pairs, counts.needed);
      EXPECT_LE(counts.needed, counts.messages);
    }
  }
}

// Three lists to each partner: runs, lost ones, and the elements held. One message each, two for long lists.
TEST(Scale, AnExchangeOfRunsSendsAsManyMessagesAsTheRanksHaveDigits) {
  for (const Held held : {Held::neighbours, Held::anywhere, Held::the_same}) {
    const ExchangeCounts small = counts_of_exchange(256, held), large = counts_of_exchange(4096, held);
    EXPECT_GT(small.lost, 0u);
    EXPECT_GE(small.messages, 3u * 8);
    EXPECT_LE(small.messages, 2u * 3 * 9);
    EXPECT_LE(large.messages, 2u * 3 * 13);
    EXPECT_LE(large.lists, 1.2 * small.lists);
    EXPECT_LE(large.sent, 12.0 / 8 * 1.2 * small.sent);
  }
}

// The blocks of 16 nodes are between the first and the last element of each of them.
TEST(Scale, AllMessagesHaveElements) {
  const PlanCounts large = counts_of_blocks(4096, 16, 0);
  EXPECT_GT(large.needed, 0u);
  EXPECT_EQ(large.needed, large.messages);
}

}  // namespace
}  // namespace scorpio::scale
