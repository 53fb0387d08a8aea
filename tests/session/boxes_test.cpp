// Boxes that are requested again share their runs as long as these are in use; other boxes do not. Boxes of
// records.
#include "session/elements/boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace scorpio::session {
namespace {

// A box with its own numbers.
struct Asked {
  std::vector<int64_t> dims{4, 6}, start{1, 2}, stride{1, 2}, count{2, 2}, map{};
  Box box() const { return {start, stride, count, map}; }
};

RecentRuns::Listed runs_of(RecentRuns& recent, const Asked& asked) {
  auto listed = recent.of(asked.dims, asked.box());
  EXPECT_TRUE(listed.ok());
  return std::move(listed).value();
}

TEST(RecentRuns, TheSameBoxIsListedOnce) {
  RecentRuns recent;
  const RecentRuns::Listed first = runs_of(recent, {}), again = runs_of(recent, {});
  EXPECT_EQ(first.runs, again.runs);
  EXPECT_EQ(4, again.elements);
  EXPECT_EQ((std::vector<decomp::Run>{{8, 0, 1}, {10, 1, 1}, {14, 2, 1}, {16, 3, 1}}), again.runs->expand());
}

TEST(RecentRuns, AnyOtherNumberIsAnotherBox) {
  RecentRuns recent;
  const RecentRuns::Listed first = runs_of(recent, {});
  std::vector<Asked> others(7);
  others[0].dims = {5, 6};
  others[1].start = {0, 2};
  others[2].stride = {1, 3};
  others[3].count = {2, 1};
  others[4].map = {2, 1};
  others[5].map = {1, 2};
  others[6].stride = {};
  std::vector<RecentRuns::Listed> held;
  for (const Asked& other : others) {
    held.push_back(runs_of(recent, other));
    for (size_t i = 0; i + 1 < held.size(); ++i) EXPECT_NE(held[i].runs, held.back().runs);
    EXPECT_NE(first.runs, held.back().runs);
  }
  EXPECT_EQ((std::vector<decomp::Run>{{8, 0, 1}, {10, 2, 1}, {14, 1, 1}, {16, 3, 1}}),
            held[5].runs->expand());
}

TEST(RecentRuns, WhatNobodyHoldsIsGone) {
  RecentRuns recent;
  const std::weak_ptr<const decomp::RunList> first = runs_of(recent, {}).runs;
  EXPECT_TRUE(first.expired());
  EXPECT_EQ(4, runs_of(recent, {}).runs->elements());
}

TEST(RecentRuns, MoreBoxesThanItKnowsAreListedAnew) {
  RecentRuns recent;
  std::vector<RecentRuns::Listed> held;
  for (int round = 0; round < 2; ++round) {
    for (int64_t i = 0; i < 20; ++i) {
      Asked asked;
      asked.dims[0] = 4 + i;
      asked.start[0] = i;
      held.push_back(runs_of(recent, asked));
      EXPECT_EQ((i + 1) * 6 - 6 + 2, held.back().runs->hull().begin);
    }
  }
}

TEST(RecentRuns, ABoxThatLeavesTheArrayIsRefusedEachTime) {
  RecentRuns recent;
  Asked asked;
  asked.count = {2, 3};
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Code::shape, recent.of(asked.dims, asked.box()).status().code());
}

// ---- boxes of records ----

model::Variable with_records(int64_t records) {
  model::Variable variable;
  variable.path = "/r";
  variable.type = model::native(model::Kind::float64, 8);
  variable.dims = {records, 6};
  variable.records = true;
  return variable;
}

// Behind them in the file lies so much else.
format::Placement placed(const model::Variable& variable, uint64_t others_bytes) {
  return format::Placement::at(100, variable.slab_bytes() + others_bytes);
}

Result<Pieces> pieces_of(const Asked& asked, uint64_t others_bytes, bool growing) {
  const model::Variable variable = with_records(4);
  RecentRuns recent;
  const Box box = asked.box();
  return pieces_of(variable, placed(variable, others_bytes), {&box, 1}, growing, recent);
}

