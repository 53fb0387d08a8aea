// The patterns: the parts of all ranks hold each element of each array once, in memory of their own; steps
// hold the same arrays on all ranks; sizes are those that the benchmarks' authors publish.
#include "common/pattern.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/pattern_memory.h"

namespace {

using bench::make_pattern;
using bench::Part;
using bench::Pattern;
using bench::PatternSizes;

struct Case {
  PatternSizes sizes;
  std::vector<int> ranks;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> k_cases = {
      {{"w2", "fixed", 3, 2, 0}, {1, 3, 4, 8, 16}}, {{"w2", "record", 3, 2, 0}, {1, 3, 4, 8, 16}},
      {{"w2v", "", 5, 2, 0}, {1, 4, 7, 16, 64}},    {{"w3", "", 8, 0, 2}, {1, 4, 9, 16, 64}},
      {{"w4", "checkpoint", 2, 3, 0}, {1, 4, 5}},   {{"w4", "centred", 1, 0, 0}, {1, 4, 5}},
      {{"w4", "corner", 1, 2, 0}, {1, 4}},          {{"w7", "5x7", 0, 0, 2}, {1, 4, 6, 64}},
      {{"w8", "contiguous", 100, 0, 0}, {1, 5}},    {{"w8", "strided", 10, 0, 3}, {1, 5}},
      {{"w8", "hard", 47, 0, 4}, {1, 5}},
  };
  return k_cases;
}

// How often each element of each array is held: by (record, index in the record).
class Census {
 public:
  explicit Census(const Pattern& pattern) : held_(pattern.arrays.size()) {}

  void add(const Pattern& pattern) {
    for (const auto& parts : pattern.steps) {
      for (const Part& part : parts) {
        bench::for_each_row(pattern, part, [&](int64_t, int64_t, int64_t index, int64_t record, int64_t row) {
          for (int64_t i = 0; i < row; ++i) ++held_[part.array][{record, index + i}];
        });
      }
    }
  }

  // Elements that are held once, in bytes; elements that are held more often.
  std::pair<int64_t, int64_t> once_and_more(const Pattern& pattern) const {
    std::pair<int64_t, int64_t> found{0, 0};
    for (size_t a = 0; a < held_.size(); ++a) {
      for (const auto& [place, times] : held_[a]) {
        found.first += times == 1 ? static_cast<int64_t>(bench::bytes_of(pattern.arrays[a].type)) : 0;
        found.second += times > 1 ? 1 : 0;
      }
    }
    return found;
  }

