// Chunks that are encoded by zfp: errors stay within the bound, missing values keep all bits, and chunks of
// which this cannot be had are stored as they are.
#include <bit>
#include <cmath>

#include "accesses.h"
#include "reference.h"

namespace scorpio::api_test {
namespace {

constexpr int k_zfp = 32013, k_reversible = 100, k_accuracy = 2000;
constexpr float k_fill = 1e20F, k_missing = -999;
constexpr double k_bound = 1.0 / 128;
constexpr int k_bound_parameter = k_accuracy - 7;
constexpr int64_t k_rows = 64, k_columns = 48, k_chunk = 16;

float smooth(int64_t row, int64_t column) {
  return 285 + 30 * std::sin(static_cast<float>(row) / 9) * std::cos(static_cast<float>(column) / 7);
}

// Missing in the chunks of the last 16 columns alone.
float masked(int64_t row, int64_t column) {
  if (column < 32 || (row + column) % 5 != 0) return smooth(row, column);
  return row % 2 == 0 ? k_fill : k_missing;
}

using Field = float (*)(int64_t row, int64_t column);

class Zfp : public testing::Test {
 protected:
  void SetUp() override {
    const System system;
    const TemporaryFolder folder;
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), (folder / "probe.h5").c_str(), SCORPIO_FORMAT_HDF5,
                                       nullptr, &file));
    file_ = file;
    const int id = define("probe");
    const int code = filter(id, 16);
    EXPECT_SUCCESS(scorpio_file_close(file));
    if (code == SCORPIO_ERR_UNSUPPORTED) GTEST_SKIP() << "zfp is not built in";
    ASSERT_SUCCESS(code);
  }

  int define(const char* name, scorpio_type type = SCORPIO_FLOAT32) const {
    const int64_t dims[2] = {k_rows, k_columns}, chunk[2] = {k_chunk, k_chunk};
    int id = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file_, name, type, 2, dims, &id));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, id, chunk));
    return id;
  }
  int filter(int id, int parameter) const {
    return scorpio_variable_define_filters(file_, id, 1, &k_zfp, &parameter);
  }
  void keep_missing(int id) const {
    EXPECT_SUCCESS(scorpio_variable_fill_define(file_, id, 1, &k_fill));
    EXPECT_SUCCESS(scorpio_attribute_put_values(file_, id, "missing_value", SCORPIO_FLOAT32, 1, &k_missing));
  }

  // Rows begin, begin + step, ..., each by the rank of its number.
  void put_rows(int id, Field field, int64_t begin = 0, int64_t step = 1) const {
    std::vector<std::vector<float>> rows;
    std::vector<int64_t> starts;
    for (int64_t row = begin; row < k_rows; row += step) {
      if (row / step % ranks_in() != rank_in()) continue;
      starts.insert(starts.end(), {row, 0});
      rows.emplace_back();
      for (int64_t column = 0; column < k_columns; ++column) rows.back().push_back(field(row, column));
    }
    const int64_t count[2] = {1, k_columns};
    std::vector<scorpio_access> accesses;
    for (size_t i = 0; i < rows.size(); ++i)
      accesses.push_back(scorpio_hyperslab(id, &starts[2 * i], count, SCORPIO_FLOAT32, rows[i].data()));
    EXPECT_SUCCESS(put_n(file_, accesses));
  }

  std::vector<float> values_of(const char* name) const {
    int id = -1;
    EXPECT_SUCCESS(scorpio_variable_find(file_, name, &id));
    std::vector<float> values(static_cast<size_t>(k_rows * k_columns));
    const int64_t start[2] = {0, 0}, count[2] = {k_rows, k_columns};
    const scorpio_access access = scorpio_hyperslab(id, start, count, SCORPIO_FLOAT32, values.data());
    EXPECT_SUCCESS(scorpio_get(file_, &access));
    return values;
  }

  // Bound 0: all bits.
  void expect(const char* name, Field field, double bound) const {
    const std::vector<float> found = values_of(name);
    for (int64_t row = 0; row < k_rows; ++row) {
      for (int64_t column = 0; column < k_columns; ++column) {
        const float now = found[static_cast<size_t>(row * k_columns + column)], put = field(row, column);
        if (bound == 0 || put == k_fill || put == k_missing) {
          ASSERT_EQ(std::bit_cast<uint32_t>(put), std::bit_cast<uint32_t>(now))
              << name << row << ' ' << column;
        } else {
          ASSERT_LE(std::fabs(static_cast<double>(put) - now), bound) << name << row << ' ' << column;
        }
      }
    }
  }

  scorpio_file* file_ = nullptr;
};

