#include "format/decoded_chunks.h"

#include <algorithm>

namespace scorpio::format {

std::span<const std::byte> DecodedChunks::find(uint64_t begin) {
  const auto found = std::ranges::find(chunks_, begin, &Chunk::begin);
  if (found == chunks_.end()) return {};
  chunks_.splice(chunks_.begin(), chunks_, found);
  return {found->image.get(), found->bytes};
}

std::span<std::byte> DecodedChunks::add(uint64_t begin, uint64_t bytes) {
  while (!chunks_.empty() && bytes_ + bytes > most_bytes_) {
    bytes_ -= chunks_.back().bytes;
    chunks_.pop_back();
  }
  chunks_.push_front({begin, bytes, std::make_unique_for_overwrite<std::byte[]>(bytes)});
  bytes_ += bytes;
  return {chunks_.front().image.get(), bytes};
}

void DecodedChunks::forget(uint64_t begin) {
  const auto found = std::ranges::find(chunks_, begin, &Chunk::begin);
  if (found == chunks_.end()) return;
  bytes_ -= found->bytes;
  chunks_.erase(found);
}

void DecodedChunks::clear() {
  chunks_.clear();
  bytes_ = 0;
}

}  // namespace scorpio::format
