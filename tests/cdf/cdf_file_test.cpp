// Headers in storage: what is written when, and what is read back.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "format/cdf/detect.h"
#include "format/cdf/geometry.h"
#include "format/cdf/header_writer.h"
#include "format/cdf/schema_header.h"
#include "samples.h"
#include "storage/fault_plan.h"
#include "storage/faulty_store.h"
#include "stored_files.h"

namespace scorpio::format::cdf::test {
namespace {

const std::string k_ncdump = SCORPIO_CDF_NCDUMP;
const std::string k_ncvalidator = SCORPIO_CDF_NCVALIDATOR;

// int a(x), short r(t, x), byte s(t, x), with x = 5.
Header mixed(Version version) {
  Header header;
  header.version = version;
  header.dims = {{"t", 0, true}, {"x", 5, false}};
  header.attributes = {text_attribute("title", "a file")};
  header.variables = {{"a", {1}, {}, Type::int32, 0, 0},
                      {"r", {0, 1}, {}, Type::int16, 0, 0},
                      {"s", {0, 1}, {}, Type::int8, 0, 0}};
  return header;
}

class CdfFileTest : public StoredFiles {
 protected:
  CdfFileTest() : path_(folder_ / "a.nc") {}
  std::string path_;
};

TEST_F(CdfFileTest, FilesAreAsLongAsTheirDataAndReadBack) {
  Random random(17);
  for (int i = 0; i < 50; ++i) {
    Header header = random_header(random, {.version = random_version(random)});
    const Header placed = make(path_, header);
    const auto bytes = write_header(placed).value();
    const uint64_t data_end = *Geometry::make(placed)->end_of_data(placed.records);
    const uint64_t size = std::filesystem::file_size(path_);
    EXPECT_GE(size, std::max<uint64_t>(bytes.size(), data_end));
    EXPECT_LT(size, std::max<uint64_t>(bytes.size(), data_end) + k_padding_bytes);  // of the last record
    EXPECT_EQ(first_bytes(path_, bytes.size()), bytes);
    EXPECT_EQ(load_header(path_, header.version), placed);
    EXPECT_EQ(detect(bytes), header.version);
  }
}

// Without a variable along it the model's unlimited dimension may still count records.
TEST_F(CdfFileTest, TheToolsAcceptFilesWhoseDataWereNeverWritten) {
  if (k_ncdump.empty() || k_ncvalidator.empty()) GTEST_SKIP() << "ncdump or ncvalidator was not found";
  Random random(18);
  for (int i = 0; i < 60; ++i) {
    Header header = random_header(random, {.version = random_version(random), .plain_names = true});
    const auto grows = [&](const Variable& variable) { return is_record(header, variable); };
    if (std::none_of(header.variables.begin(), header.variables.end(), grows)) header.records = 0;
    make(path_, header);
    const Answer valid = answer_of(k_ncvalidator + " " + path_);
    ASSERT_EQ(valid.exit_code, 0) << valid.output;
    ASSERT_EQ(valid.output.find("Error"), std::string::npos) << valid.output;
    const Answer dump = answer_of(k_ncdump + " " + path_);
    ASSERT_EQ(dump.exit_code, 0) << dump.output;
  }
}

TEST_F(CdfFileTest, AFileWithoutDefinitionsIsValid) {
  const auto file = create(path_, Version::cdf5);
  expect_ok(file->close());
  EXPECT_EQ(load(path_).variables().count(), 0);
  EXPECT_EQ(all_bytes(path_), write_header({}).value());
}

TEST_F(CdfFileTest, ANumberOfRecordsIsWrittenAlone) {
  for (const Version version : {Version::cdf1, Version::cdf2, Version::cdf5}) {
    make(path_, mixed(version));
    const auto file = open(path_, true);
    PlacedSchema schema = take(file->load());
    grow_records(schema, 3);
    expect_ok(file->apply(schema, schema.placements, 0));
    expect_ok(file->flush());
    EXPECT_EQ(file->counters().writes, 1U);
    EXPECT_EQ(file->counters().bytes_written, version == Version::cdf5 ? 8U : 4U);
    expect_ok(file->close());
    EXPECT_EQ(file->counters().writes, 1U) << "nothing changed since the flush";
    EXPECT_EQ(load(path_).dimensions().records(), 3);
    EXPECT_EQ(std::filesystem::file_size(path_), file->end_of_allocation());
  }
}

// Other ranks may extend the file at the same time: only a file that is long enough is changed.
TEST_F(CdfFileTest, BesideOtherWritersAFileIsNotExtended) {
  make(path_, mixed(Version::cdf5));
  const auto before = all_bytes(path_);
  const auto file = open(path_, true);
  PlacedSchema schema = take(file->load());
  grow_records(schema, 3);
  expect_ok(file->apply(schema, schema.placements, 0));
  EXPECT_FALSE(take(file->flush_beside_writers()));
  EXPECT_EQ(before, all_bytes(path_));
  EXPECT_FALSE(file->is_current(schema));
  std::filesystem::resize_file(path_, file->end_of_allocation() + 1000);
  EXPECT_TRUE(take(file->flush_beside_writers()));
  EXPECT_TRUE(file->is_current(schema));
  EXPECT_EQ(std::filesystem::file_size(path_), file->end_of_allocation() + 1000) << "data of later records";
  expect_ok(file->close());
  EXPECT_EQ(file->counters().writes, 1U);
  EXPECT_EQ(load(path_).dimensions().records(), 3);
}

TEST_F(CdfFileTest, OnlyWhatDiffersIsWritten) {
  make(path_, mixed(Version::cdf2));
  const auto before = all_bytes(path_);
  const auto file = open(path_, true);
  PlacedSchema schema = take(file->load());
  expect_ok(file->apply(schema, schema.placements, 0));
  expect_ok(file->flush());
  EXPECT_EQ(file->counters().writes, 0U);
  expect_ok(schema.put_attribute("/", "title", text("A file")));
  expect_ok(file->apply(schema, schema.placements, 0));
  EXPECT_EQ(schema.pending(), model::Pending());
  expect_ok(file->close());
  EXPECT_EQ(file->counters().bytes_written, 1U);
  const auto after = all_bytes(path_);
  EXPECT_EQ(before.size(), after.size());
}

// What is in redundant fields of a foreign file is no reason to write.
TEST_F(CdfFileTest, OddForeignHeadersAreLeftAsTheyAre) {
  Header header = make(path_, mixed(Version::cdf1));
  header.variables[1].vsize = 4711;
  write_bytes(path_, 0, write_header(header).value());
  const auto before = all_bytes(path_);
  {
    const auto file = open(path_, true);
    PlacedSchema schema = take(file->load());
    expect_ok(file->apply(schema, schema.placements, 0));
    expect_ok(file->close());
  }
  EXPECT_EQ(all_bytes(path_), before);
}

// netCDF-C makes names shorter in place: all that follows in the header moves when it is written.
TEST_F(CdfFileTest, ChangesOfAFileWhoseNamesAreFilledUpWithZeros) {
  for (const Version version : {Version::cdf1, Version::cdf5}) {
    Header header = mixed(version);
    header.dims[1].name = "a_longer_name";
    header = make(path_, header);
    const auto before = all_bytes(path_);
    const std::vector<std::byte> name = bytes_of("a_longer_name"), zeros(name.size() - 1);
    const auto at = std::search(before.begin(), before.end(), name.begin(), name.end()) - before.begin();
    write_bytes(path_, static_cast<uint64_t>(at) + 1, zeros);
    header.dims[1].name = "a";
    EXPECT_EQ(header, load_header(path_, version));
    const auto file = open(path_, true);
    PlacedSchema schema = take(file->load());
    for (const char* title : {"A file", "another"}) {
      expect_ok(schema.put_attribute("/", "title", text(title)));
      expect_ok(file->apply(schema, schema.placements, 0));
      expect_ok(file->flush());
      header.attributes = {text_attribute("title", title)};
      EXPECT_EQ(header, load_header(path_, version));
    }
    expect_ok(file->close());
    EXPECT_EQ(before.size(), all_bytes(path_).size());
  }
}

TEST_F(CdfFileTest, AStreamedFileGetsItsNumberOfRecords) {
  Header header = mixed(Version::cdf1);
  header.records = 2;
  header = make(path_, header);
  const auto before = all_bytes(path_);
  write_bytes(path_, k_records_offset, write_records(Version::cdf1, k_streaming).value());
  const auto file = open(path_, true);
  PlacedSchema schema = take(file->load());
  EXPECT_EQ(schema.dimensions().records(), 2);
  expect_ok(file->apply(schema, schema.placements, 0));
  expect_ok(file->close());
  EXPECT_EQ(all_bytes(path_), before);
}

// The records last, and before them the rest and a sync; the data before both.
TEST_F(CdfFileTest, TheOrderOfADurableChange) {
  make(path_, mixed(Version::cdf2));
  const auto size_after = [&](const std::string& plan) {
    auto faulty = storage::make_faulty_store(store_, take(storage::FaultPlan::parse(plan)));
    MetadataOptions options;
    options.durable = true;
    const auto file = take(
        open_cdf(take(faulty->open(path_, storage::OpenMode::read_write)), *faulty, path_, true, options));
    PlacedSchema schema = take(file->load());
    grow_records(schema, schema.dimensions().records() + 1);
    expect_ok(schema.put_attribute("/", "title", text(plan.substr(0, 6))));
    expect_ok(file->apply(schema, schema.placements, 0));
    const Status status = file->flush();
    static_cast<void>(file->close());
    return status;
  };
  const auto title = [&] {
    const auto schema = load(path_);
    const auto& value = schema.objects().attributes("/")->at("title").value;
    return std::string(reinterpret_cast<const char*>(value.data()), value.size());
  };
  EXPECT_EQ(size_after("sync:1+=EIO").code(), Code::io);  // of the data
  EXPECT_EQ(title(), "a file");
  EXPECT_EQ(load(path_).dimensions().records(), 0);
  EXPECT_EQ(size_after("sync:2+=EIO").code(), Code::io);  // of the header
  EXPECT_EQ(title(), "sync:2");
  EXPECT_EQ(load(path_).dimensions().records(), 0);
  EXPECT_EQ(size_after("sync:3+=EIO").code(), Code::io);  // of the number of records
  EXPECT_EQ(load(path_).dimensions().records(), 1);
  expect_ok(size_after("sync:4+=EIO"));
  EXPECT_EQ(load(path_).dimensions().records(), 2);
}

// Half of a change may be in the file; going back to the old values is a change, too.
TEST_F(CdfFileTest, AFailedChangeIsMadeGood) {
  make(path_, mixed(Version::cdf2));
  const auto before = all_bytes(path_);
  auto plan = take(storage::FaultPlan::parse("write:1=short"));
  const auto faulty = storage::make_faulty_store(store_, plan);
  const auto file =
      take(open_cdf(take(faulty->open(path_, storage::OpenMode::read_write)), *faulty, path_, true, {}));
  PlacedSchema schema = take(file->load());
  expect_ok(schema.put_attribute("/", "title", text("B FILE")));
  expect_ok(file->apply(schema, schema.placements, 0));
  EXPECT_EQ(file->flush().code(), Code::io);
  EXPECT_NE(all_bytes(path_), before);
  expect_ok(schema.put_attribute("/", "title", text("a file")));
  expect_ok(file->apply(schema, schema.placements, 0));
  expect_ok(file->close());
  EXPECT_EQ(all_bytes(path_), before);
}

TEST_F(CdfFileTest, AVariableWithoutAPlaceIsNotWritten) {
  model::Schema schema;
  const auto layout = make_cdf_layout(Version::cdf5, {});
  define(*layout, schema, mixed(Version::cdf5));
  const auto file = create(path_, Version::cdf5);
  EXPECT_EQ(file->apply(schema, layout->placements(), 0).code(), Code::internal);
  take(layout->end_definitions(schema));
  layout->placements().set(0, Placement::at(16));
  EXPECT_EQ(file->apply(schema, layout->placements(), 0).code(), Code::internal) << "it lies in the header";
  EXPECT_TRUE(schema.pending().is_new_variable(0));
}

TEST_F(CdfFileTest, WhatCannotBeDoneSaysSo) {
  make(path_, mixed(Version::cdf5));
  const auto file = open(path_, false);
  PlacedSchema schema = take(file->load());
  EXPECT_EQ(file->apply(schema, schema.placements, 0).code(), Code::read_only);
  EXPECT_EQ(file->library_id().status().code(), Code::unsupported);
  EXPECT_EQ(file->inspect("/a").status().code(), Code::unsupported);
  expect_ok(file->flush());
  expect_ok(file->close());
  EXPECT_EQ(file->close().code(), Code::state);
}

TEST_F(CdfFileTest, OtherFilesAreNotOpened) {
  for (const std::string& content : {std::string(), std::string("CDF"), std::string("CDF\x03"),
                                     std::string("\x89HDF\r\n\x1a\n"), std::string("CDF\x01\0\0", 6)}) {
    {
      const auto file = stored(path_, storage::OpenMode::create_truncate);
      expect_ok(file->write_at(bytes_of(content), 0));
    }
    const auto opened = open_cdf(stored(path_, storage::OpenMode::read), *store_, path_, false, {});
    EXPECT_EQ(opened.status().code(), Code::format);
    EXPECT_NE(opened.status().text().find(path_), std::string::npos);
  }
}

}  // namespace
}  // namespace scorpio::format::cdf::test
