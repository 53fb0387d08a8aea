#include "format/stored_places.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace scorpio::format {

size_t StoredPlaces::block_of(uint64_t begin) const {
  const auto after =
      std::ranges::upper_bound(blocks_, begin, {}, [](const Block& block) { return block.front().begin; });
  return after == blocks_.begin() ? 0 : static_cast<size_t>(after - blocks_.begin()) - 1;
}

const StoredChunk* StoredPlaces::find(uint64_t begin) const {
  if (blocks_.empty()) return nullptr;
  const Block& block = blocks_[block_of(begin)];
  const auto at = std::ranges::lower_bound(block, begin, {}, &StoredChunk::begin);
  return at != block.end() && at->begin == begin ? &*at : nullptr;
}

// Chunks that come in ascending order fill their blocks.
FoundChunk StoredPlaces::store(uint64_t begin, const FoundChunk& place) {
  static_assert(sizeof(StoredChunk) <= 32, "an I/O rank has one for each chunk that it stores");
  if (blocks_.empty()) {
    blocks_.push_back({{begin, place}});
    return {};
  }
  size_t number = block_of(begin);
  Block* block = &blocks_[number];
  auto at = std::ranges::lower_bound(*block, begin, {}, &StoredChunk::begin);
  if (at != block->end() && at->begin == begin) return std::exchange(at->place, place);
  if (block->size() == k_most) {
    const auto next = blocks_.begin() + static_cast<std::ptrdiff_t>(number) + 1;
    if (at == block->end()) {
      block = &*blocks_.emplace(next);
    } else {
      const auto half = block->begin() + k_most / 2;
      Block upper(half, block->end());
      block->erase(half, block->end());
      blocks_.insert(next, std::move(upper));
      number = block_of(begin);
      block = &blocks_[number];
    }
    at = std::ranges::lower_bound(*block, begin, {}, &StoredChunk::begin);
  }
  block->insert(at, {begin, place});
  return {};
}

}  // namespace scorpio::format
