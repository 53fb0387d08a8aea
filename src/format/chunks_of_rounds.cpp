#include "format/chunks_of_rounds.h"

#include <algorithm>
#include <utility>

namespace scorpio::format {

void ChunksOfRounds::add(uint64_t round, EncodedChunks chunks) {
  if (chunks.empty()) return;
  bytes_ += chunks.bytes();
  rounds_.emplace(round, std::move(chunks));
}

uint64_t ChunksOfRounds::bytes_of(uint64_t round) const {
  const auto found = rounds_.find(round);
  return found == rounds_.end() ? 0 : found->second.bytes();
}

const EncodedChunks::Encoded* ChunksOfRounds::find(uint64_t begin) const {
  for (auto at = rounds_.rbegin(); at != rounds_.rend(); ++at) {
    if (const EncodedChunks::Encoded* chunk = at->second.find(begin)) return chunk;
  }
  return nullptr;
}

const EncodedChunks* ChunksOfRounds::of(uint64_t round) const {
  const auto found = rounds_.find(round);
  return found == rounds_.end() ? nullptr : &found->second;
}

void ChunksOfRounds::remove(uint64_t round, uint64_t end) {
  const auto found = rounds_.find(round);
  bytes_ -= found->second.bytes();
  rounds_.erase(found);
  end_ = std::max(end_, end);
}

void ChunksOfRounds::give_back(EncodedChunks& held) {
  for (auto at = rounds_.rbegin(); at != rounds_.rend(); ++at) held.take_back(std::move(at->second));
  clear();
}

void ChunksOfRounds::clear() {
  rounds_.clear();
  bytes_ = 0;
}

}  // namespace scorpio::format
