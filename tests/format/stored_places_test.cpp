// The places of many chunks, and what is told of them, against plain containers.
#include "format/stored_places.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

#include "format/index_news.h"

namespace scorpio::format {
namespace {

FoundChunk place(uint64_t address) { return {address, 10, 0}; }

// More chunks than a block has, at first in ascending or descending order or in one that skips.
RC_GTEST_PROP(StoredPlaces, AreFoundInWhateverOrderTheyCame, ()) {
  StoredPlaces places;
  std::map<uint64_t, FoundChunk> oracle;
  const auto store = [&](uint64_t begin, uint64_t address) {
    const auto old = oracle.contains(begin) ? oracle[begin] : FoundChunk();
    RC_ASSERT(places.store(begin, place(address)) == old);
    oracle[begin] = place(address);
  };
  const auto step = *rc::gen::element<uint64_t>(1, 7, 13, 1008, 1007);  // modulo 1009
  const auto chunks = *rc::gen::inRange<uint64_t>(0, 1000);
  for (uint64_t i = 0; i < chunks; ++i) store((i * step) % 1009, i + 1);
  for (const uint64_t begin : *rc::gen::container<std::vector<uint64_t>>(rc::gen::inRange<uint64_t>(0, 1200)))
    store(begin, 5000 + begin);
  for (uint64_t begin = 0; begin < 1300; ++begin) {
    const StoredChunk* found = places.find(begin);
    RC_ASSERT((found != nullptr) == oracle.contains(begin));
    if (found != nullptr) RC_ASSERT(found->begin == begin && found->place == oracle[begin]);
  }
}

using Entries = std::vector<storage::IndexEntry>;

TEST(IndexNews, NewChunksAreToldWithTheirPlaceOfNow) {
  IndexNews news;
  EXPECT_TRUE(news.empty());
  news.add(0, {.begin = 64, .address = 500, .bytes = 10}, true);
  news.add(0, {.begin = 32, .address = 510, .bytes = 10}, true);
  EXPECT_FALSE(news.empty());
  const auto place_of = [](uint64_t begin) { return FoundChunk{begin == 64 ? 500U : 510U, 10, 1}; };
  EXPECT_EQ((Entries{{.begin = 64, .address = 500, .bytes = 10, .skipped = 1},
                     {.begin = 32, .address = 510, .bytes = 10, .skipped = 1}}),
            news.take(place_of));
  EXPECT_TRUE(news.empty());
  EXPECT_EQ(Entries{}, news.take(place_of));
}

TEST(IndexNews, AChunkThatMovedIsToldWithBothPlaces) {
  IndexNews news;
  const Entries later{
      {.begin = 64, .address = 700, .bytes = 12, .skipped = 2, .old_address = 500, .old_bytes = 10},
      {.begin = 64, .address = 800, .bytes = 9, .old_address = 700, .old_bytes = 12}};
  news.add(0, {.begin = 64, .address = 500, .bytes = 10}, true);
  for (const storage::IndexEntry& entry : later) news.add(0, entry, true);
  const Entries all = news.take([](uint64_t) { return FoundChunk{800, 9, 0}; });
  ASSERT_EQ(3U, all.size());
  EXPECT_EQ((storage::IndexEntry{.begin = 64, .address = 500, .bytes = 10}), all[0]);
  EXPECT_EQ(later, Entries(all.begin() + 1, all.end()));
}

TEST(IndexNews, LengthsOfVariablesAreToldOnceThoseOfChunksAlways) {
  IndexNews news;
  const auto told = [&](bool repeats) {
    for (const uint64_t begin : {0U, 32U, 64U})
      news.add(3, {.begin = begin, .address = 500, .bytes = 10, .frames = 7}, repeats);
    news.add(4, {.begin = 96, .address = 500, .bytes = 10, .frames = 7}, repeats);
    std::map<uint64_t, uint64_t> frames;
    for (const storage::IndexEntry& entry : news.take([](uint64_t) { return place(500); }))
      frames[entry.begin] = entry.frames;
    return frames;
  };
  EXPECT_EQ((std::map<uint64_t, uint64_t>{{0, 7}, {32, 0}, {64, 0}, {96, 7}}), told(true));
  EXPECT_EQ((std::map<uint64_t, uint64_t>{{0, 7}, {32, 0}, {64, 0}, {96, 7}}), told(true)) << "each time";
  EXPECT_EQ((std::map<uint64_t, uint64_t>{{0, 7}, {32, 7}, {64, 7}, {96, 7}}), told(false));
}

}  // namespace
}  // namespace scorpio::format