 private:
  std::vector<std::map<std::pair<int64_t, int64_t>, int>> held_;
};

bool inside(const Pattern& pattern, const Part& part) {
  const std::vector<int64_t> dims = pattern.dims_of(part.array);
  for (size_t d = 0; d < dims.size(); ++d) {
    if (part.start[d] < 0 || part.count[d] < 0 || part.start[d] + part.count[d] > dims[d]) return false;
  }
  return dims.size() == part.start.size() && dims.size() == part.count.size();
}

std::vector<std::vector<size_t>> arrays_of_steps(const Pattern& pattern) {
  std::vector<std::vector<size_t>> arrays;
  for (const auto& parts : pattern.steps) {
    arrays.emplace_back();
    for (const Part& part : parts) arrays.back().push_back(part.array);
  }
  return arrays;
}

TEST(Pattern, PartsOfAllRanksHoldEachElementOnce) {
  for (const Case& example : cases()) {
    for (const int ranks : example.ranks) {
      SCOPED_TRACE(example.sizes.workload + " " + example.sizes.form + ", " + std::to_string(ranks) +
                   " ranks");
      const Pattern first = make_pattern(example.sizes, 0, ranks);
      Census census(first);
      for (int rank = 0; rank < ranks; ++rank) {
        const Pattern pattern = make_pattern(example.sizes, rank, ranks);
        for (const auto& parts : pattern.steps) {
          for (const Part& part : parts) ASSERT_TRUE(inside(pattern, part));
        }
        ASSERT_EQ(arrays_of_steps(pattern), arrays_of_steps(first));
        ASSERT_EQ(pattern.bytes(), first.bytes());
        census.add(pattern);
      }
      const auto [once, more] = census.once_and_more(first);
      EXPECT_EQ(once, first.bytes());
      EXPECT_EQ(more, 0);
    }
  }
}

TEST(Pattern, PartsLieInMemoryOfTheirOwn) {
  for (const Case& example : cases()) {
    const int ranks = example.ranks.back();
    for (int rank = 0; rank < ranks; ++rank) {
      const Pattern pattern = make_pattern(example.sizes, rank, ranks);
      std::map<int64_t, int> elements;  // by address
      int64_t expected = 0;
      for (const auto& parts : pattern.steps) {
        for (const Part& part : parts) {
          const auto bytes = static_cast<int64_t>(bench::bytes_of(pattern.arrays[part.array].type));
          const auto base = static_cast<int64_t>(part.memory.first_byte);
          expected += part.elements();
          bench::for_each_row(pattern, part,
                              [&](int64_t place, int64_t distance, int64_t, int64_t, int64_t row) {
                                for (int64_t i = 0; i < row; ++i)
                                  ++elements[base + (place + i * distance) * bytes];
                              });
          if (part.elements() > 0) {
            ASSERT_LE(elements.rbegin()->first + bytes, static_cast<int64_t>(pattern.memory_bytes));
          }
        }
      }
      EXPECT_EQ(std::ssize(elements), expected) << example.sizes.workload << " rank " << rank;
    }
  }
}

TEST(Pattern, MemoryNoticesAWrongElementAndAChangedGhost) {
  const Pattern pattern = make_pattern({"w3", "", 8, 0, 1}, 1, 4);
  const Part& part = pattern.steps[0][1];
  const auto filled_but = [&](auto&& change) {
    bench::PatternMemory memory(pattern);
    memory.fill();
    change(memory);
    return memory.wrong();
  };
  EXPECT_EQ(filled_but([](bench::PatternMemory&) {}), 0);
  EXPECT_EQ(filled_but([&](bench::PatternMemory& memory) { memory.data(part)[0] ^= std::byte{1}; }), 1);
  EXPECT_EQ(filled_but([&](bench::PatternMemory& memory) { memory.frame(part)[0] ^= std::byte{1}; }), 1);
}

TEST(Pattern, CellsOfBtioAreOnADiagonal) {
  const Pattern pattern = make_pattern({"w3", "", 0, 0, 0}, 1, 16);  // class A
  EXPECT_EQ(pattern.steps.size(), 40U);
  EXPECT_EQ(pattern.bytes(), int64_t{40} * 10'485'760);
  ASSERT_EQ(pattern.steps[3].size(), 4U);
  EXPECT_EQ(pattern.steps[3][0].start, (std::vector<int64_t>{3, 0, 0, 16, 0}));
  EXPECT_EQ(pattern.steps[3][1].start, (std::vector<int64_t>{3, 16, 48, 32, 0}));
  EXPECT_EQ(pattern.steps[3][1].memory.dims, (std::vector<int64_t>{20, 20, 20, 5}));
  EXPECT_EQ(pattern.steps[3][1].map()[3], 5);
  EXPECT_THROW(make_pattern({"w3", "", 0, 0, 0}, 0, 8), std::invalid_argument);
}

TEST(Pattern, SizesAreThePublishedOnes) {
  EXPECT_EQ(make_pattern({"w2", "fixed", 8, 10, 0}, 0, 64).bytes(), 1'310'720);
  EXPECT_EQ(make_pattern({"w2", "record", 50, 10, 0}, 0, 64).bytes(), 320'000'000);
  EXPECT_EQ(make_pattern({"w3", "", 102, 0, 1}, 0, 16).bytes(), 42'448'320);
  const Pattern flash = make_pattern({"w4", "checkpoint", 0, 0, 0}, 0, 64);
  EXPECT_EQ(flash.axes[0].extent, 5183);
  EXPECT_EQ(flash.steps[0].size(), 30U);
  EXPECT_EQ(flash.steps[0].back().map(),
            (std::vector<int64_t>{16 * 16 * 16 * 24, 16 * 16 * 24, 16 * 24, 24}));
  // A file of 100x100 points and two records has 68,696,794 bytes; 68,476 of them are its header.
  const Pattern wrf = make_pattern({"w7", "100x100", 0, 0, 2}, 0, 4);
  EXPECT_EQ(wrf.arrays.size(), 202U);
  EXPECT_EQ(wrf.bytes(), 68'696'794 - 68'476);
}

TEST(Pattern, UnknownFormsAreNamed) {
  EXPECT_THROW(make_pattern({"w2", "round", 0, 0, 0}, 0, 4), std::invalid_argument);
  EXPECT_THROW(make_pattern({"w7", "100x", 0, 0, 0}, 0, 4), std::invalid_argument);
  EXPECT_THROW(make_pattern({"w99", "", 0, 0, 0}, 0, 4), std::invalid_argument);
}

}  // namespace
