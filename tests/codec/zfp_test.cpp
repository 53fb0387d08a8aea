// zfp: its modes, the shapes and types that it can have, the values in a file, and damaged chunks.
#include "codec/zfp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "codec/filters.h"
#include "codec/pipeline.h"

namespace scorpio::codec {
namespace {

using model::Kind;

class Zfp : public testing::Test {
 protected:
  void SetUp() override {
    if (find_filter(k_zfp) == nullptr) GTEST_SKIP() << "zfp is not built in";
  }
};

int64_t count(const std::vector<int64_t>& chunk) {
  int64_t elements = 1;
  for (const int64_t extent : chunk) elements *= extent;
  return elements;
}

template <class T>
std::vector<T> waves(const std::vector<int64_t>& chunk) {
  std::vector<T> values(static_cast<size_t>(count(chunk)));
  const auto row = static_cast<size_t>(chunk.back());
  for (size_t i = 0; i < values.size(); ++i) {
    const auto x = static_cast<double>(i % row), y = static_cast<double>(i / row);
    values[i] = static_cast<T>(285 + 40 * std::sin(x / 9) * std::cos(y / 7));
  }
  return values;
}

template <class T>
Kind kind_of() {
  if constexpr (std::is_same_v<T, float>) return Kind::float32;
  if constexpr (std::is_same_v<T, double>) return Kind::float64;
  if constexpr (std::is_same_v<T, int32_t>) return Kind::int32;
  return Kind::int64;
}

template <class T>
Result<Pipeline> pipeline_of(int parameter, const std::vector<int64_t>& chunk) {
  SCORPIO_ASSIGN(auto values, zfp_header(parameter, model::native(kind_of<T>()), chunk));
  return Pipeline::make({{k_zfp, parameter, std::move(values)}}, sizeof(T));
}

template <class T>
std::vector<T> there_and_back(int parameter, const std::vector<int64_t>& chunk, const std::vector<T>& image,
                              size_t* stored = nullptr) {
  const auto pipeline = pipeline_of<T>(parameter, chunk);
  EXPECT_TRUE(pipeline.ok()) << pipeline.status().text();
  const auto encoded = pipeline->encode(std::as_bytes(std::span(image)));
  EXPECT_TRUE(encoded.ok()) << encoded.status().text();
  EXPECT_LE(encoded->bytes.size(), pipeline->most_bytes(image.size() * sizeof(T)));
  std::vector<T> back(image.size());
  const Status decoded =
      pipeline->decode(encoded->bytes, encoded->skipped, std::as_writable_bytes(std::span(back)));
  EXPECT_TRUE(decoded.ok()) << decoded.text();
  if (stored != nullptr) *stored = encoded->bytes.size();
  return back;
}

template <class T>
double largest_error(const std::vector<T>& a, const std::vector<T>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return largest;
}

// The last ones have more dimensions, or longer ones, than zfp can have.
const std::vector<std::vector<int64_t>> k_shapes{{1000},          {30, 41},     {1, 20, 30},  {6, 17, 23},
                                                 {3, 5, 9, 14},   {1, 1, 1},    {1, 2000, 1}, {2, 3, 4, 5, 6},
                                                 {5000, 2, 2, 2}, {3, 2, 70000}};

TEST_F(Zfp, KeepsToItsToleranceInEveryShape) {
  for (const auto& chunk : k_shapes) {
    const auto values = waves<float>(chunk);
    size_t stored = 0;
    const auto back = there_and_back(*zfp_parameter_for(0.01), chunk, values, &stored);
    EXPECT_LE(largest_error(values, back), 0.01);
    if (values.size() > 100 && chunk.size() <= 2) {
      EXPECT_LT(stored, values.size() * 3);
    }
    const auto doubles = waves<double>(chunk);
    EXPECT_LE(largest_error(doubles, there_and_back(*zfp_parameter_for(1e-7), chunk, doubles)), 1e-7);
  }
}

TEST_F(Zfp, TheReversibleModeChangesNoBit) {
  for (const auto& chunk : k_shapes) {
    const auto exact = [&](auto values) {
      using T = typename decltype(values)::value_type;
      const auto back = there_and_back(k_zfp_reversible, chunk, values);
      EXPECT_EQ(0, std::memcmp(values.data(), back.data(), values.size() * sizeof(T)));
    };
    auto floats = waves<float>(chunk);
    exact(floats);
    floats[floats.size() / 2] = 1e36F;
    floats.front() = std::numeric_limits<float>::quiet_NaN();
    floats.back() = -std::numeric_limits<float>::infinity();
    exact(floats);
    exact(waves<double>(chunk));
    exact(waves<int32_t>(chunk));
    exact(waves<int64_t>(chunk));
  }
}

// zfp joins 4 x 4 elements, whose errors depend on the largest of them.
TEST_F(Zfp, AChunkWhoseBoundCannotBeMetIsLeftAsItIs) {
  const std::vector<int64_t> chunk{32, 32};
  const auto pipeline = pipeline_of<float>(*zfp_parameter_for(0.01), chunk);
  const auto skipped = [&](const std::vector<float>& values, const Exactness& exact) {
    return pipeline->encode(std::as_bytes(std::span(values)), exact)->skipped != 0;
  };
  const float missing = -999;
  const auto kept = std::as_bytes(std::span(&missing, 1));
  auto values = waves<float>(chunk);
  EXPECT_FALSE(skipped(values, {}));
  EXPECT_FALSE(skipped(values, {.values = kept}));
  EXPECT_TRUE(skipped(values, {.all = true}));
  values[100] = missing;
  EXPECT_TRUE(skipped(values, {.values = kept}));
  values[100] = 1e30F;
  EXPECT_TRUE(skipped(values, {}));
  EXPECT_EQ(Loss(), pipeline->encode(std::as_bytes(std::span(values)))->loss);
  EXPECT_TRUE(pipeline->skips_lossy(1));
  EXPECT_FALSE(pipeline->skips_lossy(0));
  values[100] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(skipped(values, {}));
}

TEST_F(Zfp, TheErrorIsThatOfTheDecodedElements) {
  const std::vector<int64_t> chunk{32, 32};
  const auto expect = [&](auto values, int parameter) {
    using T = typename decltype(values)::value_type;
    const auto pipeline = pipeline_of<T>(parameter, chunk);
    const auto encoded = pipeline->encode(std::as_bytes(std::span(values)));
    std::vector<T> back(values.size());
    ASSERT_TRUE(
        pipeline->decode(encoded->bytes, encoded->skipped, std::as_writable_bytes(std::span(back))).ok());
    const double error = largest_error(values, back);
    EXPECT_LE(error, encoded->loss.absolute);
    EXPECT_GE(error * (1 + 1e-15), encoded->loss.absolute);
    EXPECT_EQ(parameter != k_zfp_reversible, pipeline->is_lossy());
    EXPECT_EQ(parameter != k_zfp_reversible, encoded->loss.absolute > 0) << parameter;
  };
  for (const int parameter : {k_zfp_accuracy - 7, 16, k_zfp_reversible}) {
    expect(waves<float>(chunk), parameter);
    expect(waves<double>(chunk), parameter);
  }
  expect(waves<int32_t>(chunk), k_zfp_accuracy + 4);
  expect(waves<int64_t>(chunk), k_zfp_accuracy + 4);
}

TEST_F(Zfp, FewerBitsOfPrecisionTakeLessRoom) {
  const std::vector<int64_t> chunk{64, 64};
  const auto values = waves<float>(chunk);
  size_t few = 0, many = 0;
  (void)there_and_back(8, chunk, values, &few);
  const auto back = there_and_back(24, chunk, values, &many);
  EXPECT_LT(few, many);
  EXPECT_LE(largest_error(values, back), 0.001);
}

TEST_F(Zfp, ItsParameterIsFoundInTheValuesOfAFile) {
  for (const int parameter : {1, 16, 32, 63, k_zfp_reversible, k_zfp_accuracy - 7, k_zfp_accuracy + 3,
                              k_zfp_accuracy - 300, k_zfp_accuracy + 500}) {
    const auto values = zfp_header(parameter, model::native(Kind::float64), std::vector<int64_t>{40, 50});
    ASSERT_TRUE(values.ok()) << values.status().text();
    EXPECT_LE(values->size(), 6u);
    EXPECT_EQ(parameter, zfp_parameter(*values));
    std::vector<unsigned> reversed = *values;
    for (unsigned& word : reversed) word = __builtin_bswap32(word);
    EXPECT_EQ(parameter, zfp_parameter(reversed)) << "of a big-endian machine";
  }
}

TEST_F(Zfp, WhatItCannotDoIsRefused) {
  const std::vector<int64_t> chunk{40, 50};
  const auto code_of = [&](int parameter, Kind kind) {
    return zfp_header(parameter, model::native(kind), chunk).status().code();
  };
  EXPECT_EQ(Code::type, code_of(16, Kind::int16));
  EXPECT_EQ(Code::type, code_of(16, Kind::uint32));
  EXPECT_EQ(Code::type, code_of(16, Kind::text));
  for (const int parameter : {-1, 0, 64, 99, 101, 925, 3024}) {
    EXPECT_EQ(Code::argument, code_of(parameter, Kind::float32)) << parameter;
  }
  model::ElementType reversed = model::native(Kind::float32);
  reversed.order =
      reversed.order == model::ByteOrder::little ? model::ByteOrder::big : model::ByteOrder::little;
  EXPECT_EQ(Code::type, zfp_header(16, reversed, chunk).status().code());
  EXPECT_EQ(Code::format, Pipeline::make({{k_zfp, 16}}, 4).status().code());
  const auto values = zfp_header(16, model::native(Kind::float32), chunk);
  EXPECT_EQ(Code::format, Pipeline::make({{k_zfp, 16, *values}}, 8).status().code());
}

TEST(ZfpBound, BoundsThatAreNoNumbersAreRefused) {
  for (const double bound :
       {0.0, -0.01, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(Code::argument, zfp_parameter_for(bound).status().code()) << bound;
  }
  EXPECT_EQ(0.0078125, zfp_tolerance(*zfp_parameter_for(0.01)));
  EXPECT_EQ(0.5, zfp_tolerance(*zfp_parameter_for(0.5)));
  EXPECT_EQ(0.0, zfp_tolerance(16));
}

TEST(ZfpMissing, ItsLackIsSaidWithTheWayToGetIt) {
  if (find_filter(k_zfp) != nullptr) GTEST_SKIP() << "zfp is built in";
  const Status lack = zfp_header(16, model::native(Kind::float32), std::vector<int64_t>{4}).status();
  EXPECT_EQ(Code::unsupported, lack.code());
  EXPECT_NE(std::string::npos, lack.text().find("libzfp-dev")) << lack.text();
}

// Bits of precision are those of the largest element of a block. The default fill value of netCDF has so few
// bits that it stays as it is, while the elements beside it become 0.
TEST_F(Zfp, ABlockWithAMissingValueIsNotEncodedWithoutABound) {
  const std::vector<int64_t> chunk{64, 64};
  const auto values = waves<float>(chunk);
  for (const float missing : {9.9692099683868690e+36F, 0x1p64F, -999.0F}) {
    std::vector<float> masked = values;
    masked[1000] = missing;
    const Exactness exact{false, std::as_bytes(std::span(&missing, 1))};
    const auto pipeline = pipeline_of<float>(16, chunk);
    EXPECT_EQ(1U, pipeline->encode(std::as_bytes(std::span(masked)), exact)->skipped) << missing;
    EXPECT_EQ(0U, pipeline->encode(std::as_bytes(std::span(values)), exact)->skipped) << missing;
  }
}

TEST_F(Zfp, ItIsTheFirstFilter) {
  const auto values = zfp_header(16, model::native(Kind::float32), std::vector<int64_t>{40, 50});
  const Filter zfp{k_zfp, 16, *values};
  EXPECT_TRUE(Pipeline::make({zfp, {k_shuffle, 0}, {k_deflate, 1}}, 4).ok());
  for (const Filter& other : {Filter{k_shuffle, 0}, Filter{k_deflate, 1}, Filter{k_fletcher32, 0}, zfp})
    EXPECT_EQ(Code::argument, Pipeline::make({other, zfp}, 4).status().code()) << other.number;
}

// The memory for a chunk depends on its size, not on the size in the values of a file.
TEST_F(Zfp, ValuesOfLargerArraysTakeNoMemory) {
  const auto values = zfp_header(16, model::native(Kind::float32), std::vector<int64_t>{65536, 65536, 65536});
  const auto pipeline = Pipeline::make({{k_zfp, 16, *values}, {k_deflate, 1}}, 4);
  ASSERT_TRUE(pipeline.ok()) << pipeline.status().text();
  EXPECT_LT(pipeline->most_bytes(8000), 10000U);
  std::vector<std::byte> bytes(100), image(8000);
  EXPECT_EQ(Code::format, pipeline->decode(bytes, 0, image).code());
}

TEST_F(Zfp, BlocksOfMoreBitsThanTheyNeedAreRefused) {
  // Mode rate with 12 bits and with 4000 bits for each element, of an array of 2000 float32.
  const auto header_of = [](unsigned bits_of_block) {
    auto values = *zfp_header(16, model::native(Kind::float32), std::vector<int64_t>{2000});
    constexpr unsigned k_magic_and_field_bits = 32 + 52;
    uint64_t words = uint64_t{values[3]} | (values.size() > 4 ? uint64_t{values[4]} << 32 : 0);
    constexpr unsigned k_shift = k_magic_and_field_bits - 64;
    words = (words & ((uint64_t{1} << k_shift) - 1)) | uint64_t{bits_of_block - 1} << k_shift;
    values.resize(5);
    values[3] = static_cast<unsigned>(words);
    values[4] = static_cast<unsigned>(words >> 32);
    return values;
  };
  EXPECT_TRUE(Pipeline::make({{k_zfp, k_zfp_other, header_of(48)}}, 4).ok());
  EXPECT_EQ(Code::format, Pipeline::make({{k_zfp, k_zfp_other, header_of(2000)}}, 4).status().code());
}

TEST_F(Zfp, RandomBytesNeverDoHarm) {
  std::mt19937_64 random(7);
  for (const int parameter : {16, k_zfp_reversible, k_zfp_accuracy - 7}) {
    const std::vector<int64_t> chunk{3, 20, 25};
    const auto pipeline = pipeline_of<float>(parameter, chunk);
    const std::vector<float> values = waves<float>(chunk);
    const auto good = pipeline->encode(std::as_bytes(std::span(values)))->bytes;
    for (int i = 0; i < 1000; ++i) {
      std::vector<std::byte> bytes = good;
      if (random() % 4 == 0)
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
      for (uint64_t flips = random() % 4; flips > 0; --flips)
        bytes[random() % bytes.size()] ^= static_cast<std::byte>(1 << random() % 8);
      if (random() % 3 == 0) bytes.resize(random() % (bytes.size() + 1));
      std::vector<std::byte> image(6000 + 8, std::byte{0x5a});
      const Status decoded = pipeline->decode(bytes, 0, std::span(image).first(6000));
      EXPECT_TRUE(decoded.ok() || decoded.code() == Code::format) << decoded.text();
      for (size_t k = 6000; k < image.size(); ++k) ASSERT_EQ(std::byte{0x5a}, image[k]);
    }
    std::vector<std::byte> image(6000);
    const std::span<const std::byte> half = std::span(good).first(good.size() / 2);
    EXPECT_EQ(Code::format, pipeline->decode(half, 0, image).code()) << "truncated";
  }
}

TEST_F(Zfp, RandomValuesOfAFileNeverDoHarm) {
  std::mt19937_64 random(9);
  const auto good = zfp_header(16, model::native(Kind::float32), std::vector<int64_t>{40, 50});
  const std::vector<std::byte> bytes(500, std::byte{0x37});
  for (int i = 0; i < 5000; ++i) {
    std::vector<unsigned> values = *good;
    for (uint64_t flips = random() % 6; flips > 0; --flips)
      values[random() % values.size()] ^= 1U << random() % 32;
    if (random() % 5 == 0) values.resize(random() % (values.size() + 1));
    const auto pipeline = Pipeline::make({{k_zfp, 16, values}}, 4);
    if (!pipeline.ok()) continue;
    std::vector<std::byte> image(8000);
    const Status decoded = pipeline->decode(bytes, 0, image);
    EXPECT_TRUE(decoded.ok() || decoded.code() == Code::format) << decoded.text();
  }
}

}  // namespace
}  // namespace scorpio::codec
