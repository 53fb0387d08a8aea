#include "format/whole_chunks.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace scorpio::format {

WholeChunks::Cover::Cover(uint64_t begin, std::span<std::byte> image, std::vector<ByteRange> padding)
    : begin_(begin), image_(image), padding_(std::move(padding)) {
  skip_padding();
}

void WholeChunks::Cover::skip_padding() {
  for (; skipped_ < padding_.size() && padding_[skipped_].begin <= covered_; ++skipped_)
    covered_ = std::max(covered_, padding_[skipped_].end);
}

// Bytes that lie behind a gap do not count.
bool WholeChunks::Cover::add(const ByteRange& range) {
  if (range.begin <= covered_) covered_ = std::max(covered_, range.end);
  skip_padding();
  return covered_ >= image_.size();
}

uint64_t WholeChunks::Cover::end_of_elements() const {
  const bool padded = !padding_.empty() && padding_.back().end == image_.size();
  return padded ? padding_.back().begin : image_.size();
}

std::span<std::byte> WholeChunks::add(const Part& part, std::span<std::byte> slot,
                                      const decomp::ChunkGrid& grid) {
  const auto before = static_cast<uint64_t>(part.bytes.data() - slot.data());
  // A longer chunk has only a part in the slot.
  if (before < part.offset || slot.size() - (before - part.offset) < grid.chunk_bytes()) return {};
  const std::span<std::byte> image = slot.subspan(before - part.offset, grid.chunk_bytes());
  if (!now_.is_of(part.begin, image)) now_ = Cover(part.begin, image, grid.padding_of(part.chunk));
  if (!now_.add(ByteRange::at(part.offset, part.bytes.size()))) return {};
  chunks_.insert_or_assign(image.data(), Chunk{image, now_.end_of_elements()});
  now_ = {};
  return image;
}

const WholeChunks::Chunk* WholeChunks::find(const std::byte* at) const {
  const auto next = chunks_.upper_bound(at);
  if (next == chunks_.begin()) return nullptr;
  const Chunk& chunk = std::prev(next)->second;
  return at < chunk.image.data() + chunk.image.size() ? &chunk : nullptr;
}

void WholeChunks::clear() {
  chunks_.clear();
  now_ = {};
}

}  // namespace scorpio::format
