// The attributes that tell the bound and the largest error of variables that are rounded or encoded by zfp:
// every rank has them from the definition on, and what they tell is the error of what is read.
#include <cmath>
#include <limits>
#include <optional>

#include "accesses.h"
#include "reference.h"

namespace scorpio::api_test {
namespace {

constexpr int k_zfp = 32013, k_tolerance = 2000 - 7;
constexpr float k_missing = 1e20F;
constexpr int64_t k_rows = 45, k_columns = 50, k_chunk = 16;
constexpr double k_bound = 1.0 / 128;
const char* const k_error = "lossy_error_absolute";
const char* const k_relative_error = "lossy_error_relative";

// The larger the scale, the larger the errors. With powers of two the relative ones of BitRound stay the
// same.
float element(int64_t row, int64_t column, float scale) {
  return scale * (3 + std::sin(static_cast<float>(row * k_columns + column)));
}

class LossyErrors : public testing::Test {
 protected:
  LossyErrors() : system_(Settings{{"io_ranks", ranks_in() > 2 ? "2" : "1"}}), path_(folder_ / "f.nc") {}

  void create() {
    put_.assign(static_cast<size_t>(k_rows * k_columns), k_missing);
    ASSERT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
  }
  void open(scorpio_open_mode mode) {
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), mode, nullptr, &file_));
    ASSERT_SUCCESS(scorpio_variable_find(file_, "v", &id_));
  }
  void close() { EXPECT_SUCCESS(scorpio_file_close(file_)); }

  void define() {
    const int64_t dims[2] = {k_rows, k_columns}, chunk[2] = {k_chunk, k_chunk};
    EXPECT_SUCCESS(scorpio_variable_define(file_, "v", SCORPIO_FLOAT32, 2, dims, &id_));
    EXPECT_SUCCESS(scorpio_variable_fill_define(file_, id_, 1, &k_missing));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, id_, chunk));
  }
  int filter(const std::vector<int>& filters, const std::vector<int>& parameters) const {
    return scorpio_variable_define_filters(file_, id_, static_cast<int>(filters.size()), filters.data(),
                                           parameters.data());
  }
  bool define_zfp() {
    define();
    const int code = filter({k_zfp, 1}, {k_tolerance, 1});
    if (code == SCORPIO_ERR_UNSUPPORTED) return false;
    EXPECT_SUCCESS(code);
    return true;
  }
  void define_rounded(scorpio_quantization mode, int digits) {
    define();
    EXPECT_SUCCESS(filter({2, 1}, {0, 1}));
    EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, id_, mode, digits));
  }

  // Rows [begin, end), each by the rank of its number; `missing` of each row are missing.
  void put(float scale, int64_t begin = 0, int64_t end = k_rows, int64_t missing = 0) {
    std::vector<std::vector<float>> rows;
    std::vector<int64_t> starts;
    for (int64_t row = begin; row < end; ++row) {
      rows.emplace_back();
      for (int64_t c = 0; c < k_columns; ++c)
        rows.back().push_back(c < missing ? k_missing : element(row, c, scale));
      std::ranges::copy(rows.back(), put_.begin() + row * k_columns);
      if (row % ranks_in() == rank_in()) {
        starts.insert(starts.end(), {row, 0});
      } else {
        rows.pop_back();
      }
    }
    const int64_t count[2] = {1, k_columns};
    std::vector<scorpio_access> accesses;
    for (size_t i = 0; i < rows.size(); ++i)
      accesses.push_back(scorpio_hyperslab(id_, &starts[2 * i], count, SCORPIO_FLOAT32, rows[i].data()));
    EXPECT_SUCCESS(put_n(file_, accesses));
  }

  struct Errors {
    double absolute = 0, relative = 0;
  };
  // Of what a get returns.
  Errors true_errors() const {
    std::vector<float> found(put_.size());
    const int64_t start[2] = {0, 0}, count[2] = {k_rows, k_columns};
    const scorpio_access access = scorpio_hyperslab(id_, start, count, SCORPIO_FLOAT32, found.data());
    EXPECT_SUCCESS(scorpio_get(file_, &access));
    Errors errors;
    for (size_t i = 0; i < put_.size(); ++i) {
      const double put = put_[i], error = std::abs(put - static_cast<double>(found[i]));
      errors.absolute = std::max(errors.absolute, error);
      errors.relative = std::max(errors.relative, error / std::abs(put));
    }
    return errors;
  }

  // Fails unless all ranks have the same.
  std::optional<double> told(const char* name) const {
    double value = -1;
    const int code = scorpio_attribute_get(file_, id_, name, SCORPIO_FLOAT64, &value, sizeof(value));
    EXPECT_TRUE(equal_on_all(std::to_string(code) + " " + std::to_string(value))) << name;
    if (code == SCORPIO_ERR_NOT_FOUND) return std::nullopt;
    EXPECT_SUCCESS(code);
    return value;
  }
  void expect_absent(const std::vector<const char*>& names) const {
    for (const char* name : names) EXPECT_EQ(std::nullopt, told(name)) << name;
  }
  void expect_true() const {
    const Errors errors = true_errors();
    ASSERT_TRUE(told(k_error));
    EXPECT_GE(*told(k_error), errors.absolute);
    EXPECT_LE(*told(k_error), errors.absolute * (1 + 1e-15));
    if (const auto relative = told(k_relative_error)) {
      EXPECT_GE(*relative, errors.relative);
      EXPECT_LE(*relative, errors.relative * (1 + 1e-14));
    }
  }
  int lossless_chunks() const { return static_cast<int>(told("lossless_chunks").value_or(0)); }

  const TemporaryFolder folder_;
  const System system_;
  const std::string path_;
  scorpio_file* file_ = nullptr;
  int id_ = -1;
  std::vector<float> put_;  // [k_rows][k_columns]
};

