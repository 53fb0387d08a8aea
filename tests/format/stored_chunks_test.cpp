// Where the chunks of a file lie: those that it had when it was opened, and those that were stored since.
#include "format/stored_chunks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "format/memory_data.h"

namespace scorpio::format {
namespace {

constexpr uint64_t k_begin = uint64_t{1} << 40;
constexpr uint64_t k_object = 7;

// What a file has, by the first row of a chunk. Counts how often it is asked.
class Rows final : public ChunkFinder {
 public:
  Rows(const std::map<int64_t, FoundChunk>& rows, int& asked) : rows_(rows), asked_(asked) {}
  Result<FoundChunk> find(uint64_t object, std::span<const int64_t> start) override {
    ++asked_;
    EXPECT_EQ(k_object, object);
    const auto found = rows_.find(start[0]);
    return found == rows_.end() ? FoundChunk() : found->second;
  }
  Status close() override { return {}; }

 private:
  const std::map<int64_t, FoundChunk>& rows_;
  int& asked_;
};

// An array of 10 x 8 bytes in chunks of 4 rows, of which the last one has 2.
class StoredChunksTest : public testing::Test {
 protected:
  explicit StoredChunksTest(std::vector<codec::Filter> filters = {}) {
    form_ = std::make_shared<const ChunkForm>(
        ChunkForm{.grid = {{10, 8}, {4, 8}, 1, 4096},
                  .pipeline = codec::Pipeline::make(std::move(filters), 1).value(),
                  .fill = {std::byte{9}}});
    chunks_.add({k_begin, form_, 0, k_object});
  }
  ChunkPiece chunk(uint64_t number) const { return chunks_.piece_at(k_begin + number * 32, 32); }

