// Filters of chunks: the way there and back, what is left out, and bytes that make no sense.
#include "codec/pipeline.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <thread>

#include "codec/workspace.h"
#include "support/resident_memory.h"

namespace scorpio::codec {
namespace {

std::vector<std::byte> smooth(size_t size) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i % 8 == 3 ? i / 64 : 5);
  return bytes;
}

std::vector<std::byte> noise(size_t size) {
  std::mt19937_64 random(size);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(Pipeline, ComesBackAsItWas) {
  const std::vector<std::vector<Filter>> all = {{},
                                                {{k_shuffle, 0}},
                                                {{k_deflate, 1}},
                                                {{k_shuffle, 0}, {k_deflate, 6}},
                                                {{k_deflate, 9}, {k_shuffle, 0}},
                                                {{k_fletcher32, 0}},
                                                {{k_fletcher32, 0}, {k_shuffle, 0}, {k_deflate, 1}},
                                                {{k_deflate, 1}, {k_fletcher32, 0}, {k_deflate, 1}},
                                                {{k_shuffle, 0}, {k_deflate, 1}, {k_fletcher32, 0}}};
  for (const auto& filters : all) {
    for (const uint32_t element_bytes : {1u, 3u, 8u}) {
      const auto pipeline = Pipeline::make(filters, element_bytes);
      ASSERT_TRUE(pipeline.ok());
      for (const auto& image : {smooth(0), smooth(1), smooth(4099), noise(1000)}) {
        const auto encoded = pipeline->encode(image);
        ASSERT_TRUE(encoded.ok());
        EXPECT_TRUE(encoded->skipped == 0 || image.empty()) << encoded->skipped;
        EXPECT_LE(encoded->bytes.size(), image.size() + 4 + 22);
        EXPECT_LE(encoded->bytes.size(), pipeline->most_bytes(image.size()));
        std::vector<std::byte> back(image.size());
        EXPECT_TRUE(pipeline->decode(encoded->bytes, encoded->skipped, back).ok());
        EXPECT_EQ(image, back);
      }
    }
  }
}

// Long ones, of which the image is given up, take twice their bytes.
TEST(Pipeline, OfImagesThatAreReleased) {
  constexpr size_t k_long = size_t{33} << 20;  // malloc gives memory of more than 32 MiB back at once
  ASSERT_TRUE(Pipeline::is_long(k_long));
  const std::vector<std::vector<Filter>> all = {{{k_shuffle, 0}, {k_deflate, 1}, {k_fletcher32, 0}}, {}};
  for (const auto& filters : all) {
    const auto pipeline = Pipeline::make(filters, 8);
    ASSERT_TRUE(pipeline.ok());
    for (const auto& image : {smooth(1000), noise(k_long)}) {
      const auto expected = pipeline->encode(image);
      ASSERT_TRUE(expected.ok());
      const test::ResidentMemory memory;
      const auto encoded = pipeline->encode_and_release(image);
      const auto peak = static_cast<uint64_t>(memory.peak());
      ASSERT_TRUE(encoded.ok());
      EXPECT_TRUE(expected->bytes == encoded->bytes) << image.size();
      EXPECT_EQ(expected->skipped, encoded->skipped);
      if (test::k_memory_is_comparable) {
        EXPECT_LE(peak, 2 * image.size() + (8 << 20)) << filters.size() << " filters";
      }
    }
  }
}

// HDF5 would keep the mark of a filter that was left out.
TEST(Pipeline, AFilterIsAppliedToWhatDoesNotShrink) {
  for (const int level : {0, 1, 9}) {
    const auto pipeline = Pipeline::make({{k_shuffle, 0}, {k_deflate, level}}, 8);
    for (const size_t size : {8, 800, 65536, 1 << 20}) {
      const auto image = noise(size);
      const auto encoded = pipeline->encode(image);
      ASSERT_TRUE(encoded.ok()) << encoded.status().text();
      EXPECT_EQ(0u, encoded->skipped);
      EXPECT_LT(size, encoded->bytes.size());
      EXPECT_GE(size + 11 + size / 2000, encoded->bytes.size());
      std::vector<std::byte> back(size);
      EXPECT_TRUE(pipeline->decode(encoded->bytes, 0, back).ok());
      EXPECT_EQ(image, back);
    }
  }
}

// A thread keeps its buffers and the state of libraries: other chunks, levels and failures before do not
// change a result.
TEST(Pipeline, WhatAThreadHasDoneBeforeChangesNothing) {
  std::vector<int> compressors{k_deflate};
  if (find_filter(k_zstd) != nullptr) compressors.push_back(k_zstd);
  for (const int number : compressors) {
    const auto made_by = [number](int level, const std::vector<std::byte>& image) {
      return Pipeline::make({{k_shuffle, 0}, {number, level}}, 4)->encode(image)->bytes;
    };
    std::vector<std::byte> first;
    std::thread([&] { first = made_by(1, smooth(50000)); }).join();
    const size_t long_bytes = 2 * Workspace::k_most_kept_bytes;
    std::vector<std::byte> back(long_bytes);
    (void)made_by(9, noise(70001));
    const auto pipeline = Pipeline::make({{k_shuffle, 0}, {number, 1}}, 4);
    EXPECT_TRUE(pipeline->decode(made_by(1, smooth(long_bytes)), 0, back).ok());
    EXPECT_EQ(smooth(long_bytes), back);
    EXPECT_FALSE(pipeline->decode(noise(100), 0, back).ok());
    EXPECT_EQ(first, made_by(1, smooth(50000)));
  }
}

TEST(Pipeline, BadBytesAreAFailure) {
  const auto pipeline = Pipeline::make({{k_shuffle, 0}, {k_deflate, 1}}, 4);
  auto encoded = pipeline->encode(smooth(800));
  std::vector<std::byte> image(800);
  encoded->bytes[encoded->bytes.size() / 2] ^= std::byte{0xff};
  EXPECT_EQ(Code::format, pipeline->decode(encoded->bytes, 0, image).code());
  EXPECT_EQ(Code::format, pipeline->decode({}, 0, image).code());
  EXPECT_EQ(Code::format, pipeline->decode(noise(700), 3, image).code());
  EXPECT_EQ(Code::format, pipeline->decode(noise(700), 2, image).code());
}

// What has passed the check of the bytes by chance is found by their number.
TEST(Pipeline, AnySingleBitThatIsWrongIsFoundByTheChecksum) {
  const auto pipeline = Pipeline::make({{k_fletcher32, 0}}, 4);
  const auto encoded = pipeline->encode(noise(61));
  ASSERT_EQ(65u, encoded->bytes.size());
  std::vector<std::byte> image(61);
  for (size_t bit = 0; bit < 65 * 8; ++bit) {
    std::vector<std::byte> damaged = encoded->bytes;
    damaged[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    EXPECT_EQ(Code::format, pipeline->decode(damaged, 0, image).code()) << bit;
  }
  EXPECT_EQ(Code::format, pipeline->decode(noise(3), 0, image).code());
  EXPECT_EQ(Code::format, pipeline->decode(pipeline->encode(noise(62))->bytes, 0, image).code());
  EXPECT_EQ(Code::format, pipeline->decode(pipeline->encode(noise(60))->bytes, 0, image).code());
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// The known sums of little-endian words, with the bytes of each sum the other way round.
TEST(Fletcher32, IsThatOfHdf5) {
  EXPECT_EQ(0x4ff029c7u, fletcher32(bytes_of("abcde")));
  EXPECT_EQ(0x50562a2du, fletcher32(bytes_of("abcdef")));
  EXPECT_EQ(0xe1eb9195u, fletcher32(bytes_of("abcdefgh")));
  EXPECT_EQ(0u, fletcher32({}));
}

// HDF5 before 1.6.3.
TEST(Fletcher32, TheOldFormIsReadToo) {
  const auto pipeline = Pipeline::make({{k_fletcher32, 0}}, 1);
  std::vector<std::byte> encoded = pipeline->encode(bytes_of("abcde"))->bytes, image(5);
  std::swap(encoded[5], encoded[6]);
  std::swap(encoded[7], encoded[8]);
  EXPECT_TRUE(pipeline->decode(encoded, 0, image).ok());
  std::swap(encoded[5], encoded[8]);
  EXPECT_FALSE(pipeline->decode(encoded, 0, image).ok());
}

// Random bytes, lengths and masks: a failure or an image, and no byte after the image is changed.
TEST(Pipeline, RandomBytesNeverDoHarm) {
  std::mt19937_64 random(7);
  const auto pipeline = Pipeline::make({{k_fletcher32, 0}, {k_shuffle, 0}, {k_deflate, 1}}, 8);
  const auto good = pipeline->encode(smooth(1000))->bytes;
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::byte> bytes = random() % 2 == 0 ? good : noise(random() % 1200);
    for (uint64_t flips = random() % 4; flips > 0 && !bytes.empty(); --flips) {
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1 << random() % 8);
    }
    if (random() % 3 == 0) bytes.resize(random() % (bytes.size() + 1));
    std::vector<std::byte> image(1000 + 8, std::byte{0x5a});
    const auto mask = static_cast<uint32_t>(random() % 3 == 0 ? random() % 8 : 0);
    (void)pipeline->decode(bytes, mask, std::span(image).first(1000));
    for (size_t k = 1000; k < image.size(); ++k) ASSERT_EQ(std::byte{0x5a}, image[k]);
  }
}

struct Optional {
  Filter filter;
  const char* library;
};

class OptionalFilter : public testing::TestWithParam<Optional> {};

// With the library of the filter; and without it the way to get it.
TEST_P(OptionalFilter, ComesBackAsItWasOrIsMissed) {
  for (const uint32_t element_bytes : {1u, 4u, 8u, 300u}) {
    const auto pipeline = Pipeline::make({{k_shuffle, 0}, GetParam().filter}, element_bytes);
    if (find_filter(GetParam().filter.number) == nullptr) {
      EXPECT_EQ(Code::unsupported, pipeline.status().code());
      EXPECT_NE(std::string::npos, pipeline.status().text().find(GetParam().library));
      continue;
    }
    ASSERT_TRUE(pipeline.ok()) << pipeline.status().text();
    for (const auto& image : {smooth(1), smooth(40001), noise(1000)}) {
      const auto encoded = pipeline->encode(image);
      ASSERT_TRUE(encoded.ok()) << encoded.status().text();
      EXPECT_EQ(0u, encoded->skipped);
      EXPECT_LE(encoded->bytes.size(), image.size() + 32);
      std::vector<std::byte> back(image.size());
      EXPECT_TRUE(pipeline->decode(encoded->bytes, encoded->skipped, back).ok());
      EXPECT_EQ(image, back);
    }
    EXPECT_LT(pipeline->encode(smooth(40000))->bytes.size(), 20000u);
    EXPECT_LT(1000u, pipeline->encode(noise(1000))->bytes.size());
  }
}

TEST_P(OptionalFilter, RandomBytesNeverDoHarm) {
  if (find_filter(GetParam().filter.number) == nullptr) return;
  std::mt19937_64 random(11);
  const auto pipeline = Pipeline::make({GetParam().filter}, 4);
  const auto good = pipeline->encode(smooth(3000))->bytes;
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::byte> bytes = random() % 4 == 0 ? noise(random() % 4000) : good;
    for (uint64_t flips = random() % 4; flips > 0 && !bytes.empty(); --flips) {
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1 << random() % 8);
    }
    if (random() % 3 == 0) bytes.resize(random() % (bytes.size() + 1));
    std::vector<std::byte> image(3000 + 8, std::byte{0x5a});
    const Status decoded = pipeline->decode(bytes, 0, std::span(image).first(3000));
    EXPECT_TRUE(decoded.ok() || decoded.code() == Code::format) << decoded.text();
    for (size_t k = 3000; k < image.size(); ++k) ASSERT_EQ(std::byte{0x5a}, image[k]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OptionalFilter,
                         testing::Values(Optional{{k_zstd, 1}, "libzstd"}, Optional{{k_zstd, 9}, "libzstd"},
                                         Optional{{k_blosc, 15}, "c-blosc"},
                                         Optional{{k_blosc, 521}, "c-blosc"}));

TEST(Blosc, ACompressorThatItDoesNotHaveIsAFailure) {
  if (find_filter(k_blosc) == nullptr) return;
  EXPECT_EQ(Code::argument, Pipeline::make({{k_blosc, 35}}, 4).status().code());
  EXPECT_EQ(Code::argument, Pipeline::make({{k_blosc, 901}}, 4).status().code());
  EXPECT_EQ(Code::argument, Pipeline::make({{k_blosc, -1}}, 4).status().code());
}

TEST(Pipeline, UnknownFiltersAreRefused) {
  EXPECT_EQ(Code::unsupported, Pipeline::make({{4, 0}}, 4).status().code());
  EXPECT_EQ(Code::argument, Pipeline::make({{k_deflate, 10}}, 4).status().code());
  EXPECT_EQ(Code::argument, Pipeline::make(std::vector<Filter>(33, {k_shuffle, 0}), 4).status().code());
}

}  // namespace
}  // namespace scorpio::codec
