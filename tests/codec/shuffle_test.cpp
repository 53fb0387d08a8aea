// The filter shuffle against its definition, for all sizes of elements and all ends of blocks.
#include "codec/shuffle.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace scorpio::codec {
namespace {

std::vector<std::byte> any_bytes(size_t size) {
  std::mt19937_64 random(size);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(Shuffle, MovesEachByteToItsPlace) {
  for (const size_t size : {1u, 2u, 3u, 4u, 5u, 8u, 16u}) {
    for (size_t elements = 0; elements < 70; ++elements) {
      for (size_t rest = 0; rest < size; ++rest) {
        const std::vector<std::byte> image = any_bytes(elements * size + rest);
        std::vector<std::byte> wanted = image, made(image.size());
        for (size_t i = 0; i < elements; ++i) {
          for (size_t b = 0; b < size; ++b) wanted[b * elements + i] = image[i * size + b];
        }
        shuffle_bytes(image, made, size);
        ASSERT_EQ(wanted, made) << elements << " elements of " << size << " bytes and " << rest;
        std::vector<std::byte> back(image.size());
        unshuffle_bytes(made, back, size);
        ASSERT_EQ(image, back) << elements << " elements of " << size << " bytes and " << rest;
      }
    }
  }
}

TEST(Shuffle, LeavesWhatFollowsInTheLongerBufferAsItIs) {
  for (const size_t size : {4u, 8u}) {
    const std::vector<std::byte> image = any_bytes(size * 37 + 1);
    std::vector<std::byte> made(image.size() + 64, std::byte{7}), back = made;
    shuffle_bytes(image, made, size);
    unshuffle_bytes(std::span(made).first(image.size()), back, size);
    for (size_t i = image.size(); i < made.size(); ++i) {
      EXPECT_EQ(std::byte{7}, made[i]);
      EXPECT_EQ(std::byte{7}, back[i]);
    }
  }
}

}  // namespace
}  // namespace scorpio::codec
