// Requests that lie as far apart as files allow, those of ranks whose definitions differ, and those of
// variables that have no place in the file yet.
#include <gtest/gtest.h>

#include <numeric>

#include "session.h"

namespace scorpio::api_test {
namespace {

// What lies between requests costs nothing: terabytes in the first file, nearly all that an offset can say in
// the second, whose bytes go nowhere.
TEST(DistantRequests, AreWrittenAndReadBack) {
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

TEST(DistantRequests, OfTheLastRecordsEnd) {
  System system(Settings{{"format", "cdf5"}, {"store", "null"}});
  scorpio_file* file = nullptr;
  int time = -1, variable = -1;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), "distant.nc", SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  ASSERT_SUCCESS(scorpio_dimension_define(file, "time", SCORPIO_UNLIMITED, &time));
  ASSERT_SUCCESS(scorpio_variable_define_on(file, "v", SCORPIO_FLOAT64, 1, &time, &variable));
  ASSERT_SUCCESS(scorpio_define_end(file));
  const int64_t one = 1, early = rank_in(), late = (int64_t{1} << 58) - 4096 - rank_in();
  const double value = 1;
  for (const int64_t* record : {&late, &early}) {
    const scorpio_access access = scorpio_hyperslab(variable, record, &one, SCORPIO_FLOAT64, &value);
    ASSERT_SUCCESS(scorpio_iput(file, &access, nullptr));
  }
  EXPECT_SUCCESS(scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// Requests are made independently, and definitions are the same on all ranks: how a variable is stored can be
// chosen on all of them also after one rank has made requests.
TEST(RequestsOfOneRank, LeaveTheStorageOfVariablesOpen) {
  const TemporaryFolder folder;
  const System system(Settings{{"format", "netcdf4"}, {"staging_bytes", "1MiB"}});
  const std::string path = folder / "open.nc";
  scorpio_file* file = nullptr;
  int axes[2] = {-1, -1}, first = -1, second = -1;
  constexpr int64_t k_rows = 6, k_columns = 10;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  ASSERT_SUCCESS(scorpio_dimension_define(file, "y", k_rows, &axes[0]));
  ASSERT_SUCCESS(scorpio_dimension_define(file, "x", k_columns, &axes[1]));
  ASSERT_SUCCESS(scorpio_variable_define_on(file, "first", SCORPIO_INT32, 2, axes, &first));
  ASSERT_SUCCESS(scorpio_variable_define_on(file, "second", SCORPIO_INT32, 2, axes, &second));
  const int64_t start[2] = {0, 0}, count[2] = {k_rows, k_columns}, chunk[2] = {4, 3};
  std::vector<int32_t> values(k_rows * k_columns);
  std::iota(values.begin(), values.end(), 100);
  for (const int variable : {first, second}) {
    const scorpio_access access = scorpio_hyperslab(variable, start, count, SCORPIO_INT32, values.data());
    const int posted = rank_in() == 0 ? scorpio_iput(file, &access, nullptr) : SCORPIO_OK;
    EXPECT_SUCCESS(posted);
  }
  for (const int variable : {second, first}) {
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file, variable, chunk));
    EXPECT_SUCCESS(scorpio_variable_define_endianness(file, variable, SCORPIO_ENDIAN_BIG));
  }
  EXPECT_SUCCESS(scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_SUCCESS(scorpio_file_close(file));

  ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
  for (const int variable : {first, second}) {
    std::vector<int32_t> found(values.size());
    const scorpio_access access = scorpio_hyperslab(variable, start, count, SCORPIO_INT32, found.data());
    EXPECT_SUCCESS(scorpio_get(file, &access));
    EXPECT_EQ(values, found);
  }
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

// A variable that is defined after chunks were put gets its place in the file in the next call that moves
// data.
TEST(RequestsWithoutAPlace, GetItInTheWait) {
  for (const char* nodes : {"1", "2"}) {
    for (const bool closing : {false, true}) {
      const TemporaryFolder folder;
      const System system(Settings{{"nodes", nodes}, {"staging_bytes", "64k"}});
      const std::string path = folder / "late.h5";
      scorpio_file* file = nullptr;
      ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
      const int64_t elements = 4 * ranks_in(), start = 4 * rank_in(), count = 4;
      int chunked = -1, late = -1, read = -1;
      std::vector<int32_t> data(4, 10 + rank_in()), kept = data, back(4), zeros(4, -1);
      ASSERT_SUCCESS(scorpio_variable_define(file, "chunked", SCORPIO_INT32, 1, &elements, &chunked));
      ASSERT_SUCCESS(scorpio_variable_define_chunks(file, chunked, &count));
      const auto part = [&](int id, std::vector<int32_t>& of) {
        return scorpio_hyperslab(id, &start, &count, SCORPIO_INT32, of.data());
      };
      const scorpio_access first = part(chunked, data);
      EXPECT_SUCCESS(scorpio_put(file, &first));
      ASSERT_SUCCESS(scorpio_variable_define(file, "late", SCORPIO_INT32, 1, &elements, &late));
      ASSERT_SUCCESS(scorpio_variable_define(file, "read", SCORPIO_INT32, 1, &elements, &read));
      EXPECT_SUCCESS(scorpio_variable_fill_define(file, read, 1, nullptr));
      EXPECT_SUCCESS(scorpio_buffer_attach(file, 100));
      const scorpio_access put = part(late, data), get = part(read, zeros);
      if (rank_in() % 2 == 0) {
        EXPECT_SUCCESS(scorpio_iput(file, &put, nullptr));
      } else {
        EXPECT_SUCCESS(scorpio_bput(file, &put, nullptr));
        data.assign(4, 0);
      }
      EXPECT_SUCCESS(scorpio_iget(file, &get, nullptr));
      if (!closing) {
        EXPECT_SUCCESS(scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
      }
      EXPECT_SUCCESS(scorpio_file_close(file));
      EXPECT_EQ(std::vector<int32_t>(4, -2147483647), zeros);
      ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
      for (const char* name : {"chunked", "late"}) {
        const scorpio_access again = part(object_of(file, name), back);
        EXPECT_SUCCESS(scorpio_get(file, &again));
        EXPECT_EQ(kept, back) << name;
      }
      EXPECT_SUCCESS(scorpio_file_close(file));
    }
  }
}

}  // namespace
}  // namespace scorpio::api_test
