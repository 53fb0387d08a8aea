#include "format/chunk_assembly.h"

#include <algorithm>
#include <utility>

namespace scorpio::format {

PartialChunk::PartialChunk(uint64_t begin, uint64_t bytes, const std::vector<ByteRange>& padding)
    : begin_(begin), bytes_(bytes) {
  image_.reserve(bytes);
  for (const ByteRange& range : padding) written_.add(range);
}

std::span<std::byte> PartialChunk::put(uint64_t offset, std::span<const std::byte> bytes) {
  if (image_.size() < offset) image_.resize(offset);
  const size_t over = std::min(image_.size() - offset, bytes.size());
  std::ranges::copy(bytes.first(over), image_.begin() + static_cast<std::ptrdiff_t>(offset));
  image_.insert(image_.end(), bytes.begin() + static_cast<std::ptrdiff_t>(over), bytes.end());
  written_.add(ByteRange::at(offset, bytes.size()));
  return std::span(image_).subspan(offset, bytes.size());
}

std::vector<std::byte> PartialChunk::take() {
  image_.resize(bytes_);
  return std::move(image_);
}

std::vector<std::byte> PartialChunk::take_over(std::vector<std::byte> base) {
  image_.resize(bytes_);
  for (const auto& [begin, end] : written_.ranges()) {
    std::copy(image_.begin() + static_cast<std::ptrdiff_t>(begin),
              image_.begin() + static_cast<std::ptrdiff_t>(end),
              base.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  image_ = std::vector<std::byte>();
  return base;
}

PartialChunk* ChunkAssembly::find(uint64_t begin) {
  const auto found = places_.find(begin);
  return found == places_.end() ? nullptr : &*found->second;
}

// The chunk is there only if there is memory for all of it.
PartialChunk& ChunkAssembly::add(PartialChunk chunk) {
  std::list<PartialChunk> added;
  added.push_back(std::move(chunk));
  PartialChunk& only = added.front();
  places_.emplace(only.begin(), added.begin());
  chunks_.splice(chunks_.end(), added);
  bytes_ += only.bytes();
  return only;
}

PartialChunk ChunkAssembly::remove(uint64_t begin) {
  const auto found = places_.find(begin);
  PartialChunk chunk = std::move(*found->second);
  chunks_.erase(found->second);
  places_.erase(found);
  bytes_ -= chunk.bytes();
  return chunk;
}

void ChunkAssembly::clear() {
  chunks_.clear();
  places_.clear();
  bytes_ = 0;
}

}  // namespace scorpio::format
