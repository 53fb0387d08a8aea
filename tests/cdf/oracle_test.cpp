// Against a stock library, netCDF-C or PnetCDF, in a program of its own: the same definitions give the same
// header, byte for byte, whatever padding and hints are asked for, also after a second define mode; and what
// one refuses, the other refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "format/cdf/header_reader.h"
#include "format/cdf/header_writer.h"
#include "format/cdf/limits.h"
#include "format/cdf/places.h"
#include "format/cdf/type.h"
#include "memory_source.h"
#include "oracle_script.h"
#include "pnetcdf_rules.h"
#include "samples.h"
#include "stock_rules.h"
#include "support/temporary_folder.h"

namespace scorpio::format::cdf::test {
namespace {

const std::string k_program = SCORPIO_CDF_ORACLE;
constexpr bool k_pnetcdf = SCORPIO_CDF_ORACLE_IS_PNETCDF != 0;

bool has(const Header& header, bool record) {
  for (const Variable& variable : header.variables) {
    if (is_record(header, variable) == record) return true;
  }
  return false;
}

// The rules of the PnetCDF that the program is linked to.
PnetcdfRules pnetcdf_rules() {
  OracleScript script;
  script.line("version");
  const auto answers = script.run(k_program);
  return rules_of(answers.empty() ? "" : answers[0]);
}

struct Case {
  std::string path;
  Header header;
  PnetcdfHints hints;
  std::optional<Padding> padding;

