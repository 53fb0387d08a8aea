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
  EXPECT_FALSE(frames.has_news(7));
  frames.put(7, form, 3, 30);
  EXPECT_FALSE(frames.has_news(7)) << "the file has frame 4";
  frames.put(7, form, 3, 31);
  EXPECT_TRUE(frames.has_news(7));
  EXPECT_EQ(6u, frames.tell(7));
  EXPECT_FALSE(frames.has_news(7));
  frames.put(7, form, 0, 120);
  EXPECT_FALSE(frames.has_news(7));
  frames.put(8, form, 9, 120);
  EXPECT_EQ(20u, frames.tell(8));
  EXPECT_EQ(6u, frames.tell(7));
}

TEST(PutFrames, KnowsNothingOfWhatDoesNotGrow) {
  ChunkForm form = form_with(0);
  form.grid = form.grid.with_frames(8);
  PutFrames frames;
  frames.put(1, form, 3, 120);
  EXPECT_FALSE(frames.has_news(1));
  EXPECT_EQ(0u, frames.tell(1));
}

}  // namespace
}  // namespace scorpio::format
