// The maps and the space under the image, against plain arrays; the boxes of a flattened range.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <set>

#include "base/interval_set.h"
#include "format/hdf5/extent_map.h"
#include "format/hdf5/row_major_boxes.h"
#include "format/hdf5/space.h"

namespace scorpio::format::hdf5 {
namespace {

constexpr size_t k_universe = 64;

RC_GTEST_PROP(ExtentMapProperty, BehavesAsASparseArray, ()) {
  ExtentMap map;
  std::array<int, k_universe> oracle;
  oracle.fill(-1);
  const int steps = *rc::gen::inRange(1, 40);
  for (int step = 0; step < steps; ++step) {
    const auto begin = *rc::gen::inRange<uint64_t>(0, k_universe);
    const auto end = *rc::gen::inRange<uint64_t>(begin, k_universe + 1);
    if (*rc::gen::arbitrary<bool>()) {
      map.put(begin, std::vector<std::byte>(end - begin, static_cast<std::byte>(step)));
      for (uint64_t i = begin; i < end; ++i) oracle[i] = step;
    } else {
      map.erase(begin, end);
      for (uint64_t i = begin; i < end; ++i) oracle[i] = -1;
    }
    uint64_t known = 0;
    std::vector<std::byte> seen(k_universe, std::byte{0xff});
    map.overlay(0, seen);
    for (uint64_t i = 0; i < k_universe; ++i) {
      RC_ASSERT(map.covers(i, i + 1) == (oracle[i] >= 0));
      RC_ASSERT(seen[i] == (oracle[i] >= 0 ? static_cast<std::byte>(oracle[i]) : std::byte{0xff}));
      known += oracle[i] >= 0 ? 1 : 0;
    }
    RC_ASSERT(map.bytes() == known);
  }
}

// Appended bytes are in extents of limited size, for which memory is reserved.
TEST(ExtentMapTest, KeepsWhatIsAppendedPastTheSizeOfAnExtent) {
  constexpr size_t k_bytes = 3'000'000, k_step = 7'001;
  std::vector<std::byte> all(k_bytes);
  for (size_t i = 0; i < k_bytes; ++i) all[i] = static_cast<std::byte>(i * 31 >> 8 ^ i);
  ExtentMap map;
  for (size_t at = 0; at < k_bytes; at += k_step)
    map.put(1000 + at, std::span(all).subspan(at, std::min(k_step, k_bytes - at)));
  EXPECT_EQ(map.bytes(), k_bytes);
  EXPECT_TRUE(map.covers(1000, 1000 + k_bytes));
  std::vector<std::byte> seen(k_bytes);
  map.overlay(1000, seen);
  EXPECT_EQ(seen, all);
}

RC_GTEST_PROP(BoxesProperty, CoverTheRangeInOrderWithFewBoxes, ()) {
  const auto dims = *rc::gen::container<std::vector<int64_t>>(*rc::gen::inRange<size_t>(1, 5),
                                                              rc::gen::inRange<int64_t>(1, 6));
  int64_t elements = 1;
  for (const int64_t extent : dims) elements *= extent;
  const auto first = *rc::gen::inRange<int64_t>(0, elements + 1);
  const auto count = *rc::gen::inRange<int64_t>(0, elements - first + 1);
  const auto boxes = boxes_of(dims, first, count);
  RC_ASSERT(boxes.size() <= 2 * dims.size());
  int64_t next = first;
  for (const Box& box : boxes) {
    int64_t in_box = 1;
    int64_t start = 0;
    int64_t last = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      RC_ASSERT(box.start[d] >= 0 && box.counts[d] > 0 && box.start[d] + box.counts[d] <= dims[d]);
      in_box *= box.counts[d];
      start = start * dims[d] + box.start[d];
      last = last * dims[d] + box.start[d] + box.counts[d] - 1;
    }
    // One piece: its corners are as far apart as it has elements.
    RC_ASSERT(start == next);
    RC_ASSERT(last - start + 1 == in_box);
    RC_ASSERT(box.elements == in_box);
    next += in_box;
  }
  RC_ASSERT(next == first + count);
}

TEST(SpaceTest, PlacementTakesOnlyTheExactRawSizeAndOnce) {
  Space space(1024);
  space.set_tracking(true);
  space.arm(8192, 100);
  EXPECT_EQ(space.allocate(96, false), 0u) << "metadata";
  const auto other = space.allocate(99, true);
  ASSERT_TRUE(other.has_value()) << "another size";
  EXPECT_GE(*other, 96u);
  EXPECT_LT(*other, 8192u);
  EXPECT_FALSE(space.drops(ByteRange::at(8192, 8))) << "not given out yet";
  EXPECT_EQ(space.allocate(100, true), 8192u);
  EXPECT_NE(space.allocate(100, true), 8192u);
  EXPECT_TRUE(space.drops(ByteRange::at(8192, 100)));
  EXPECT_FALSE(space.drops(ByteRange::at(8186, 100)));
  EXPECT_FALSE(space.drops(ByteRange::at(8292, 1)));
  EXPECT_EQ(space.disarm(), ByteRange::at(8192, 100));
  EXPECT_FALSE(space.drops(ByteRange::at(8192, 100))) << "outside of the call that creates";
  EXPECT_NE(space.allocate(100, true), 8192u);
}

TEST(SpaceTest, MetadataStartAtTheBlockBehindTheDataAndEndsNeverFallBelowThem) {
  Space space(1024);
  space.set_tracking(true);
  EXPECT_EQ(space.end(), 0u);
  EXPECT_EQ(space.allocate(100, false), 0u);
  space.reserve_data(ByteRange::at(100, 4900));
  EXPECT_EQ(space.allocate(10, false), 5120u);
  EXPECT_EQ(space.allocate(10, false), 5130u);
  space.set_library_end(5130, false);
  EXPECT_EQ(space.end(), 5130u);
  EXPECT_EQ(space.allocate(10, false), 5130u) << "what was given back is given out again";
  space.set_library_end(100, false);
  EXPECT_EQ(space.end(), 5000u);
  EXPECT_FALSE(space.metadata().covers({5120, 5121})) << "freed space is nobody's";
}

TEST(SpaceTest, InTheFirstBlockMetadataFollowSmallDataAtOnce) {
  Space space(uint64_t{1} << 20);
  space.start_empty();
  EXPECT_EQ(space.allocate(100, false), 0u);
  space.reserve_data(ByteRange::at(104, 81));
  EXPECT_EQ(space.allocate(10, false), 192u);
  space.reserve_data(ByteRange::at(208, 8));
  EXPECT_EQ(space.allocate(10, false), 216u) << "data end the pool";
}

TEST(SpaceTest, MetadataOfLargeDataTakeWhatTheseLeftOfTheFirstBlock) {
  constexpr uint64_t k_block = uint64_t{16} << 20;
  Space space(k_block);
  space.start_empty();
  EXPECT_EQ(space.allocate(100, false), 0u);
  space.reserve_data(ByteRange::at(104, 81));
  space.reserve_data(ByteRange::at(k_block, k_block + 5));
  EXPECT_EQ(space.allocate(k_block / 2, false), 192u);
  EXPECT_EQ(space.allocate(k_block, false), 3 * k_block) << "too much for it";
  EXPECT_EQ(space.allocate(10, false), 192 + k_block / 2);
}

TEST(SpaceTest, OfAFileThatWasThereNothingBeforeItsEndIsTaken) {
  Space space(uint64_t{1} << 20);
  space.raise_data_end(3000);
  EXPECT_EQ(space.allocate(10, false), 3000u);
  space.reserve_data(ByteRange::at(uint64_t{4} << 20, 8));
  EXPECT_EQ(space.allocate(5000, false), uint64_t{5} << 20);
}

TEST(SpaceTest, PoolsOfManyVariablesMadeAtOnceAreFew) {
  Space space(uint64_t{1} << 20);
  space.set_tracking(true);
  space.start_empty();
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(space.allocate(2048, false));
    space.arm(std::nullopt, 80);
    ASSERT_TRUE(space.allocate(80, true));
    ASSERT_TRUE(space.disarm());
  }
  EXPECT_LE(space.metadata().ranges().size(), 3u);
}

