// The ranges of the encoded chunks of I/O ranks: blocks of their own, and gaps that stay small.
#include "format/chunk_ranges.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace scorpio::format {
namespace {

constexpr uint64_t k_block = 4096;

RC_GTEST_PROP(ChunkRangesProperty, ApartInOrderAndWithSmallGaps, ()) {
  const auto io_ranks = static_cast<size_t>(*rc::gen::inRange(1, 6));
  AddressBook book(k_block, *rc::gen::element<uint64_t>(0, 700, k_block, 5 * k_block + 1));
  const auto spent = *rc::gen::inRange<uint64_t>(0, 6);
  ChunkRanges ranges(spent);
  uint64_t end = book.end_of_data(), chunks = 0, gaps = 0;
  const int syncs = *rc::gen::inRange(1, 30);
  for (int sync = 0; sync < syncs; ++sync) {
    std::vector<uint64_t> bytes;
    for (size_t i = 0; i < io_ranks; ++i)
      bytes.push_back(static_cast<uint64_t>(*rc::gen::weightedOneOf<int>(
          {{1, rc::gen::just(0)}, {4, rc::gen::inRange(1, 9000)}, {1, rc::gen::inRange(1, 2000000)}})));
    const auto at = ranges.place(book, bytes);
    RC_ASSERT(at.ok());
    for (size_t i = 0; i < io_ranks; ++i) {
      if (bytes[i] == 0) {
        RC_ASSERT((*at)[i] == 0u);
        continue;
      }
      RC_ASSERT((*at)[i] >= end);
      RC_ASSERT((*at)[i] % 8 == 0u);
      // The metadata rank, which is the first I/O rank, writes the first block.
      RC_ASSERT(i == 0 || (*at)[i] >= k_block);
      gaps += (*at)[i] - end;
      chunks += bytes[i];
      end = (*at)[i] + bytes[i];
    }
  }
  // The first block, which chunks of other ranks leave, and 8 bytes of alignment for each range are not
  // counted.
  RC_ASSERT(gaps <= (io_ranks - std::min<uint64_t>(spent, io_ranks) + 1) * k_block + chunks / 50 +
                        8 * io_ranks * static_cast<uint64_t>(syncs));
}

TEST(ChunkRanges, LongRangesShareNoBlock) {
  AddressBook book(k_block, k_block);
  ChunkRanges ranges;
  for (int sync = 0; sync < 100; ++sync) {
    const auto at = ranges.place(book, std::vector<uint64_t>{60 * k_block + 1, 0, 70 * k_block - 9});
    ASSERT_TRUE(at.ok());
    EXPECT_EQ(0u, (*at)[0] % k_block) << sync;
    EXPECT_EQ(0u, (*at)[1]);
    EXPECT_EQ(0u, (*at)[2] % k_block) << sync;
  }
}

TEST(ChunkRanges, ShortRangesFollowEachOther) {
  AddressBook book(k_block, k_block);
  ChunkRanges ranges;
  for (int sync = 0; sync < 100; ++sync)
    ASSERT_TRUE(ranges.place(book, std::vector<uint64_t>{400, 400}).ok());
  EXPECT_LE(book.end_of_data(), k_block + 100 * 800 + 2 * k_block + 100 * 800 / 50);
}

}  // namespace
}  // namespace scorpio::format
