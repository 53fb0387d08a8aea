// What may be defined: names, types, dimensions, sizes; and what the messages say.
#include <gtest/gtest.h>

#include "format/cdf/limits.h"
#include "format/cdf/places.h"
#include "format/cdf/type.h"
#include "format/netcdf_names.h"
#include "samples.h"

namespace scorpio::format::cdf::test {
namespace {

constexpr uint64_t k_gib = uint64_t{1} << 30;

bool says(const Status& status, Code code, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (status.text().find(part) == std::string::npos) return false;
  }
  return status.code() == code;
}

TEST(CdfNames, WhatTheSpecificationAllows) {
  for (const char* name :
       {"a", "_FillValue", "9lives", "T@2m", "a b", "x(y)[z]", "\xE6\xB8\xA9\xE5\xBA\xA6", "a\\b"}) {
    EXPECT_TRUE(check_netcdf_name(name, "variable").ok()) << name;
  }
  EXPECT_TRUE(check_netcdf_name(std::string(256, 'a'), "variable").ok());
}

TEST(CdfNames, WhatItDoesNot) {
  EXPECT_TRUE(says(check_netcdf_name("", "variable"), Code::name, {"variable", "empty"}));
  EXPECT_TRUE(
      says(check_netcdf_name(std::string(257, 'a'), "dimension"), Code::name, {"dimension", "257", "256"}));
  EXPECT_TRUE(says(check_netcdf_name("a/b", "variable"), Code::name, {"a/b", "0x2F", "byte 1"}));
  EXPECT_TRUE(says(check_netcdf_name("a\nb", "variable"), Code::name, {"0x0A"}));
  EXPECT_TRUE(says(check_netcdf_name("a\x7F", "variable"), Code::name, {"0x7F"}));
  EXPECT_TRUE(says(check_netcdf_name("-a", "variable"), Code::name, {"begins with '-'"}));
  EXPECT_TRUE(says(check_netcdf_name(" a", "variable"), Code::name, {"begins with ' '"}));
  EXPECT_TRUE(says(check_netcdf_name("a ", "variable"), Code::name, {"ends in a space"}));
  EXPECT_TRUE(says(check_netcdf_name(std::string("a\0b", 3), "variable"), Code::name, {"0x00"}));
}

TEST(CdfNames, Normalised) {
  EXPECT_EQ("plain name", normalised_name("plain name"));
  EXPECT_EQ(
      "d\xC3\xA9"
      "bit",
      normalised_name("de\xCC\x81"
                      "bit"));                                                         // e and its accent
  EXPECT_EQ("\xED\x95\x9C", normalised_name("\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB"));  // a syllable's parts
  EXPECT_EQ("\xC3\x85", normalised_name("\xE2\x84\xAB"));      // the sign of the unit is the letter
  EXPECT_EQ("\xEF\xAC\x81", normalised_name("\xEF\xAC\x81"));  // a ligature stays
  EXPECT_EQ("\xC3(", normalised_name("\xC3("));                // no UTF-8
}

TEST(CdfNames, Utf8) {
  for (const char* good : {"\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(good)) << to_hex(good, std::string(good).size());
  }
  for (const char* bad : {"\x80", "\xC1\xBF", "\xC2", "\xC2 ", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xEF\xBF",
                          "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "a\xE9"}) {
    EXPECT_FALSE(is_utf8(bad)) << to_hex(bad, std::string(bad).size());
  }
}

TEST(CdfLimits, DimensionsHaveTheirLongest) {
  const auto check = [](Version version, uint64_t length) {
    Header header;
    header.version = version;
    return check_dimension(header, {"x", length, false});
  };
  EXPECT_TRUE(check(Version::cdf1, 2 * k_gib - 4).ok());
  EXPECT_TRUE(says(check(Version::cdf1, 2 * k_gib - 3), Code::limit,
                   {"\"x\"", "2147483645", "CDF-1", "2147483644", "CDF-2 or CDF-5"}));
  EXPECT_TRUE(check(Version::cdf2, 4 * k_gib - 4).ok());
  EXPECT_TRUE(
      says(check(Version::cdf2, 4 * k_gib - 3), Code::limit, {"4294967293", "create the file as CDF-5"}));
  EXPECT_TRUE(check(Version::cdf5, INT64_MAX).ok());
  EXPECT_TRUE(says(check(Version::cdf5, uint64_t{1} << 63), Code::limit, {"make it shorter"}));
  EXPECT_TRUE(says(check(Version::cdf5, 0), Code::limit, {"length 0"}));
}

TEST(CdfLimits, OneUnlimitedDimensionAndOneOfEachName) {
  Header header;
  header.dims = {{"t", 0, true}};
  EXPECT_TRUE(says(check_dimension(header, {"u", 0, true}), Code::limit, {"\"u\"", "\"t\""}));
  EXPECT_TRUE(says(check_dimension(header, {"t", 4, false}), Code::exists, {"dimension \"t\""}));
  EXPECT_TRUE(check_dimension(header, {"x", 4, false}).ok());
}

TEST(CdfLimits, TypesOfCdf5AreRefusedElsewhere) {
  Header header;
  for (uint32_t code = 1; code <= 11; ++code) {
    const auto type = static_cast<Type>(code);
    for (const Version version : {Version::cdf1, Version::cdf2, Version::cdf5}) {
      header.version = version;
      const Variable variable{"v", {}, {}, type, 0, 0};
      const Attribute attribute{"a", type, std::vector<std::byte>(8)};
      const bool allowed = version == Version::cdf5 || code <= 6;
      EXPECT_EQ(check_variable(header, variable).ok(), allowed);
      EXPECT_EQ(check_attribute(version, {}, attribute).ok(), allowed);
      if (allowed) continue;
      EXPECT_TRUE(
          says(check_variable(header, variable), Code::type, {"\"v\"", name(type), name(version), "CDF-5"}));
    }
  }
  EXPECT_TRUE(says(check_variable(header, {"v", {}, {}, static_cast<Type>(12), 0, 0}), Code::type, {"12"}));
  EXPECT_EQ(check_attribute(Version::cdf5, {}, {"a", Type::int32, std::vector<std::byte>(6)}).code(),
            Code::argument);
}

TEST(CdfLimits, TypesOfTheModel) {
  using model::Kind;
  for (uint32_t code = 1; code <= 11; ++code) {
    const auto type = static_cast<Type>(code);
    EXPECT_EQ(type_for(Version::cdf5, element_type(type).kind).value(), type);
    EXPECT_TRUE(model::check(element_type(type)).ok());
    EXPECT_EQ(element_type(type).size_bytes, size_bytes(type));
  }
  EXPECT_TRUE(
      says(type_for(Version::cdf2, Kind::uint16).status(), Code::type, {"CDF-2", "NC_USHORT", "CDF-5"}));
  EXPECT_TRUE(says(type_for(Version::cdf5, Kind::opaque).status(), Code::type, {"opaque"}));
}

TEST(CdfLimits, VariablesUseDimensionsThatExist) {
  Header header;
  header.dims = {{"t", 0, true}, {"x", 4, false}};
  EXPECT_TRUE(check_variable(header, {"v", {0, 1}, {}, Type::int8, 0, 0}).ok());
  EXPECT_TRUE(says(check_variable(header, {"v", {1, 0}, {}, Type::int8, 0, 0}), Code::shape,
                   {"\"t\"", "position 1"}));
  EXPECT_TRUE(
      says(check_variable(header, {"v", {2}, {}, Type::int8, 0, 0}), Code::shape, {"id 2", "2 dimensions"}));
  header.dims.push_back({"y", uint64_t{1} << 62, false});
  EXPECT_TRUE(
      says(check_variable(header, {"v", {1, 2}, {}, Type::int8, 0, 0}), Code::limit, {"\"v\"", "2^63"}));
}

// Variables of bytes: a dimension each, with records where the sign is negative.
Header sized(Version version, const std::vector<int64_t>& sizes) {
  Header header;
  header.version = version;
  header.dims = {{"t", 0, true}};
  for (const int64_t size : sizes) {
    const auto id = static_cast<uint32_t>(header.dims.size());
    const auto bytes = static_cast<uint64_t>(std::abs(size));
    header.dims.push_back({"d" + std::to_string(id), bytes / 4, false});
    std::vector<uint32_t> dims{id};
    if (size < 0) dims.insert(dims.begin(), 0);
    header.variables.push_back({"v" + std::to_string(id), dims, {}, Type::int32, 0, 0});
  }
  return header;
}

// The same cases as tests/cdf/oracle_test.cpp asks the stock libraries about.
TEST(CdfLimits, OnlyTheLastVariableMayBeLarge) {
  const int64_t large = 4 * static_cast<int64_t>(k_gib);
  EXPECT_TRUE(check_sizes(sized(Version::cdf2, {8, large})).ok());
  EXPECT_TRUE(check_sizes(sized(Version::cdf2, {large - 4, large - 4})).ok());
  EXPECT_TRUE(says(check_sizes(sized(Version::cdf2, {large, 8})).status(), Code::limit,
                   {"\"v1\"", "4294967296", "4294967292", "CDF-2", "create the file as CDF-5"}));
  EXPECT_TRUE(says(check_sizes(sized(Version::cdf2, {8, large, -8})).status(), Code::limit, {"\"v2\""}));
  EXPECT_TRUE(check_sizes(sized(Version::cdf2, {8, -8, -large})).ok());
  EXPECT_TRUE(check_sizes(sized(Version::cdf2, {-8, -large, 8})).ok());
  EXPECT_TRUE(
      says(check_sizes(sized(Version::cdf2, {-large, -8})).status(), Code::limit, {"\"v1\"", "a record"}));
  EXPECT_TRUE(check_sizes(sized(Version::cdf5, {large, -large, -large, 8})).ok());
  EXPECT_TRUE(says(check_sizes(sized(Version::cdf1, {2 * static_cast<int64_t>(k_gib), 8})).status(),
                   Code::limit, {"CDF-1", "CDF-2 or CDF-5"}));
}

TEST(CdfLimits, VariablesOfCdf1BeginInTheFirstTwoGib) {
  const auto gib = static_cast<int64_t>(k_gib);
  Header fits = sized(Version::cdf1, {gib, 3 * gib});
  EXPECT_TRUE(place(fits, {}).ok());
  EXPECT_EQ(fits.variables[1].begin, k_gib + 512);
  Header late = sized(Version::cdf1, {gib, gib, 8});
  EXPECT_TRUE(says(place(late, {}), Code::limit, {"\"v3\"", "2147484160", "2147483647", "CDF-2 or CDF-5"}));
  late.version = Version::cdf2;
  EXPECT_TRUE(place(late, {}).ok());
}

TEST(CdfLimits, RecordsFitTheirField) {
  Header header = sized(Version::cdf2, {-8});
  header.records = UINT32_MAX;
  EXPECT_TRUE(says(place(header, {}), Code::limit, {"4294967295 records", "CDF-5"}));
  header.records = UINT32_MAX - 1;
  EXPECT_TRUE(place(header, {}).ok());
}

}  // namespace
}  // namespace scorpio::format::cdf::test
