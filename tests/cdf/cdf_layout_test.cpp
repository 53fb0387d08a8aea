// Definitions of a session, their checks, and the places they get.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>

#include "defining.h"
#include "format/cdf/alignment.h"
#include "format/cdf/cdf_layout.h"
#include "format/cdf/geometry.h"
#include "format/cdf/header_writer.h"
#include "format/cdf/places.h"
#include "format/cdf/schema_header.h"
#include "samples.h"
#include "stock_rules.h"

namespace scorpio::format::cdf::test {
namespace {

using model::Kind;

LayoutOptions random_options(Random& random, bool room) {
  const auto some = [&](uint64_t most) { return between(random, 0, 1) * between(random, 1, most); };
  LayoutOptions out{.data_align = some(2000), .variable_align = some(50), .record_align = some(900)};
  if (room) out.header_free = some(300);
  if (room) out.variable_free = some(300);
  return out;
}

Alignment alignment_of(const LayoutOptions& options) {
  return pnetcdf_alignment({options.data_align, options.variable_align, options.record_align},
                           {options.header_free, 0, options.variable_free, 0}, true);
}

RC_GTEST_PROP(CdfLayoutOfSession, NewFilesGetPnetcdfsPlaces, (uint64_t seed)) {
  Random random(seed);
  const LayoutOptions options = random_options(random, true);
  Header header = random_header(random, {.version = random_version(random)});
  model::Schema schema;
  const auto layout = make_cdf_layout(header.version, options);
  define(*layout, schema, header);
  const Rearrangement first = take(layout->end_definitions(schema));
  RC_ASSERT(!first.needed && first.shifts.empty());
  header.records = 0;
  RC_ASSERT(cdf::place(header, alignment_of(options)).ok());
  RC_ASSERT(take(to_header(schema, header.version, layout->placements())) == header);
  grow_records(schema, 3);
  const Geometry geometry = take(Geometry::make(header));
  RC_ASSERT(layout->end_of_data(schema) ==
            *geometry.end_of_data(static_cast<uint64_t>(schema.dimensions().records())));
  for (int i = 0; i < schema.variables().count(); ++i) {
    const bool record = schema.variables()[i].records;
    RC_ASSERT(layout->placement(i).record_stride() == (record ? geometry.record_bytes() : 0));
  }
}

// Whether data of the old file have another place in the new one, which has all its variables. A single
// record may stay where it is although records get longer.
bool moves(const Header& now, const Header& old) {
  const uint64_t is_bytes = take(Geometry::make(now)).record_bytes();
  const Geometry before = take(Geometry::make(old));
  for (size_t i = 0; i < old.variables.size(); ++i) {
    const Variable& was = old.variables[i];
    const bool record = before.variables()[i].record;
    if (record && old.records == 0) continue;
    const auto is = std::ranges::find(now.variables, was.name, &Variable::name);
    if (is->begin != was.begin) return true;
    if (record && old.records > 1 && is_bytes != before.record_bytes()) return true;
  }
  return false;
}

// Also when the first end was on another layout, whose file was closed.
RC_GTEST_PROP(CdfLayoutOfSession, LaterPlacesAreThoseOfReplace, (uint64_t seed)) {
  Random random(seed);
  const LayoutOptions options = random_options(random, false);
  const Shape shape{.version = random_version(random), .most = 4};
  Header old = random_header(random, shape);
  model::Schema schema;
  auto layout = make_cdf_layout(old.version, options);
  define(*layout, schema, old);
  take(layout->end_definitions(schema));
  grow_records(schema, static_cast<int64_t>(between(random, 0, 3)));
  old = take(to_header(schema, old.version, layout->placements()));
  if (between(random, 0, 1) == 0) {
    Contents contents = take(to_contents(old, 0));
    schema = std::move(contents.schema);
    layout = make_cdf_layout(old.version, options);
    layout->found(schema, std::move(contents.placements));
  }
  Header header = old;
  grow(random, shape, header);
  define(*layout, schema, header, old);
  const Rearrangement again = take(layout->end_definitions(schema));
  const Header now = take(to_header(schema, header.version, layout->placements()));
  Header aligned = header;
  expect_ok(replace(aligned, old, alignment_of(options)));
  const bool aligned_moves = moves(aligned, old);
  Header packed = header;
  Alignment undemanding = alignment_of(options);
  if (options.data_align == 0) undemanding.data = 4;
  expect_ok(replace(packed, old, undemanding));
  const bool packed_moves = moves(packed, old);
  // New variables may begin directly after the header if the old ones then keep their locations.
  RC_ASSERT(now == aligned || (aligned_moves && !packed_moves && now == packed));
  RC_ASSERT(again.needed == (aligned_moves && packed_moves));
}

class CdfLayoutTest : public testing::Test {
 protected:
  CdfLayoutTest() : layout_(make_cdf_layout(Version::cdf2, {})) {
    t_ = take(add_dimension(*layout_, schema_, "t", 0, true));
    x_ = take(add_dimension(*layout_, schema_, "x", 5));
  }

