// The costs of a rank at 1,024 ranks are those at 256.
#include <gtest/gtest.h>

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

// The blocks of 16 nodes are between the first and the last element of each of them.
TEST(Scale, AllMessagesHaveElements) {
  const PlanCounts large = counts_of_blocks(4096, 16, 0);
  EXPECT_GT(large.needed, 0u);
  EXPECT_EQ(large.needed, large.messages);
}

}  // namespace
}  // namespace scorpio::scale
