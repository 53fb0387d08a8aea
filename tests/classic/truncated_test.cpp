// Classic files that are shorter than their headers say: read as zeros, told, refused with option strict; and
// never made longer, or copied, by what is not there.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "classic_file.h"

namespace scorpio::classic_test {
namespace {

constexpr int64_t k_columns = 500;

class Truncated : public testing::Test {
 protected:
  // int32 a(x), float64 b(x), int32 r(t, x) with 3 records; every value is its index + 1, of r also 1000 a
  // record.
  void make(const std::string& format = "cdf5") const {
    ClassicFile file(system_, path_, format);
    const int t = file.dimension("t", SCORPIO_UNLIMITED), x = file.dimension("x", k_columns);
    const int a = file.variable("a", SCORPIO_INT32, {x}), b = file.variable("b", SCORPIO_FLOAT64, {x});
    const int r = file.variable("r", SCORPIO_INT32, {t, x});
    put(file.get(), a, -1);
    put(file.get(), b, -1);
    for (int64_t record = 0; record < 3; ++record) put(file.get(), r, record);
    EXPECT_SUCCESS(file.close());
  }
  // Without data: a(x) and b(y), of which y can be damaged alone.
  void make_fixed() const {
    ClassicFile file(system_, path_);
    const int x = file.dimension("x", k_columns), y = file.dimension("yyyy", 7);
    const int a = file.variable("a", SCORPIO_INT32, {x});
    (void)file.variable("b", SCORPIO_INT32, {y});
    put(file.get(), a, -1);
    EXPECT_SUCCESS(file.close());
  }
  std::vector<int32_t> part(int64_t record) const {
    const int64_t share = k_columns / ranks_in(), more = k_columns % ranks_in();
    const int64_t first = rank_in() * share + std::min<int64_t>(rank_in(), more);
    std::vector<int32_t> values(static_cast<size_t>(share + (rank_in() < more ? 1 : 0)));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] =
          static_cast<int32_t>(first + static_cast<int64_t>(i) + 1 + 1000 * std::max<int64_t>(record, 0));
    return values;
  }
  void put(scorpio_file* file, int variable, int64_t record) const {
    const std::vector<int32_t> values = part(record);
    EXPECT_SUCCESS(scorpio_put_darray(file, variable, rows_.get(), std::max<int64_t>(record, 0),
                                      SCORPIO_INT32, values.data()));
  }

  std::string bytes() const {
    MPI_Barrier(MPI_COMM_WORLD);
    std::ifstream file(path_, std::ios::binary);
    std::string all{std::istreambuf_iterator<char>(file), {}};
    MPI_Barrier(MPI_COMM_WORLD);
    return all;
  }
  uint64_t size() const {
    MPI_Barrier(MPI_COMM_WORLD);
    const uint64_t size = std::filesystem::file_size(path_);
    MPI_Barrier(MPI_COMM_WORLD);
    return size;
  }
  void resize(uint64_t size) const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_in() == 0) std::filesystem::resize_file(path_, size);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  // The 64-bit number at `at` becomes `value`.
  void damage(uint64_t at, uint64_t value) const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_in() == 0) {
      std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
      file.seekp(static_cast<std::streamoff>(at));
      for (int shift = 56; shift >= 0; shift -= 8) file.put(static_cast<char>(value >> shift));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  int open(scorpio_open_mode mode, scorpio_file** file, const Settings& settings = {}) const {
    const OptionList options(settings);
    return scorpio_file_open(system_.get(), path_.c_str(), mode, options.get(), file);
  }
  void expect_values(scorpio_file* file, int64_t there) const {
    const std::vector<int32_t> a = all_of<int32_t>(file, 0, SCORPIO_INT32);
    for (size_t i = 0; i < a.size(); ++i)
      ASSERT_EQ(a[i], static_cast<int64_t>(i) < there ? static_cast<int32_t>(i) + 1 : 0) << i;
  }

  const TemporaryFolder folder_;
  const System system_;
  const std::string path_ = folder_ / "a.nc";
  const Decomp rows_{system_, api_test::uniform_layout({k_columns}, ranks_in())};
};

