// The places of chunks in raw space, and the variable to which a byte of it belongs.
#include "format/chunk_windows.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "format/chunk_places.h"

namespace scorpio::format {
namespace {

constexpr uint64_t k_unit = 1 << 16;

// A chunk is a record of so many elements of 4 bytes.
decomp::ChunkGrid records_of(int64_t elements, uint64_t unit_bytes = k_unit) {
  return {{decomp::ChunkGrid::k_grows, elements}, {1, elements}, 4, unit_bytes};
}

struct Placed {
  uint64_t begin;
  ChunkForm form;
};

class KnownPlaces {
 public:
  Placed add(decomp::ChunkGrid grid) {
    Result<ChunkPlaces::Cell> cell = places_.place_new(std::move(grid));
    EXPECT_TRUE(cell.ok());
    ChunkForm form{.grid = cell->grid,
                   .pipeline = {},
                   .fill = std::vector<std::byte>(4),
                   .room_bytes = cell->window.size(),
                   .cell_begin = cell->begin};
    return {cell->window.begin + cell->begin, std::move(form)};
  }

 private:
  ChunkPlaces places_;
};

uint64_t byte_of(const Placed& placed, int64_t record) {
  return placed.begin + static_cast<uint64_t>(placed.form.grid.frame_begin(record)) * 4;
}

TEST(ChunkPlaces, ARecordOfManySmallVariablesIsInFewUnits) {
  KnownPlaces places;
  std::set<uint64_t> units, all;
  for (int i = 0; i < 100; ++i) {
    const Placed placed = places.add(records_of(32));
    for (int64_t record = 0; record < 20; ++record) EXPECT_TRUE(all.insert(byte_of(placed, record)).second);
    units.insert(byte_of(placed, 7) / k_unit);
    EXPECT_EQ(byte_of(placed, 7) / k_unit, (byte_of(placed, 7) + 127) / k_unit) << "a chunk has one owner";
  }
  EXPECT_EQ(2U, units.size());
}

// Variables of all kinds, of which the last ones get other places, again and again, as when their chunks are
// defined after them.
TEST(ChunkPlaces, WhatIsUndoneLeavesNoTrace) {
  const auto place = [](ChunkPlaces& places, int i) {
    constexpr int64_t k_sizes[] = {32, 4096, 5, 700, 64, 1, 20000, 48};
    Result<ChunkPlaces::Cell> cell = places.place_new(records_of(k_sizes[static_cast<size_t>(i) % 8]));
    EXPECT_TRUE(cell.ok());
    return std::pair(cell->window.begin, cell->begin);
  };
  ChunkPlaces places, straight;
  std::vector<size_t> before;
  for (int i = 0; i < 200; ++i) {
    const auto wanted = place(straight, i);
    before.push_back(places.changes());
    for (int k = 0; k < 12; ++k) (void)place(places, i + k * k);
    places.undo(before.back());
    EXPECT_EQ(before.back(), places.changes());
    ASSERT_EQ(wanted, place(places, i)) << i;
  }
  places.undo(before[90]);
  straight.undo(before[90]);
  EXPECT_EQ(place(straight, 3), place(places, 3));
  places.keep();
  EXPECT_EQ(0u, places.changes());
  EXPECT_EQ(place(straight, 4), place(places, 4)) << "the places are kept";
}

TEST(ChunkPlaces, LargeRecordsShareNoUnits) {
  KnownPlaces places;
  const Placed one = places.add(records_of(5000)), other = places.add(records_of(5000));
  EXPECT_EQ(0, one.form.grid.cell_layers());
  EXPECT_NE(byte_of(one, 0) / k_unit, byte_of(other, 0) / k_unit);
}

// As many as fit, if a unit is at least sixteen times as long.
TEST(ChunkPlaces, FourRecordsOfAFewKilobytesShareASmallUnit) {
  for (const uint64_t unit_bytes : {4 * k_unit, 16 * k_unit}) {
    ChunkPlaces places;
    std::set<uint64_t> units;
    for (int i = 0; i < 8; ++i) {
      Result<ChunkPlaces::Cell> cell = places.place_new(records_of(13824, unit_bytes));
      ASSERT_TRUE(cell.ok());
      units.insert((cell->window.begin + cell->begin) / unit_bytes);
    }
    EXPECT_EQ(unit_bytes == 4 * k_unit ? 2u : 1u, units.size()) << unit_bytes;
  }
}

// Variables whose units hold other records are not in one unit.
TEST(ChunkPlaces, VariablesOfOneUnitHaveTheSameRecordsThere) {
  KnownPlaces places;
  const Placed one = places.add(records_of(32)), other = places.add(records_of(128));
  EXPECT_NE(byte_of(one, 0) / k_unit, byte_of(other, 0) / k_unit);
}

TEST(ChunkWindows, EachByteHasItsVariable) {
  KnownPlaces places;
  ChunkWindows<int> windows;
  std::vector<Placed> all;
  for (const int64_t elements : {32, 30, 4096, 32, 1000, 29}) all.push_back(places.add(records_of(elements)));
  for (int i = 0; i < 6; ++i)
    windows.add(all[static_cast<size_t>(i)].begin, all[static_cast<size_t>(i)].form, i);
  for (int i = 0; i < 6; ++i) {
    const Placed& placed = all[static_cast<size_t>(i)];
    for (int64_t record = 0; record < 100; ++record) {
      const uint64_t first = byte_of(placed, record), last = first + placed.form.grid.chunk_bytes() - 1;
      ASSERT_EQ(i, *windows.find(first)) << record;
      ASSERT_EQ(i, *windows.find(last)) << record;
      for (int k = 0; k < 6; ++k) {
        const Placed& other = all[static_cast<size_t>(k)];
        ASSERT_EQ(k == i, other.form.holds(other.begin, first)) << record;
      }
    }
  }
}

TEST(ChunkWindows, AGapEndsWhereTheNextCellOrUnitBegins) {
  KnownPlaces places;
  ChunkWindows<int> windows;
  const Placed one = places.add(records_of(30)), other = places.add(records_of(29));
  windows.add(one.begin, one.form, 0);
  windows.add(other.begin, other.form, 1);
  const auto bytes = [](const Placed& placed) {
    return static_cast<uint64_t>(placed.form.grid.cell_layers()) * placed.form.grid.layer_bytes();
  };
  ASSERT_EQ(one.begin + bytes(one), other.begin) << "no gap";
  const uint64_t behind = other.begin + bytes(other);
  EXPECT_FALSE(other.form.holds(other.begin, behind));
  EXPECT_EQ(one.begin + k_unit, windows.end_of_gap(behind));
  EXPECT_EQ(one.begin + 6 * k_unit, windows.end_of_gap(behind + 5 * k_unit));
  EXPECT_EQ(one.begin, windows.end_of_gap(one.begin - 12)) << "in front of all windows";
}

}  // namespace
}  // namespace scorpio::format
