// Chunks that a rank encodes for the I/O rank of its node, in the memory of the image.
#include "session/iosystem/encode_in_place.h"

#include <gtest/gtest.h>

#include <random>

#include "codec/recipe.h"

namespace scorpio::session {
namespace {

constexpr size_t k_tail_bytes = comm::SharedTasks::k_tail_bytes;

std::vector<std::byte> noise(size_t bytes) {
  std::mt19937_64 random(bytes);
  std::vector<std::byte> all(bytes);
  for (std::byte& byte : all) byte = static_cast<std::byte>(random());
  return all;
}

codec::Pipeline pipeline() {
  return codec::Pipeline::make({{codec::k_shuffle, 0}, {codec::k_deflate, 1}}, 8).value();
}

// The result of noise is longer than the image.
TEST(EncodeInPlace, TheResultIsTheSameAlsoWhereItIsLonger) {
  for (const size_t bytes : {size_t{10000}, size_t{1} << 18}) {
    for (const bool zeros : {false, true}) {
      const std::vector<std::byte> image = zeros ? std::vector<std::byte>(bytes) : noise(bytes);
      const auto expected = pipeline().encode(image);
      ASSERT_TRUE(expected.ok());
      EXPECT_EQ(zeros, expected->bytes.size() <= bytes);
      std::vector<std::byte> now = image;
      observe::Counters counters;
      const auto outcome = encode_in_place(codec::recipe_of(pipeline(), {}), now, counters);
      ASSERT_TRUE(outcome.ok()) << outcome.status().text();
      now.resize(outcome->bytes);
      now.insert(now.end(), outcome->tail.begin(), outcome->tail.end());
      EXPECT_EQ(expected->bytes, now);
      EXPECT_EQ(1U, counters.encoded_for_others);
    }
  }
}

TEST(EncodeInPlace, AfterAFailureTheImageIsAsItWas) {
  constexpr size_t k_bytes = size_t{16} << 20;
  const std::vector<std::byte> image = noise(k_bytes);
  const auto expected = pipeline().encode(image);
  ASSERT_TRUE(expected.ok());
  ASSERT_GT(expected->bytes.size(), k_bytes + k_tail_bytes);
  std::vector<std::byte> now = image;
  observe::Counters counters;
  EXPECT_FALSE(encode_in_place(codec::recipe_of(pipeline(), {}), now, counters).ok());
  EXPECT_EQ(image, now);
  EXPECT_EQ(0U, counters.encoded_for_others);
}

}  // namespace
}  // namespace scorpio::session
