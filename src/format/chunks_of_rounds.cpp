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

// After a failure the file is not completed.
Status ChunksOfRounds::write(uint64_t round, storage::Sink& file, uint64_t address,
                             const EncodedChunks::Placed& placed) {
  const auto found = rounds_.find(round);
  if (found == rounds_.end()) return {};
  EncodedChunks chunks = std::move(found->second);
  rounds_.erase(found);
  bytes_ -= chunks.bytes();
  SCORPIO_ASSIGN(const uint64_t end, chunks.write(file, address, chunks.bytes(), placed));
  end_ = std::max(end_, end);
  return {};
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
