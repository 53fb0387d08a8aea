// The places of chunks in raw space, against the plainest computation of them; the order of elements in it.
#include "decomp/chunk_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "decomp/chunk_order.h"
#include "support/allocations.h"

namespace scorpio::decomp {
namespace {

using Extents = std::vector<int64_t>;

ChunkGrid random_grid(std::mt19937_64& random) {
  const auto between = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  Extents dims, chunk;
  for (int64_t d = between(1, 4); d > 0; --d) {
    dims.push_back(between(1, 9));
    chunk.push_back(between(0, 2) == 0 ? dims.back() : between(1, dims.back()));
  }
  const uint32_t sizes[] = {1, 2, 3, 4, 8, 12};
  const uint64_t units[] = {64, 128, 4096};
  return {dims, chunk, sizes[between(0, 5)], units[between(0, 2)]};
}

// Index of each dimension.
Extents index_of(const Extents& dims, int64_t element) {
  Extents index(dims.size());
  for (size_t d = dims.size(); d-- > 0; element /= dims[d]) index[d] = element % dims[d];
  return index;
}

// The chunk of an element of the array, and its place in the chunk.
std::pair<int64_t, int64_t> chunk_of(const ChunkGrid& grid, int64_t element) {
  const Extents index = index_of(grid.dims(), element);
  int64_t chunk = 0, inside = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    chunk = chunk * ((grid.dims()[d] + grid.chunk()[d] - 1) / grid.chunk()[d]) + index[d] / grid.chunk()[d];
    inside = inside * grid.chunk()[d] + index[d] % grid.chunk()[d];
  }
  return {chunk, inside};
}

int64_t product(const Extents& dims) {
  int64_t all = 1;
  for (const int64_t extent : dims) all *= extent;
  return all;
}

TEST(ChunkGrid, NoChunkLiesAcrossTheEndOfAStretch) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    const ChunkGrid grid = random_grid(random);
    const uint64_t stretch = grid.unit_bytes() << grid.doublings();
    uint64_t end = 0;
    for (int64_t c = 0; c < grid.chunks(); ++c) {
      const uint64_t begin = static_cast<uint64_t>(grid.begin_of(c)) * grid.element_bytes();
      ASSERT_GE(begin, end);
      end = begin + grid.chunk_bytes();
      ASSERT_EQ(begin / stretch, (end - 1) / stretch) << i << " " << c;
      ASSERT_EQ(c, grid.at(begin).chunk);
      ASSERT_EQ(c, grid.at(end - 1).chunk);
      ASSERT_EQ(begin, grid.at(end - 1).begin);
      ASSERT_EQ(grid.chunk_bytes() - 1, grid.at(end - 1).offset);
    }
    EXPECT_EQ(end, grid.raw_bytes());
    if (grid.in_one_unit()) {
      EXPECT_LE(end, grid.unit_bytes());
    }
  }
}

// The chunks of a grid that grows lie where those of any length of its first dimension do.
TEST(ChunkGrid, ADimensionThatGrowsChangesNoPlace) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    const ChunkGrid fixed = random_grid(random);
    Extents dims = fixed.dims();
    dims[0] = ChunkGrid::k_grows;
    const ChunkGrid growing(dims, fixed.chunk(), fixed.element_bytes(), fixed.unit_bytes());
    EXPECT_TRUE(growing.grows());
    EXPECT_FALSE(growing.in_one_unit());
    for (int64_t c = 0; c < fixed.chunks(); ++c) {
      const uint64_t begin = static_cast<uint64_t>(fixed.begin_of(c)) * fixed.element_bytes();
      ASSERT_EQ(fixed.begin_of(c), growing.begin_of(c));
      ASSERT_EQ(c, growing.at(begin).chunk);
      ASSERT_EQ(fixed.start_of(c), growing.start_of(c));
    }
    const int64_t frames = growing.frames_within(fixed.raw_bytes());
    EXPECT_EQ(0, frames % fixed.chunk()[0]);
    if (frames > 0) {
      const auto end = growing.frame_begin(frames - fixed.chunk()[0]) + growing.layer_elements();
      EXPECT_LE(static_cast<uint64_t>(end) * fixed.element_bytes(), fixed.raw_bytes());
    }
  }
}

