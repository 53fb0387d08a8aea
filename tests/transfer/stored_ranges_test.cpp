// Where a file's variables lie, for schemas whose layout is given.
#include "transfer/stored_ranges.h"

#include <gtest/gtest.h>

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
    const auto slabs = stored_slabs(schema_, placements_, hull);
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
  EXPECT_FALSE(stored_slabs(schema_, placements_, {0, 1000000}).has_value());
  EXPECT_TRUE(stored_slabs(schema_, placements_, {900000, 901000}).has_value());
}

}  // namespace
}  // namespace scorpio::transfer
