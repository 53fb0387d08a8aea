// Chunks of arrays whose inner dimensions grow: their places, and the order of elements in them, against the
// plainest computation.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "decomp/chunk_order.h"
#include "decomp/shells.h"

namespace scorpio::decomp {
namespace {

using Extents = std::vector<int64_t>;

struct Case {
  ChunkGrid grid;
  Extents extents;  // at some time
};

// At least one dimension other than the first grows.
Case random_case() {
  const auto ndims = *rc::gen::inRange<size_t>(2, 5);
  const auto free = *rc::gen::inRange<size_t>(1, ndims);
  Extents dims, chunk, extents;
  for (size_t d = 0; d < ndims; ++d) {
    const bool grows = d == free || *rc::gen::inRange(0, 2) == 1;
    extents.push_back(*rc::gen::inRange<int64_t>(1, 8));
    chunk.push_back(*rc::gen::inRange<int64_t>(1, grows ? 4 : extents.back() + 1));
    dims.push_back(grows ? ChunkGrid::k_grows : extents.back());
  }
  const auto bytes = *rc::gen::element<uint32_t>(1, 2, 3, 4, 8, 12);
  const auto unit = *rc::gen::element<uint64_t>(64, 128, 4096);
  return {{dims, chunk, bytes, unit}, extents};
}

int64_t elements_in(const Extents& dims) {
  int64_t all = 1;
  for (const int64_t extent : dims) all *= extent;
  return all;
}

Extents index_in(const Extents& dims, int64_t element) {
  Extents index(dims.size());
  for (size_t d = dims.size(); d-- > 0; element /= dims[d]) index[d] = element % dims[d];
  return index;
}

// The element of raw space at these indices of the array.
int64_t raw_of(const ChunkGrid& grid, const Extents& index) {
  Extents chunk(index.size());
  int64_t inside = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    chunk[d] = index[d] / grid.chunk()[d];
    inside = inside * grid.chunk()[d] + index[d] % grid.chunk()[d];
  }
  return grid.begin_of(grid.number_of(chunk)) + inside;
}

RC_GTEST_PROP(FreeGrid, EachChunkHasAPlaceOfItsOwnInsideAStretch, ()) {
  const auto [grid, extents] = random_case();
  RC_ASSERT(grid.is_free());
  RC_ASSERT(grid.grows());
  const uint64_t stretch = grid.unit_bytes() << grid.doublings();
  std::map<uint64_t, uint64_t> ranges;
  uint64_t end_of_all = 0;
  for (int64_t element = 0; element < elements_in(extents); ++element) {
    const Extents index = index_in(extents, element);
    Extents chunk = index;
    for (size_t d = 0; d < chunk.size(); ++d) chunk[d] /= grid.chunk()[d];
    const int64_t number = grid.number_of(chunk);
    const uint64_t begin = static_cast<uint64_t>(grid.begin_of(number)) * grid.element_bytes();
    const uint64_t end = begin + grid.chunk_bytes();
    end_of_all = std::max(end_of_all, end);
    ranges[begin] = end;
    RC_ASSERT(begin / stretch == (end - 1) / stretch);
    RC_ASSERT(grid.at(begin).chunk == number);
    RC_ASSERT(grid.at(end - 1).chunk == number);
    RC_ASSERT(grid.at(end - 1).offset == grid.chunk_bytes() - 1);
    const Extents start = grid.start_of(number);
    for (size_t d = 0; d < chunk.size(); ++d) RC_ASSERT(start[d] == chunk[d] * grid.chunk()[d]);
  }
  uint64_t before = 0;
  for (const auto& [begin, end] : ranges) {
    RC_ASSERT(begin >= before);
    before = end;
  }
  // A range of raw space in which they fit contains them all.
  uint64_t room = stretch;
  while (!grid.fits(extents, room)) room *= 2;
  RC_ASSERT(end_of_all <= room);
}

// The places do not depend on how the grid has grown, because it has no extents.
TEST(FreeGrid, FitsNoMoreThanItsRoom) {
  const ChunkGrid grid({ChunkGrid::k_grows, ChunkGrid::k_grows}, {1, 16}, 4, 64);
  EXPECT_TRUE(grid.fits(Extents{1, 1}, 1 << 10));
  EXPECT_FALSE(grid.fits(Extents{1000, 1}, 1 << 10));
  EXPECT_FALSE(grid.fits(Extents{1, 1000}, 1 << 10));
  EXPECT_FALSE(grid.fits(Extents{INT64_MAX, INT64_MAX}, uint64_t{1} << 60));
  EXPECT_TRUE(grid.fits(Extents{0, 5}, 64));
}

TEST(FreeGrid, PaddingIsBeyondTheFixedDimensionsOnly) {
  const ChunkGrid grid({5, ChunkGrid::k_grows}, {3, 4}, 2, 64);
  const int64_t first = grid.number_of(Extents{0, 7}), last = grid.number_of(Extents{1, 7});
  EXPECT_TRUE(grid.padding_of(first).empty());
  EXPECT_EQ((std::vector<ByteRange>{{16, 24}}), grid.padding_of(last));
  // Of an array that ends inside the chunks, at 30 of 28 to 32.
  EXPECT_EQ((std::vector<ByteRange>{{4, 8}, {12, 24}}), grid.padding_of(last, Extents{5, 30}));
  EXPECT_EQ((std::vector<ByteRange>{{0, 24}}), grid.padding_of(last, Extents{5, 20}));
}

// All of the array, or the part at one index of its first dimension.
Region random_region(const Extents& extents) {
  Region region{extents};
  if (*rc::gen::inRange(0, 2) == 0) return region;
  region.first = *rc::gen::inRange<int64_t>(0, extents[0]);
  region.extents[0] = 1;
  return region;
}

RC_GTEST_PROP(FreeOrder, RunsAreThoseOfTheElements, ()) {
  const auto [grid, extents] = random_case();
  const Region region = random_region(extents);
  const ChunkOrder order(grid, region);
  const int64_t total = elements_in(region.extents);
  RC_ASSERT(order.total() == total);
  std::vector<Run> runs;
  for (int64_t at = 0; at < total;) {
    const auto length = *rc::gen::inRange<int64_t>(1, total - at + 1);
    runs.push_back({at, 1000 + at, length});
    at += length + *rc::gen::inRange<int64_t>(0, 3);
  }
  std::map<int64_t, int64_t> expected, found;  // position in the buffer, by element of raw space
  for (const Run& run : runs) {
    for (int64_t i = 0; i < run.length; ++i) {
      Extents index = index_in(region.extents, run.global + i);
      index[0] += region.first;
      expected[raw_of(grid, index) - grid.frame_begin(region.first)] = run.local + i;
    }
  }
  order.runs(RunList(runs)).for_each([&](const Run& run) {
    for (int64_t i = 0; i < run.length; ++i) found[run.global + i] = run.local + i;
  });
  RC_ASSERT(expected == found);
}

// The cover of all elements also has the padding of fixed dimensions, but no element that others may put.
RC_GTEST_PROP(FreeOrder, TheCoverOfTheRegion, ()) {
  const auto [grid, extents] = random_case();
  const Region region = random_region(extents);
  const ChunkOrder order(grid, region);
  const auto cover = order.cover({{0, order.total()}}, 4096);
  RC_ASSERT(cover.exact);
  RC_ASSERT(cover.intervals.front().begin == 0);
  const int64_t origin = grid.frame_begin(region.first);
  std::set<int64_t> covered, elements;
  int64_t before = -1;
  for (const Interval& interval : cover.intervals) {
    RC_ASSERT(interval.begin > before);
    RC_ASSERT(interval.end > interval.begin);
    before = interval.end;
    for (int64_t i = interval.begin; i < interval.end; ++i) covered.insert(i);
  }
  for (int64_t element = 0; element < order.total(); ++element) {
    Extents index = index_in(region.extents, element);
    index[0] += region.first;
    elements.insert(raw_of(grid, index) - origin);
  }
  for (const int64_t element : elements) RC_ASSERT(covered.contains(element));
  for (const int64_t element : covered) {
    if (elements.contains(element)) continue;
    const auto place = grid.at(static_cast<uint64_t>(element + origin) * grid.element_bytes());
    const auto padding = grid.padding_of(place.chunk);
    RC_ASSERT(std::ranges::any_of(padding, [&](const ByteRange& range) {
      return range.begin <= place.offset && place.offset < range.end;
    }));
  }
  const Interval part{order.total() / 3, order.total() - order.total() / 4};
  const Interval hull = order.hull(part);
  for (int64_t element = part.begin; element < part.end; ++element) {
    Extents index = index_in(region.extents, element);
    index[0] += region.first;
    RC_ASSERT(hull.begin <= raw_of(grid, index) - origin);
    RC_ASSERT(raw_of(grid, index) - origin < hull.end);
  }
}

}  // namespace
}  // namespace scorpio::decomp
