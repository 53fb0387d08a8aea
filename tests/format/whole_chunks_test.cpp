// Chunks of which a slot holds all elements, whatever padding lies between them.
#include "format/whole_chunks.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace scorpio::format {
namespace {

constexpr uint32_t k_element = 4;

// An array of 5 x 7 elements in chunks of 3 x 4, all in one slot.
class WholeChunksTest : public testing::Test {
 protected:
  WholeChunksTest() : slot_(1024) {}

  uint64_t begin_of(int64_t chunk) const { return static_cast<uint64_t>(grid_.begin_of(chunk)) * k_element; }
  // The image that is complete with these bytes of the chunk, or nothing.
  std::span<std::byte> add(int64_t chunk, uint64_t begin, uint64_t end) {
    const std::span<std::byte> bytes = std::span(slot_).subspan(begin_of(chunk) + begin, end - begin);
    return whole_.add({begin_of(chunk), chunk, begin, bytes}, slot_, grid_);
  }
  // Its elements, range by range; the result of the last one.
  std::span<std::byte> add_all(int64_t chunk) {
    std::span<std::byte> made;
    uint64_t at = 0;
    std::vector<ByteRange> padding = grid_.padding_of(chunk);
    padding.push_back({grid_.chunk_bytes(), grid_.chunk_bytes()});
    for (const ByteRange& gap : padding) {
      if (gap.begin > at) made = add(chunk, at, gap.begin);
      at = gap.end;
    }
    return made;
  }

  const decomp::ChunkGrid grid_{{5, 7}, {3, 4}, k_element, 1024};
  std::vector<std::byte> slot_;
  WholeChunks whole_;
};

TEST_F(WholeChunksTest, WithAndWithoutPadding) {
  for (int64_t chunk = 0; chunk < grid_.chunks(); ++chunk) {
    EXPECT_EQ(nullptr, whole_.find(slot_.data() + begin_of(chunk)));
    const auto image = add_all(chunk);
    ASSERT_EQ(grid_.chunk_bytes(), image.size()) << chunk;
    EXPECT_EQ(slot_.data() + begin_of(chunk), image.data());
    const WholeChunks::Chunk* found = whole_.find(image.data() + image.size() - 1);
    ASSERT_NE(nullptr, found);
    EXPECT_EQ(image.data(), found->image.data());
  }
  // The last chunk has 2 x 3 elements.
  EXPECT_EQ((4 + 3) * k_element, whole_.find(slot_.data() + begin_of(3))->end);
  EXPECT_EQ(grid_.chunk_bytes(), whole_.find(slot_.data())->end);
  whole_.remove(*whole_.find(slot_.data() + begin_of(1)));
  EXPECT_EQ(nullptr, whole_.find(slot_.data() + begin_of(1)));
  EXPECT_NE(nullptr, whole_.find(slot_.data() + begin_of(1) - 1));
  whole_.clear();
  EXPECT_EQ(nullptr, whole_.find(slot_.data()));
}

TEST_F(WholeChunksTest, AnElementIsMissing) {
  EXPECT_TRUE(add(0, 4, grid_.chunk_bytes()).empty());
  EXPECT_TRUE(add(0, 0, 4).empty()) << "ranges come in order";
  EXPECT_TRUE(add(1, 0, 12).empty());
  EXPECT_TRUE(add(1, 16, 24).empty());
  EXPECT_TRUE(add(1, 32, 44).empty());
  EXPECT_EQ(nullptr, whole_.find(slot_.data()));
  EXPECT_FALSE(add_all(0).empty()) << "in the next slot at the same place, after the other chunk";
}

// Elements that were in the slot before, and have been written, are not there any more.
TEST_F(WholeChunksTest, PartsOfOtherDataDoNotCount) {
  EXPECT_TRUE(add(0, 0, 20).empty());
  whole_.forget_parts();
  EXPECT_TRUE(add(0, 20, grid_.chunk_bytes()).empty());
  EXPECT_TRUE(add(0, 0, 20).empty());
  EXPECT_FALSE(add(0, 20, grid_.chunk_bytes()).empty());
}

TEST_F(WholeChunksTest, RangesMayTouchOverlapAndContainPadding) {
  EXPECT_TRUE(add(1, 0, 8).empty());
  EXPECT_TRUE(add(1, 8, 14).empty());
  EXPECT_TRUE(add(1, 10, 30).empty());
  EXPECT_FALSE(add(1, 32, 44).empty());
}

// Of a chunk that is longer than the slot there is only a part.
TEST_F(WholeChunksTest, OnlyIfItsWholeImageIsInTheSlot) {
  const std::span<std::byte> slot = std::span(slot_).first(grid_.chunk_bytes());
  EXPECT_TRUE(whole_.add({0, 0, 0, slot.first(40)}, slot.first(40), grid_).empty());
  EXPECT_TRUE(whole_.add({0, 0, 8, slot.first(40)}, slot, grid_).empty()) << "its beginning is elsewhere";
  EXPECT_FALSE(whole_.add({0, 0, 0, slot}, slot, grid_).empty());
}

}  // namespace
}  // namespace scorpio::format