  // Of the first end of definitions since the file was created.
  Alignment alignment(PnetcdfRules rules) const {
    if (!k_pnetcdf) return netcdf_alignment(padding.value_or(Padding{}));
    if (rules == PnetcdfRules::since_1_13) return alignment_since_1_13(hints, padding, false);
    return padding.has_value() ? pnetcdf_alignment(hints, *padding, has(header, false))
                               : alignment_of_enddef(hints);
  }
  // Of a later one without padding, on a file that was placed by alignment() and, if `reopened`, closed
  // since.
  Alignment later_alignment(PnetcdfRules rules, bool reopened) const {
    Case later = *this;
    if (reopened) later.hints = {};
    if (k_pnetcdf && rules == PnetcdfRules::since_1_13) return alignment_since_1_13(later.hints, {}, true);
    // The older PnetCDF keeps the alignments of the first end while the file is open.
    if (reopened || !k_pnetcdf) later.padding.reset();
    if (later.padding.has_value()) later.padding->h_minfree = later.padding->v_minfree = 0;
    return later.alignment(rules);
  }
};

// 0 (only PnetCDF takes that), 1, or up to 3000, often not a multiple of 4.
uint64_t random_alignment(Random& random) {
  const uint64_t kind = between(random, 0, 5);
  if (kind == 0) return k_pnetcdf ? 0 : 4;
  return kind < 3 ? between(random, 1, 10) : between(random, 1, 3000);
}

Padding random_padding(Random& random) {
  return {between(random, 0, 1) * between(random, 0, 900), random_alignment(random),
          between(random, 0, 1) * between(random, 0, 900), random_alignment(random)};
}

Case random_case(Random& random, const std::string& path, const Shape& shape) {
  Case out{path, random_header(random, shape), {}, {}};
  if (between(random, 0, 3) > 0) out.padding = random_padding(random);
  if (k_pnetcdf && between(random, 0, 1) == 0) {
    out.hints = {random_alignment(random), random_alignment(random), random_alignment(random)};
  }
  if (!has(out.header, true)) out.header.records = 0;
  return out;
}

// What the library wrote is what write_header makes of `header`.
testing::AssertionResult same(const std::string& path, const Header& header, const std::string& answer) {
  if (answer != "0") return testing::AssertionFailure() << "the library answers " << answer;
  const auto expected = first_bytes(path, header_bytes(header));
  const auto written = write_header(header);
  if (!written.ok()) return testing::AssertionFailure() << written.status().text();
  if (written.value() == expected) return testing::AssertionSuccess();
  MemorySource source(expected);
  const auto theirs = read_header(source);
  auto failure = testing::AssertionFailure() << "headers differ:";
  if (!theirs.ok()) return failure << theirs.status().text();
  for (size_t i = 0; i < header.variables.size(); ++i) {
    failure << fmt::format(" {}{}: {} is {} ({})", i, is_record(header, header.variables[i]) ? "r" : "",
                           header.variables[i].begin, theirs->header.variables[i].begin,
                           header.variables[i].vsize == theirs->header.variables[i].vsize ? "" : "vsize");
  }
  return failure;
}

std::string described(const Case& each) {
  const Padding padding = each.padding.value_or(Padding{});
  return fmt::format("{} hints {} {} {} padding {}: {} {} {} {} header {}", each.path, each.hints.header,
                     each.hints.variable, each.hints.record, each.padding.has_value(), padding.h_minfree,
                     padding.v_align, padding.v_minfree, padding.r_align, header_bytes(each.header));
}

std::string places(const Header& header) {
  std::string out = fmt::format("; before, header {}:", header_bytes(header));
  for (const Variable& variable : header.variables) {
    out += fmt::format(" {}{}", variable.begin, is_record(header, variable) ? "r" : "");
  }
  return out;
}

class CdfOracle : public testing::Test {
 protected:
  void SetUp() override {
    if (k_program.empty()) {
      GTEST_SKIP() << (k_pnetcdf ? "PnetCDF (libpnetcdf-dev, with Open MPI)" : "netCDF-C (libnetcdf-dev)")
                   << " was not found when the tests were configured";
    }
    if (k_pnetcdf) rules_ = pnetcdf_rules();
  }
  scorpio::test::TemporaryFolder folder_;
  PnetcdfRules rules_ = PnetcdfRules::until_1_12;
};

TEST_F(CdfOracle, TheSameDefinitionsGiveTheSameHeader) {
  Random random(4711);
  OracleScript script;
  std::vector<Case> cases;
  for (int i = 0; i < 600; ++i) {
    Case each = random_case(random, folder_ / fmt::format("{}.nc", i), {.version = random_version(random)});
    script.hints(each.hints);
    script.create(each.path, each.header.version);
    script.define(each.header);
    script.end_definitions(each.padding);
    script.records(each.header);
    script.line("close");
    cases.push_back(std::move(each));
  }
  const auto answers = script.run(k_program);
  ASSERT_EQ(answers.size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    const Status placed = place(cases[i].header, cases[i].alignment(rules_));
    ASSERT_TRUE(placed.ok()) << placed.text();
    ASSERT_TRUE(same(cases[i].path, cases[i].header, answers[i])) << described(cases[i]);
  }
}

// Files that have both sections from the start: where one is missing, the libraries keep free the place where
// it would have begun, though the file does not show it, and replace() uses it.
TEST_F(CdfOracle, ASecondDefineModeGivesTheSameHeader) {
  Random random(815);
  OracleScript script;
  std::vector<Case> cases;
  std::vector<Header> firsts;
  std::vector<Alignment> alignments;
  for (int i = 0; cases.size() < 400; ++i) {
    const Shape shape{.version = random_version(random), .most = 4};
    Case each = random_case(random, folder_ / fmt::format("{}.nc", i), shape);
    if (!has(each.header, false) || !has(each.header, true)) continue;
    script.hints(each.hints);
    script.create(each.path, shape.version);
    script.define(each.header);
    script.end_definitions(each.padding);
    script.records(each.header);
    ASSERT_TRUE(place(each.header, each.alignment(rules_)).ok());
    firsts.push_back(each.header);
    grow(random, shape, each.header);
    const bool reopened = between(random, 0, 1) == 0;
    if (reopened) script.line("close\nopen " + each.path);
    // What held at the first end: with fixed variables, or without.
    Case as_first = each;
    as_first.header = firsts.back();
    alignments.push_back(as_first.later_alignment(rules_, reopened));
    script.line("redef");
    script.define(each.header, firsts.back());
    script.end_definitions({});
    script.line("close");
    cases.push_back(std::move(each));
  }
  const auto answers = script.run(k_program);
  size_t next = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (script.text().find("open " + cases[i].path + "\n") != std::string::npos) ++next;
    const Status placed = replace(cases[i].header, firsts[i], alignments[i]);
    ASSERT_TRUE(placed.ok()) << placed.text();
    ASSERT_LT(next, answers.size());
    ASSERT_TRUE(same(cases[i].path, cases[i].header, answers[next++]))
        << described(cases[i]) << places(firsts[i]);
  }
  EXPECT_EQ(next, answers.size());
}

// A header of int variables of so many bytes, with records where negative, in up to two dimensions.
Header sized(Version version, const std::vector<int64_t>& sizes) {
  Header header;
  header.version = version;
  header.dims = {{"t", 0, true}, {"k", 1024, false}};
  for (const int64_t size : sizes) {
    const auto words = static_cast<uint64_t>(std::abs(size)) / 4;
    const bool split = words % 1024 == 0;
    const auto id = static_cast<uint32_t>(header.dims.size());
    header.dims.push_back({"d" + std::to_string(id), split ? words / 1024 : words, false});
    std::vector<uint32_t> dims{id};
    if (split) dims.push_back(1);
    if (size < 0) dims.insert(dims.begin(), 0);
    header.variables.push_back({"v" + std::to_string(id), dims, {}, Type::int32, 0, 0});
  }
  return header;
}

TEST_F(CdfOracle, TheSameSizesAreRefused) {
  constexpr int64_t k_gib = int64_t{1} << 30;
  std::vector<std::vector<int64_t>> sizes;
  for (const int64_t size :
       {k_gib, 2 * k_gib - 1024, 2 * k_gib - 4, 2 * k_gib, 4 * k_gib - 4, 4 * k_gib, 8 * k_gib}) {
    const std::vector<std::vector<int64_t>> ways{{size},     {size, 8},    {8, size},     {8, size, -8},
                                                 {-size},    {-size, -8},  {-8, -size},   {8, -size},
                                                 {-size, 8}, {size, size}, {size, -size}, {-size, -size, 8}};
    sizes.insert(sizes.end(), ways.begin(), ways.end());
  }
  OracleScript script;
  std::vector<Header> headers;
  for (const Version version : {Version::cdf1, Version::cdf2, Version::cdf5}) {
    for (const auto& each : sizes) {
      headers.push_back(sized(version, each));
      script.create(folder_ / fmt::format("{}.nc", headers.size()), version);
      script.define(headers.back());
      script.end_definitions({});
      script.line("close");
    }
  }
  const auto answers = script.run(k_program);
  ASSERT_EQ(answers.size(), headers.size());
  int refused = 0;
  for (size_t i = 0; i < headers.size(); ++i) {
    const Case each{folder_ / fmt::format("{}.nc", i + 1), headers[i], {}, {}};
    const Status placed = place(headers[i], each.alignment(rules_));
    refused += placed.ok() ? 0 : 1;
    SCOPED_TRACE(fmt::format("case {} of {}", i % sizes.size(), name(headers[i].version)));
    if (placed.ok()) {
      EXPECT_TRUE(same(each.path, headers[i], answers[i]));
    } else {
      EXPECT_EQ(answers[i].substr(0, 4), "-62 ") << placed.text();  // NC_EVARSIZE
    }
  }
  EXPECT_GT(refused, 20);
}

TEST_F(CdfOracle, TheSameDimensionsAreRefused) {
  const std::vector<uint64_t> lengths{1,          2147483644, 2147483645, 2147483647,
                                      2147483648, 4294967292, 4294967293, INT64_MAX};
  OracleScript script;
  std::vector<bool> allowed;
  for (const Version version : {Version::cdf1, Version::cdf2, Version::cdf5}) {
    for (const uint64_t length : lengths) {
      Header header;
      header.version = version;
      const bool ours = check_dimension(header, {"x", length, false}).ok();
      allowed.push_back(rules_ == PnetcdfRules::since_1_13 ? length <= longest_since_1_13(version) : ours);
      header.dims = {{"x", length, false}};
      script.create(folder_ / "x.nc", version);
      script.define(header);
      script.end_definitions({});
      script.line("close");
    }
  }
  const auto answers = script.run(k_program);
  ASSERT_EQ(answers.size(), allowed.size());
  for (size_t i = 0; i < allowed.size(); ++i) {
    EXPECT_EQ(answers[i].substr(0, 3), allowed[i] ? "0" : "-63") << i;  // NC_EDIMSIZE
  }
}

}  // namespace
}  // namespace scorpio::format::cdf::test