uint64_t lossless_chunks(const System& system) {
  uint64_t mine = system.counter("lossless_chunks"), all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

TEST_F(Zfp, EachModeKeepsItsPromise) {
  const TemporaryFolder folder;
  const std::string path = folder / "f.nc";
  const System system(Settings{{"io_ranks", ranks_in() > 1 ? "2" : "1"}});
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
  const int accuracy = define("accuracy"), precision = define("precision"), reversible = define("reversible");
  EXPECT_SUCCESS(filter(accuracy, k_bound_parameter));
  EXPECT_SUCCESS(filter(precision, 20));
  EXPECT_SUCCESS(filter(reversible, k_reversible));
  for (const int id : {accuracy, precision, reversible}) put_rows(id, smooth);
  EXPECT_SUCCESS(scorpio_file_close(file_));
  EXPECT_EQ(0U, lossless_chunks(system));
  ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file_));
  expect("accuracy", smooth, k_bound);
  expect("precision", smooth, 0.01);
  expect("reversible", smooth, 0);
  EXPECT_NE(smooth(3, 5), values_of("accuracy")[3 * k_columns + 5]) << "zfp changes elements";
  int filters[1] = {0}, parameters[1] = {0}, count = 0, id = -1;
  for (const auto& [name, parameter] :
       {std::pair("accuracy", k_bound_parameter), {"precision", 20}, {"reversible", k_reversible}}) {
    EXPECT_SUCCESS(scorpio_variable_find(file_, name, &id));
    EXPECT_SUCCESS(scorpio_variable_filters(file_, id, filters, parameters, 1, &count));
    EXPECT_EQ(1, count);
    EXPECT_EQ(k_zfp, filters[0]);
    EXPECT_EQ(parameter, parameters[0]);
  }
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

TEST_F(Zfp, MissingValuesKeepAllBitsAndTheirNeighboursTheBound) {
  const TemporaryFolder folder;
  const std::string path = folder / "f.nc";
  const System system(Settings{{"io_ranks", ranks_in() > 1 ? "2" : "1"}});
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
  const int accuracy = define("accuracy"), precision = define("precision");
  EXPECT_SUCCESS(filter(accuracy, k_bound_parameter));
  EXPECT_SUCCESS(filter(precision, 20));
  for (const int id : {accuracy, precision}) keep_missing(id);
  for (const int id : {accuracy, precision}) put_rows(id, masked);
  EXPECT_SUCCESS(scorpio_file_close(file_));
  // One column of chunks has missing values.
  EXPECT_EQ(static_cast<uint64_t>(2 * k_rows / k_chunk), lossless_chunks(system));
  ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file_));
  expect("accuracy", masked, k_bound);
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

// The second put would otherwise change elements of the first one again.
TEST_F(Zfp, ElementsAreChangedOnceWhereChunksArePutInParts) {
  const TemporaryFolder folder;
  const std::string path = folder / "f.nc";
  const System system(Settings{{"io_ranks", "1"}});
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
  const int id = define("v");
  const float zero = 0;
  EXPECT_SUCCESS(scorpio_variable_fill_define(file_, id, 1, &zero));
  EXPECT_SUCCESS(filter(id, k_bound_parameter));
  for (const int64_t part : {0, 1, 2, 3}) {
    put_rows(id, smooth, part, 4);
    EXPECT_SUCCESS(scorpio_file_sync(file_));
  }
  EXPECT_SUCCESS(scorpio_file_close(file_));
  EXPECT_LT(0U, lossless_chunks(system));
  ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file_));
  expect("v", smooth, k_bound);
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

// The last chunks are padded with the fill value. That of netCDF has so few bits that bits of precision keep
// it, and none of the elements beside it.
TEST_F(Zfp, ElementsBesidePaddingKeepTheirDigits) {
  const TemporaryFolder folder;
  const std::string path = folder / "f.nc";
  const System system;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
  const int64_t dims[2] = {k_rows, k_columns}, chunk[2] = {k_chunk, 23};
  int id = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file_, "v", SCORPIO_FLOAT32, 2, dims, &id));
  const float padding = 9.9692099683868690e+36F;
  EXPECT_SUCCESS(scorpio_variable_fill_define(file_, id, 1, &padding));
  EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, id, chunk));
  EXPECT_SUCCESS(filter(id, 20));
  put_rows(id, smooth);
  EXPECT_SUCCESS(scorpio_file_close(file_));
  EXPECT_EQ(static_cast<uint64_t>(k_rows / k_chunk), lossless_chunks(system));
  ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file_));
  expect("v", smooth, 0.01);
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

