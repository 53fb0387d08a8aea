// What the rest of the library is told of each format.
#include "format/registry.h"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/option_table.h"
#include "base/options_of_format.h"
#include "scorpio/scorpio.h"
#include "storage/memory_store.h"

namespace scorpio::format {
namespace {

std::string_view detected(std::string_view first) {
  return detect(std::as_bytes(std::span(first.data(), first.size()))).capabilities().name;
}

// In the order of the public header, whatever the order of detection is.
TEST(Registry, HasTheFormatsOfTheOption) {
  std::set<std::string_view> names;
  for (const Format* format : formats()) names.insert(format->capabilities().name);
  const auto choices = choices_of(spec_of(Option::format));
  EXPECT_EQ(names, std::set<std::string_view>(choices.begin(), choices.end()));
  EXPECT_EQ(names.size(), formats().size());
  EXPECT_EQ(format_names(), "hdf5|cdf1|cdf2|cdf5|netcdf4");
  for (const std::string_view choice : choices) EXPECT_EQ(format_named(choice).capabilities().name, choice);
}

TEST(Registry, NumbersAreThoseOfThePublicHeader) {
  EXPECT_EQ(format_named("hdf5").capabilities().number, SCORPIO_FORMAT_HDF5);
  EXPECT_EQ(format_named("cdf1").capabilities().number, SCORPIO_FORMAT_CDF1);
  EXPECT_EQ(format_named("cdf2").capabilities().number, SCORPIO_FORMAT_CDF2);
  EXPECT_EQ(format_named("cdf5").capabilities().number, SCORPIO_FORMAT_CDF5);
  EXPECT_EQ(format_named("netcdf4").capabilities().number, SCORPIO_FORMAT_NETCDF4);
  for (const Format* format : formats()) EXPECT_EQ(&format_numbered(format->capabilities().number), format);
}

TEST(Registry, FilesAreKnownByTheirFirstBytes) {
  EXPECT_EQ(detected({"CDF\1\0\0\0\0", 8}), "cdf1");
  EXPECT_EQ(detected({"CDF\2\0\0\0\0", 8}), "cdf2");
  EXPECT_EQ(detected({"CDF\5", 4}), "cdf5");
  EXPECT_EQ(detected({"\x89HDF\r\n\x1a\n", 8}), "hdf5");
}

// HDF5 files may begin with a block of their user, and its library says best what is wrong with a file.
TEST(Registry, WhatNoOtherFormatKnowsIsForHdf5ToLookAt) {
  for (const std::string_view first : {"", "CDF", "CDF\3", "CDF\4", "cdf\1", "text of a user"}) {
    EXPECT_EQ(detected(first), "hdf5") << first;
  }
}

bool is_hdf5(const Format& format) {
  return format.capabilities().name == "hdf5" || format.capabilities().name == "netcdf4";
}

TEST(Registry, FormatsOfHdf5LendLiveIds) {
  for (const Format* format : formats()) {
    EXPECT_EQ(format->live_library() != nullptr, is_hdf5(*format));
  }
}

TEST(Registry, RecordsAndBytesOfTheClassicFormats) {
  for (const Format* format : formats()) {
    const Capabilities& able = format->capabilities();
    EXPECT_EQ(able.records_in_turns, !is_hdf5(*format)) << able.name;
    EXPECT_EQ(able.bytes_lack_sign, able.name == "cdf1" || able.name == "cdf2") << able.name;
  }
}

TEST(Registry, AFormatWhoseVariablesAllHaveAddressesHasNoReaderOfOthers) {
  const Status refused = format_named("cdf1").open_reader(nullptr, "a.nc").status();
  EXPECT_EQ(refused.code(), Code::internal);
  EXPECT_NE(refused.text().find("a.nc"), std::string::npos);
}

// The values of netCDF, in the order of bytes of the type.
TEST(Registry, DefaultFills) {
  const auto fill_of = [](std::string_view name, model::Kind kind, uint32_t bytes, model::ByteOrder order) {
    std::vector<int> out;
    for (const std::byte byte : format_named(name).default_fill({kind, bytes, order}))
      out.push_back(std::to_integer<int>(byte));
    return out;
  };
  for (const std::string_view name : {"hdf5", "cdf1", "cdf5"}) {
    EXPECT_EQ(fill_of(name, model::Kind::int32, 4, model::ByteOrder::big), (std::vector<int>{0x80, 0, 0, 1}));
    EXPECT_EQ(fill_of(name, model::Kind::int32, 4, model::ByteOrder::little),
              (std::vector<int>{1, 0, 0, 0x80}));
    EXPECT_EQ(fill_of(name, model::Kind::int8, 1, model::ByteOrder::big), std::vector<int>{0x81});
    EXPECT_EQ(fill_of(name, model::Kind::float32, 4, model::ByteOrder::big),
              (std::vector<int>{0x7C, 0xF0, 0, 0}));
    EXPECT_EQ(fill_of(name, model::Kind::opaque, 3, model::ByteOrder::little), (std::vector<int>{0, 0, 0}));
    EXPECT_EQ(fill_of(name, model::Kind::text, 12, model::ByteOrder::little), std::vector<int>(12, 0));
  }
}

// Files of the formats of the library are files: no open looks for folders.
TEST(Registry, NoFormatOfTheLibraryIsAFolder) {
  EXPECT_FALSE(folders_are_files());
  const auto store = storage::make_memory_store();
  const auto found = detect_folder(*store, "f");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(*found, nullptr);
}

TEST(Registry, LibrariesStartAnyNumberOfTimes) {
  EXPECT_TRUE(start_libraries().ok());
  EXPECT_TRUE(start_libraries().ok());
}

}  // namespace
}  // namespace scorpio::format
