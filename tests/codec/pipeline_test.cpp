// Filters of chunks: the way there and back, what is left out, and bytes that make no sense.
#include "codec/pipeline.h"

#include <gtest/gtest.h>

#include <random>

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
                                                {{k_deflate, 9}, {k_shuffle, 0}}};
  for (const auto& filters : all) {
    for (const uint32_t element_bytes : {1u, 3u, 8u}) {
      const auto pipeline = Pipeline::make(filters, element_bytes);
      ASSERT_TRUE(pipeline.ok());
      for (const auto& image : {smooth(0), smooth(1), smooth(4099), noise(1000)}) {
        const auto encoded = pipeline->encode(image);
        ASSERT_TRUE(encoded.ok());
        EXPECT_LE(encoded->bytes.size(), image.size());
        std::vector<std::byte> back(image.size());
        EXPECT_TRUE(pipeline->decode(encoded->bytes, encoded->skipped, back).ok());
        EXPECT_EQ(image, back);
      }
    }
  }
}

TEST(Pipeline, WhatDoesNotShrinkIsLeftOut) {
  const auto pipeline = Pipeline::make({{k_shuffle, 0}, {k_deflate, 1}}, 8);
  const auto encoded = pipeline->encode(noise(800));
  EXPECT_EQ(2u, encoded->skipped);
  EXPECT_EQ(800u, encoded->bytes.size());
  EXPECT_EQ(0u, pipeline->encode(smooth(800))->skipped);
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

TEST(Pipeline, UnknownFiltersAreRefused) {
  EXPECT_EQ(Code::unsupported, Pipeline::make({{4, 0}}, 4).status().code());
  EXPECT_EQ(Code::argument, Pipeline::make({{k_deflate, 10}}, 4).status().code());
  EXPECT_EQ(Code::argument, Pipeline::make(std::vector<Filter>(33, {k_shuffle, 0}), 4).status().code());
}

}  // namespace
}  // namespace scorpio::codec
