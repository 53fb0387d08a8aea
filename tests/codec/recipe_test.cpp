// How a chunk is encoded, told to another rank as bytes.
#include "codec/recipe.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace scorpio::codec
