// The stock tools on headers of ours: ncvalidator finds nothing wrong, and ncdump -h shows what was defined.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "format/cdf/header_writer.h"
#include "format/cdf/places.h"
#include "oracle_script.h"
#include "samples.h"
#include "support/temporary_folder.h"

namespace scorpio::format::cdf::test {
namespace {

const std::string k_ncdump = SCORPIO_CDF_NCDUMP;
const std::string k_ncvalidator = SCORPIO_CDF_NCVALIDATOR;

// As CDL writes them, by code.
constexpr std::array<const char*, 12> k_cdl{"",       "byte",  "char",   "short", "int",   "float",
                                            "double", "ubyte", "ushort", "uint",  "int64", "uint64"};

// The file: the header, then a gap up to the end of the data, without padding after the last.
void write_file(const std::string& path, const Header& header) {
  const auto bytes = write_header(header).value();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const uint64_t end = *Geometry::make(header)->end_of_data(header.records);
  std::filesystem::resize_file(path, std::max<uint64_t>(bytes.size(), end));
}

std::vector<std::string> expected_lines(const Header& header) {
  std::vector<std::string> out;
  for (const Dimension& dimension : header.dims) {
    out.push_back(dimension.unlimited
                      ? fmt::format("{} = UNLIMITED ; // ({} currently)", dimension.name, header.records)
                      : fmt::format("{} = {} ;", dimension.name, dimension.length));
  }
  for (const Variable& variable : header.variables) {
    std::string dims;
    for (const uint32_t id : variable.dims) dims += (dims.empty() ? "" : ", ") + header.dims[id].name;
    if (!dims.empty()) dims = "(" + dims + ")";
    out.push_back(fmt::format("{} {}{} ;", k_cdl[static_cast<size_t>(variable.type)], variable.name, dims));
  }
  return out;
}

// Declarations only: they are indented by one tab, attributes by more.
std::vector<std::string> shown_lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of('\t') == 1) out.push_back(line.substr(1));
  }
  return out;
}

Header random_file(Random& random, bool plain_names) {
  Header header = random_header(random, {.version = random_version(random), .plain_names = plain_names});
  // ncvalidator wants records to be of something.
  const auto grows = [&](const Variable& variable) { return is_record(header, variable); };
  if (std::none_of(header.variables.begin(), header.variables.end(), grows)) header.records = 0;
  const bool placed = place_randomly(random, header);
  EXPECT_TRUE(placed);
  return header;
}

TEST(CdfTools, NcdumpShowsWhatWasDefined) {
  if (k_ncdump.empty()) GTEST_SKIP() << "ncdump (netcdf-bin) was not found when the tests were configured";
  const scorpio::test::TemporaryFolder folder;
  Random random(99);
  for (int i = 0; i < 100; ++i) {
    const Header header = random_file(random, true);
    write_file(folder / "a.nc", header);
    const Answer answer = answer_of(k_ncdump + " -h " + folder / "a.nc");
    ASSERT_EQ(answer.exit_code, 0) << answer.output;
    ASSERT_EQ(shown_lines(answer.output), expected_lines(header)) << answer.output;
  }
}

TEST(CdfTools, NcvalidatorFindsNothingWrong) {
  if (k_ncvalidator.empty())
    GTEST_SKIP() << "ncvalidator (pnetcdf-bin) was not found when the tests were configured";
  const scorpio::test::TemporaryFolder folder;
  Random random(100);
  for (int i = 0; i < 100; ++i) {
    write_file(folder / "a.nc", random_file(random, false));
    const Answer answer = answer_of(k_ncvalidator + " " + folder / "a.nc");
    ASSERT_EQ(answer.exit_code, 0) << answer.output;
    ASSERT_NE(answer.output.find("is a valid NetCDF"), std::string::npos) << answer.output;
    ASSERT_EQ(answer.output.find("Error"), std::string::npos) << answer.output;
  }
}

// The two tests above could not fail if the tools accepted everything.
TEST(CdfTools, TheToolsRefuseADamagedHeader) {
  if (k_ncdump.empty() || k_ncvalidator.empty()) GTEST_SKIP() << "ncdump or ncvalidator was not found";
  const scorpio::test::TemporaryFolder folder;
  Header header;
  header.dims = {{"x", 4, false}};
  header.variables = {{"v", {0}, {}, Type::int32, 0, 0}};
  ASSERT_TRUE(place(header, {}).ok());
  header.variables[0].dims[0] = 7;
  const auto bytes = write_header(header).value();
  std::ofstream(folder / "a.nc", std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  EXPECT_NE(answer_of(k_ncdump + " -h " + folder / "a.nc").exit_code, 0);
  EXPECT_NE(answer_of(k_ncvalidator + " " + folder / "a.nc").exit_code, 0);
}

}  // namespace
}  // namespace scorpio::format::cdf::test
