// The regions in which I/O ranks store chunks before a synchronisation point.
#include "format/chunk_arena.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace scorpio::format {
namespace {

constexpr uint64_t k_mib = uint64_t{1} << 20;

TEST(ChunkArena, IoRanksTakeTurns) {
  const ChunkArena arena{.begin = 1000, .region_bytes = 10, .io_ranks = 3};
  EXPECT_EQ((storage::ChunkPlacement::Arena{1000, 10, 30, 40}), arena.of(0, 40));
  EXPECT_EQ((storage::ChunkPlacement::Arena{1020, 10, 30, 40}), arena.of(2, 40));
}

TEST(ChunkArena, CountsTheRegionsThatAnIoRankHasLeftBehind) {
  const ChunkArena arena{.begin = 1000, .region_bytes = 10, .io_ranks = 3};
  EXPECT_EQ(0u, arena.unused_before(0, 0, 0)) << "no I/O rank has used any";
  for (const uint64_t rank : {0, 1, 2}) {
    for (uint64_t used = 0; used < 4; ++used) {
      const uint64_t used_end = used == 0 ? 0 : arena.begin + ((used - 1) * 3 + rank + 1) * 10;
      for (uint64_t end = 1000; end < 1130; end += 10) {
        uint64_t before = 0;
        while (arena.begin + (before * 3 + rank + 1) * 10 <= end) ++before;
        EXPECT_EQ(before > used ? before - used : 0, arena.unused_before(rank, used_end, end))
            << "rank " << rank << ", " << used << " used, end " << end;
      }
    }
  }
}

class CommonChunk : public testing::Test {
 protected:
  void add(int64_t rows, std::vector<codec::Filter> filters = {}) {
    auto form = std::make_shared<const ChunkForm>(
        ChunkForm{.grid = {{4 * rows, 256}, {rows, 256}, 4, 4 * k_mib},
                  .pipeline = codec::Pipeline::make(std::move(filters), 4).value(),
                  .fill = std::vector<std::byte>(4)});
    placements_.set(count_++, Placement::in_chunks(uint64_t{1} << 61, std::move(form)));
  }
  uint64_t common(uint64_t block = 4096) const {
    return common_chunk_bytes(placements_, count_, block, {.unit_bytes = 4 * k_mib, .most = 64 * k_mib});
  }

  Placements placements_;
  int count_ = 0;
};

TEST_F(CommonChunk, IsThatOfAllVariables) {
  EXPECT_EQ(0u, common()) << "there are no chunks";
  placements_.set(count_++, Placement::at(4096));
  add(1024);
  EXPECT_EQ(k_mib, common());
  add(1024);
  EXPECT_EQ(k_mib, common());
  add(2048);
  EXPECT_EQ(0u, common());
}

TEST_F(CommonChunk, HasNoFilters) {
  add(1024);
  add(1024, {{codec::k_shuffle, 0}});
  EXPECT_EQ(0u, common());
}

TEST_F(CommonChunk, FillsBlocks) {
  add(1024 + 512);
  EXPECT_EQ(k_mib * 3 / 2, common());
  EXPECT_EQ(0u, common(k_mib));
}

TEST_F(CommonChunk, IsNeitherShortNorLong) {
  add(64);
  EXPECT_EQ(0u, common());
  count_ = 0;
  add(40 << 10);
  EXPECT_EQ(0u, common()) << "an I/O rank could not keep two of them in memory";
}

TEST(HeldBytes, AreEnoughForWhatOtherIoRanksHaveMore) {
  EXPECT_EQ(16 * k_mib, (HeldBytes{4 * k_mib, 64 * k_mib}.of(k_mib)));
  EXPECT_EQ(44 * k_mib, (HeldBytes{4 * k_mib, 64 * k_mib}.of(20 * k_mib)));
  EXPECT_EQ(9 * k_mib, (HeldBytes{4 * k_mib, 9 * k_mib}.of(k_mib)));
  EXPECT_EQ(6 * k_mib, (HeldBytes{4 * k_mib, 3 * k_mib}.of(k_mib))) << "more than is allowed";
}

}  // namespace
}  // namespace scorpio::format