TEST(SpaceTest, ALongAttributeIsInThePoolIfItTakesLittleOfIt) {
  constexpr uint64_t k_long = uint64_t{80} << 10;
  Space space(uint64_t{1} << 20);
  space.start_empty();
  uint64_t end = 0;
  // Up to the first half of a pool of 64 MiB.
  while (end < uint64_t{40} << 20) end = space.allocate(4000, false).value() + 4000;
  EXPECT_EQ(space.allocate(k_long, true), end);
  EXPECT_EQ(space.allocate(10, false), end + k_long);
  EXPECT_GE(space.allocate(uint64_t{30} << 20, true).value(), uint64_t{64} << 20) << "data";
}

// Each block has one writer: this rank for metadata, the owner of the block for data.
RC_GTEST_PROP(SpaceProperty, MetadataAndDataShareNoBlockButTheFirstAndNoByte, ()) {
  const uint64_t block = uint64_t{1} << *rc::gen::inRange(9, 21);
  Space space(block);
  space.set_tracking(true);
  IntervalSet metadata, data;
  if (*rc::gen::arbitrary<bool>()) {
    space.start_empty();
  } else {  // a file that was there ends with either
    const uint64_t size = *rc::gen::inRange<uint64_t>(1, 3 * block);
    space.set_library_end(size, false);
    space.raise_data_end(size);
    const bool data_last = *rc::gen::arbitrary<bool>();
    (data_last ? data : metadata).add({size - 1, size});
    if (data_last) space.add_data(ByteRange::at(size - 1, 1));
  }
  const uint64_t old_end = space.end();
  for (int i = 0; i < 60; ++i) {
    const uint64_t bytes = *rc::gen::inRange<uint64_t>(1, *rc::gen::element(uint64_t{2000}, 3 * block));
    uint64_t at = 0;
    if (*rc::gen::arbitrary<bool>()) {
      at = space.allocate(bytes, false).value();
      metadata.add(ByteRange::at(at, bytes));
    } else {
      space.arm(std::nullopt, bytes);
      at = space.allocate(bytes, true).value();
      RC_ASSERT(space.disarm().has_value());
      RC_ASSERT(at % 8 == 0u && (bytes < block || at % block == 0u));
      data.add(ByteRange::at(at, bytes));
    }
    RC_ASSERT(at >= old_end);
  }
  for (const auto& [begin, end] : metadata.ranges()) {
    for (const auto& [from, to] : data.ranges()) {
      RC_ASSERT(end <= from || to <= begin);
      if (begin < block && from < block) {  // what reaches into later blocks has them for itself
        RC_ASSERT(end <= block || to <= block);
        continue;
      }
      RC_ASSERT((end - 1) / block < from / block || (to - 1) / block < begin / block);
    }
  }
}

TEST(SpaceTest, RefusesWhatDoesNotFitTheFile) {
  Space space(1024);
  EXPECT_FALSE(space.allocate(~uint64_t{0}, false).has_value());
  EXPECT_FALSE(space.allocate(uint64_t{1} << 63, true).has_value());
}

}  // namespace
}  // namespace scorpio::format::hdf5