// Byte of the file and place in the buffer of each element.
std::vector<std::pair<uint64_t, int64_t>> places_of(const Asked& asked, uint64_t others_bytes) {
  const model::Variable variable = with_records(4);
  const Pieces all = pieces_of(asked, others_bytes, false).value();
  const format::Placement placement = placed(variable, others_bytes);
  std::vector<std::pair<uint64_t, int64_t>> places;
  for (const Piece& piece : all.pieces) {
    piece.runs->for_each([&](const decomp::Run& run) {
      for (int64_t i = 0; i < run.length; ++i)
        places.emplace_back(placement.address_of(piece.record) + 8 * static_cast<uint64_t>(run.global + i),
                            piece.place + run.local + i);
    });
  }
  std::sort(places.begin(), places.end());
  return places;
}

// With nothing between them they are one array, and else one piece each: the same elements at the same
// places.
TEST(RecordBoxes, RecordsThatAdjoinAreOneArray) {
  const Asked asked{.start = {1, 2}, .stride = {2, 3}, .count = {2, 2}};
  EXPECT_EQ(1u, pieces_of(asked, 0, false).value().pieces.size());
  EXPECT_EQ(2u, pieces_of(asked, 16, false).value().pieces.size());
  EXPECT_EQ((std::vector<std::pair<uint64_t, int64_t>>{
                {100 + 8 * 8, 0}, {100 + 8 * 11, 1}, {100 + 8 * 20, 2}, {100 + 8 * 23, 3}}),
            places_of(asked, 0));
  const uint64_t more = 16;
  EXPECT_EQ((std::vector<std::pair<uint64_t, int64_t>>{{100 + 8 * 8 + more, 0},
                                                       {100 + 8 * 11 + more, 1},
                                                       {100 + 8 * 20 + 3 * more, 2},
                                                       {100 + 8 * 23 + 3 * more, 3}}),
            places_of(asked, more));
  const Pieces growing = pieces_of({.start = {3, 0}, .stride = {}, .count = {4, 6}}, 0, true).value();
  EXPECT_EQ(7, growing.records);
  EXPECT_EQ(24, growing.elements);
}

TEST(RecordBoxes, WithoutElementsAppendNoRecords) {
  for (const uint64_t others_bytes : {0, 16}) {
    const Pieces none =
        pieces_of({.start = {3, 0}, .stride = {}, .count = {4, 0}}, others_bytes, true).value();
    EXPECT_EQ(0, none.records);
    EXPECT_EQ(0, none.elements);
  }
}

TEST(RecordBoxes, ThatCannotBeAreRefused) {
  constexpr int64_t k_huge = int64_t{1} << 61;
  const std::vector<std::pair<Asked, const char*>> wrong{
      {{.start = {-1, 0}, .stride = {1, 1}, .count = {1, 6}}, "start -1"},
      {{.start = {0, 0}, .stride = {0, 1}, .count = {1, 6}}, "stride 0"},
      {{.start = {0, 0}, .stride = {1, 1}, .count = {-2, 6}}, "count -2"},
      {{.start = {2 * k_huge, 0}, .stride = {1, 1}, .count = {1, 6}},
       "leave the 4611686018427387904 records"},
      {{.start = {k_huge, 0}, .stride = {k_huge, 1}, .count = {3, 6}}, "records that a variable can have"},
      {{.start = {0, 0}, .stride = {1, 1}, .count = {1, 7}}, ""}};
  for (const uint64_t others_bytes : {0, 16}) {
    for (const auto& [asked, words] : wrong) {
      const Status refused = pieces_of(asked, others_bytes, true).status();
      EXPECT_EQ(Code::shape, refused.code()) << words;
      EXPECT_NE(std::string::npos, refused.text().find(words)) << refused.text();
    }
    const Asked behind{.start = {3, 0}, .stride = {1, 1}, .count = {2, 6}};
    EXPECT_EQ(Code::shape, pieces_of(behind, others_bytes, false).status().code());
    EXPECT_TRUE(pieces_of(behind, others_bytes, true).ok());
  }
}

}  // namespace
}  // namespace scorpio::session
