// Whole files, data and all: what PnetCDF writes, and what is written through a layout and a CdfFile, are the
// same bytes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "format/cdf/geometry.h"
#include "samples.h"
#include "stored_files.h"

namespace scorpio::format::cdf::test {
namespace {

const std::string k_program = SCORPIO_CDF_ORACLE;

class CdfWholeFile : public StoredFiles {
 protected:
  void SetUp() override {
    if (k_program.empty()) GTEST_SKIP() << "PnetCDF (libpnetcdf-dev, with Open MPI) was not found";
  }

  // Makes the file and writes all of its data, without the padding after them.
  void write_ours(const std::string& path, const Header& header) {
    const Header placed = make(path, header);
    const Geometry geometry = take(Geometry::make(placed));
    for (size_t v = 0; v < placed.variables.size(); ++v) {
      const Extent& extent = geometry.variables()[v];
      const std::vector<std::byte> slab(extent.bytes, static_cast<std::byte>(OracleScript::data_byte(v)));
      for (uint64_t r = 0; r < (extent.record ? placed.records : 1); ++r)
        write_bytes(path, extent.begin + r * geometry.record_bytes(), slab);
    }
  }
};

TEST_F(CdfWholeFile, FilesWithAllTheirDataAreThoseOfPnetcdf) {
  Random random(271);
  OracleScript script;
  std::vector<Header> headers;
  for (size_t i = 0; i < 150; ++i) {
    Header header = random_header(random, {.version = random_version(random)});
    const auto grows = [&](const Variable& variable) { return is_record(header, variable); };
    if (std::none_of(header.variables.begin(), header.variables.end(), grows)) header.records = 0;
    script.create(folder_ / fmt::format("{}.nc", i), header.version);
    script.define(header);
    script.end_definitions({});
    script.write_all(header);
    script.line("close");
    headers.push_back(std::move(header));
  }
  const auto answers = script.run(k_program);
  ASSERT_EQ(answers.size(), headers.size());
  for (size_t i = 0; i < headers.size(); ++i) {
    ASSERT_EQ(answers[i], "0");
    write_ours(folder_ / "ours.nc", headers[i]);
    // PnetCDF omits the padding after the last record.
    auto theirs = all_bytes(folder_ / fmt::format("{}.nc", i));
    const auto ours = all_bytes(folder_ / "ours.nc");
    ASSERT_LT(ours.size() - theirs.size(), k_padding_bytes) << i;
    theirs.resize(ours.size());
    ASSERT_EQ(ours, theirs) << i;
  }
}

}  // namespace
}  // namespace scorpio::format::cdf::test
