// New files: data placed first, metadata last, read by stock HDF5.
#include "support.h"

namespace scorpio::format::test {
namespace {

using model::Kind;
using CreateTest = Hdf5Test;

TEST_F(CreateTest, DataWrittenBeforeTheMetadataAreFoundAtTheChosenAddresses) {
  const std::string path = folder_ / "a.h5";
  auto file = create(path);
  const auto first = ramp(1000);
  const auto second = ramp(300000, 7);
  const uint64_t first_at = k_block_bytes;
  const uint64_t second_at = 2 * k_block_bytes;
  write_bytes(path, first_at, first.data(), first.size() * 8);
  write_bytes(path, second_at, second.data(), second.size() * 8);

  PlacedSchema schema;
  take(schema.add_variable_at(first_at, variable("/ocean/first", Kind::float64, {10, 100})));
  take(schema.add_variable_at(second_at, variable("/second", Kind::float64, {300000})));
  expect_ok(schema.put_attribute("/ocean/first", "units", text_attribute("m s-1")));
  expect_ok(schema.put_attribute("/", "range", doubles_attribute({1, 2, 3})));
  expect_ok(schema.add_link("/alias", "/ocean/first"));
  expect_ok(file->apply(schema, schema.placements, second_at + second.size() * 8));
  EXPECT_FALSE(schema.pending().is_new_variable(0));
  EXPECT_FALSE(schema.pending().is_new_group("/ocean"));
  EXPECT_TRUE(schema.pending().variables.at(0).attributes.empty());
  expect_ok(file->close());
  EXPECT_LE(file->counters().writes, 2u);
  EXPECT_EQ(file->counters().relocated, 0u);

  EXPECT_EQ(stock_address(path, "/ocean/first"), first_at);
  EXPECT_EQ(stock_address(path, "/second"), second_at);
  EXPECT_EQ(stock_read(path, "/alias"), first);
  EXPECT_EQ(stock_read(path, "/second"), second);
  EXPECT_EQ(run("h5dump " + path), 0);
}

TEST_F(CreateTest, WhatWasWrittenIsLoadedAgain) {
  const std::string path = folder_ / "a.h5";
  auto file = create(path);
  PlacedSchema schema;
  int column = 0;
  for (const Kind kind : {Kind::int8, Kind::uint8, Kind::int16, Kind::uint16, Kind::int32, Kind::uint32,
                          Kind::int64, Kind::uint64, Kind::float32, Kind::float64}) {
    for (const auto order : {model::ByteOrder::little, model::ByteOrder::big}) {
      auto made = variable("/t" + std::to_string(column++), kind, {3, 5});
      made.type.order = order;
      take(schema.add_variable(made));
    }
  }
  auto text = variable("/text", Kind::text, {4});
  text.type = model::native(Kind::text, 12);
  take(schema.add_variable(text));
  auto opaque = variable("/g/opaque", Kind::opaque, {});
  opaque.type = model::native(Kind::opaque, 3);
  take(schema.add_variable(opaque));
  take(schema.add_variable(variable("/scalar", Kind::int32, {})));
  take(schema.add_variable(variable("/nothing", Kind::int32, {7, 0})));
  expect_ok(schema.put_attribute("/g", "title", text_attribute("grün")));
  expect_ok(schema.put_attribute("/g", "none", doubles_attribute({})));
  expect_ok(schema.add_link("/dangling", "nowhere"));
  expect_ok(file->apply(schema, schema.placements, 0));
  expect_ok(file->close());

  const PlacedSchema read = load(path);
  EXPECT_EQ(read.pending(), model::Pending());
  ASSERT_EQ(read.variables().count(), schema.variables().count());
  for (int i = 0; i < schema.variables().count(); ++i) {
    const model::Variable& wanted = schema.variables()[i];
    const auto index = read.objects().find_variable(wanted.path);
    ASSERT_TRUE(index.has_value()) << wanted.path;
    const model::Variable& got = read.variables()[*index];
    EXPECT_EQ(got.type, wanted.type) << wanted.path;
    EXPECT_EQ(got.dims, wanted.dims) << wanted.path;
    EXPECT_EQ(read.placement(*index), schema.placement(i)) << wanted.path;
  }
  EXPECT_FALSE(read.placement("/nothing").has_address());
  EXPECT_EQ(read.objects().links().at("/dangling").target, "nowhere");
  const auto& attributes = *read.objects().attributes("/g");
  EXPECT_EQ(attributes.at("title").value, text_attribute("grün").value);
  EXPECT_TRUE(attributes.at("title").scalar);
  EXPECT_EQ(attributes.at("none").dims, std::vector<int64_t>{0});
}

TEST_F(CreateTest, HundredKilobyteAttributesOnGroupsAndVariables) {
  const std::string path = folder_ / "a.h5";
  const auto big = ramp(12800);
  auto file = create(path);
  PlacedSchema schema;
  take(schema.add_variable(variable("/v", Kind::float32, {8})));
  for (const char* object : {"/", "/v"}) {
    expect_ok(schema.put_attribute(object, "big", doubles_attribute(big)));
    expect_ok(schema.put_attribute(object, "small", doubles_attribute({1})));
    expect_ok(schema.put_attribute(object, "middle", doubles_attribute(ramp(640))));
  }
  expect_ok(file->apply(schema, schema.placements, 0));
  // Replaced by values of the same, and of another shape.
  expect_ok(schema.put_attribute("/v", "big", doubles_attribute(ramp(12800, 1))));
  expect_ok(schema.put_attribute("/v", "middle", doubles_attribute(ramp(13000))));
  expect_ok(file->apply(schema, schema.placements, 0));
  expect_ok(file->close());
  const PlacedSchema read = load(path);
  EXPECT_EQ(read.objects().attributes("/")->at("big").value, doubles_attribute(big).value);
  EXPECT_EQ(read.objects().attributes("/v")->at("big").value, doubles_attribute(ramp(12800, 1)).value);
  EXPECT_EQ(read.objects().attributes("/v")->at("middle").value, doubles_attribute(ramp(13000)).value);
  EXPECT_EQ(run("h5dump " + path), 0);
}

TEST_F(CreateTest, NetcdfSizedModelTakesAtMostThreeWritesAtCloseAndEager) {
  for (const bool eager : {false, true}) {
    const std::string path = folder_ / (eager ? "eager.h5" : "close.h5");
    auto file = create(path);
    PlacedSchema schema;
    for (int v = 0; v < 560; ++v) {
      const std::string name = "/variable_" + std::to_string(v);
      const bool place = !eager;
      take(schema.add_variable_at(
          place ? std::optional(k_block_bytes + 4096 * static_cast<uint64_t>(v)) : std::nullopt,
          variable(name, Kind::float32, {100 + v})));
      for (int a = 0; a < 12; ++a) {
        expect_ok(
            schema.put_attribute(name, "attribute_" + std::to_string(a), text_attribute("value " + name)));
      }
      if (eager) expect_ok(file->apply(schema, schema.placements, 0));
    }
    if (!eager) expect_ok(file->apply(schema, schema.placements, k_block_bytes + 4096 * 560));
    expect_ok(file->flush());
    EXPECT_LE(file->counters().writes, 3u);
    const uint64_t flushed = file->counters().writes;
    expect_ok(file->close());
    EXPECT_LE(file->counters().writes, flushed + 3);
    EXPECT_EQ(load(path).variables().count(), 560);
  }
  std::string said;
  EXPECT_EQ(run("h5diff -v " + (folder_ / "close.h5") + " " + (folder_ / "eager.h5"), &said), 0)
      << said.substr(0, 500);
}

TEST_F(CreateTest, TheFileReachesToTheEndOfAnUnwrittenVariable) {
  const std::string path = folder_ / "a.h5";
  auto file = create(path);
  PlacedSchema schema;
  take(schema.add_variable_at(k_block_bytes, variable("/v", Kind::float64, {1000})));
  expect_ok(file->apply(schema, schema.placements, k_block_bytes + 8000));
  expect_ok(file->close());
  EXPECT_GE(std::filesystem::file_size(path), k_block_bytes + 8000);
  EXPECT_EQ(stock_read(path, "/v"), std::vector<double>(1000, 0.0));
}

TEST_F(CreateTest, AFileWithoutAnythingIsValid) {
  const std::string path = folder_ / "a.h5";
  auto file = create(path);
  expect_ok(file->close());
  EXPECT_EQ(load(path).variables().count(), 0);
  EXPECT_LT(std::filesystem::file_size(path), 4096u);
  EXPECT_EQ(run("h5dump " + path), 0);
}

}  // namespace
}  // namespace scorpio::format::test