  MemoryData file_;
  std::map<int64_t, FoundChunk> rows_;
  int asked_ = 0, opened_ = 0;
  std::shared_ptr<const ChunkForm> form_;
  StoredChunks chunks_{file_, [](int) { return std::string("/v of a.h5"); },
                       [this]() -> Result<std::unique_ptr<ChunkFinder>> {
                         ++opened_;
                         return std::unique_ptr<ChunkFinder>(std::make_unique<Rows>(rows_, asked_));
                       }};
};

TEST_F(StoredChunksTest, PiecesOfARange) {
  const ChunkPiece first = chunks_.piece_at(k_begin + 20, 100);
  EXPECT_EQ(0, first.chunk);
  EXPECT_EQ(k_begin, first.begin);
  EXPECT_EQ(20u, first.offset);
  EXPECT_EQ(12u, first.bytes);
  EXPECT_FALSE(first.is_whole());
  EXPECT_TRUE(first.all().is_whole());
  EXPECT_EQ(0u, first.all().offset);
  const ChunkPiece next = chunks_.piece_at(k_begin + 32, 88);
  EXPECT_EQ(1, next.chunk);
  EXPECT_TRUE(next.is_whole());
  EXPECT_EQ(10u, chunks_.piece_at(k_begin - 10, 20).skip);
  EXPECT_EQ(50u, chunks_.piece_at(k_begin + (uint64_t{1} << 30), 50).skip) << "no variable has it";
}

TEST_F(StoredChunksTest, AreFoundUntilTheyAreStoredElsewhere) {
  rows_[4] = {100, 32, 0};
  EXPECT_EQ((FoundChunk{100, 32, 0}), chunks_.find(chunk(1)).value());
  EXPECT_EQ(FoundChunk(), chunks_.find(chunk(0)).value()) << "never written";
  EXPECT_EQ(2, asked_);
  EXPECT_EQ(1, opened_);
  EXPECT_EQ(FoundChunk(), chunks_.known(chunk(1))) << "nothing is remembered";
  EXPECT_EQ(FoundChunk(), chunks_.store(chunk(1).begin, {500, 32, 0}));
  EXPECT_EQ((FoundChunk{500, 32, 0}), chunks_.store(chunk(1).begin, {600, 32, 0}));
  EXPECT_EQ((FoundChunk{600, 32, 0}), chunks_.find(chunk(1)).value());
  EXPECT_EQ((FoundChunk{600, 32, 0}), chunks_.known(chunk(1)));
  EXPECT_EQ(2, asked_);
  EXPECT_TRUE(chunks_.close_finder().ok());
  EXPECT_TRUE(chunks_.find(chunk(2)).ok());
  EXPECT_EQ(2, opened_);
}

TEST_F(StoredChunksTest, AreLookedUpOnceBeforeWrites) {
  rows_[0] = {100, 32, 0};
  EXPECT_TRUE(chunks_.look_up({k_begin - 100, k_begin - 50}).ok());
  EXPECT_EQ(0, asked_) << "another range";
  EXPECT_TRUE(chunks_.look_up({k_begin, k_begin + 1}).ok());
  EXPECT_TRUE(chunks_.look_up({k_begin, k_begin + 1}).ok());
  EXPECT_EQ(3, asked_);
  EXPECT_EQ((FoundChunk{100, 32, 0}), chunks_.find(chunk(0)).value());
  EXPECT_EQ((FoundChunk{100, 32, 0}), chunks_.known(chunk(0)));
  EXPECT_EQ(3, asked_);
}

TEST_F(StoredChunksTest, OfARemovedVariableAreNotLookedUp) {
  rows_[0] = {100, 32, 0};
  const auto alive = [](int variable) { return variable != 0; };
  EXPECT_TRUE(chunks_.look_up({k_begin, k_begin + 1}, alive).ok());
  EXPECT_EQ(0, opened_);
}

TEST_F(StoredChunksTest, OfANewVariableAreNotLookedUp) {
  chunks_.add({k_begin, form_, 0});
  EXPECT_EQ(FoundChunk(), chunks_.find(chunk(1)).value());
  EXPECT_TRUE(chunks_.look_up({k_begin, k_begin + 1}).ok());
  EXPECT_EQ(0, opened_);
}

TEST_F(StoredChunksTest, AWrongSizeIsAFailureThatNamesTheChunk) {
  rows_[4] = {100, 31, 0};
  const Status found = chunks_.find(chunk(1)).status();
  EXPECT_EQ(Code::format, found.code());
  EXPECT_NE(std::string::npos, found.text().find("chunk (4, 0) of variable /v of a.h5")) << found.text();
  EXPECT_EQ(Code::format, chunks_.look_up({k_begin, k_begin + 1}).code());
}

TEST_F(StoredChunksTest, LoadsElementsOrFillValues) {
  std::vector<std::byte> bytes(32, std::byte{1}), image(32);
  ASSERT_TRUE(file_.write(100, bytes).ok());
  rows_[4] = {100, 32, 0};
  EXPECT_TRUE(chunks_.load(chunk(1), image).value());
  EXPECT_EQ(bytes, image);
  EXPECT_FALSE(chunks_.load(chunk(0), image).value());
  EXPECT_EQ(std::vector<std::byte>(32, std::byte{9}), image);
  file_.fails = true;
  EXPECT_EQ(Code::io, chunks_.load(chunk(1), image).status().code());
}

struct FilteredChunksTest : StoredChunksTest {
  FilteredChunksTest() : StoredChunksTest({{codec::k_deflate, 1}}) {}
};

TEST_F(FilteredChunksTest, DamageIsAFailureThatNamesTheChunk) {
  std::vector<std::byte> image(32, std::byte{3});
  const auto encoded = form_->pipeline.encode(image);
  ASSERT_TRUE(file_.write(50, encoded->bytes).ok());
  rows_[8] = {50, encoded->bytes.size(), encoded->skipped};
  std::vector<std::byte> got(32);
  EXPECT_TRUE(chunks_.load(chunk(2), got).value());
  EXPECT_EQ(image, got);
  std::ranges::fill(file_.content, std::byte{3});
  rows_[8] = {50, 20, 0};  // all filters were applied
  const Status loaded = chunks_.load(chunk(2), got).status();
  EXPECT_EQ(Code::format, loaded.code());
  EXPECT_NE(std::string::npos, loaded.text().find("chunk (8, 0)")) << loaded.text();
}

TEST(Fill, RepeatsAnElement) {
  std::vector<std::byte> image(7);
  const std::vector<std::byte> element{std::byte{1}, std::byte{2}};
  fill_with(image, element);
  EXPECT_EQ(std::byte{2}, image[5]);
  EXPECT_EQ(std::byte{1}, image[6]);
  std::fill(image.begin(), image.end(), std::byte{0});
  fill_with(image, {{2, 4}, {6, 7}}, element);
  EXPECT_EQ((std::vector<std::byte>{std::byte{0}, std::byte{0}, std::byte{1}, std::byte{2}, std::byte{0},
                                    std::byte{0}, std::byte{1}}),
            image);
}

}  // namespace
}  // namespace scorpio::format
