// What a file holds, as a message between ranks, and taken over from a file that others change.
#include "format/contents.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/schema_message.h"
#include "support/truncation.h"

namespace scorpio::format {
namespace {

using Bytes = std::vector<std::byte>;

model::Variable variable(const std::string& path, std::vector<int64_t> dims) {
  model::Variable made;
  made.path = path;
  made.type = model::native(model::Kind::float64);
  made.dims = std::move(dims);
  return made;
}

int add(Contents& contents, const std::string& path, std::vector<int64_t> dims, Placement placement) {
  const int index = contents.schema.add_variable(variable(path, std::move(dims))).value();
  contents.placements.set(index, std::move(placement));
  return index;
}

Contents sample() {
  Contents contents;
  add(contents, "/placed", {4}, Placement::at(4096));
  add(contents, "/gone", {4}, Placement::at(8192));
  EXPECT_TRUE(contents.schema.remove("/gone").ok());
  add(contents, "/g/records", {3, 2}, Placement::at(0, 24));
  add(contents, "/g/chunks", {7}, Placement::by_library("chunked, with filters"));
  add(contents, "/g/unallocated", {7}, Placement::unallocated("without space", {std::byte{1}, std::byte{2}}));
  add(contents, "/g/of_any_value", {7}, Placement::unallocated("without space", {}));
  add(contents, "/unplaced", {0}, {});
  return contents;
}

TEST(Contents, ComeBackAsTheyWere) {
  const Contents before = sample();
  const auto after = deserialise(serialise(before.schema, before.placements));
  ASSERT_TRUE(after.ok()) << after.status().text();
  EXPECT_EQ(model::serialise(after->schema), model::serialise(before.schema));
  EXPECT_EQ(after->placements, before.placements);
  EXPECT_EQ(after->placements.of(2), Placement::at(0, 24));
  EXPECT_EQ(after->placements.of(3).form(), "chunked, with filters");
}

TEST(Contents, EveryTruncationIsAnError) {
  const Contents contents = sample();
  scorpio::test::expect_whole_message_is_needed(serialise(contents.schema, contents.placements),
                                                [](const Bytes& bytes) { return deserialise(bytes); });
}

// Eight bytes that claim absurd counts, or just noise, anywhere in a good message.
RC_GTEST_PROP(ContentsProperty, DamageIsAnErrorOrSoundContents, ()) {
  const Contents contents = sample();
  Bytes bytes = serialise(contents.schema, contents.placements);
  const auto at = *rc::gen::inRange<size_t>(0, bytes.size());
  const bool absurd = *rc::gen::arbitrary<bool>();
  const size_t end = absurd ? std::min(at + 8, bytes.size()) : at + 1;
  const auto value = static_cast<std::byte>(absurd ? 0xff : *rc::gen::inRange(0, 256));
  std::fill(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.begin() + static_cast<ptrdiff_t>(end), value);
  const auto read = deserialise(bytes);
  if (!read.ok()) return;
  const auto again = deserialise(serialise(read->schema, read->placements));
  RC_ASSERT(again.ok() && again->placements == read->placements);
}

class Adopting : public testing::Test {
 protected:
  Adopting() { held_ = add(mine_, "/v", {4}, Placement::at(4096)); }

  void adopt(const Contents& found) {
    const Status status = format::adopt(mine_.schema, mine_.placements, found, "/v");
    ASSERT_TRUE(status.ok()) << status.text();
  }
  // The index of the variable, and where it lies.
  void expect(int index, const Placement& placement) {
    EXPECT_EQ(mine_.schema.objects().find_variable("/v"), index);
    EXPECT_EQ(mine_.placements.of(index), placement);
  }

  Contents mine_;
  int held_ = -1;
};

TEST_F(Adopting, AVariableInItsPlaceKeepsItsIndex) {
  Contents found;
  add(found, "/v", {4}, Placement::at(4096));
  adopt(found);
  expect(held_, Placement::at(4096));
}

TEST_F(Adopting, OneThatLiesElsewhereIsAnother) {
  Contents found;
  add(found, "/other", {1}, Placement::at(8));
  add(found, "/v", {4}, Placement::at(8192));
  adopt(found);
  EXPECT_FALSE(mine_.schema.variables().alive(held_));
  expect(held_ + 1, Placement::at(8192));
}

TEST_F(Adopting, OneOfOtherExtentsIsAnother) {
  Contents found;
  add(found, "/v", {5}, Placement::at(4096));
  adopt(found);
  EXPECT_FALSE(mine_.schema.variables().alive(held_));
  expect(held_ + 1, Placement::at(4096));
}

TEST_F(Adopting, OneThatIsReadByTheLibraryNowIsAnother) {
  Contents found;
  add(found, "/v", {4}, Placement::by_library("chunked"));
  adopt(found);
  expect(held_ + 1, Placement::by_library("chunked"));
}

TEST_F(Adopting, AGroupTakesThePlaceOfAVariable) {
  Contents found;
  ASSERT_TRUE(found.schema.add_group("/v").ok());
  adopt(found);
  EXPECT_FALSE(mine_.schema.variables().alive(held_));
  EXPECT_TRUE(mine_.schema.objects().has_group("/v"));
}

}  // namespace
}  // namespace scorpio::format
