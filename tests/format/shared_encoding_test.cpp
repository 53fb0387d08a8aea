// Chunks that ranks of a node encode and decode for an I/O rank: whoever does it, the result is the same.
#include "format/shared_encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "codec/recipe.h"

namespace scorpio::format {
namespace {

constexpr size_t k_chunk = 16384, k_chunks = 50;

Result<comm::SharedTasks::Outcome> encode(std::span<const std::byte> recipe, std::span<std::byte> image) {
  SCORPIO_ASSIGN(const codec::Pipeline::Encoded encoded, codec::encode_by(recipe, image));
  if (encoded.bytes.size() > image.size()) return failure(Code::internal, "too long");
  std::ranges::copy(encoded.bytes, image.begin());
  return comm::SharedTasks::Outcome{encoded.bytes.size(), encoded.skipped, {}};
}

Result<comm::SharedTasks::Outcome> code(std::span<const std::byte> recipe, std::span<std::byte> image) {
  if (!codec::decodes(recipe)) return encode(recipe, image);
  SCORPIO_TRY(codec::decode_by(recipe, image));
  return comm::SharedTasks::Outcome{image.size(), 0, {}};
}

class SharedEncodings : public testing::Test {
 protected:
  SharedEncodings() : boards_(comm::SharedTasks::bytes(1) / sizeof(Line)), memory_(k_chunk * k_chunks) {
    for (size_t i = 0; i < memory_.size(); ++i)
      memory_[i] = static_cast<std::byte>(i % 8 == 0 ? i * i >> 7 : i / k_chunk);
  }

  comm::SharedTasks rank(int owner, comm::SharedTasks::Body body = code) {
    return {{reinterpret_cast<std::byte*>(boards_.data()), memory_, 1, owner, 8}, std::move(body)};
  }
  std::span<std::byte> image(size_t chunk) { return std::span(memory_).subspan(chunk * k_chunk, k_chunk); }
  void expect_results(SharedEncoding& encoding, const std::vector<std::byte>& before) {
    for (size_t i = 0; i < k_chunks; ++i) {
      ASSERT_TRUE(encoding.has(image(i).data()));
      const auto made = encoding.take(image(i).data());
      const auto wanted = pipeline_.encode(std::span(before).subspan(i * k_chunk, k_chunk));
      ASSERT_TRUE(made.ok());
      EXPECT_EQ(wanted->bytes, made->bytes);
      EXPECT_EQ(wanted->skipped, made->skipped);
      EXPECT_FALSE(encoding.has(image(i).data()));
    }
    EXPECT_TRUE(encoding.empty());
  }

  struct alignas(64) Line {
    std::byte bytes[64]{};
  };
  std::vector<Line> boards_;
  std::vector<std::byte> memory_;
  const codec::Pipeline pipeline_ =
      codec::Pipeline::make({{codec::k_shuffle, 0}, {codec::k_deflate, 1}}, 8).value();
};

TEST_F(SharedEncodings, ByThisRankIfNobodyHelps) {
  comm::SharedTasks mine = rank(0);
  const std::vector<std::byte> before = memory_;
  SharedEncoding encoding(&mine);
  for (size_t i = 0; i < k_chunks; ++i) encoding.add({image(i), &pipeline_, {}});
  expect_results(encoding, before);
  EXPECT_EQ(before, memory_);
}

TEST_F(SharedEncodings, ByOtherRanksBesideIt) {
  std::atomic<bool> ended = false;
  std::atomic<int> helped = 0;
  std::vector<std::thread> others;
  for (int i = 0; i < 3; ++i) {
    others.emplace_back([&] {
      comm::SharedTasks tasks = rank(-1);
      while (!ended) {
        if (tasks.help()) ++helped;
        std::this_thread::yield();
      }
    });
  }
  comm::SharedTasks mine = rank(0);
  const std::vector<std::byte> before = memory_;
  SharedEncoding encoding(&mine);
  for (int round = 0; round < 20; ++round) {
    memory_ = before;
    for (size_t i = 0; i < k_chunks; ++i) encoding.add({image(i), &pipeline_, {}});
    if (round % 4 == 3) {
      encoding.end();
      EXPECT_TRUE(encoding.empty());
    } else {
      expect_results(encoding, before);
    }
  }
  ended = true;
  for (std::thread& other : others) other.join();
  EXPECT_LT(0, helped);
}

// This rank encodes what others could not.
TEST_F(SharedEncodings, WhatOthersCannotEncode) {
  comm::SharedTasks mine = rank(0);
  comm::SharedTasks other = rank(-1, [](auto, auto) -> Result<comm::SharedTasks::Outcome> {
    return failure(Code::memory, "out of memory");
  });
  const std::vector<std::byte> before = memory_;
  SharedEncoding encoding(&mine);
  for (size_t i = 0; i < k_chunks; ++i) encoding.add({image(i), &pipeline_, {}});
  while (other.help()) {
  }
  expect_results(encoding, before);
}

TEST_F(SharedEncodings, OneChunkIsNotGivenAway) {
  comm::SharedTasks mine = rank(0), other = rank(-1);
  SharedEncoding encoding(&mine);
  encoding.add({image(0), &pipeline_, {}});
  EXPECT_FALSE(other.help());
  EXPECT_TRUE(encoding.take(image(0).data()).ok());
  EXPECT_FALSE(SharedEncoding(nullptr).takes(k_chunk));
  EXPECT_FALSE(encoding.takes(100));
}

// Chunks that were read: their encoded bytes are in front in their images.
class SharedDecodings : public SharedEncodings {
 protected:
  SharedDecodings() : raw_(memory_) {}