TEST_F(Zfp, TheOptionChoosesItForFloatingPointNumbers) {
  const TemporaryFolder folder;
  const std::string path = folder / "f.nc";
  const System system(Settings{{"filters", "T*=zfp-accuracy:0.01,P=zfp-precision:20,*=zfp-reversible"}});
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
  const auto parameter_of = [&](const char* name, scorpio_type type) {
    const int64_t dims[2] = {k_rows, k_columns};
    int id = -1, number = 0, parameter = 0, count = 0;
    EXPECT_SUCCESS(scorpio_variable_define(file_, name, type, 2, dims, &id));
    EXPECT_SUCCESS(scorpio_variable_filters(file_, id, &number, &parameter, 1, &count));
    return count == 0 ? -1 : parameter;
  };
  EXPECT_EQ(k_bound_parameter, parameter_of("T", SCORPIO_FLOAT64));
  EXPECT_EQ(20, parameter_of("P", SCORPIO_FLOAT32));
  EXPECT_EQ(k_reversible, parameter_of("Q", SCORPIO_FLOAT32));
  EXPECT_EQ(-1, parameter_of("Tcount", SCORPIO_INT32));
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

// zfp encodes numbers in the byte order of the machine alone.
TEST_F(Zfp, TheByteOrderIsThatOfTheMachine) {
  const TemporaryFolder folder;
  const System system;
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f.nc").c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
  const int id = define("v");
  EXPECT_SUCCESS(filter(id, k_bound_parameter));
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_variable_define_endianness(file_, id, SCORPIO_ENDIAN_BIG));
  EXPECT_SUCCESS(scorpio_variable_define_endianness(file_, id, SCORPIO_ENDIAN_LITTLE));
  put_rows(id, smooth);
  expect("v", smooth, k_bound);
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

TEST_F(Zfp, TheOptionGivesWayToTheByteOrder) {
  const TemporaryFolder folder;
  const System system(Settings{{"filters", "T*=zfp-accuracy:0.01,Q=bitround:9+zfp-reversible+deflate:1"}});
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f.nc").c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
  const auto big = [&](const char* name) {
    const int64_t dims[2] = {k_rows, k_columns};
    int id = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file_, name, SCORPIO_FLOAT32, 2, dims, &id));
    EXPECT_SUCCESS(scorpio_variable_define_endianness(file_, id, SCORPIO_ENDIAN_BIG));
    return id;
  };
  const int t = big("T"), q = big("Q");
  int numbers[2] = {0, 0}, parameters[2] = {0, 0}, count = -1;
  EXPECT_SUCCESS(scorpio_variable_filters(file_, t, numbers, parameters, 2, &count));
  EXPECT_EQ(0, count);
  double bound = 0;
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND,
            scorpio_attribute_get(file_, t, "lossy_bound_absolute", SCORPIO_FLOAT64, &bound, sizeof(bound)));
  EXPECT_SUCCESS(scorpio_variable_filters(file_, q, numbers, parameters, 2, &count));
  EXPECT_EQ(1, count);
  EXPECT_EQ(1, numbers[0]) << "deflate stays";
  put_rows(t, smooth);
  expect("T", smooth, 0);
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

TEST_F(Zfp, Refusals) {
  const TemporaryFolder folder;
  const System system;
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f.nc").c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
  EXPECT_EQ(SCORPIO_ERR_TYPE, filter(define("shorts", SCORPIO_INT16), 16));
  const int id = define("v");
  for (const int parameter : {0, 64, 99, 101, -1}) EXPECT_EQ(SCORPIO_ERR_ARGUMENT, filter(id, parameter));
  EXPECT_SUCCESS(filter(id, 63));
  const int filters[2] = {2, k_zfp}, parameters[2] = {0, k_bound_parameter};
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_define_filters(file_, id, 2, filters, parameters));
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

}  // namespace
}  // namespace scorpio::api_test
