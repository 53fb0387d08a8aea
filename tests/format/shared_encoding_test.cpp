// Chunks that ranks of a node encode for an I/O rank: whoever encodes them, the result is the same.
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

class SharedEncodings : public testing::Test {
 protected:
  SharedEncodings() : boards_(comm::SharedTasks::bytes(1) / sizeof(Line)), memory_(k_chunk * k_chunks) {
    for (size_t i = 0; i < memory_.size(); ++i)
      memory_[i] = static_cast<std::byte>(i % 8 == 0 ? i * i >> 7 : i / k_chunk);
  }

  comm::SharedTasks rank(int owner, comm::SharedTasks::Body body = encode) {
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
  for (size_t i = 0; i < k_chunks; ++i) encoding.add(image(i), pipeline_, {});
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
    for (size_t i = 0; i < k_chunks; ++i) encoding.add(image(i), pipeline_, {});
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
  for (size_t i = 0; i < k_chunks; ++i) encoding.add(image(i), pipeline_, {});
  while (other.help()) {
  }
  expect_results(encoding, before);
}

TEST_F(SharedEncodings, OneChunkIsNotGivenAway) {
  comm::SharedTasks mine = rank(0), other = rank(-1);
  SharedEncoding encoding(&mine);
  encoding.add(image(0), pipeline_, {});
  EXPECT_FALSE(other.help());
  EXPECT_TRUE(encoding.take(image(0).data()).ok());
  EXPECT_FALSE(SharedEncoding(nullptr).takes(k_chunk));
  EXPECT_FALSE(encoding.takes(100));
}

}  // namespace
}  // namespace scorpio::format