  Code add(const std::string& path, Kind kind, const std::vector<int>& dimensions, uint32_t size = 1) {
    return add_variable(*layout_, schema_, path, model::native(kind, size), dimensions).status().code();
  }
  Rearrangement end() { return take(layout_->end_definitions(schema_)); }
  Header placed_header() { return take(to_header(schema_, Version::cdf2, layout_->placements())); }
  uint64_t address(const std::string& path) {
    return layout_->placement(schema_.objects().find_variable(path).value()).address().value();
  }

  model::Schema schema_;
  std::unique_ptr<Layout> layout_;
  int t_ = 0;
  int x_ = 0;
};

TEST_F(CdfLayoutTest, WhatClassicFilesLackIsRefusedWithARemedy) {
  EXPECT_TRUE(layout_->traits().define_mode);
  EXPECT_EQ(layout_->check_group(schema_, "/").code(), Code::ok);
  const Status group = layout_->check_group(schema_, "/ocean");
  EXPECT_EQ(group.code(), Code::unsupported);
  EXPECT_NE(group.text().find("CDF-2"), std::string::npos);
  EXPECT_NE(group.text().find("hdf5"), std::string::npos);
  EXPECT_EQ(layout_->check_link(schema_, "/l").code(), Code::unsupported);
  EXPECT_EQ(add("/ocean/temp", Kind::int32, {x_}), Code::unsupported);
  EXPECT_EQ(add("/v", Kind::opaque, {x_}, 4), Code::type);
  EXPECT_EQ(add("/v", Kind::text, {x_}, 4), Code::type);
  EXPECT_EQ(add("/v", Kind::uint8, {x_}), Code::type);
  EXPECT_EQ(add("/v", Kind::int64, {x_}), Code::type);
  EXPECT_EQ(add("/v", Kind::int32, {x_, t_}), Code::shape);
  EXPECT_EQ(add("/v ", Kind::int32, {x_}), Code::name);
  EXPECT_EQ(add("/v", Kind::text, {x_}), Code::ok);
  EXPECT_EQ(add("/v", Kind::text, {x_}), Code::exists);
  EXPECT_EQ(add_dimension(*layout_, schema_, "u", 0, true).status().code(), Code::limit);
  EXPECT_EQ(add_dimension(*layout_, schema_, "zero", 0).status().code(), Code::limit);
  EXPECT_EQ(add_dimension(*layout_, schema_, "x", 3).status().code(), Code::exists);
  EXPECT_EQ(add_dimension(*layout_, schema_, "long", int64_t{1} << 32).status().code(), Code::limit);
  EXPECT_EQ(put_attribute(*layout_, schema_, "/", "\x01", text("a")).code(), Code::name);
}

TEST_F(CdfLayoutTest, TextOfSeveralCharactersNamesTheDimensionToDefine) {
  model::Variable variable;
  variable.path = "/names";
  variable.type = model::native(Kind::text, 12);
  const Status status = layout_->check_variable(schema_, variable);
  EXPECT_NE(status.text().find("length 12"), std::string::npos) << status.text();
}

TEST_F(CdfLayoutTest, VariablesNeedDimensionsThatFit) {
  model::Variable variable;
  variable.path = "/v";
  variable.dims = {5};
  EXPECT_EQ(layout_->check_variable(schema_, variable).code(), Code::shape);
  variable.dimensions = {7};
  EXPECT_EQ(layout_->check_variable(schema_, variable).code(), Code::shape);
  variable.dimensions = {x_};
  variable.dims = {6};
  EXPECT_EQ(layout_->check_variable(schema_, variable).code(), Code::shape);
  variable.dims = {5};
  EXPECT_EQ(layout_->check_variable(schema_, variable).code(), Code::ok);
  EXPECT_EQ(variable.type.order, model::ByteOrder::big);
  EXPECT_FALSE(variable.records);
}

TEST_F(CdfLayoutTest, ANewRecordVariableHasTheRecordsThatThereAre) {
  ASSERT_EQ(add("/a", Kind::int32, {t_}), Code::ok);
  end();
  grow_records(schema_, 4);
  ASSERT_EQ(add("/b", Kind::int32, {t_, x_}), Code::ok);
  EXPECT_EQ(schema_.variables()[1].dims, (std::vector<int64_t>{4, 5}));
  EXPECT_TRUE(schema_.variables()[1].records);
}

TEST_F(CdfLayoutTest, SizesAreCheckedAtTheEndAndThePlacementsStayAsTheyWere) {
  const int big = take(add_dimension(*layout_, schema_, "big", int64_t{1} << 30));
  ASSERT_EQ(add("/a", Kind::float64, {big}), Code::ok);
  ASSERT_EQ(add("/b", Kind::int32, {x_}), Code::ok);
  EXPECT_EQ(layout_->end_definitions(schema_).status().code(), Code::limit);
  EXPECT_FALSE(layout_->placement(0).has_address());
}

TEST_F(CdfLayoutTest, AttributesMayOnlyShrinkInAFileWithData) {
  expect_ok(put_attribute(*layout_, schema_, "/", "a", text("abcde")));
  end();
  const auto put = [&](const std::string& name, const std::string& value) {
    return put_attribute(*layout_, schema_, "/", name, text(value), false).code();
  };
  EXPECT_EQ(put("a", "abcdefgh"), Code::ok);  // padding is room
  EXPECT_EQ(put("a", "abcdefghi"), Code::state);
  EXPECT_EQ(put("new", "b"), Code::state);
  EXPECT_EQ(put("a", ""), Code::ok);
  EXPECT_EQ(put("a", "b"), Code::state);
  EXPECT_EQ(put_attribute(*layout_, schema_, "/", "new", text("b"), true).code(), Code::ok);
}

TEST_F(CdfLayoutTest, NamesMayOnlyShrinkInAFileWithData) {
  const auto rename = [&](const std::string& old, const std::string& name, bool defining) {
    return layout_->check_rename(schema_, old, name, defining).code();
  };
  end();
  EXPECT_EQ(rename("/abcde", "abcdefgh", false), Code::ok);
  EXPECT_EQ(rename("/abcde", "abcdefghi", false), Code::state);
  EXPECT_EQ(rename("/abcde", "abcdefghi", true), Code::ok);
  EXPECT_EQ(rename("/abcde", "a/b", true), Code::name);
}

TEST_F(CdfLayoutTest, NamesMayBecomeAsLongAgainAsTheHeaderHasRoomFor) {
  ASSERT_EQ(add("/abcdefgh", Kind::int32, {x_}), Code::ok);
  end();
  expect_ok(schema_.rename_variable(0, "abcd"));
  EXPECT_EQ(layout_->check_rename(schema_, "/abcd", "abcdefgh", false).code(), Code::ok);
  const Status longer = layout_->check_rename(schema_, "/abcd", "abcdefghi", false);
  EXPECT_EQ(longer.code(), Code::state);
  EXPECT_NE(longer.text().find("its place 8"), std::string::npos);
}

TEST_F(CdfLayoutTest, OnlyWhatIsNotPlacedYetCanBeRemoved) {
  ASSERT_EQ(add("/a", Kind::int32, {x_}), Code::ok);
  EXPECT_EQ(layout_->check_removal(schema_, "/a", true).code(), Code::ok);
  end();
  EXPECT_EQ(layout_->check_removal(schema_, "/a", true).code(), Code::unsupported);
  ASSERT_EQ(add("/b", Kind::int32, {x_}), Code::ok);
  EXPECT_EQ(layout_->check_removal(schema_, "/b", true).code(), Code::ok);
  expect_ok(schema_.remove("/b"));
  EXPECT_FALSE(end().needed);
  EXPECT_EQ(variables_of(schema_), std::vector<int>{0});
}

TEST_F(CdfLayoutTest, AFreeRoomThatWasUsedMovesNothing) {
  layout_ = make_cdf_layout(Version::cdf2, {.header_free = 1000, .data_align = 4});
  ASSERT_EQ(add("/a", Kind::int32, {x_}), Code::ok);
  end();
  const uint64_t before = address("/a");
  const uint64_t header = header_bytes(placed_header());
  EXPECT_EQ(before, header + 1000);
  expect_ok(put_attribute(*layout_, schema_, "/", "a", text(std::string(900, 'a'))));
  EXPECT_FALSE(end().needed);
  EXPECT_EQ(address("/a"), before);
  expect_ok(put_attribute(*layout_, schema_, "/", "b", text(std::string(900, 'b'))));
  EXPECT_TRUE(end().needed);
  EXPECT_EQ(address("/a"), header_bytes(placed_header()) + 1000);
}

// netCDF-C writes the data directly after the header.
TEST_F(CdfLayoutTest, AFileOfAnotherLibraryIsNotMovedToBeAligned) {
  ASSERT_EQ(add("/a", Kind::int32, {x_}), Code::ok);
  ASSERT_EQ(add("/r", Kind::int32, {t_, x_}), Code::ok);
  Header header = take(to_header(schema_, Version::cdf2));
  expect_ok(cdf::place(header, netcdf_alignment()));
  header.records = 2;
  Contents contents = take(to_contents(header, 0));
  schema_ = std::move(contents.schema);
  layout_ = make_cdf_layout(Version::cdf2, {});
  layout_->found(schema_, contents.placements);
  EXPECT_FALSE(end().needed);
  EXPECT_EQ(placed_header(), header);
  layout_ = make_cdf_layout(Version::cdf2, {.data_align = 512});
  layout_->found(schema_, contents.placements);
  EXPECT_TRUE(end().needed);
  EXPECT_EQ(address("/a"), 512U);
}

TEST_F(CdfLayoutTest, RenamedVariablesKeepTheirPlace) {
  ASSERT_EQ(add("/a", Kind::int32, {x_}), Code::ok);
  ASSERT_EQ(add("/b", Kind::int32, {x_}), Code::ok);
  end();
  expect_ok(schema_.rename_variable(0, "c"));
  expect_ok(schema_.rename_variable(1, "a"));
  EXPECT_FALSE(end().needed);
  EXPECT_EQ(address("/c"), 512U);
  EXPECT_EQ(address("/a"), 532U);
}

TEST_F(CdfLayoutTest, AnotherRecordVariableMovesTheRecords) {
  ASSERT_EQ(add("/f", Kind::int8, {x_}), Code::ok);
  ASSERT_EQ(add("/g", Kind::int32, {x_}), Code::ok);
  ASSERT_EQ(add("/a", Kind::int16, {t_, x_}), Code::ok);  // 10 bytes in 12
  ASSERT_EQ(add("/b", Kind::int16, {t_, x_}), Code::ok);
  end();
  ASSERT_EQ(add("/c", Kind::int32, {t_}), Code::ok);
  EXPECT_FALSE(end().needed) << "there are no records yet";
  grow_records(schema_, 1);
  ASSERT_EQ(add("/d", Kind::int32, {t_}), Code::ok);
  EXPECT_FALSE(end().needed) << "the first record stays where it is";
  grow_records(schema_, 3);
  ASSERT_EQ(add("/e", Kind::int32, {t_}), Code::ok);
  const Rearrangement moved = end();
  EXPECT_TRUE(moved.needed);
  // Fixed: 5 bytes, 3 of padding, 20; records after them.
  const std::vector<Shift> expected{
      {.from = 512, .to = 512, .bytes = 28},
      {.from = 540, .to = 540, .bytes = 32, .count = 3, .from_stride = 32, .to_stride = 36}};
  EXPECT_EQ(moved.shifts, expected);
}

TEST_F(CdfLayoutTest, AllThatMovesByTheSameIsOnePiece) {
  ASSERT_EQ(add("/f", Kind::int8, {x_}), Code::ok);
  ASSERT_EQ(add("/a", Kind::int16, {t_, x_}), Code::ok);
  ASSERT_EQ(add("/b", Kind::int16, {t_, x_}), Code::ok);
  end();
  grow_records(schema_, 3);
  expect_ok(put_attribute(*layout_, schema_, "/", "a", text(std::string(600, 'a'))));
  const Rearrangement moved = end();
  EXPECT_EQ(moved.shifts, (std::vector<Shift>{{.from = 512, .to = 1024, .bytes = 8 + 3 * 24 - 2}}));
}

}  // namespace
}  // namespace scorpio::format::cdf::test
