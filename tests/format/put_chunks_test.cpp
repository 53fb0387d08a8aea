// Chunks that are put in pieces and as a whole, until they have a place in the file.
#include "format/put_chunks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "format/memory_data.h"

namespace scorpio::format {
namespace {

constexpr uint64_t k_first_byte = uint64_t{1} << 40, k_chunk = 32;

// A new array of 8 x 6 bytes in chunks of 4 x 8: each row has 2 bytes of padding.
class PutChunksTest : public testing::Test {
 protected:
  explicit PutChunksTest(std::vector<codec::Filter> filters = {{codec::k_deflate, 1}}) {
    form_ = std::make_shared<const ChunkForm>(
        ChunkForm{.grid = {{8, 6}, {4, 8}, 1, 4096},
                  .pipeline = codec::Pipeline::make(std::move(filters), 1).value(),
                  .fill = {std::byte{9}}});
    stored_.add({k_first_byte, form_, 0});
    std::fill(slot_.begin(), slot_.end(), std::byte{0xee});
  }
  // Row r of the array, all of it `value`, as a slot has it.
  static uint64_t at(int64_t r) { return static_cast<uint64_t>(r) * 8; }
  std::span<std::byte> row(int64_t r, uint8_t value) {
    const auto bytes = std::span(slot_).subspan(at(r), 6);
    std::ranges::fill(bytes, std::byte{value});
    return bytes;
  }
  void put(int64_t r, uint8_t value) { EXPECT_TRUE(put_.write(k_first_byte + at(r), row(r, value)).ok()); }
  // Rows of one value each; padding and other rows have the fill value.
  static std::vector<std::byte> image(const std::vector<uint8_t>& rows) {
    std::vector<std::byte> image(k_chunk, std::byte{9});
    for (size_t r = 0; r < rows.size(); ++r)
      std::fill_n(image.begin() + static_cast<long>(8 * r), 6, std::byte{rows[r]});
    return image;
  }
  std::vector<std::byte> load(uint64_t chunk) {
    std::vector<std::byte> image(k_chunk);
    EXPECT_TRUE(put_.load(stored_.piece_at(k_first_byte + chunk * k_chunk, k_chunk), image).ok());
    return image;
  }