// Nothing lies outside along a dimension that grows.
TEST(ChunkGrid, PaddingOfADimensionThatGrows) {
  const ChunkGrid grid({ChunkGrid::k_grows, 5}, {4, 3}, 2, 64);
  EXPECT_TRUE(grid.padding_of(2).empty());
  EXPECT_EQ(4u, grid.padding_of(3).size());
}

TEST(ChunkGrid, AGapBelongsToTheChunkBehindIt) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200; ++i) {
    const ChunkGrid grid = random_grid(random);
    uint64_t before = 0;
    for (int64_t c = 0; c < grid.chunks(); ++c) {
      const uint64_t begin = static_cast<uint64_t>(grid.begin_of(c)) * grid.element_bytes();
      for (uint64_t byte = before; byte < begin; ++byte) {
        ASSERT_EQ(c, grid.at(byte).chunk);
        ASSERT_EQ(0u, grid.at(byte).offset);
        ASSERT_EQ(begin, grid.at(byte).begin);
      }
      before = begin + grid.chunk_bytes();
    }
  }
}

TEST(ChunkGrid, PaddingIsWhatNoElementHas) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    const ChunkGrid grid = random_grid(random);
    std::map<int64_t, std::vector<bool>> held;
    for (int64_t e = 0; e < product(grid.dims()); ++e) {
      const auto [chunk, inside] = chunk_of(grid, e);
      held[chunk].resize(static_cast<size_t>(grid.chunk_elements()));
      held[chunk][static_cast<size_t>(inside)] = true;
    }
    for (const auto& [chunk, elements] : held) {
      std::vector<bool> padding(elements.size());
      for (const ByteRange& range : grid.padding_of(chunk)) {
        for (uint64_t b = range.begin; b < range.end; b += grid.element_bytes())
          padding[b / grid.element_bytes()] = true;
      }
      padding.flip();
      ASSERT_EQ(elements, padding) << i;
    }
  }
}

TEST(ChunkOrder, RunsKeepTheirElements) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 300; ++i) {
    const ChunkGrid grid = random_grid(random);
    const bool frame = i % 2 == 1;
    const int64_t index = frame ? static_cast<int64_t>(random() % static_cast<uint64_t>(grid.dims()[0])) : 0;
    const ChunkOrder order(grid, frame);
    const int64_t total = order.total();
    EXPECT_EQ(total, product(grid.dims()) / (frame ? grid.dims()[0] : 1));
    std::vector<decomp::Run> runs;
    for (int64_t g = 0, local = 0; g < total;) {
      const int64_t length = std::min<int64_t>(1 + static_cast<int64_t>(random() % 7), total - g);
      if (random() % 4 != 0) runs.push_back({g, local, length});
      local += length + static_cast<int64_t>(random() % 2);
      g += length;
    }
    std::map<int64_t, int64_t> expected, found;  // raw element, place in the buffer
    for (const decomp::Run& run : runs) {
      for (int64_t k = 0; k < run.length; ++k) {
        const auto [chunk, inside] = chunk_of(grid, run.global + k + index * total);
        expected[grid.begin_of(chunk) + inside] = run.local + k;
      }
    }
    const int64_t begin = frame ? grid.frame_begin(index) : 0;
    order.runs(RunList(runs)).for_each([&](const decomp::Run& run) {
      for (int64_t k = 0; k < run.length; ++k) found[begin + run.global + k] = run.local + k;
    });
    ASSERT_EQ(expected, found) << i;
  }
}

// Every second element of 64 layers: 32,768 runs of one element, of which a layer has 512.
TEST(ChunkOrder, RunsTakeTheMemoryOfALayer) {
  const ChunkGrid grid({256, 256}, {4, 64}, 4, 1 << 20);
  std::vector<decomp::Segment> every_second{{0, 0, 1, 256 * 128, 2, 1}};
  const RunList row_major = RunList::from_sorted(every_second);
  RunList runs;
  {
    const test::SmallAllocations bound(64 << 10);
    runs = ChunkOrder(grid, false).runs(row_major);
  }
  EXPECT_EQ(256 * 128, runs.elements());
  int64_t before = -1;
  runs.for_each([&](const decomp::Run& run) {
    const auto row = run.local / 128, column = run.local % 128 * 2;
    EXPECT_EQ(grid.begin_of(row / 4 * 4 + column / 64) + row % 4 * 64 + column % 64, run.global);
    EXPECT_LT(before, run.global);
    before = run.global;
  });
}