TEST_F(Truncated, AFileThatIsOpenedForWritingStaysAsItIs) {
  for (const char* format : {"cdf1", "cdf2", "cdf5"}) {
    make(format);
    const uint64_t whole = size();
    for (const uint64_t missing : {uint64_t{4}, uint64_t{2001}, uint64_t{6001}, whole - 1500}) {
      SCOPED_TRACE(missing);
      make(format);
      resize(whole - missing);
      const std::string before = bytes();
      for (const bool synced : {false, true}) {
        scorpio_file* file = nullptr;
        ASSERT_SUCCESS(open(SCORPIO_WRITE, &file));
        if (synced) {
          EXPECT_SUCCESS(scorpio_file_sync(file));
        }
        EXPECT_SUCCESS(scorpio_file_close(file));
        EXPECT_TRUE(bytes() == before) << size() << " instead of " << whole - missing;
      }
    }
  }
}

TEST_F(Truncated, WhatIsNotThereReadsAsZerosAndIsCountedAndTold) {
  make();
  const uint64_t whole = size();
  resize(whole - 3 * 4 * k_columns - 100);  // the last hundred bytes of b, and r
  const uint64_t before = system_.sum("missing_bytes");
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(open(SCORPIO_READ, &file));
  EXPECT_EQ(system_.sum("missing_bytes") - before, 3 * 4 * k_columns + 100);
  if (rank_in() == 0) {
    EXPECT_NE(system_.describe().find("lacks 6100 bytes"), std::string::npos) << system_.describe();
  }
  expect_values(file, k_columns);
  const std::vector<double> b = all_of<double>(file, 1, SCORPIO_FLOAT64);
  EXPECT_EQ(b[k_columns - 14], k_columns - 13);
  for (size_t i = k_columns - 12; i < k_columns; ++i) EXPECT_EQ(b[i], 0) << i;
  EXPECT_EQ(all_of<int32_t>(file, 2, SCORPIO_INT32), std::vector<int32_t>(3 * k_columns, 0));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST_F(Truncated, StrictRefusesItAndOnlyIt) {
  make();
  const uint64_t whole = size();
  for (const auto mode : {SCORPIO_READ, SCORPIO_WRITE}) {
    scorpio_file* file = nullptr;
    resize(whole);
    ASSERT_SUCCESS(open(mode, &file, {{"strict", "true"}}));
    EXPECT_SUCCESS(scorpio_file_close(file));
    resize(whole - 1);
    EXPECT_SAME_FAILURE(SCORPIO_ERR_FORMAT, open(mode, &file, {{"strict", "true"}}));
    EXPECT_NE(last_text().find("lacks 1 bytes"), std::string::npos) << last_text();
  }
}

TEST_F(Truncated, APutBringsBackWhatItPuts) {
  make();
  const uint64_t whole = size();
  resize(1000);
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(open(SCORPIO_WRITE, &file));
  put(file, 0, -1);
  EXPECT_SUCCESS(scorpio_file_sync(file));
  EXPECT_LT(size(), whole - 4 * k_columns);
  put(file, 2, 3);
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_EQ(size(), whole + 4 * k_columns);
  ASSERT_SUCCESS(open(SCORPIO_READ, &file, {{"strict", "true"}}));
  expect_values(file, k_columns);
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// As netCDF-C: variables may not lie on each other.
TEST_F(Truncated, ALengthThatCannotBeIsFormat) {
  make();
  const std::string all = bytes();
  const size_t x = all.find("x", 20) + 4;  // name, and three bytes of padding
  for (const uint64_t length :
       {uint64_t{k_columns + 1}, uint64_t{1} << 40, uint64_t{1} << 59, uint64_t{1} << 62}) {
    damage(x, length);
    const std::string before = bytes();
    scorpio_file* file = nullptr;
    for (const auto mode : {SCORPIO_READ, SCORPIO_WRITE})
      EXPECT_SAME_FAILURE(SCORPIO_ERR_FORMAT, open(mode, &file));
    EXPECT_TRUE(bytes() == before);
  }
}

// The last variable may be of any length, as netCDF-C sees it; but who writes is told that its size says
// another.
TEST_F(Truncated, ALengthOfTheLastVariableThatItsSizeDenies) {
  make_fixed();
  damage(bytes().find("yyyy", 20) + 4, uint64_t{1} << 59);
  const std::string before = bytes();
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(open(SCORPIO_READ, &file));
  expect_values(file, k_columns);
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_FORMAT, open(SCORPIO_WRITE, &file));
  EXPECT_TRUE(bytes() == before);
}

TEST_F(Truncated, ANumberOfRecordsThatCannotBeCostsNothing) {
  make();
  const uint64_t whole = size();
  damage(4, uint64_t{1} << 48);
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(open(SCORPIO_WRITE, &file));
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_EQ(size(), whole);
  ASSERT_SUCCESS(open(SCORPIO_WRITE, &file));
  put(file, 2, 1);
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_EQ(size(), whole);
  // All data move, but only what there is.
  ASSERT_SUCCESS(open(SCORPIO_WRITE, &file));
  EXPECT_SUCCESS(scorpio_define_begin(file));
  const std::string text(3000, 'x');
  EXPECT_SUCCESS(scorpio_attribute_put(file, SCORPIO_GLOBAL, "long", SCORPIO_TEXT, text.size(), 0, nullptr,
                                       SCORPIO_TEXT, text.data()));
  EXPECT_SUCCESS(scorpio_define_end(file));
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_LT(size(), whole + 4000);
  ASSERT_SUCCESS(open(SCORPIO_READ, &file));
  expect_values(file, k_columns);
  for (int64_t record = 0; record < 3; ++record) {
    std::vector<int32_t> values(part(record).size());
    EXPECT_SUCCESS(scorpio_get_darray(file, 2, rows_.get(), record, SCORPIO_INT32, values.data()));
    EXPECT_EQ(values, part(record));
  }
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST_F(Truncated, ACopyKeepsHoles) {
  constexpr int64_t k_large = int64_t{1} << 32;  // 16 GiB of int32
  {
    ClassicFile file(system_, path_);
    const int z = file.dimension("z", k_large), x = file.dimension("x", k_columns);
    (void)file.variable("hole", SCORPIO_INT32, {z});
    const int a = file.variable("a", SCORPIO_INT32, {x});
    put(file.get(), a, -1);
    EXPECT_SUCCESS(file.close());
  }
  struct stat facts = {};
  MPI_Barrier(MPI_COMM_WORLD);
  ASSERT_EQ(::stat(path_.c_str(), &facts), 0);
  if (facts.st_blocks * 512 > 1 << 30) GTEST_SKIP() << "this file system keeps no holes";
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(open(SCORPIO_WRITE, &file));
  EXPECT_SUCCESS(scorpio_define_begin(file));
  const std::string text(3000, 'x');
  EXPECT_SUCCESS(scorpio_attribute_put(file, SCORPIO_GLOBAL, "long", SCORPIO_TEXT, text.size(), 0, nullptr,
                                       SCORPIO_TEXT, text.data()));
  EXPECT_SUCCESS(scorpio_define_end(file));
  EXPECT_SUCCESS(scorpio_file_close(file));
  MPI_Barrier(MPI_COMM_WORLD);
  ASSERT_EQ(::stat(path_.c_str(), &facts), 0);
  EXPECT_LT(facts.st_blocks * 512, 1 << 20);
  EXPECT_GT(facts.st_size, 4 * k_large);
  ASSERT_SUCCESS(open(SCORPIO_READ, &file));
  std::vector<int32_t> values(part(-1).size());
  EXPECT_SUCCESS(scorpio_get_darray(file, 1, rows_.get(), 0, SCORPIO_INT32, values.data()));
  EXPECT_EQ(values, part(-1));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::classic_test
