// Which region of a variable with inner unlimited dimensions a decomposition or a hyperslab is of.
#include "session/elements/free_dims.h"

#include <gtest/gtest.h>

namespace scorpio::session {
namespace {

using Extents = std::vector<int64_t>;

// (t, 4, u), with the dimensions 7 and 9 unlimited, which have the lengths 3 and 5 now; or (4, u).
model::Variable variable(bool records = true) {
  model::Variable made;
  made.path = "/v";
  made.dims = records ? Extents{3, 4, 5} : Extents{4, 5};
  made.dimensions = records ? std::vector<int>{7, 8, 9} : std::vector<int>{8, 9};
  made.records = records;
  made.inner_unlimited = records ? 4 : 2;
  return made;
}

Result<decomp::Region> of_array(const model::Variable& variable, const Extents& dims, int64_t record,
                                bool reading = false) {
  return region_of(variable, dims, record, reading);
}

TEST(FreeDims, ADecompositionOfAllDimensionsOrOfAllButTheFirst) {
  const model::Variable v = variable();
  EXPECT_EQ((decomp::Region{{2, 4, 8}, 0}), *of_array(v, {2, 4, 8}, 0));
  EXPECT_EQ((decomp::Region{{1, 4, 8}, 6}), *of_array(v, {4, 8}, 6));
  EXPECT_EQ((decomp::Region{{1, 4, 8}, 6}), *of_array(v, {1, 4, 8}, 6));
  EXPECT_EQ((decomp::Region{{2, 4, 8}, 0}), *of_array(v, {1, 1, 2, 4, 8}, 0));
  EXPECT_EQ((decomp::Region{{1, 8}, 3}), *of_array(variable(false), {8}, 3));
  EXPECT_EQ((decomp::Region{{4, 8}, 0}), *of_array(variable(false), {4, 8}, 0));
}

TEST(FreeDims, DecompositionsThatDoNotFit) {
  const auto refused = [](Code code, const Result<decomp::Region>& region) {
    EXPECT_EQ(code, region.status().code()) << region.status().text();
  };
  const model::Variable v = variable();
  refused(Code::shape, of_array(v, {5, 8}, 0));
  refused(Code::shape, of_array(v, {8}, 0));
  refused(Code::shape, of_array(v, {2, 2, 4, 8}, 0));
  refused(Code::argument, of_array(v, {2, 4, 8}, 1));
  refused(Code::argument, of_array(v, {4, 8}, -1));
  refused(Code::limit, of_array(v, {4, 8}, INT64_MAX));
  refused(Code::shape, of_array(variable(false), {8}, 4));
  const auto text = of_array(v, {5, 8}, 0).status().text();
  EXPECT_NE(text.npos, text.find("(unlimited, now 3, 4, unlimited, now 5)")) << text;
  // A get does not extend.
  EXPECT_TRUE(of_array(v, {4, 5}, 2, true).ok());
  EXPECT_TRUE(of_array(v, {4, 2}, 2, true).ok());
  refused(Code::shape, of_array(v, {4, 6}, 2, true));
  refused(Code::shape, of_array(v, {4, 5}, 3, true));
  refused(Code::shape, of_array(v, {4, 4, 5}, 0, true));
}

TEST(FreeDims, TheLengthsAfterAPut) {
  model::Lengths lengths{{7, 2}, {9, 100}};
  add_lengths(variable(), {{1, 4, 8}, 6}, lengths);
  EXPECT_EQ((model::Lengths{{7, 7}, {9, 100}}), lengths);
  add_lengths(variable(), {{0, 4, 800}, 0}, lengths);
  EXPECT_EQ((model::Lengths{{7, 7}, {9, 100}}), lengths) << "an empty array extends nothing";
}

TEST(FreeDims, Hyperslabs) {
  const Extents start{5, 1, 2}, count{2, 2, 3}, stride{3, 1, 4};
  const Box box{.start = start, .stride = stride, .count = count, .map = {}};
  EXPECT_EQ((decomp::Region{{9, 4, 11}, 0}), *region_of(variable(), std::span(&box, 1)));
  const Extents none{0, 2, 3}, negative{-1, 0, 0}, huge{INT64_MAX, 0, 0};
  const Box empty{.start = start, .stride = {}, .count = none, .map = {}};
  EXPECT_EQ((decomp::Region{{3, 4, 5}, 0}), *region_of(variable(), std::span(&empty, 1)));
  for (const Extents& bad : {negative, huge}) {
    const Box wrong{.start = bad, .stride = {}, .count = count, .map = {}};
    EXPECT_EQ(Code::shape, region_of(variable(), std::span(&wrong, 1)).status().code());
  }
}

}  // namespace
}  // namespace scorpio::session
