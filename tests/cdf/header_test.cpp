// Header bytes: the examples of the specification, round trips, and what the reader says of damaged ones.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>

#include "format/cdf/header_reader.h"
#include "format/cdf/header_writer.h"
#include "memory_source.h"
#include "samples.h"

namespace scorpio::format::cdf::test {
namespace {

// The specification's example "tiny": short vx(dim), dim = 5, with begin 80.
const char* const k_tiny =
    "43444601 00000000 0000000a 00000001 00000003 64696d00 00000005 00000000 00000000 0000000b 00000001 "
    "00000002"
    "76780000 00000001 00000000 00000000 00000000 00000003 0000000c 00000050";

Header tiny() {
  Header header;
  header.version = Version::cdf1;
  header.dims = {{"dim", 5, false}};
  header.variables = {{"vx", {0}, {}, Type::int16, 12, 80}};
  return header;
}

Result<ParsedHeader> parse(const std::vector<std::byte>& bytes, const ReadLimits& limits = {}) {
  MemorySource source(bytes);
  return read_header(source, limits);
}

// The reader's words about `bytes`; what is wrong, where, and the value.
std::string complaint(const std::string& digits) {
  const Result<ParsedHeader> parsed = parse(from_hex(digits));
  if (parsed.ok()) return "accepted";
  EXPECT_EQ(parsed.status().code(), Code::format);
  return parsed.status().text();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CdfHeader, TheSpecificationsExamplesAreWrittenToTheByte) {
  EXPECT_EQ(write_header(tiny()).value(), from_hex(k_tiny));
  Header empty;
  empty.version = Version::cdf1;
  EXPECT_EQ(write_header(empty).value(), from_hex("43444601" + std::string(56, '0')));
  EXPECT_EQ(header_bytes(tiny()), 80U);
}

TEST(CdfHeader, TheSpecificationsExamplesAreRead) {
  const Result<ParsedHeader> parsed = parse(from_hex(k_tiny));
  ASSERT_TRUE(parsed.ok()) << parsed.status().text();
  EXPECT_EQ(parsed->header, tiny());
  EXPECT_EQ(parsed->bytes, 80U);
}

TEST(CdfHeader, NamesThatAreFilledUpWithZerosEndBeforeThem) {
  std::string digits = k_tiny;
  digits.replace(digits.find("64696d00"), 8, "64690000");  // still of three characters
  const Result<ParsedHeader> parsed = parse(from_hex(digits));
  ASSERT_TRUE(parsed.ok()) << parsed.status().text();
  EXPECT_EQ("di", parsed->header.dims[0].name);
}

TEST(CdfHeader, FieldsOfCdf5HaveEightBytes) {
  Header header = tiny();
  header.version = Version::cdf5;
  header.records = 7;
  header.variables[0].begin = 128;
  const auto bytes = write_header(header).value();
  EXPECT_EQ(bytes.size(), 128U);
  EXPECT_EQ(bytes,
            from_hex("43444605 0000000000000007 0000000a 0000000000000001 0000000000000003 64696d00"
                     "0000000000000005 00000000 0000000000000000 0000000b 0000000000000001"
                     "0000000000000002 76780000 0000000000000001 0000000000000000 00000000 0000000000000000"
                     "00000003 000000000000000c 0000000000000080"));
}

TEST(CdfHeader, AnUnknownNumberOfRecordsIsKept) {
  for (const Version version : {Version::cdf1, Version::cdf2, Version::cdf5}) {
    Header header;
    header.version = version;
    header.records = k_streaming;
    const auto bytes = write_header(header).value();
    EXPECT_EQ(parse(bytes)->header.records, k_streaming);
    const auto field = write_records(version, k_streaming).value();
    EXPECT_TRUE(std::equal(field.begin(), field.end(), bytes.begin() + k_records_offset));
    EXPECT_EQ(field.size(), version == Version::cdf5 ? 8U : 4U);
    EXPECT_TRUE(std::all_of(field.begin(), field.end(), [](std::byte b) { return b == std::byte{0xFF}; }));
  }
  EXPECT_EQ(write_records(Version::cdf2, UINT32_MAX).status().code(), Code::limit);
  EXPECT_EQ(write_records(Version::cdf2, UINT32_MAX - 1).value(), from_hex("fffffffe"));
}

RC_GTEST_PROP(CdfHeader, RoundTrip, (uint64_t seed)) {
  Random random(seed);
  const Shape shape{.version = random_version(random)};
  Header header = random_header(random, shape);
  RC_ASSERT(place_randomly(random, header));
  auto bytes = write_header(header).value();
  const size_t size = bytes.size();
  RC_ASSERT(size == header_bytes(header));
  bytes.resize(size + between(random, 0, 50), std::byte{0xAB});
  // Small pieces: fields and names lie across their borders.
  const auto parsed = parse(bytes, {.piece_bytes = static_cast<size_t>(between(random, 1, 40))});
  RC_ASSERT(parsed.ok());
  RC_ASSERT(parsed->header == header);
  RC_ASSERT(parsed->bytes == size);
}

RC_GTEST_PROP(CdfHeader, EveryCutIsNoticed, (uint64_t seed)) {
  Random random(seed);
  Header header = random_header(random, {.version = random_version(random)});
  RC_ASSERT(place_randomly(random, header));
  auto bytes = write_header(header).value();
  bytes.resize(between(random, 0, bytes.size() - 1));
  const auto parsed = parse(bytes);
  RC_ASSERT(!parsed.ok());
  RC_ASSERT(parsed.status().code() == Code::format);
}

TEST(CdfHeader, TheReaderSaysWhatIsWrongAndWhere) {
  EXPECT_TRUE(contains(complaint("89484446 0d0a1a0a"), "begins with the bytes 89484446"));
  EXPECT_TRUE(contains(complaint("43444603 00000000"), "CDF version 3"));
  EXPECT_TRUE(contains(complaint("4344"), "ends at byte 2"));
  EXPECT_TRUE(
      contains(complaint("43444601 00000000 0000000b 00000000 00000000"), "at byte 8 has the tag 0xb"));
  EXPECT_TRUE(
      contains(complaint("43444601 00000000 00000000 00000001 00000000 00000000 00000000"), "absent"));
  EXPECT_TRUE(contains(complaint("43444601 00000000 0000000a 7fffffff 00000000 00000000"),
                       "claims at byte 12 to have 2147483647 dimensions"));
  EXPECT_TRUE(contains(complaint("43444605 0000000000000000 0000000a ffffffffffffffff 0000000000000000"),
                       "18446744073709551615 dimensions"));
  EXPECT_TRUE(contains(complaint("43444605 8000000000000000 00000000 0000000000000000"), "negative"));
}

// `k_tiny` with four bytes at `offset` replaced.
std::string damaged(size_t offset, const std::string& word) {
  std::string digits = to_hex(from_hex(k_tiny).data(), 80);
  return digits.replace(2 * offset, 8, word);
}

TEST(CdfHeader, TheReaderSaysWhatContradictsItself) {
  ASSERT_EQ(complaint(damaged(0, "43444601")), "accepted");
  EXPECT_TRUE(contains(complaint(damaged(56, "00000001")), "dimension id 1; the file has 1 dimensions"));
  EXPECT_TRUE(contains(complaint(damaged(68, "00000007")), "type code 7, which CDF-1 files lack"));
  EXPECT_TRUE(contains(complaint(damaged(68, "00000000")), "type code 0"));
  EXPECT_TRUE(contains(complaint(damaged(76, "0000004f")), "begins at byte 79, inside the header of 80"));
  EXPECT_TRUE(contains(complaint(damaged(76, "80000050")), "negative"));
  EXPECT_TRUE(contains(complaint(damaged(20, "00646d00")), "accepted"));  // an odd name, but a name
  EXPECT_EQ(complaint(damaged(72, "ffffffff")), "accepted");              // vsize is redundant
}

TEST(CdfHeader, TheReaderAcceptsWhatOldWritersDid) {
  const auto padded = parse(from_hex(damaged(20, "64696d41")));  // padding that is not zero
  ASSERT_TRUE(padded.ok());
  EXPECT_EQ(padded->header, tiny());
  const auto named = parse(from_hex(damaged(20, "64e96d00")));  // Latin-1
  ASSERT_TRUE(named.ok());
  EXPECT_EQ(named->header.dims[0].name, "d\xe9m");
}

Status status_of(const Header& header) {
  const auto bytes = write_header(header);
  if (!bytes.ok()) return bytes.status();
  const auto parsed = parse(bytes.value());
  return parsed.ok() ? Status() : parsed.status();
}

TEST(CdfHeader, TwoUnlimitedDimensionsAndALateOneAreRefused) {
  Header header = tiny();
  header.dims = {{"t", 0, true}, {"x", 3, false}};
  header.variables[0].dims = {0, 1};
  header.variables[0].begin = 1000;
  ASSERT_TRUE(status_of(header).ok());
  header.variables[0].dims = {1, 0};
  EXPECT_TRUE(contains(status_of(header).text(), "unlimited dimension \"t\" at position 1"));
  header.variables[0].dims = {};
  header.dims[1] = {"u", 0, true};
  EXPECT_TRUE(contains(status_of(header).text(), "\"t\" and \"u\" are both unlimited"));
}

TEST(CdfHeader, TwoThingsOfOneNameAreRefused) {
  Header header = tiny();
  header.variables.push_back(header.variables[0]);
  for (Variable& variable : header.variables) variable.begin = 1000;
  EXPECT_TRUE(contains(status_of(header).text(), "two variables are called \"vx\""));
  header.variables.pop_back();
  header.variables[0].attributes = {text_attribute("a", "x"), text_attribute("a", "y")};
  EXPECT_TRUE(contains(status_of(header).text(), "vx: two attributes of a variable are called \"a\""));
}

TEST(CdfHeader, VariablesMayBeginInAnyOrder) {
  Header header = tiny();
  header.variables.push_back({"vy", {0}, {}, Type::int16, 12, 200});
  header.variables[0].begin = 400;
  EXPECT_TRUE(status_of(header).ok());
}

TEST(CdfHeader, DataPastTheEndOfAllOffsetsAreRefused) {
  Header header;
  header.dims = {{"x", uint64_t{1} << 62, false}, {"y", 4, false}};
  header.variables = {{"v", {0, 1}, {}, Type::float64, 0, 4000}};
  EXPECT_TRUE(contains(status_of(header).text(), "past 2^63 - 1"));
}

TEST(CdfHeader, ValuesThatTheirFieldsCannotHoldAreNotWritten) {
  Header header = tiny();
  header.variables[0].begin = uint64_t{1} << 31;
  EXPECT_EQ(write_header(header).status().code(), Code::limit);
  header.version = Version::cdf2;
  EXPECT_TRUE(write_header(header).ok());
  header.variables[0].vsize = uint64_t{1} << 32;
  EXPECT_EQ(write_header(header).status().code(), Code::limit);
  header.version = Version::cdf5;
  header.variables[0].type = Type::uint64;
  EXPECT_TRUE(write_header(header).ok());
  header.version = Version::cdf2;
  EXPECT_EQ(write_header(header).status().code(), Code::type);
}

class BrokenSource final : public HeaderSource {
 public:
  uint64_t size_bytes() const override { return 1000; }
  Status read(uint64_t, std::span<std::byte>) override { return failure(Code::io, "the disk is gone"); }
};

TEST(CdfHeader, AReadThatFailsIsReportedAsItIs) {
  BrokenSource source;
  const auto parsed = read_header(source);
  EXPECT_EQ(parsed.status().code(), Code::io);
  EXPECT_EQ(parsed.status().text(), "the disk is gone");
}

TEST(CdfHeader, ALongHeaderIsRefusedWhereTheCallerSaysSo) {
  const auto bytes = from_hex(k_tiny);
  EXPECT_TRUE(parse(bytes, {.header_bytes = 80}).ok());
  EXPECT_EQ(parse(bytes, {.header_bytes = 79}).status().code(), Code::format);
}

}  // namespace
}  // namespace scorpio::format::cdf::test
