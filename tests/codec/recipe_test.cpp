// How a chunk is encoded or decoded, told to another rank as bytes.
#include "codec/recipe.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "codec/zfp.h"

namespace scorpio::codec {
namespace {

std::vector<std::byte> image_of(size_t bytes) {
  std::vector<std::byte> image(bytes);
  for (size_t i = 0; i < bytes; ++i) image[i] = static_cast<std::byte>(i % 4 == 0 ? i / 64 : i % 4);
  return image;
}

void expect_same_results(const Pipeline& pipeline, std::span<const std::byte> kept) {
  const auto image = image_of(8192);
  const auto wanted = pipeline.encode(image, {false, kept});
  const auto made = encode_by(recipe_of(pipeline, kept), image);
  ASSERT_TRUE(wanted.ok());
  ASSERT_TRUE(made.ok()) << made.status().text();
  EXPECT_EQ(wanted->bytes, made->bytes);
  EXPECT_EQ(wanted->skipped, made->skipped);
}

TEST(Recipe, EncodesAsThePipelineDoes) {
  const std::vector<std::vector<Filter>> all = {{},
                                                {{k_deflate, 1}},
                                                {{k_shuffle, 0}, {k_deflate, 9}},
                                                {{k_fletcher32, 0}, {k_shuffle, 0}, {k_deflate, 4}}};
  for (const auto& filters : all) expect_same_results(Pipeline::make(filters, 4).value(), image_of(8));
}

void expect_decoded_in_place(const Pipeline& pipeline, const std::vector<std::byte>& image) {
  const auto made = pipeline.encode(image);
  ASSERT_TRUE(made.ok());
  if (made->bytes.size() > image.size()) return;
  std::vector<std::byte> memory(image.size(), std::byte{0xee});
  std::ranges::copy(made->bytes, memory.begin());
  const auto recipe = decoding_recipe_of(pipeline, made->bytes.size(), made->skipped);
  EXPECT_TRUE(decodes(recipe));
  EXPECT_FALSE(decodes(recipe_of(pipeline, {})));
  const Status decoded = decode_by(recipe, memory);
  EXPECT_TRUE(decoded.ok()) << decoded.text();
  EXPECT_EQ(image, memory);
}

TEST(Recipe, DecodesWhereTheEncodedBytesAre) {
  const std::vector<std::vector<Filter>> all = {{},
                                                {{k_deflate, 1}},
                                                {{k_shuffle, 0}},
                                                {{k_shuffle, 0}, {k_deflate, 9}},
                                                {{k_deflate, 1}, {k_deflate, 1}},
                                                {{k_deflate, 1}, {k_fletcher32, 0}},
                                                {{k_fletcher32, 0}, {k_shuffle, 0}, {k_deflate, 4}}};
  std::vector<std::byte> noise(8192);
  uint32_t state = 1;
  for (std::byte& byte : noise) byte = static_cast<std::byte>((state = state * 1664525 + 1013904223) >> 24);
  for (const auto& filters : all) {
    expect_decoded_in_place(Pipeline::make(filters, 4).value(), image_of(8192));
    expect_decoded_in_place(Pipeline::make(filters, 4).value(), noise);
  }
}

TEST(Recipe, WhatCannotBeDecodedInPlaceIsAFailure) {
  const Pipeline pipeline = Pipeline::make({{k_shuffle, 0}, {k_deflate, 1}}, 4).value();
  auto memory = image_of(4096);
  const auto made = pipeline.encode(memory);
  for (const uint64_t stored :
       {uint64_t{0}, uint64_t{1}, made->bytes.size() / 2, uint64_t{4097}, ~uint64_t{0}}) {
    std::ranges::copy(made->bytes, memory.begin());
    EXPECT_EQ(Code::format, decode_by(decoding_recipe_of(pipeline, stored, 0), memory).code()) << stored;
  }
  EXPECT_EQ(Code::format, decode_by(decoding_recipe_of(pipeline, 4095, 3), memory).code())
      << "no filter applied";
}

TEST(Recipe, HasTheValuesOfAFilterAndTheElementsThatAreKept) {
  const model::ElementType type = model::native(model::Kind::float32);
  const std::vector<int64_t> chunk{32, 64};
  const auto values = zfp_header(k_zfp_accuracy - 4, type, chunk);
  if (!values.ok()) GTEST_SKIP() << values.status().text();
  const auto pipeline = Pipeline::make({{k_zfp, k_zfp_accuracy - 4, *values}, {k_deflate, 1}}, 4);
  ASSERT_TRUE(pipeline.ok());
  expect_same_results(*pipeline, image_of(4));
}

TEST(Recipe, BytesThatAreNoneAreAFailure) {
  const auto image = image_of(64);
  auto recipe = recipe_of(Pipeline::make({{k_shuffle, 0}, {k_deflate, 1}}, 8).value(), image_of(16));
  for (size_t n = 0; n < recipe.size(); ++n)
    EXPECT_EQ(Code::format, encode_by(std::span(recipe).first(n), image).status().code()) << n;
  recipe.push_back(std::byte{0});
  EXPECT_EQ(Code::format, encode_by(recipe, image).status().code());
}

TEST(Recipe, BytesThatAreNoneForDecodingAreAFailure) {
  const Pipeline pipeline = Pipeline::make({{k_shuffle, 0}, {k_deflate, 1}}, 8).value();
  auto image = image_of(64);
  auto recipe = decoding_recipe_of(pipeline, 20, 0);
  for (size_t n = 0; n < recipe.size(); ++n)
    EXPECT_EQ(Code::format, decode_by(std::span(recipe).first(n), image).code()) << n;
  EXPECT_EQ(Code::format, encode_by(recipe, image).status().code()) << "it tells how to decode";
  EXPECT_EQ(Code::format, decode_by(recipe_of(pipeline, {}), image).code()) << "it tells how to encode";
  recipe.push_back(std::byte{0});
  EXPECT_EQ(Code::format, decode_by(recipe, image).code());
  EXPECT_FALSE(decodes({}));
}

}  // namespace
}  // namespace scorpio::codec