  MemoryData file_;
  observe::Counters counters_;
  std::shared_ptr<const ChunkForm> form_;
  StoredChunks stored_{file_, [](int) { return std::string("/v"); },
                       [] { return Result<std::unique_ptr<ChunkFinder>>(Status(Code::internal, "new")); }};
  DecodedChunks decoded_{1000};
  PutChunks put_{{file_, stored_, decoded_, counters_, nullptr}, 2 * k_chunk};
  std::vector<std::byte> slot_ = std::vector<std::byte>(2 * k_chunk);
};

TEST_F(PutChunksTest, RowByRow) {
  for (int64_t r = 0; r < 3; ++r) put(r, static_cast<uint8_t>(r));
  EXPECT_TRUE(put_.has(k_first_byte));
  EXPECT_EQ(0u, put_.unplaced_bytes());
  put(3, 3);
  EXPECT_TRUE(put_.is_held(k_first_byte)) << "it is complete";
  EXPECT_EQ(image({0, 1, 2, 3}), load(0));
  EXPECT_FALSE(put_.has_news());
  ASSERT_TRUE(put_.place(1000).ok());
  EXPECT_FALSE(put_.has(k_first_byte));
  const auto index = put_.take_index();
  ASSERT_EQ(1u, index.size());
  EXPECT_EQ(1000u, index[0].address);
  EXPECT_EQ(0u, index[0].old_bytes);
  EXPECT_EQ(image({0, 1, 2, 3}), load(0));
}

// Where place() would write them; no part is without a chunk.
TEST_F(PutChunksTest, InParts) {
  for (int64_t r = 0; r < 8; ++r) put(r, static_cast<uint8_t>(r));
  const uint64_t all = put_.unplaced_bytes();
  const uint64_t second = put_.place_first(1000, 1).value();
  EXPECT_LT(1000u, second);
  EXPECT_EQ(all - (second - 1000), put_.unplaced_bytes());
  EXPECT_FALSE(put_.is_held(k_first_byte));
  EXPECT_TRUE(put_.is_held(k_first_byte + k_chunk));
  EXPECT_EQ(1000 + all, put_.place_first(second, all).value());
  EXPECT_EQ(0u, put_.unplaced_bytes());
  EXPECT_EQ(1000 + all, put_.place_first(1000 + all, 7).value()) << "nothing is left";
  const auto index = put_.take_index();
  ASSERT_EQ(2u, index.size());
  EXPECT_EQ(1000u, index[0].address);
  EXPECT_EQ(second, index[1].address);
  EXPECT_EQ(image({0, 1, 2, 3}), load(0));
  EXPECT_EQ(image({4, 5, 6, 7}), load(1));
}

// Announced as a whole, it is the same, and padding and encoding need no other memory.
TEST_F(PutChunksTest, AsAWhole) {
  for (int64_t r = 0; r < 6; ++r)
    EXPECT_EQ(0u, put_.announce(k_first_byte + at(r), row(r, static_cast<uint8_t>(r)), slot_))
        << "nobody helps";
  EXPECT_EQ(std::byte{9}, slot_[6]);
  EXPECT_EQ(std::byte{0xee}, slot_[38]) << "the second chunk is not complete";
  for (int64_t r = 0; r < 6; ++r) put(r, static_cast<uint8_t>(r));
  EXPECT_TRUE(put_.is_held(k_first_byte));
  EXPECT_FALSE(put_.is_held(k_first_byte + k_chunk));
  EXPECT_EQ(image({0, 1, 2, 3}), load(0));
  ASSERT_TRUE(put_.complete_all().ok());
  EXPECT_EQ(image({4, 5}), load(1));
}

// What was announced and not written is forgotten with end_announced(): the elements are in the slot alone.
TEST_F(PutChunksTest, WhatWasAnnouncedInVain) {
  for (int64_t r = 0; r < 4; ++r) put_.announce(k_first_byte + at(r), row(r, 1), slot_);
  put_.end_announced();
  put(3, 5);
  ASSERT_TRUE(put_.complete_all().ok());
  EXPECT_EQ(std::byte{5}, load(0)[24]);
  EXPECT_EQ(std::byte{9}, load(0)[0]);
}

TEST_F(PutChunksTest, PartsReplaceWhatWasStored) {
  for (int64_t r = 0; r < 4; ++r) put(r, 1);
  ASSERT_TRUE(put_.place(0).ok());
  (void)put_.take_index();
  put(2, 7);
  ASSERT_TRUE(put_.complete(k_first_byte).ok());
  EXPECT_EQ(image({1, 1, 7, 1}), load(0));
  ASSERT_TRUE(put_.place(500).ok());
  const auto index = put_.take_index();
  ASSERT_EQ(1u, index.size());
  EXPECT_EQ(0u, index[0].old_address);
  EXPECT_GT(index[0].old_bytes, 0u);
  EXPECT_EQ(500u, index[0].address);
}

// Two chunks are in assembly at most: the oldest is encoded with what is missing.
TEST_F(PutChunksTest, MemoryIsBounded) {
  put(0, 1);
  put(4, 2);
  EXPECT_EQ(0u, put_.unplaced_bytes());
  PutChunks small({file_, stored_, decoded_, counters_, nullptr}, k_chunk);
  EXPECT_TRUE(small.write(k_first_byte, row(0, 1)).ok());
  EXPECT_TRUE(small.write(k_first_byte + at(4), row(4, 2)).ok());
  EXPECT_TRUE(small.is_held(k_first_byte));
  EXPECT_FALSE(small.is_held(k_first_byte + k_chunk));
}

// Complete chunks belong to the round in which they were put, and are found until and after they have a
// place.
TEST_F(PutChunksTest, RoundsHaveCompleteChunks) {
  for (int64_t r = 0; r < 4; ++r) put(r, 1);
  put(4, 2);
  put_.begin_round(1);
  const uint64_t bytes = put_.round_bytes(0);
  EXPECT_GT(bytes, 0u);
  EXPECT_EQ(bytes, put_.unplaced_bytes()) << "the second chunk is not complete";
  EXPECT_EQ(image({1, 1, 1, 1}), load(0));
  put_.begin_round(1);
  EXPECT_EQ(bytes, put_.round_bytes(0));
  for (int64_t r = 0; r < 4; ++r) put(r, 3);
  EXPECT_EQ(image({3, 3, 3, 3}), load(0)) << "the chunk that was put last";
  put_.begin_round(3);
  EXPECT_EQ(0u, put_.round_bytes(2));
  ASSERT_TRUE(put_.place_round(0, 1000).ok());
  EXPECT_EQ(0u, put_.round_bytes(0));
  EXPECT_EQ(image({3, 3, 3, 3}), load(0));
  ASSERT_TRUE(put_.place_round(1, 2000).ok());
  EXPECT_LT(2000u, put_.arena_end());
  EXPECT_EQ(image({3, 3, 3, 3}), load(0));
  EXPECT_EQ(0u, put_.unplaced_bytes());
  const auto index = put_.take_index();
  ASSERT_EQ(2u, index.size());
  EXPECT_EQ(1000u, index[0].address);
  EXPECT_EQ(2000u, index[1].address);
  EXPECT_EQ(1000u, index[1].old_address);
}

// What has no place by a synchronisation point gets one there.
TEST_F(PutChunksTest, RoundsThatWereNotPlaced) {
  for (int64_t r = 0; r < 4; ++r) put(r, 1);
  put_.begin_round(1);
  for (int64_t r = 0; r < 4; ++r) put(r, 2);
  put_.begin_round(2);
  put(4, 5);
  ASSERT_TRUE(put_.complete_all().ok());
  EXPECT_LT(0u, put_.round_bytes(0) + put_.round_bytes(1)) << "they can still be placed";
  put_.end_rounds();
  EXPECT_EQ(0u, put_.round_bytes(0) + put_.round_bytes(1));
  ASSERT_TRUE(put_.place(500).ok());
  EXPECT_EQ(0u, put_.unplaced_bytes());
  EXPECT_EQ(2u, put_.take_index().size());
  EXPECT_EQ(image({2, 2, 2, 2}), load(0));
}

// Chunks that are encoded before they are complete wait for a synchronisation point, unless they are many.
TEST_F(PutChunksTest, RoundsHaveNoIncompleteChunks) {
  PutChunks small({file_, stored_, decoded_, counters_, nullptr}, 4 * k_chunk);
  EXPECT_TRUE(small.write(k_first_byte, row(0, 1)).ok());
  ASSERT_TRUE(small.complete(k_first_byte).ok());
  small.begin_round(1);
  EXPECT_EQ(0u, small.round_bytes(0));
  EXPECT_GT(small.unplaced_bytes(), 0u);
  for (int64_t r = 1; r < 4; ++r) EXPECT_TRUE(small.write(k_first_byte + at(r), row(r, 1)).ok());
  ASSERT_TRUE(small.complete(k_first_byte).ok());
  small.begin_round(2);
  EXPECT_EQ(0u, small.round_bytes(1)) << "its last part was put without the first one";
}

TEST_F(PutChunksTest, AnImageThatWasReadIsOld) {
  decoded_.add(k_first_byte, k_chunk);
  for (int64_t r = 0; r < 4; ++r) put(r, 1);
  EXPECT_TRUE(decoded_.find(k_first_byte).empty());
}

TEST_F(PutChunksTest, BytesOfNoChunkAreAFailure) {
  EXPECT_EQ(Code::internal, put_.write(k_first_byte - 4, row(0, 1)).code());
}

struct PlainChunksTest : PutChunksTest {
  PlainChunksTest() : PutChunksTest(std::vector<codec::Filter>{}) {}
};

// They have the same size whenever they are stored.
TEST_F(PlainChunksTest, AreOverwritten) {
  for (int64_t r = 0; r < 4; ++r) put(r, 1);
  ASSERT_TRUE(put_.place(100).ok());
  (void)put_.take_index();
  for (int64_t r = 0; r < 4; ++r) put(r, 2);
  EXPECT_EQ(0u, put_.unplaced_bytes());
  EXPECT_FALSE(put_.has_news());
  EXPECT_EQ(image({2, 2, 2, 2}), load(0));
  EXPECT_EQ((std::pair<uint64_t, uint64_t>{100, k_chunk}), file_.writes.back());
  file_.fails = true;
  put_.announce(k_first_byte, row(0, 1), slot_);
  EXPECT_EQ(Code::io, [&] {
    for (int64_t r = 0; r < 3; ++r) EXPECT_TRUE(put_.write(k_first_byte + at(r), row(r, 3)).ok());
    return put_.write(k_first_byte + at(3), row(3, 3)).code();
  }());
}

// While a later state waits in memory, the place of the earlier one is not written to: the later one gets
// another place, also if only a part of the chunk is put then.
TEST_F(PlainChunksTest, WhatWasPutLastWinsInRounds) {
  for (int64_t r = 0; r < 4; ++r) put(r, 1);
  put_.begin_round(1);
  for (int64_t r = 0; r < 4; ++r) put(r, 2);
  ASSERT_TRUE(put_.place_round(0, 100).ok());
  EXPECT_EQ(image({2, 2, 2, 2}), load(0));
  for (int64_t r = 0; r < 4; ++r) put(r, 3);
  EXPECT_EQ(image({3, 3, 3, 3}), load(0));
  put_.begin_round(2);
  put(1, 4);
  ASSERT_TRUE(put_.complete_all().ok());
  EXPECT_EQ(image({3, 4, 3, 3}), load(0));
  ASSERT_TRUE(put_.place_round(1, 200).ok());
  EXPECT_EQ(image({3, 4, 3, 3}), load(0));
  ASSERT_TRUE(put_.place(300).ok());
  EXPECT_EQ(image({3, 4, 3, 3}), load(0));
  const auto index = put_.take_index();
  ASSERT_EQ(3u, index.size());
  EXPECT_EQ(200u, index[2].old_address);
  EXPECT_EQ(300u, index[2].address);
  for (int64_t r = 0; r < 4; ++r) put(r, 5);
  EXPECT_EQ(0u, put_.unplaced_bytes()) << "nothing waits in memory";
  EXPECT_EQ(image({5, 5, 5, 5}), load(0));
}

}  // namespace
}  // namespace scorpio::format
