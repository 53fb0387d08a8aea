// Posts that lie as far apart as files allow, and those of ranks whose definitions differ.
#include <gtest/gtest.h>

#include "session.h"

namespace scorpio::api_test {
namespace {

// What lies between posts costs nothing: terabytes in the first file, nearly all that an offset can say in
// the second, whose bytes go nowhere.
TEST(DistantPosts, AreWrittenAndReadBack) {
  System system(Settings{{"format", "cdf5"}});
  const TemporaryFolder folder;
  const std::string path = folder / "distant.nc";
  const int64_t elements = int64_t{1} << 40;
  scorpio_file* file = nullptr;
  int dimension = -1, variable = -1;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  ASSERT_SUCCESS(scorpio_dimension_define(file, "x", elements, &dimension));
  ASSERT_SUCCESS(scorpio_variable_define_on(file, "v", SCORPIO_FLOAT64, 1, &dimension, &variable));
  ASSERT_SUCCESS(scorpio_define_end(file));
  for (const bool reading : {false, true}) {
    std::vector<double> values;
    std::vector<int64_t> starts;
    for (int k = 0; k < 3; ++k) {
      starts.push_back(k * (elements / 2 - ranks_in()) + rank_in());
      values.push_back(reading ? 0 : 100.0 * k + rank_in());
    }
    const int64_t one = 1;
    for (size_t k = 0; k < 3; ++k) {
      const scorpio_access access =
          scorpio_hyperslab(variable, &starts[k], &one, SCORPIO_FLOAT64, &values[k]);
      ASSERT_SUCCESS(reading ? scorpio_iget(file, &access, nullptr) : scorpio_iput(file, &access, nullptr));
    }
    EXPECT_SUCCESS(scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    for (int k = 0; k < 3; ++k) EXPECT_EQ(100.0 * k + rank_in(), values[static_cast<size_t>(k)]);
  }
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST(DistantPosts, OfTheLastRecordsEnd) {
  System system(Settings{{"format", "cdf5"}, {"store", "null"}});
  scorpio_file* file = nullptr;
  int time = -1, variable = -1;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), "distant.nc", SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  ASSERT_SUCCESS(scorpio_dimension_define(file, "time", SCORPIO_UNLIMITED, &time));
  ASSERT_SUCCESS(scorpio_variable_define_on(file, "v", SCORPIO_FLOAT64, 1, &time, &variable));
  ASSERT_SUCCESS(scorpio_define_end(file));
  const int64_t one = 1, early = rank_in(), late = (int64_t{1} << 58) - rank_in();
  const double value = 1;
  for (const int64_t* record : {&late, &early}) {
    const scorpio_access access = scorpio_hyperslab(variable, record, &one, SCORPIO_FLOAT64, &value);
    ASSERT_SUCCESS(scorpio_iput(file, &access, nullptr));
  }
  EXPECT_SUCCESS(scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// What ranks tell each other in a wait must not depend on definitions that are not the same.
TEST(OtherDefinitions, DoNotKeepAWaitFromEnding) {
  if (ranks_in() == 1) GTEST_SKIP() << "one rank agrees with itself";
  const TemporaryFolder folder;
  const System system(Settings{{"staging_bytes", "1MiB"}});
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), (folder / "other.h5").c_str(), SCORPIO_FORMAT_DEFAULT,
                                     nullptr, &file));
  constexpr int64_t k_rows = 700, k_columns = 100;
  const int64_t dims[2] = {k_rows * ranks_in(), k_columns}, few[1] = {5};
  int id = -1, other = -1;
  ASSERT_SUCCESS(scorpio_variable_define(file, "data", SCORPIO_FLOAT64, 2, dims, &id));
  if (rank_in() == 1) {
    ASSERT_SUCCESS(scorpio_variable_define(file, "other", SCORPIO_INT8, 1, few, &other));
  }
  std::vector<double> data(k_rows * k_columns, 1.5);
  const int64_t start[2] = {k_rows * rank_in(), 0}, count[2] = {k_rows, k_columns};
  const scorpio_access access = scorpio_hyperslab(id, start, count, SCORPIO_FLOAT64, data.data());
  ASSERT_SUCCESS(scorpio_iput(file, &access, nullptr));
  if (rank_in() == 1) {
    const int64_t none[1] = {0};
    const scorpio_access more = scorpio_hyperslab(other, none, few, SCORPIO_FLOAT64, data.data());
    ASSERT_SUCCESS(scorpio_iput(file, &more, nullptr));
  }
  EXPECT_SUCCESS(scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_file_sync(file));
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::api_test
