// Files that are shorter than their headers say, and headers that cannot be right: nothing grows by a length
// that may be damaged.
#include <gtest/gtest.h>

#include <filesystem>

#include "format/cdf/geometry.h"
#include "format/cdf/header_check.h"
#include "format/cdf/header_writer.h"
#include "format/cdf/places.h"
#include "format/cdf/schema_header.h"
#include "samples.h"
#include "stored_files.h"

namespace scorpio::format::cdf::test {
namespace {

Header sample(Version version) {
  Header header;
  header.version = version;
  header.records = 3;
  header.dims = {{"t", 0, true}, {"x", 5, false}, {"y", 100, false}};
  header.variables = {{"a", {1}, {}, Type::int32, 0, 0},
                      {"b", {2}, {}, Type::int16, 0, 0},
                      {"r", {0, 1}, {}, Type::int16, 0, 0},
                      {"s", {0, 1}, {}, Type::float64, 0, 0}};
  return header;
}

class CdfMissingData : public StoredFiles, public testing::WithParamInterface<Version> {
 protected:
  // The file with its data, cut off.
  uint64_t make_cut(uint64_t missing) {
    const uint64_t end = *Geometry::make(make(path_, sample(GetParam())))->end_of_data(3);
    std::filesystem::resize_file(path_, end - missing);
    return end - missing;
  }

  const std::string path_ = folder_ / "a.nc";
};

INSTANTIATE_TEST_SUITE_P(Versions, CdfMissingData,
                         testing::Values(Version::cdf1, Version::cdf2, Version::cdf5),
                         [](const auto& version) {
                           return "Cdf" + std::to_string(static_cast<int>(version.param));
                         });

TEST_P(CdfMissingData, IsCountedAndLeftAsItIs) {
  for (const uint64_t missing : {0, 1, 50, 130}) {
    const uint64_t size = make_cut(missing);
    const auto before = all_bytes(path_);
    const auto file = open(path_, true);
    EXPECT_EQ(take(file->missing_bytes()), missing);
    PlacedSchema schema = take(file->load());
    expect_ok(file->apply(schema, schema.placements, 0));
    expect_ok(file->flush());
    expect_ok(file->close());
    EXPECT_EQ(std::filesystem::file_size(path_), size);
    EXPECT_EQ(all_bytes(path_), before);
  }
}

TEST_P(CdfMissingData, ComesWithMoreRecordsAndNotWithAttributes) {
  const uint64_t size = make_cut(50);
  const auto file = open(path_, true);
  PlacedSchema schema = take(file->load());
  expect_ok(schema.rename_variable(0, "z"));
  expect_ok(file->apply(schema, schema.placements, 0));
  expect_ok(file->flush());
  EXPECT_EQ(std::filesystem::file_size(path_), size);
  grow_records(schema, 4);
  expect_ok(file->apply(schema, schema.placements, 0));
  expect_ok(file->close());
  EXPECT_EQ(std::filesystem::file_size(path_), size + 50 + 12 + 40);
}

TEST_P(CdfMissingData, OfACopyStaysMissing) {
  make_cut(50);
  MetadataOptions options;
  options.data_missing = true;
  PlacedSchema schema = load(path_);
  const auto copy = create(folder_ / "copy.nc", GetParam(), options);
  expect_ok(copy->apply(schema, schema.placements, 0));
  expect_ok(copy->close());
  EXPECT_EQ(std::filesystem::file_size(folder_ / "copy.nc"),
            write_header(take(to_header(schema, GetParam(), schema.placements))).value().size());
}

TEST_P(CdfMissingData, WithAContradictingLengthIsNotChanged) {
  Header placed = make(path_, sample(GetParam()));
  placed.dims[1].length = 6;  // of the last variable, too
  for (size_t v = 1; v < 4; ++v) placed.variables[v].begin += 1000 * v;
  placed.variables[3].begin -= 1000;  // the records stay together
  write_bytes(path_, 0, write_header(placed).value());
  const auto opened = [&](bool writable) {
    const auto mode = writable ? storage::OpenMode::read_write : storage::OpenMode::read;
    return open_cdf(stored(path_, mode), *store_, path_, writable, {}).status();
  };
  EXPECT_TRUE(opened(false).ok()) << opened(false).text();
  EXPECT_EQ(opened(true).code(), Code::format);
  EXPECT_NE(opened(true).text().find("variable \"a\" has 24 bytes by its dimensions, and 20 by its size"),
            std::string::npos)
      << opened(true).text();
  std::filesystem::resize_file(path_, 10'000);  // nothing is missing now
  EXPECT_TRUE(opened(true).ok()) << opened(true).text();
}

TEST(CdfHeaderCheck, WhatNoWriterLeavesIsDamaged) {
  Header good = sample(Version::cdf5);
  expect_ok(place(good, {}));
  expect_ok(check_apart(good));
  expect_ok(check_lengths(good));
  const auto damaged = [&](auto&& damage) {
    Header header = good;
    damage(header);
    return check_apart(header).code();
  };
  EXPECT_EQ(damaged([](Header& h) { h.dims[1].length = 6; }), Code::format);
  EXPECT_EQ(damaged([](Header& h) { h.dims[2].length = 200; }), Code::format);
  EXPECT_EQ(damaged([](Header& h) { h.dims[2].length = uint64_t{1} << 58; }), Code::format);
  EXPECT_EQ(damaged([](Header& h) { h.variables[1].begin -= 4; }), Code::format);
  EXPECT_EQ(damaged([](Header& h) { h.variables[3].begin -= 4; }), Code::format);
  EXPECT_EQ(damaged([](Header& h) { h.variables[3].begin += 100; }), Code::format);  // records on each other
  EXPECT_EQ(damaged([](Header& h) { h.variables[0].begin = h.variables[2].begin; }), Code::format);
  // Legal, if unusual.
  EXPECT_EQ(damaged([](Header& h) { h.dims[2].length = 50; }), Code::ok);
  EXPECT_EQ(damaged([](Header& h) { h.records = uint64_t{1} << 50; }), Code::ok);
  EXPECT_EQ(damaged([](Header& h) {
              std::swap(h.variables[0].begin, h.variables[1].begin), h.variables[0].begin += 400;
              h.variables[2].begin += 1000;
              h.variables[3].begin += 1000;
            }),
            Code::ok);
}

}  // namespace
}  // namespace scorpio::format::cdf::test
