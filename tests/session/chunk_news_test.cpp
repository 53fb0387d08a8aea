// The message of the chunks that an I/O rank has stored.
#include "session/state/chunk_news.h"

#include <gtest/gtest.h>

namespace scorpio::session {
namespace {

TEST(ChunkNews, ArriveAsTheyWereSent) {
  const storage::IndexEntry chunk{.begin = uint64_t{1} << 61,
                                  .address = 4096,
                                  .bytes = 77,
                                  .skipped = 5,
                                  .old_address = 1,
                                  .old_bytes = 2,
                                  .frames = 3};
  const storage::LossEntry loss{.variable = 4, .absolute = 0.125, .relative = 1e-300, .lossless_chunks = -2};
  for (const ChunkNews& sent : {ChunkNews{}, ChunkNews{{chunk}, {}}, ChunkNews{{}, {loss}},
                                ChunkNews{{chunk, chunk}, {loss, loss, loss}}}) {
    const std::vector<int64_t> words = as_message(sent);
    EXPECT_EQ(words.empty(), sent == ChunkNews{});
    ChunkNews received;
    add_message(words, received);
    EXPECT_EQ(sent, received);
    add_message(words, received);
    EXPECT_EQ(2 * sent.index.size(), received.index.size()) << "those of several ranks are added";
    EXPECT_EQ(2 * sent.losses.size(), received.losses.size());
  }
}

}  // namespace
}  // namespace scorpio::session
