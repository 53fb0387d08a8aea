// Places of variables: the numbers that PnetCDF and netCDF-C were seen to choose, addresses, and growing
// headers.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <map>

#include "format/cdf/geometry.h"
#include "format/cdf/header_writer.h"
#include "format/cdf/limits.h"
#include "format/cdf/places.h"
#include "format/cdf/type.h"
#include "samples.h"
#include "stock_rules.h"

namespace scorpio::format::cdf::test {
namespace {

// 256 bytes as CDF-1: a(x) short, r1(t, y) byte, b(x, y) double, r2(t, y) short, s byte; x = 10 elements of y
// = 7.
Header mixed() {
  Header header;
  header.version = Version::cdf1;
  header.dims = {{"t", 0, true}, {"x", 10, false}, {"y", 7, false}};
  header.variables = {{"a", {2}, {}, Type::int16, 0, 0},
                      {"r1", {0, 2}, {}, Type::int8, 0, 0},
                      {"b", {1, 2}, {}, Type::float64, 0, 0},
                      {"r2", {0, 2}, {}, Type::int16, 0, 0},
                      {"s", {}, {}, Type::int8, 0, 0}};
  return header;
}

std::vector<uint64_t> begins(const Header& header) {
  std::vector<uint64_t> out;
  for (const Variable& variable : header.variables) out.push_back(variable.begin);
  return out;
}

std::vector<uint64_t> placed(Header header, const Alignment& alignment) {
  const Status status = place(header, alignment);
  EXPECT_TRUE(status.ok()) << status.text();
  return begins(header);
}

using Numbers = std::vector<uint64_t>;

TEST(CdfLayout, NetcdfCsPlaces) {
  const auto by = [](const Padding& padding) { return placed(mixed(), netcdf_alignment(padding)); };
  EXPECT_EQ(header_bytes(mixed()), 256U);
  EXPECT_EQ(by({}), (Numbers{256, 836, 272, 844, 832}));
  EXPECT_EQ(by({100, 4, 0, 4}), (Numbers{356, 936, 372, 944, 932}));
  EXPECT_EQ(by({10, 64, 20, 128}), (Numbers{320, 1024, 336, 1032, 896}));
  EXPECT_EQ(by({0, 6, 0, 6}), (Numbers{258, 840, 274, 848, 834}));
}

TEST(CdfLayout, PnetcdfsPlaces) {
  const auto by = [](const PnetcdfHints& hints) { return placed(mixed(), alignment_of_enddef(hints)); };
  EXPECT_EQ(placed(mixed(), Alignment{}), (Numbers{512, 1092, 528, 1100, 1088}));
  EXPECT_EQ(by({}), (Numbers{512, 1092, 528, 1100, 1088}));
  EXPECT_EQ(by({.header = 1030}), (Numbers{1032, 1612, 1048, 1620, 1608}));
  EXPECT_EQ(by({.variable = 300}), (Numbers{600, 1800, 900, 1808, 1500}));
  EXPECT_EQ(by({.record = 4096}), (Numbers{512, 4096, 528, 4104, 1088}));
  const auto with = [](const PnetcdfHints& hints, const Padding& padding) {
    return placed(mixed(), pnetcdf_alignment(hints, padding, true));
  };
  EXPECT_EQ(with({}, {0, 6, 0, 6}), (Numbers{256, 840, 272, 848, 832}));
  EXPECT_EQ(with({}, {0, 0, 0, 0}), (Numbers{512, 1092, 528, 1100, 1088}));
  EXPECT_EQ(with({.header = 1024}, {0, 64, 0, 4}), (Numbers{1024, 1604, 1040, 1612, 1600}));
}

TEST(CdfLayout, VsizeIsPaddedAndHasASpecialValue) {
  Header header = mixed();
  ASSERT_TRUE(place(header, {}).ok());
  EXPECT_EQ(header.variables[0].vsize, 16U);
  EXPECT_EQ(header.variables[1].vsize, 8U);
  EXPECT_EQ(header.variables[4].vsize, 4U);
  EXPECT_EQ(vsize_field(Version::cdf2, 0xFFFFFFFC), 0xFFFFFFFCU);
  EXPECT_EQ(vsize_field(Version::cdf2, 0x100000000), 0xFFFFFFFFU);
  EXPECT_EQ(vsize_field(Version::cdf5, 0x100000000), 0x100000000U);
}

TEST(CdfLayout, ASingleRecordVariableIsNotPaddedBetweenRecords) {
  Header header;
  header.dims = {{"t", 0, true}, {"y", 7, false}};
  header.variables = {{"r", {0, 1}, {}, Type::int8, 0, 0}};
  ASSERT_TRUE(place(header, {}).ok());
  EXPECT_EQ(header.variables[0].vsize, 8U);
  EXPECT_EQ(Geometry::make(header)->record_bytes(), 7U);
  header.variables.push_back({"r2", {0}, {}, Type::int8, 0, 0});
  ASSERT_TRUE(place(header, {}).ok());
  EXPECT_EQ(Geometry::make(header)->record_bytes(), 12U);
}

TEST(CdfLayout, RecordsFollowFromTheSizeOfTheFile) {
  Header header = mixed();
  ASSERT_TRUE(place(header, {}).ok());  // records of 8 + 16 bytes from 1092 on, the last two are padding
  const Geometry geometry = Geometry::make(header).value();
  EXPECT_EQ(geometry.records_in(0), 0U);
  EXPECT_EQ(geometry.records_in(1092 + 21), 0U);
  EXPECT_EQ(geometry.records_in(1092 + 22), 1U);
  EXPECT_EQ(geometry.records_in(1092 + 24 + 21), 1U);
  EXPECT_EQ(geometry.records_in(1092 + 24 + 22), 2U);
  for (uint64_t records : {0, 1, 2, 100})
    EXPECT_EQ(geometry.records_in(*geometry.end_of_data(records)), records);
}

// Every element of the first records has an address of its own, after the header, within end_of_data().
RC_GTEST_PROP(CdfLayout, NoTwoElementsShareAByte, (uint64_t seed)) {
  Random random(seed);
  Header header = random_header(random, {.version = random_version(random), .most = 4, .longest = 5});
  RC_ASSERT(place_randomly(random, header));
  const Geometry geometry = Geometry::make(header).value();
  constexpr uint64_t k_records = 3;
  std::vector<bool> used(*geometry.end_of_data(k_records));
  for (size_t v = 0; v < header.variables.size(); ++v) {
    const Extent& extent = geometry.variables()[v];
    for (uint64_t r = 0; r < (extent.record ? k_records : 1); ++r) {
      for (uint64_t e = 0; e < extent.bytes / extent.element_bytes; ++e) {
        const uint64_t at = extent.begin + r * geometry.record_bytes() + e * extent.element_bytes;
        RC_ASSERT(at >= header_bytes(header));
        RC_ASSERT(at + extent.element_bytes <= used.size());
        for (uint64_t b = at; b < at + extent.element_bytes; ++b) {
          RC_ASSERT(!used[b]);
          used[b] = true;
        }
      }
    }
  }
}

std::map<std::string, size_t> indices(const Header& header) {
  std::map<std::string, size_t> out;
  for (size_t v = 0; v < header.variables.size(); ++v) out[header.variables[v].name] = v;
  return out;
}

// What they hold, and how it is moved: shifts_test.cpp.
RC_GTEST_PROP(CdfLayout, KeptVariablesOfAFixedSizeStayOrGoUp, (uint64_t seed)) {
  Random random(seed);
  const Shape shape{.version = random_version(random), .most = 4, .longest = 6};
  Header old = random_header(random, shape);
  RC_ASSERT(place_randomly(random, old));
  Header header = old;
  grow(random, shape, header);
  RC_ASSERT(replace(header, old, {.header_free = between(random, 0, 60), .data = 4, .record = 8}).ok());
  for (const uint64_t begin : begins(header)) RC_ASSERT(header_bytes(header) <= begin);
  const Geometry now = Geometry::make(header).value(), before = Geometry::make(old).value();
  auto now_index = indices(header);
  for (const auto& [name, index] : indices(old))
    RC_ASSERT(before.variables()[index].begin <= now.variables()[now_index.at(name)].begin);
}

RC_GTEST_PROP(CdfLayout, TheRemovalOfAVariableMovesNoneOfAFixedSize, (uint64_t seed)) {
  Random random(seed);
  const Shape shape{.version = random_version(random), .most = 5, .longest = 6};
  Header old = random_header(random, shape);
  RC_ASSERT(place_randomly(random, old));
  RC_PRE(!old.variables.empty());
  Header header = old;
  header.variables.erase(header.variables.begin() +
                         static_cast<ptrdiff_t>(between(random, 0, header.variables.size() - 1)));
  RC_ASSERT(replace(header, old, netcdf_alignment()).ok());
  const Geometry now = Geometry::make(header).value();
  auto old_index = indices(old);
  for (size_t v = 0; v < header.variables.size(); ++v) {
    const uint64_t was = old.variables[old_index.at(header.variables[v].name)].begin;
    RC_ASSERT(now.variables()[v].record || now.variables()[v].begin == was);
  }
}

TEST(CdfLayout, WhatFitsStaysWhereItIs) {
  Header old = mixed();
  ASSERT_TRUE(place(old, {}).ok());
  Header header = old;
  header.attributes.push_back(text_attribute("q", std::string(200, 'x')));
  ASSERT_TRUE(replace(header, old, {}).ok());
  EXPECT_EQ(begins(header), begins(old));
  header.attributes.push_back(text_attribute("q2", std::string(200, 'x')));
  ASSERT_TRUE(replace(header, old, {}).ok());
  EXPECT_EQ(begins(header), (Numbers{1024, 1604, 1040, 1612, 1600}));
}

TEST(CdfLayout, AChangedVariableIsANewOne) {
  Header old = mixed();
  ASSERT_TRUE(place(old, {}).ok());
  Header header = old;
  header.variables[4].type = Type::float64;
  ASSERT_TRUE(replace(header, old, {}).ok());
  EXPECT_EQ(header.variables[0].begin, old.variables[0].begin);
  EXPECT_EQ(header.variables[4].begin, 1088U);
  EXPECT_EQ(header.variables[1].begin, 1096U);
}

TEST(CdfLayout, AlignmentsOfZeroAndPastTheEndAreRefused) {
  Header header = mixed();
  const Header before = header;
  EXPECT_EQ(place(header, {.data = 0}).code(), Code::argument);
  EXPECT_EQ(place(header, {.header_free = UINT64_MAX}).code(), Code::limit);
  EXPECT_EQ(place(header, {.record = uint64_t{1} << 63}).code(), Code::limit);
  EXPECT_EQ(place(header, {.header_free = uint64_t{1} << 31}).code(), Code::limit);  // CDF-1
  EXPECT_EQ(header, before);
}

}  // namespace
}  // namespace scorpio::format::cdf::test
