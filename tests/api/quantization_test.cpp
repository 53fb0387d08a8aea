// Variables that are quantised: what is read differs from what was put by no more than was asked for, values
// that stand for missing ones keep all bits, and each element is rounded once.
#include <bit>
#include <cmath>
#include <filesystem>

#include "accesses.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

constexpr float k_fill = 1e20F, k_missing = -1234.5678F;
constexpr int64_t k_rows = 40, k_columns = 50;
const char* const k_attribute = "_QuantizeBitRoundNumberOfSignificantBits";

// Every seventh element is missing, and every eleventh one is next to a value that stands for that.
float value_of(int64_t element, int call) {
  if (element % 7 == 0) return element % 2 == 0 ? k_fill : k_missing;
  if (element % 11 == 0) return std::nextafter(element % 2 == 0 ? k_fill : k_missing, 0.0F);
  return std::sin(static_cast<float>(element * call)) * std::ldexp(1.0F, static_cast<int>(element % 9));
}

void expect_close(float found, float put, int bits) {
  if (put == k_fill || put == k_missing) {
    EXPECT_EQ(std::bit_cast<uint32_t>(put), std::bit_cast<uint32_t>(found));
    return;
  }
  EXPECT_LE(std::fabs(found - put), std::fabs(put) * std::ldexp(1.0F, -bits - 1));
  EXPECT_NE(found, k_fill);
  EXPECT_NE(found, k_missing);
}

class Quantized : public testing::Test {
 protected:
  void create(const System& system, const std::string& path) {
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
    variable_ = define("v", SCORPIO_FLOAT32);
    EXPECT_SUCCESS(scorpio_variable_fill_define(file_, variable_, 1, &k_fill));
    EXPECT_SUCCESS(
        scorpio_attribute_put_values(file_, variable_, "missing_value", SCORPIO_FLOAT32, 1, &k_missing));
  }

  int define(const char* name, scorpio_type type) const {
    const int64_t dims[2] = {k_rows, k_columns}, chunk[2] = {16, 30};
    const int filters[2] = {2, 1}, parameters[2] = {0, 1};
    int id = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file_, name, type, 2, dims, &id));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, id, chunk));
    EXPECT_SUCCESS(scorpio_variable_define_filters(file_, id, 2, filters, parameters));
    return id;
  }

  // Rows that leave this remainder, each by the rank of its number.
  void put_rows(int64_t remainder, int call) const {
    std::vector<std::vector<float>> rows;
    std::vector<scorpio_access> accesses;
    std::vector<int64_t> starts;
    for (int64_t row = remainder; row < k_rows; row += 2) {
      if (row / 2 % ranks_in() != rank_in()) continue;
      starts.insert(starts.end(), {row, 0});
      rows.emplace_back();
      for (int64_t c = 0; c < k_columns; ++c) rows.back().push_back(value_of(row * k_columns + c, call));
    }
    const int64_t count[2] = {1, k_columns};
    for (size_t i = 0; i < rows.size(); ++i)
      accesses.push_back(
          scorpio_hyperslab(variable_, &starts[2 * i], count, SCORPIO_FLOAT32, rows[i].data()));
    EXPECT_SUCCESS(put_n(file_, accesses));
  }

  scorpio_file* file_ = nullptr;
  int variable_ = -1;
};

