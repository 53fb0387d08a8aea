// Where a file's variables lie, for schemas whose layout is given.
#include "transfer/stored_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/schema.h"
#include "transfer/slab_flow.h"

namespace scorpio::transfer {
namespace {

using format::Placement;
using model::Kind;
using Ranges = std::vector<ByteRange>;

class StoredRanges : public testing::Test {
 protected:
  void add(const char* name, Kind kind, std::vector<int64_t> dims, uint64_t address, uint64_t stride = 0) {
    model::Variable variable;
    variable.path = name;
    variable.type = model::native(kind);
    variable.dims = std::move(dims);
    variable.records = stride > 0;
    const auto index = schema_.add_variable(std::move(variable));
    ASSERT_TRUE(index.ok());
    placements_.set(*index, Placement::at(address, stride));
  }
  void expect(const Ranges& expected, ByteRange hull) const {
    const auto slabs = stored_slabs(schema_.variables(), placements_, hull);
    ASSERT_TRUE(slabs.has_value());
    EXPECT_TRUE(expected == stored_ranges(*slabs, hull));
  }
  model::Schema schema_;
  format::Placements placements_;
};

TEST_F(StoredRanges, NeighboursAreJoinedAndPaddingIsLeftOut) {
  add("/text", Kind::int8, {19}, 100);
  add("/a", Kind::float32, {5}, 120);
  add("/b", Kind::float64, {2}, 140);
  expect({{100, 119}, {120, 156}}, {0, 1000});
  expect({{110, 119}, {120, 144}}, {110, 144});
  expect({{121, 122}}, {121, 122});
  expect({}, {119, 120});
  expect({}, {50, 50});
  expect({}, {~uint64_t{0}, 0});
}

TEST_F(StoredRanges, RecordsOfVariablesLieInTurns) {
  add("/text", Kind::int8, {0, 3}, 10, 20);
  add("/a", Kind::float64, {0, 2}, 14, 20);
  expect({{10, 13}, {14, 33}, {34, 53}, {54, 57}}, {10, 57});
  expect({{1000014, 1000030}}, {1000013, 1000030});
}

TEST_F(StoredRanges, WhatHasNoBytesIsNotThere) {
  add("/none", Kind::float64, {0}, 8);
  add("/no_records", Kind::float64, {0, 0}, 8, 24);
  add("/library", Kind::float64, {4}, 8);
  placements_.set(2, Placement::by_library("chunked"));
  add("/unplaced", Kind::float64, {4}, 8);
  placements_.set(3, {});
  add("/gone", Kind::float64, {4}, 8);
  ASSERT_TRUE(schema_.remove("/gone").ok());
  expect({}, {0, 100});
}

TEST_F(StoredRanges, TooManyAreNotLookedAt) {
  add("/a", Kind::int8, {0, 1}, 0, 2);
  EXPECT_FALSE(stored_slabs(schema_.variables(), placements_, {0, 1000000}).has_value());
  EXPECT_TRUE(stored_slabs(schema_.variables(), placements_, {900000, 901000}).has_value());
}

// Variables at addresses in any order, which may overlap, with records of several strides; they are placed,
// moved and removed between the questions. Each answer is compared with a look at all of them.
class DrawnRanges : public StoredRanges {
 protected:
  uint64_t pick(uint64_t n) { return random_() % n; }
  void add_one() {
    const bool records = pick(3) == 0;
    const auto columns = static_cast<int64_t>(1 + pick(9));
    const uint64_t stride = records ? 30 * (1 + pick(2)) : 0;
    const uint64_t address = pick(2) == 0 ? highest_ + pick(5) : pick(2000);
    highest_ = std::max(highest_, address + 9);
    const auto name = "/v" + std::to_string(schema_.variables().count());
    add(name.c_str(), Kind::int8, records ? std::vector<int64_t>{0, columns} : std::vector<int64_t>{columns},
        address, stride);
  }
  void change_one() {
    const auto index = static_cast<int>(pick(static_cast<uint64_t>(schema_.variables().count())));
    if (!schema_.variables().alive(index)) return;
    const uint64_t stride = placements_.of(index).record_stride();
    const uint64_t kind = pick(3);
    if (kind == 0) {
      ASSERT_TRUE(schema_.remove(schema_.variables()[index].path).ok());
    } else if (kind == 1) {
      placements_.set(index, Placement::at(pick(2000), stride));
    } else {
      placements_.set(index, stride > 0 ? Placement() : Placement::by_library("chunked"));
    }
  }
  std::vector<std::pair<uint64_t, uint64_t>> all_in(ByteRange hull) const {
    std::vector<std::pair<uint64_t, uint64_t>> slabs;
    for (int i = 0; i < schema_.variables().count(); ++i) {
      const model::Variable& variable = schema_.variables()[i];
      if (!schema_.variables().alive(i) || !placements_.of(i).has_address()) continue;
      for (int64_t record = 0; record < (variable.records ? 200 : 1); ++record) {
        const ByteRange slab = Slab::of(variable, placements_.of(i), record).whole;
        if (slab.begin < hull.end && slab.end > hull.begin) slabs.emplace_back(slab.begin, slab.end);
      }
    }
    std::sort(slabs.begin(), slabs.end());
    return slabs;
  }
  void compare(ByteRange hull) const {
    const auto found = stored_slabs(schema_.variables(), placements_, hull);
    ASSERT_TRUE(found.has_value());
    std::vector<std::pair<uint64_t, uint64_t>> slabs;
    for (const ByteRange& slab : *found) slabs.emplace_back(slab.begin, slab.end);
    EXPECT_TRUE(std::is_sorted(slabs.begin(), slabs.end(),
                               [](const auto& a, const auto& b) { return a.first < b.first; }));
    std::sort(slabs.begin(), slabs.end());
    EXPECT_EQ(all_in(hull), slabs) << hull.begin << " to " << hull.end;
  }

  std::mt19937_64 random_{20240711};
  uint64_t highest_ = 0;
};

TEST_F(DrawnRanges, AreThoseOfALookAtAllVariables) {
  for (int step = 0; step < 400 && !HasFailure(); ++step) {
    pick(4) > 0 || schema_.variables().count() == 0 ? add_one() : change_one();
    if (step % 50 == 0) {  // a copy answers by itself
      const format::Placements copy = placements_;
      placements_ = copy;
    }
    for (int i = 0; i < 4; ++i) {
      const uint64_t begin = pick(2500);
      compare({begin, begin + 1 + pick(i == 0 ? 400 : 20)});
    }
  }
}

TEST_F(StoredRanges, VariablesByTheLibraryAndInChunksAreCounted) {
  EXPECT_FALSE(placements_.any_chunks());
  add("/a", Kind::int8, {3}, 0);
  add("/b", Kind::int8, {3}, 8);
  placements_.set(1, Placement::by_library("chunked"));
  placements_.set(0, Placement::by_library("chunked"));
  EXPECT_EQ((std::set<int>{0, 1}), placements_.by_library());
  placements_.set(1, Placement::at(8));
  EXPECT_EQ(std::set<int>{0}, placements_.by_library());
  const format::Placements copy = placements_;
  EXPECT_TRUE(copy.any_by_library());
}

}  // namespace
}  // namespace scorpio::transfer