TEST_F(LossyErrors, OfRounding) {
  for (const auto& [mode, digits, bound] : {std::tuple(SCORPIO_QUANTIZE_BITGROOM, 3, 0.5e-3),
                                            {SCORPIO_QUANTIZE_GRANULAR_BITROUND, 2, 0.05},
                                            {SCORPIO_QUANTIZE_BITROUND, 7, 1.0 / 256}}) {
    create();
    define_rounded(mode, digits);
    EXPECT_EQ(0, told(k_error));
    EXPECT_EQ(0, told(k_relative_error));
    ASSERT_TRUE(told("lossy_bound_relative"));
    EXPECT_DOUBLE_EQ(bound, *told("lossy_bound_relative"));
    expect_absent({"lossy_bound_absolute", "lossless_chunks"});
    put(10, 0, 20, 3);
    EXPECT_SUCCESS(scorpio_file_sync(file_));
    expect_true();
    EXPECT_LT(0, *told(k_error));
    put(1000, 20);
    EXPECT_SUCCESS(scorpio_file_close(file_));
    open(SCORPIO_READ);
    expect_true();
    EXPECT_LE(*told(k_relative_error), bound);
    expect_absent({"lossy_bound_absolute", "lossless_chunks"});
    close();
  }
}

TEST_F(LossyErrors, OfZfp) {
  create();
  if (!define_zfp()) GTEST_SKIP() << "zfp is not built in";
  EXPECT_EQ(k_bound, told("lossy_bound_absolute"));
  EXPECT_EQ(0, told(k_error));
  put(10);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  expect_true();
  EXPECT_LT(0, *told(k_error));
  EXPECT_LE(*told(k_error), k_bound);
  expect_absent({"lossy_bound_relative", k_relative_error});
  close();
  open(SCORPIO_READ);
  expect_true();
  close();
}

// Bits of precision have no bound, but an error.
TEST_F(LossyErrors, OfZfpWithoutABound) {
  create();
  define();
  if (filter({k_zfp}, {14}) == SCORPIO_ERR_UNSUPPORTED) GTEST_SKIP() << "zfp is not built in";
  put(1);
  close();
  open(SCORPIO_READ);
  expect_absent({"lossy_bound_absolute", "lossy_bound_relative"});
  expect_true();
  close();
}

// The errors add up, and each method keeps to its own bound.
TEST_F(LossyErrors, OfRoundingBeforeZfp) {
  create();
  if (!define_zfp()) GTEST_SKIP() << "zfp is not built in";
  EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, id_, SCORPIO_QUANTIZE_BITROUND, 7));
  put(1);
  close();
  open(SCORPIO_READ);
  EXPECT_LE(true_errors().absolute, *told(k_error));
  EXPECT_GE(k_bound + 4.0 / 256, *told(k_error));
  EXPECT_LE(*told(k_relative_error), *told("lossy_bound_relative"));
  EXPECT_EQ(k_bound, told("lossy_bound_absolute"));
  close();
}

