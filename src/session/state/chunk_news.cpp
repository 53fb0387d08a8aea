#include "session/state/chunk_news.h"

#include <bit>

namespace scorpio::session {

namespace {

constexpr size_t k_loss_words = 4, k_index_words = 7;

}  // namespace

// The number of losses, the losses, and the index up to the end.
std::vector<int64_t> as_message(const ChunkNews& news) {
  std::vector<int64_t> words;
  if (news.index.empty() && news.losses.empty()) return words;
  words.reserve(1 + k_loss_words * news.losses.size() + k_index_words * news.index.size());
  words.push_back(static_cast<int64_t>(news.losses.size()));
  for (const storage::LossEntry& loss : news.losses) {
    words.insert(words.end(), {loss.variable, std::bit_cast<int64_t>(loss.absolute),
                               std::bit_cast<int64_t>(loss.relative), loss.lossless_chunks});
  }
  for (const storage::IndexEntry& entry : news.index) {
    for (const uint64_t word : {entry.begin, entry.address, entry.bytes, uint64_t{entry.skipped},
                                entry.old_address, entry.old_bytes, entry.frames}) {
      words.push_back(static_cast<int64_t>(word));
    }
  }
  return words;
}

void add_message(std::span<const int64_t> words, ChunkNews& news) {
  if (words.empty()) return;
  const auto losses = static_cast<size_t>(words[0]);
  words = words.subspan(1);
  for (size_t i = 0; i < losses && words.size() >= k_loss_words; ++i, words = words.subspan(k_loss_words)) {
    news.losses.push_back({.variable = static_cast<int>(words[0]),
                           .absolute = std::bit_cast<double>(words[1]),
                           .relative = std::bit_cast<double>(words[2]),
                           .lossless_chunks = words[3]});
  }
  for (; words.size() >= k_index_words; words = words.subspan(k_index_words)) {
    const auto word = [&](size_t k) { return static_cast<uint64_t>(words[k]); };
    news.index.push_back(
        {word(0), word(1), word(2), static_cast<uint32_t>(word(3)), word(4), word(5), word(6)});
  }
}

}  // namespace scorpio::session
