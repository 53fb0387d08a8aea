// How far variables that grow were put, and what an opened file lacks of their last chunks.
#include "format/put_frames.h"

#include <gtest/gtest.h>

namespace scorpio::format {
namespace {

// Chunks of 4 frames of 3 x 5 elements of 2 bytes, of an array of 6 x 5: two chunks side by side.
ChunkForm form_with(int64_t frames) {
  return {.grid = {{decomp::ChunkGrid::k_grows, 6, 5}, {4, 3, 5}, 2, 1 << 16},
          .pipeline = {},
          .fill = std::vector<std::byte>(2),
          .room_bytes = 1 << 20,
          .found_frames = frames};
}

TEST(ChunkForm, TheChunksThatAFileCanHave) {
  EXPECT_EQ(0, form_with(0).found_chunks());
  EXPECT_EQ(2, form_with(1).found_chunks());
  EXPECT_EQ(2, form_with(4).found_chunks());
  EXPECT_EQ(4, form_with(5).found_chunks());
}

TEST(ChunkForm, TheLastChunksLackFrames) {
  const ChunkForm form = form_with(5);
  EXPECT_TRUE(form.behind_end(0).empty());
  EXPECT_TRUE(form.behind_end(1).empty());
  EXPECT_EQ((ByteRange{30, 120}), form.behind_end(2));
  EXPECT_EQ((ByteRange{30, 120}), form.behind_end(3));
  EXPECT_EQ((ByteRange{0, 120}), form.behind_end(4));
  EXPECT_TRUE(form_with(8).behind_end(3).empty());
}

TEST(PutFrames, TellsTheLastFrameOnce) {
  const ChunkForm form = form_with(5);
  PutFrames frames;
  EXPECT_FALSE(frames.has_news(7, 0));
  frames.put(7, form, 3, {0, 30});
  EXPECT_FALSE(frames.has_news(7, 0)) << "the file has frame 4";
  frames.put(7, form, 3, {0, 31});
  EXPECT_TRUE(frames.has_news(7, 0));
  EXPECT_EQ(6u, frames.tell(7, 0));
  EXPECT_FALSE(frames.has_news(7, 0));
  frames.put(7, form, 0, {0, 120});
  EXPECT_FALSE(frames.has_news(7, 0));
  frames.put(8, form, 9, {0, 120});
  EXPECT_EQ(20u, frames.tell(8, 0));
  EXPECT_EQ(6u, frames.tell(7, 0));
}

// Chunks of 2 x 3 x 4 elements of 2 bytes; the first and the last dimension grow, the second one has 5
// indices.
ChunkForm free_form(std::vector<int64_t> found) {
  ChunkForm form{.grid = {{decomp::ChunkGrid::k_grows, 5, decomp::ChunkGrid::k_grows}, {2, 3, 4}, 2, 1 << 16},
                 .pipeline = {},
                 .fill = std::vector<std::byte>(2),
                 .room_bytes = 1 << 20};
  form.found_extents = std::move(found);
  return form;
}

TEST(ChunkForm, TheChunksThatAFileCanHaveOfAFreeGrid) {
  EXPECT_EQ(0, free_form({}).found_chunks());
  EXPECT_EQ(0, free_form({0, 5, 9}).found_chunks());
  const ChunkForm form = free_form({3, 5, 9});
  EXPECT_EQ(2 * 2 * 3, form.found_chunks());
  for (int64_t at = 0; at < form.found_chunks(); ++at) {
    const int64_t chunk = form.found_chunk(at);
    EXPECT_EQ(at, form.found_position(chunk));
    const std::vector<int64_t> start = form.grid.start_of(chunk);
    EXPECT_EQ(start[0] + 2 > 3 || start[2] + 4 > 9, form.lacks_elements(chunk));
  }
  EXPECT_EQ(-1, form.found_position(form.grid.number_of(std::vector<int64_t>{2, 0, 0})));
  EXPECT_EQ(-1, form.found_position(form.grid.number_of(std::vector<int64_t>{0, 0, 3})));
  EXPECT_TRUE(form.lacks_elements(form.grid.number_of(std::vector<int64_t>{0, 0, 3})));
  // The last one has index 8 of the last dimension, and index 2 of the first.
  const auto beyond = form.beyond_found(form.grid.number_of(std::vector<int64_t>{1, 0, 2}));
  EXPECT_EQ((std::vector<ByteRange>{{2, 8}, {10, 16}, {18, 48}}), beyond);
}

TEST(PutFrames, TellsTheLastIndicesInAChunkOfAFreeGrid) {
  const ChunkForm form = free_form({});
  const int64_t chunk = form.grid.number_of(std::vector<int64_t>{0, 0, 1});
  PutFrames frames;
  frames.put(3, form, chunk, {0, 4});  // (0, 0, 0) to (0, 0, 1)
  EXPECT_TRUE(frames.has_news(3, chunk));
  EXPECT_FALSE(frames.has_news(3, chunk + 1));
  frames.put(3, form, chunk, {32, 34});  // (1, 1, 0)
  EXPECT_EQ(uint64_t{1 * 12 + 1 * 4 + 1 + 1}, frames.tell(3, chunk));
  EXPECT_FALSE(frames.has_news(3, chunk));
  EXPECT_EQ(0u, frames.tell(3, chunk));
  frames.put(3, form, chunk, {0, 4});
  EXPECT_FALSE(frames.has_news(3, chunk)) << "the variable has these extents";
  frames.put(3, form, chunk, {4, 10});  // to (0, 1, 0), across the end of a row
  EXPECT_EQ(uint64_t{0 * 12 + 1 * 4 + 3 + 1}, frames.tell(3, chunk));
}

TEST(PutFrames, KnowsTheExtentsOfAnOpenedFile) {
  const ChunkForm form = free_form({3, 5, 9});
  PutFrames frames;
  const int64_t inside = form.grid.number_of(std::vector<int64_t>{1, 0, 2});
  frames.put(3, form, inside, {0, 2});
  EXPECT_FALSE(frames.has_news(3, inside));
  frames.put(3, form, inside, {0, 4});
  EXPECT_TRUE(frames.has_news(3, inside));
}

TEST(PutFrames, KnowsNothingOfWhatDoesNotGrow) {
  ChunkForm form = form_with(0);
  form.grid = form.grid.with_frames(8);
  PutFrames frames;
  frames.put(1, form, 3, {0, 120});
  EXPECT_FALSE(frames.has_news(1, 0));
  EXPECT_EQ(0u, frames.tell(1, 0));
}

}  // namespace
}  // namespace scorpio::format