// With more numbers than a reduction in the memory of a node takes.
TEST_F(LossyErrors, OfManyVariables) {
  constexpr int k_variables = 70;
  create();
  std::vector<int> ids;
  for (int i = 0; i < k_variables; ++i) {
    const int64_t dims[1] = {100};
    EXPECT_SUCCESS(
        scorpio_variable_define(file_, ("v" + std::to_string(i)).c_str(), SCORPIO_FLOAT64, 1, dims, &id_));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, id_, dims));
    const scorpio_quantization mode = i % 2 == 0 ? SCORPIO_QUANTIZE_BITROUND : SCORPIO_QUANTIZE_NONE;
    EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, id_, mode, 7));
    ids.push_back(id_);
  }
  const auto put_all = [&] {
    for (int i = 0; i < k_variables; ++i) {
      std::vector<double> values(100, std::ldexp(1.0 + 1.0 / 1024, i));  // changes by 2^(i - 10)
      const int64_t start[1] = {0}, count[1] = {100};
      EXPECT_SUCCESS(put_of_rank(
          file_, i % ranks_in(),
          scorpio_hyperslab(ids[static_cast<size_t>(i)], start, count, SCORPIO_FLOAT64, values.data())));
    }
  };
  put_all();
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  for (int i = 0; i < k_variables; ++i) {
    id_ = ids[static_cast<size_t>(i)];
    const auto error = told(k_error);
    EXPECT_EQ(i % 2 == 0 ? std::optional(std::ldexp(1.0, i - 10)) : std::nullopt, error) << i;
  }
  close();
}

// Neither the padding of chunks nor records that are not put have errors.
TEST_F(LossyErrors, OfRecords) {
  constexpr int64_t k_records = 6;
  create();
  int dimensions[2] = {-1, -1};
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "time", SCORPIO_UNLIMITED, &dimensions[0]));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", k_columns, &dimensions[1]));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "v", SCORPIO_FLOAT32, 2, dimensions, &id_));
  const int64_t chunk[2] = {4, k_chunk};
  EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, id_, chunk));
  EXPECT_SUCCESS(filter({2, 1}, {0, 1}));
  EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, id_, SCORPIO_QUANTIZE_BITROUND, 7));
  double largest = 0;
  for (int64_t record = 0; record < k_records; ++record) {
    std::vector<float> put;
    for (int64_t c = 0; c < k_columns; ++c) put.push_back(element(record, c, 1));
    const int64_t start[2] = {record, 0}, count[2] = {1, k_columns};
    std::vector<float> found(put.size());
    const scorpio_access access = scorpio_hyperslab(id_, start, count, SCORPIO_FLOAT32, put.data());
    EXPECT_SUCCESS(put_of_rank(file_, static_cast<int>(record) % ranks_in(), access));
    if (record % 2 == 0) {
      EXPECT_SUCCESS(scorpio_file_sync(file_));
    }
    const scorpio_access back = scorpio_hyperslab(id_, start, count, SCORPIO_FLOAT32, found.data());
    EXPECT_SUCCESS(scorpio_get(file_, &back));
    for (size_t i = 0; i < put.size(); ++i)
      largest = std::max(largest, std::abs(static_cast<double>(put[i]) - static_cast<double>(found[i])));
  }
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_LT(0, largest);
  EXPECT_EQ(largest, told(k_error));
  close();
  open(SCORPIO_READ);
  EXPECT_EQ(largest, told(k_error));
  close();
}

// Workers round and encode while no call is made.
TEST_F(LossyErrors, OfAsynchronousFiles) {
  const System system(Settings{{"io_ranks", ranks_in() > 2 ? "2" : "1"},
                               {"asynchronous", "true"},
                               {"close", "post"},
                               {"sync", "post"}});
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file_));
  put_.assign(static_cast<size_t>(k_rows * k_columns), k_missing);
  define_rounded(SCORPIO_QUANTIZE_BITROUND, 7);
  put(1, 0, 20);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  put(1024, 20);
  close();
  EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
  open(SCORPIO_READ);
  expect_true();
  close();
}

TEST_F(LossyErrors, TheLargerOneIsKept) {
  create();
  define_rounded(SCORPIO_QUANTIZE_BITROUND, 7);
  put(128);
  close();
  open(SCORPIO_WRITE);
  const double first = *told(k_error);
  EXPECT_LT(0, first);
  put(1, 0, k_rows);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_EQ(first, told(k_error)) << "the errors are smaller now";
  put(16384, 7, 9);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  expect_true();
  EXPECT_LT(10 * first, *told(k_error));
  const double second = *told(k_error);
  close();
  open(SCORPIO_READ);
  EXPECT_EQ(second, told(k_error));
  close();
}

// Chunks without filters are overwritten where they are, and nothing is placed for them.
TEST_F(LossyErrors, OfChunksThatAreOverwrittenInPlace) {
  create();
  define();
  EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, id_, SCORPIO_QUANTIZE_BITROUND, 7));
  put(1);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  expect_true();
  put(1024);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  expect_true();
  put(131072);
  close();
  open(SCORPIO_READ);
  expect_true();
  close();
}