  // The number of encoded bytes.
  uint64_t read(size_t chunk) {
    const auto encoded = pipeline_.encode(std::span(raw_).subspan(chunk * k_large, k_large));
    std::ranges::fill(large(chunk), std::byte{0xee});
    std::ranges::copy(encoded->bytes, large(chunk).begin());
    return encoded->bytes.size();
  }
  void add_all(SharedDecoding& decoding) {
    for (size_t i = 0; i < k_larges; ++i) decoding.add({large(i), &pipeline_, read(i), 0});
  }
  std::span<std::byte> large(size_t chunk) { return std::span(memory_).subspan(chunk * k_large, k_large); }
  void expect_taken(SharedDecoding& decoding, bool decoded) {
    for (size_t i = 0; i < k_larges; ++i) {
      ASSERT_TRUE(decoding.has(large(i).data()));
      EXPECT_EQ(decoded, decoding.take(large(i).data()).value()) << i;
    }
    EXPECT_TRUE(decoding.empty());
    EXPECT_TRUE(!decoded || raw_ == memory_);
  }

  static constexpr size_t k_large = 2 * k_chunk, k_larges = k_chunks / 2;
  const std::vector<std::byte> raw_;
};

TEST_F(SharedDecodings, ByThisRankIfNobodyHelps) {
  comm::SharedTasks mine = rank(0);
  SharedDecoding decoding(&mine);
  add_all(decoding);
  expect_taken(decoding, true);
}

TEST_F(SharedDecodings, ByOtherRanksBesideIt) {
  std::atomic<bool> ended = false;
  std::atomic<int> helped = 0;
  std::vector<std::thread> others;
  for (int i = 0; i < 3; ++i) {
    others.emplace_back([&] {
      comm::SharedTasks tasks = rank(-1);
      while (!ended) {
        if (tasks.help()) ++helped;
        std::this_thread::yield();
      }
    });
  }
  comm::SharedTasks mine = rank(0);
  SharedDecoding decoding(&mine);
  for (int round = 0; round < 50 || (helped == 0 && round < 5000); ++round) {
    add_all(decoding);
    if (round % 4 == 3) {
      decoding.end();
      EXPECT_TRUE(decoding.empty());
    } else {
      expect_taken(decoding, true);
    }
  }
  ended = true;
  for (std::thread& other : others) other.join();
  EXPECT_LT(0, helped);
}

// Whoever finds it damaged, it must be read again.
TEST_F(SharedDecodings, DamagedChunks) {
  comm::SharedTasks mine = rank(0), other = rank(-1);
  for (const bool helps : {false, true}) {
    SharedDecoding decoding(&mine);
    for (size_t i = 0; i < k_larges; ++i) {
      const uint64_t bytes = read(i);
      decoding.add({large(i), &pipeline_, bytes / 2, 0});
    }
    while (helps && other.help()) {
    }
    expect_taken(decoding, false);
  }
}

TEST_F(SharedDecodings, WhatOthersCannotDecodeIsReadAgain) {
  comm::SharedTasks mine = rank(0);
  comm::SharedTasks other =
      rank(-1, [](auto, std::span<std::byte> image) -> Result<comm::SharedTasks::Outcome> {
        std::ranges::fill(image, std::byte{1});
        return failure(Code::memory, "out of memory");
      });
  SharedDecoding decoding(&mine);
  add_all(decoding);
  ASSERT_TRUE(other.help());
  EXPECT_FALSE(decoding.take(large(0).data()).value());
  for (size_t i = 1; i < k_larges; ++i) EXPECT_TRUE(decoding.take(large(i).data()).value());
  EXPECT_FALSE(decoding.takes(k_chunk));
  EXPECT_TRUE(decoding.takes(k_large));
}

}  // namespace
}  // namespace scorpio::format
