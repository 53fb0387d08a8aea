// What is said of the ranks that encode chunks.
#include "session/elements/encoders.h"

#include <gtest/gtest.h>

namespace scorpio::session {
namespace {

TEST(Encoders, Text) {
  EXPECT_EQ("an I/O rank alone; it takes 2 MiB beside the chunk", (Encoders{.bytes = 2 << 20}.text()));
  EXPECT_EQ("an I/O rank and up to 5 ranks of its node that wait; each takes 2 MiB beside the chunk",
            (Encoders{.ranks = 5, .bytes = 2 << 20}.text()));
  EXPECT_EQ(
      "an I/O rank and up to 5 ranks of its node that wait; each takes 2 MiB beside the chunk; 9 more would "
      "take more than "
      "the "
      "staging memory has",
      (Encoders{.ranks = 5, .left_out = 9, .bytes = 2 << 20}.text()));
  EXPECT_EQ(
      "an I/O rank alone, because a chunk is longer than a slot; it takes 64 MiB beside the chunk, which is "
      "more than option "
      "chunk_bytes",
      (Encoders{.alone = true, .bytes = 64 << 20, .beyond = true}.text()));
}

}  // namespace
}  // namespace scorpio::session