TEST_F(Quantized, ValuesStayWithinTheBound) {
  constexpr int k_bits = 9;
  const TemporaryFolder folder;
  const std::string path = folder / "f.nc";
  const System system(Settings{{"io_ranks", ranks_in() > 1 ? "2" : "1"}});
  create(system, path);
  EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, variable_, SCORPIO_QUANTIZE_BITGROOM, 3));
  EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, variable_, SCORPIO_QUANTIZE_BITROUND, k_bits));
  const auto expect_all = [&](int call_of_odd) {
    if (rank_in() == 0) {
      const std::vector<float> found = stock_elements<float>(path, "v");
      ASSERT_EQ(static_cast<size_t>(k_rows * k_columns), found.size());
      for (int64_t g = 0; g < k_rows * k_columns; ++g)
        expect_close(found[static_cast<size_t>(g)], value_of(g, g / k_columns % 2 == 0 ? 1 : call_of_odd),
                     k_bits);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  };
  put_rows(0, 1);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  put_rows(1, 2);  // into chunks that are stored already
  EXPECT_SUCCESS(scorpio_file_close(file_));
  expect_all(2);

  ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_WRITE, nullptr, &file_));
  ASSERT_SUCCESS(scorpio_variable_find(file_, "v", &variable_));
  put_rows(1, 3);
  EXPECT_SUCCESS(scorpio_file_close(file_));
  expect_all(3);
  if (rank_in() == 0) {
    for (const float found : stock_elements<float>(path, "v")) {
      const bool rounded = std::bit_cast<uint32_t>(found) << (32 - 23 + k_bits) == 0;
      EXPECT_TRUE(rounded || found == k_fill || found == k_missing || std::fabs(found) > 1000) << found;
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// Readers take the default fill value of netCDF for a missing value where the variable has no _FillValue.
TEST_F(Quantized, TheDefaultFillValueKeepsAllBits) {
  constexpr float k_default = 9.9692099683868690e+36F;
  const auto value = [](int64_t i) { return i % 3 == 0 ? k_default : std::sin(static_cast<float>(i)); };
  const TemporaryFolder folder;
  const std::string path = folder / "f.nc";
  const System system;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
  std::vector<float> values;
  for (int64_t i = 0; i < k_rows * k_columns; ++i) values.push_back(value(i));
  const int64_t start[2] = {0, 0}, count[2] = {rank_in() == 0 ? k_rows : 0, k_columns};
  for (const auto& [name, mode, digits] :
       {std::tuple("groomed", SCORPIO_QUANTIZE_BITGROOM, 3), {"rounded", SCORPIO_QUANTIZE_BITROUND, 1}}) {
    const int id = define(name, SCORPIO_FLOAT32);
    EXPECT_SUCCESS(scorpio_variable_fill_define(file_, id, 0, nullptr));
    EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, id, mode, digits));
    EXPECT_SUCCESS(put_n(file_, {scorpio_hyperslab(id, start, count, SCORPIO_FLOAT32, values.data())}));
  }
  EXPECT_SUCCESS(scorpio_file_close(file_));
  if (rank_in() == 0) {
    for (const char* name : {"groomed", "rounded"}) {
      const std::vector<float> found = stock_elements<float>(path, name);
      ASSERT_EQ(values.size(), found.size());
      for (size_t i = 0; i < found.size(); i += 3) ASSERT_EQ(k_default, found[i]) << name << i;
      EXPECT_FALSE(std::ranges::equal(values, found)) << name << ": the others are rounded";
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_F(Quantized, TheAttributeIsThatOfNetcdf) {
  const TemporaryFolder folder;
  const System system;
  create(system, folder / "f.nc");
  EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, variable_, SCORPIO_QUANTIZE_BITROUND, 9));
  int32_t bits = 0;
  EXPECT_SUCCESS(scorpio_attribute_get(file_, variable_, k_attribute, SCORPIO_INT32, &bits, sizeof(bits)));
  EXPECT_EQ(9, bits);
  EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, variable_, SCORPIO_QUANTIZE_NONE, 0));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND,
            scorpio_attribute_get(file_, variable_, k_attribute, SCORPIO_INT32, &bits, sizeof(bits)));
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

TEST_F(Quantized, Refusals) {
  const TemporaryFolder folder;
  const System system;
  create(system, folder / "f.nc");
  const auto refused = [&](int expected, int variable, int mode, int digits) {
    EXPECT_EQ(expected, scorpio_variable_define_quantization(
                            file_, variable, static_cast<scorpio_quantization>(mode), digits));
  };
  refused(SCORPIO_ERR_HANDLE, 99, SCORPIO_QUANTIZE_BITROUND, 9);
  refused(SCORPIO_ERR_ARGUMENT, variable_, SCORPIO_QUANTIZE_BITROUND, 24);
  refused(SCORPIO_ERR_ARGUMENT, variable_, SCORPIO_QUANTIZE_GRANULAR_BITROUND, 8);
  refused(SCORPIO_ERR_ARGUMENT, variable_, 4, 1);
  refused(SCORPIO_ERR_TYPE, define("integers", SCORPIO_INT32), SCORPIO_QUANTIZE_BITROUND, 9);
  const int64_t dims[1] = {10};
  int plain = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file_, "plain", SCORPIO_FLOAT32, 1, dims, &plain));
  refused(SCORPIO_ERR_ARGUMENT, plain, SCORPIO_QUANTIZE_BITROUND, 9);
  put_rows(0, 1);
  refused(SCORPIO_ERR_STATE, variable_, SCORPIO_QUANTIZE_BITROUND, 9);
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

}  // namespace
}  // namespace scorpio::api_test
