// How a budget becomes slots: everything fits, nothing overlaps.
#include "exchange/memory/staging_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "comm/shared_tasks.h"
#include "exchange/images/message.h"
#include "exchange/memory/control.h"

namespace scorpio::exchange {
namespace {

struct Area {
  size_t begin, end;
};

void expect_disjoint(std::vector<Area> pieces, size_t total) {
  std::sort(pieces.begin(), pieces.end(), [](const Area& a, const Area& b) { return a.begin < b.begin; });
  for (size_t i = 1; i < pieces.size(); ++i) ASSERT_LE(pieces[i - 1].end, pieces[i].begin);
  ASSERT_LE(pieces.back().end, total);
}

std::vector<Area> pieces_of(const StagingSizes& sizes, const StagingLayout& layout, int owners) {
  std::vector<Area> pieces;
  const auto add = [&](size_t at, uint64_t bytes) {
    if (bytes > 0) pieces.push_back({at, at + bytes});
  };
  for (int c = 0; c < sizes.channels; ++c) add(layout.control(c), 1);
  for (int o = 0; o < owners; ++o)
    add(layout.slot_counters(o), static_cast<uint64_t>(sizes.slots) * sizeof(SlotCounter));
  for (int o = 0; o < owners && sizes.reserved > 0; ++o) {
    const auto words = (static_cast<uint64_t>(sizes.slots) + 63) / 64;
    add(layout.common_line(o), sizeof(CommonLine) + words * sizeof(uint64_t));
    for (int c = 0; c < sizes.channels; ++c)
      add(layout.bindings(c, o), sizeof(uint64_t) + static_cast<uint64_t>(sizes.slots) * sizeof(SlotBinding));
  }
  if (sizes.tasks) add(layout.tasks(), comm::SharedTasks::bytes(owners));
  for (int o = 0; o <= owners; ++o) {
    const int slots = o < owners ? sizes.slots : sizes.out_slots;
    for (int s = 0; s < slots; ++s) {
      if (o < owners) add(layout.image(o, s), sizes.unit_bytes);
      if (o == owners) add(layout.image(o, s) - k_head_bytes, k_head_bytes + sizes.unit_bytes);
      if (o == owners) add(layout.image(o, s) + sizes.unit_bytes, sizes.bitmap_bytes + k_head_bytes);
      if (layout.has_bitmap(o, s))
        add(layout.bitmap(o, s), sizes.bitmap_bytes + Bitmap::index_bytes(sizes.unit_bytes));
    }
    if (o == owners) continue;
    for (int i = 0; i < sizes.receives; ++i) add(layout.message(o, i), sizes.message_bytes());
  }
  return pieces;
}

// What is put while a file is written waits for one slot of several.
TEST(StagingLayout, FilesThatAreWrittenInTheBackgroundHaveSeveralSlotsEach) {
  for (const uint64_t budget : {uint64_t{16} << 20, uint64_t{100} << 20, uint64_t{1} << 30}) {
    for (const int files : {1, 2, 6, 12}) {
      const auto sizes = divide_budget(budget, 4096, {.ranks_per_io_rank = 16, .files = files});
      ASSERT_TRUE(sizes.ok()) << sizes.status().text();
      EXPECT_GE(sizes->slots, 12 * files) << budget;
      EXPECT_GE(sizes->unit_bytes, uint64_t{64} << 10) << budget;
      EXPECT_LE(StagingLayout(*sizes, 16, 1).total_bytes(), budget + budget / 20) << budget;
      const auto usual = divide_budget(budget, 4096, {.ranks_per_io_rank = 16});
      EXPECT_LE(sizes->unit_bytes, usual->unit_bytes);
      if (files == 1) continue;
      EXPECT_GE(sizes->reserved, 3) << budget;
      EXPECT_GE(sizes->common(), 2 * files * sizes->reserved)
          << "most slots are for the files that need them";
      expect_disjoint(pieces_of(*sizes, StagingLayout(*sizes, 16, 2), 2),
                      StagingLayout(*sizes, 16, 2).total_bytes());
    }
  }
  EXPECT_EQ(divide_budget(uint64_t{1} << 20, 4096, {.files = 20})->unit_bytes, uint64_t{64} << 10);
}

// Between nodes, too: outgoing slots and message buffers take less than half of the budget, and most slots
// are for the files that need them.
TEST(StagingLayout, BetweenNodesMostOfTheBudgetIsSlotsOfFilesThatAreWrittenInTheBackground) {
  for (const uint64_t budget :
       {uint64_t{4} << 20, uint64_t{16} << 20, uint64_t{100} << 20, uint64_t{1} << 30}) {
    for (const int files : {1, 2, 3, 6, 12}) {
      if (budget / static_cast<uint64_t>(files) < uint64_t{1} << 20) continue;  // files have less in common
      SCOPED_TRACE(std::to_string(budget) + " " + std::to_string(files));
      const auto sizes =
          divide_budget(budget, 4096, {.several_nodes = true, .ranks_per_io_rank = 8, .files = files});
      ASSERT_TRUE(sizes.ok()) << sizes.status().text();
      EXPECT_GE(static_cast<uint64_t>(sizes->slots) * sizes->slot_bytes(), budget / 2);
      EXPECT_LE(StagingLayout(*sizes, 8, 1).total_bytes(), budget + budget / 20);
      EXPECT_GE(sizes->out_slots, 2 * files + 1) << "two for each file";
      EXPECT_GE(sizes->receives, files + 1);
      expect_disjoint(pieces_of(*sizes, StagingLayout(*sizes, 16, 2), 2),
                      StagingLayout(*sizes, 16, 2).total_bytes());
      if (files == 1) continue;
      EXPECT_EQ(sizes->channels, files + 1);
      EXPECT_GE(sizes->common(), files * sizes->reserved);
    }
  }
  const auto small = divide_budget(uint64_t{256} << 10, 4096, {.several_nodes = true, .files = 20});
  ASSERT_TRUE(small.ok());
  EXPECT_EQ(small->reserved, 0) << "too little for a reserve of each file";
}

// With a small budget an even share is of few slots: what one file puts would wait while most slots are free.
TEST(StagingLayout, AFileUsesSeveralTimesItsShareOfASmallBudget) {
  constexpr int k_files = 6;
  for (const uint64_t budget : {uint64_t{2500} << 10, uint64_t{3} << 20, uint64_t{4} << 20}) {
    const auto sizes = divide_budget(budget, 4096, {.ranks_per_io_rank = 8, .files = k_files});
    ASSERT_TRUE(sizes.ok()) << sizes.status().text();
    EXPECT_GE(sizes->reserved + sizes->common(), 2 * ((sizes->slots - 1) / k_files)) << budget;
    expect_disjoint(pieces_of(*sizes, StagingLayout(*sizes, 16, 2), 2),
                    StagingLayout(*sizes, 16, 2).total_bytes());
  }
}

TEST(StagingLayout, FitsItsBudgetAndNothingOverlaps) {
  for (uint64_t budget = uint64_t{64} << 10; budget <= uint64_t{1} << 30; budget = budget * 3 / 2) {
    for (const uint64_t block : {uint64_t{512}, uint64_t{4096}, uint64_t{1} << 20, uint64_t{16} << 20}) {
      for (const bool several : {false, true}) {
        SCOPED_TRACE(std::to_string(budget) + " " + std::to_string(block) + (several ? " several" : " one"));
        for (const int ranks : {1, 4, 16}) {
          const auto divided = divide_budget(budget, block, {several, ranks});
          ASSERT_TRUE(divided.ok()) << divided.status().text();
          ASSERT_LE(StagingLayout(*divided, ranks, 1).total_bytes(), budget + budget / 20) << ranks;
          ASSERT_GE(divided->slots, 3) << "one shared, two for a file of its own";
        }
        const auto divided = divide_budget(budget, block, {several, 16});
        const StagingSizes& sizes = *divided;
        ASSERT_TRUE(std::has_single_bit(sizes.unit_bytes));
        ASSERT_EQ(sizes.unit_bytes, sizes.bitmap_bytes * 8);
        ASSERT_GE(sizes.channels, 2);
        ASSERT_EQ(several, sizes.out_slots >= 2);
        ASSERT_EQ(several, sizes.receives >= 2);
        const StagingLayout layout(sizes, 16, 1);
        if (sizes.slots < 200) expect_disjoint(pieces_of(sizes, layout, 1), layout.total_bytes());
        expect_disjoint(pieces_of(sizes, StagingLayout(sizes, 5, 3), 3),
                        StagingLayout(sizes, 5, 3).total_bytes());
      }
    }
  }
}

// A buffer of `bytes` and 5 % on top: all of it can be written with one call, and one slot is kept for
// others.
TEST(StagingLayout, OneFileGetsItsWholeBuffer) {
  for (uint64_t bytes = uint64_t{1} << 20; bytes <= uint64_t{1} << 30; bytes *= 2) {
    const auto sizes = divide_budget(bytes, uint64_t{1} << 20, {false, 16, true});
    ASSERT_TRUE(sizes.ok());
    EXPECT_GE(static_cast<uint64_t>(sizes->slots - 1) * sizes->unit_bytes, bytes) << bytes;
    const StagingLayout layout(*sizes, 16, 1);
    EXPECT_LE(layout.total_bytes(), bytes + bytes / 20) << bytes;
    if (sizes->slots < 200) expect_disjoint(pieces_of(*sizes, layout, 1), layout.total_bytes());
    EXPECT_TRUE(layout.has_bitmap(0, sizes->slots - 1));
    EXPECT_FALSE(layout.has_bitmap(0, 0));
  }
}

TEST(StagingLayout, TooSmallABudgetIsAnError) {
  const auto divided = divide_budget((64u << 10) - 1, 4096, {});
  EXPECT_EQ(Code::argument, divided.status().code());
  EXPECT_NE(std::string::npos, divided.status().text().find("65535"));
}

// The control lines of many ranks leave no room for slots in a small budget; what the text asks for does.
TEST(StagingLayout, ABudgetTooSmallForItsRanksIsAnError) {
  int refused = 0;
  for (const NodeShape& kind : {NodeShape{}, NodeShape{.several_nodes = true}, NodeShape{.one_file = true}}) {
    for (const uint64_t budget : {uint64_t{64} << 10, uint64_t{256} << 10, uint64_t{1} << 20}) {
      for (int ranks = 1; ranks <= 10000; ranks = ranks * 3 / 2 + 1) {
        SCOPED_TRACE(std::to_string(budget) + " for " + std::to_string(ranks));
        NodeShape shape = kind;
        shape.ranks_per_io_rank = ranks;
        auto divided = divide_budget(budget, 4096, shape);
        uint64_t given = budget;
        if (!divided.ok()) {
          ++refused;
          EXPECT_EQ(Code::argument, divided.status().code());
          const std::string text = divided.status().text();
          EXPECT_NE(std::string::npos, text.find(std::to_string(ranks) + " ranks")) << text;
          given = std::stoull(text.substr(text.find("give ") + 5));
          divided = divide_budget(given, 4096, shape);
        }
        ASSERT_TRUE(divided.ok()) << divided.status().text();
        EXPECT_GE(divided->slots, 3);
        EXPECT_LE(StagingLayout(*divided, ranks, 1).total_bytes(), given + given / 20);
      }
    }
  }
  EXPECT_GT(refused, 0);
}

// The control lines of 32 ranks leave memory for two slots with units of 4 KiB, and for several with 2 KiB.
TEST(StagingLayout, UnitsAreSmallerThanTheBlockWhereItLeavesTooFewSlots) {
  constexpr uint64_t k_budget = 64u << 10, k_block = 4096;
  EXPECT_EQ(k_block, divide_budget(k_budget, k_block, {true, 24})->unit_bytes);
  for (const int ranks : {32, 48, 64}) {
    const auto sizes = divide_budget(k_budget, k_block, {true, ranks});
    ASSERT_TRUE(sizes.ok()) << sizes.status().text();
    EXPECT_EQ(k_block / 2, sizes->unit_bytes);
    EXPECT_GE(sizes->slots, 3);
    EXPECT_GE(sizes->out_slots, 3);
    const StagingLayout layout(*sizes, ranks, 1);
    EXPECT_LE(layout.total_bytes(), k_budget + k_budget / 20);
    expect_disjoint(pieces_of(*sizes, layout, 1), layout.total_bytes());
  }
}

TEST(StagingLayout, AUnitHoldsTheBlockWhereTheBudgetAllows) {
  EXPECT_GE(divide_budget(64u << 20, 1u << 20, {true, 1})->unit_bytes, uint64_t{1} << 20);
  EXPECT_EQ(k_largest_unit, divide_budget(64u << 20, 1u << 20, {})->unit_bytes);
}

}  // namespace
}  // namespace scorpio::exchange