// Nothing that comes later in the array may be lost or come first.
TEST(ChunkOrder, RunsWithElementsThatAreHeldTwice) {
  const ChunkGrid grid({8, 4}, {2, 2}, 4, 1 << 20);
  const RunList row_major(std::vector<decomp::Run>{{0, 0, 30}, {2, 40, 4}, {8, 50, 20}});
  ASSERT_TRUE(row_major.segments().overlap());
  std::multimap<int64_t, int64_t> expected, found;
  row_major.for_each([&](const decomp::Run& run) {
    for (int64_t k = 0; k < run.length; ++k) {
      const auto [chunk, inside] = chunk_of(grid, run.global + k);
      expected.emplace(grid.begin_of(chunk) + inside, run.local + k);
    }
  });
  const RunList runs = ChunkOrder(grid, false).runs(row_major);
  for (const decomp::Run& run : runs.expand()) {
    for (int64_t k = 0; k < run.length; ++k) found.emplace(run.global + k, run.local + k);
  }
  const std::set<std::pair<int64_t, int64_t>> all(expected.begin(), expected.end());
  EXPECT_EQ(all, (std::set<std::pair<int64_t, int64_t>>(found.begin(), found.end())));
  EXPECT_EQ(expected.size(), found.size());
}

TEST(ChunkOrder, CoverHoldsAllAndNothingElse) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 300; ++i) {
    const ChunkGrid grid = random_grid(random);
    const bool frame = i % 2 == 1;
    const ChunkOrder order(grid, frame);
    const int64_t total = order.total();
    std::vector<Interval> intervals;
    for (int64_t g = 0; g < total;) {
      const int64_t length = std::min<int64_t>(1 + static_cast<int64_t>(random() % 9), total - g);
      if (random() % 3 != 0) intervals.push_back({g, g + length});
      g += length + 1;
    }
    const size_t most = i % 5 == 0 ? 2 : 1000;
    const ChunkOrder::Cover cover = order.cover(intervals, most);
    const bool everything = intervals == std::vector<Interval>{{0, total}};
    std::vector<int64_t> raw;
    for (const Interval& interval : intervals) {
      const Interval hull = order.hull(interval);
      for (int64_t g = interval.begin; g < interval.end; ++g) {
        const auto [chunk, inside] = chunk_of(grid, g);
        raw.push_back(grid.begin_of(chunk) + inside);
        ASSERT_TRUE(hull.begin <= raw.back() && raw.back() < hull.end) << i;
      }
    }
    size_t covered = 0;
    for (size_t k = 0; k < cover.intervals.size(); ++k) {
      covered += static_cast<size_t>(cover.intervals[k].end - cover.intervals[k].begin);
      if (k > 0) {
        ASSERT_GT(cover.intervals[k].begin, cover.intervals[k - 1].end) << i;
      }
    }
    for (const int64_t element : raw) {
      ASSERT_TRUE(std::ranges::any_of(cover.intervals, [&](const Interval& interval) {
        return interval.begin <= element && element < interval.end;
      })) << i;
    }
    if (cover.exact && !everything) {
      ASSERT_EQ(raw.size(), covered) << i;
    }
    if (most == 1000) {
      EXPECT_TRUE(cover.exact);
    }
  }
}

// Of every other row of an array the left half: more pieces than may be kept, but all in half of the chunks.
TEST(ChunkOrder, ACoverOfManyPiecesHasOnlyTheChunksWithSome) {
  const ChunkGrid grid({64, 64}, {8, 8}, 4, 1 << 20);
  std::vector<Interval> rows, expected;
  for (int64_t row = 0; row < 64; row += 2) rows.push_back({row * 64, row * 64 + 32});
  const ChunkOrder::Cover cover = ChunkOrder(grid, false).cover(rows, 40);
  EXPECT_FALSE(cover.exact);
  for (int64_t layer = 0; layer < 8; ++layer) {
    const bool of_pieces = layer < 5;  // it begins with the first row and ends with the last one but one
    expected.push_back({layer * 512, layer * 512 + (of_pieces ? 248 : 256)});
  }
  EXPECT_EQ(expected, cover.intervals);
  const ChunkOrder::Cover frame = ChunkOrder(grid, true).cover({{0, 4}, {8, 12}, {48, 51}}, 2);
  EXPECT_FALSE(frame.exact);
  EXPECT_EQ((std::vector<Interval>{{0, 68}, {384, 387}}), frame.intervals);
}

}  // namespace
}  // namespace scorpio::decomp