TEST_F(LossyErrors, ChunksThatAreStoredWithoutZfpAreCounted) {
  create();
  if (!define_zfp()) GTEST_SKIP() << "zfp is not built in";
  // Of 3 * 4 chunks the last row and the last column have padding, which is a missing value, and the first
  // column has missing elements.
  put(1, 0, k_rows, 5);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_EQ(8, lossless_chunks());
  expect_true();
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_EQ(8, lossless_chunks());
  put(1, 0, k_chunk);  // whole chunks
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_EQ(7, lossless_chunks());
  put(1, k_chunk, k_chunk + 1);  // parts of chunks that were stored before
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_EQ(9, lossless_chunks());
  close();
  open(SCORPIO_WRITE);
  EXPECT_EQ(9, lossless_chunks());
  put(1, k_chunk, 2 * k_chunk);
  close();
  open(SCORPIO_READ);
  EXPECT_EQ(6, lossless_chunks());
  expect_true();
  close();
}

TEST_F(LossyErrors, TheReportSaysThatChunksAreWithoutZfp) {
  create();
  if (!define_zfp()) GTEST_SKIP() << "zfp is not built in";
  put(1e30F);
  close();
  std::vector<char> text(1 << 16);
  size_t length = 0;
  EXPECT_SUCCESS(scorpio_iosystem_describe(system_.get(), text.data(), text.size(), &length));
  const bool told_here = std::string(text.data()).find("lossless_chunks") != std::string::npos;
  EXPECT_FALSE(on_all(!told_here)) << "the metadata rank";
}

// Errors of elements that were put before are not known where the attribute is not there.
TEST_F(LossyErrors, WhatIsNotKnownIsNotTold) {
  create();
  define_rounded(SCORPIO_QUANTIZE_BITROUND, 7);
  put(1, 0, 20);
  EXPECT_SUCCESS(scorpio_attribute_remove(file_, id_, k_error));
  close();
  open(SCORPIO_WRITE);
  put(100, 20);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  expect_absent({k_error});
  close();
}

TEST_F(LossyErrors, TheAttributesFollowTheDefinition) {
  create();
  define_rounded(SCORPIO_QUANTIZE_BITROUND, 7);
  EXPECT_TRUE(told("lossy_bound_relative"));
  EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, id_, SCORPIO_QUANTIZE_BITROUND, 9));
  EXPECT_EQ(1.0 / 1024, told("lossy_bound_relative"));
  EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, id_, SCORPIO_QUANTIZE_NONE, 0));
  expect_absent({k_error, k_relative_error, "lossy_bound_relative", "lossy_bound_absolute"});
  const int32_t bits = 5;  // as a program does that copies the attributes of another variable
  EXPECT_SUCCESS(scorpio_attribute_put_values(file_, id_, "_QuantizeBitRoundNumberOfSignificantBits",
                                              SCORPIO_INT32, 1, &bits));
  EXPECT_EQ(1.0 / 64, told("lossy_bound_relative"));
  if (filter({k_zfp}, {k_tolerance}) == SCORPIO_OK) {
    EXPECT_EQ(k_bound, told("lossy_bound_absolute"));
    EXPECT_SUCCESS(filter({k_zfp}, {100}));
    expect_absent({"lossy_bound_absolute"});
  }
  EXPECT_TRUE(told(k_error));
  EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, id_, SCORPIO_QUANTIZE_NONE, 0));
  expect_absent({k_error, k_relative_error, "lossy_bound_relative", "lossy_bound_absolute"});
  close();
}

// The errors travel with the addresses of the chunks and the agreement that follows.
TEST_F(LossyErrors, TellingThemTakesNoFurtherMessage) {
  struct Cost {
    uint64_t messages, agreements;
    bool operator==(const Cost&) const = default;
  };
  const auto cost_of = [&](bool rounded) {
    create();
    define();
    EXPECT_SUCCESS(filter({2, 1}, {0, 1}));
    const scorpio_quantization mode = rounded ? SCORPIO_QUANTIZE_BITROUND : SCORPIO_QUANTIZE_NONE;
    EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, id_, mode, 7));
    put(1);
    const Cost before{system_.counter("messages"), system_.counter("agreements")};
    EXPECT_SUCCESS(scorpio_file_sync(file_));
    put(2);
    close();
    return Cost{system_.counter("messages") - before.messages,
                system_.counter("agreements") - before.agreements};
  };
  const Cost plain = cost_of(false), rounded = cost_of(true);
  EXPECT_TRUE(plain == rounded) << plain.messages << ' ' << rounded.messages << ' ' << plain.agreements << ' '
                                << rounded.agreements;
  EXPECT_LT(0U, plain.agreements);
}

}  // namespace
}  // namespace scorpio::api_test
