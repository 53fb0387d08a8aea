#include "decomp/segment_store.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace scorpio::decomp {

size_t SegmentStore::kept_bytes() const {
  if (packed_ == nullptr) return 0;
  return packed_->blocks.capacity() * sizeof(Block) + packed_->bytes.capacity();
}

bool SegmentStore::reaches(size_t i, int64_t begin) const { return (*this)[i].global_end() > begin; }

size_t SegmentStore::first_reaching(int64_t begin) const {
  if (packed_ == nullptr) return 0;
  const std::vector<Block>& blocks = packed_->blocks;
  const auto block =
      std::upper_bound(blocks.begin(), blocks.end(), begin,
                       [](int64_t at, const Block& candidate) { return at < candidate.reach; });
  if (block == blocks.end()) return size();
  size_t first = static_cast<size_t>(block - blocks.begin()) * k_block;
  size_t count = std::min(k_block, size() - first);
  // The ends of overlapping segments need not ascend.
  while (packed_->overlap && !reaches(first, begin)) ++first;
  while (!packed_->overlap && count > 0) {
    const size_t half = count / 2;
    if (reaches(first + half, begin)) {
      count = half;
    } else {
      first += half + 1;
      count -= half + 1;
    }
  }
  return first;
}

void SegmentPacker::add(const Segment& segment) {
  if (segment.length <= 0 || segment.count <= 0) return;
  if (packed_ == nullptr) {
    packed_ = std::make_shared<SegmentStore::Packed>();
    reach_ = std::numeric_limits<int64_t>::min();
  }
  packed_->overlap = packed_->overlap || segment.global < reach_;
  reach_ = std::max(reach_, segment.global_end());
  packed_->elements += segment.elements();
  packed_->runs += segment.count;
  ++packed_->size;
  const bool repeated = segment.count > 1;
  waiting_[waits_++] = {segment.global,
                        segment.local,
                        segment.length,
                        segment.count,
                        repeated ? segment.global_stride : 0,
                        repeated ? segment.local_stride : 0};
  if (waits_ == waiting_.size()) pack();
}

void SegmentPacker::pack() {
  if (waits_ == 0) return;
  SegmentStore::Block block;
  block.reach = reach_;
  block.begin = packed_->bytes.size();
  for (size_t field = 0; field < SegmentStore::k_fields; ++field) {
    const auto by_field = [&](const auto& a, const auto& b) { return a[field] < b[field]; };
    const auto [least, most] =
        std::minmax_element(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(waits_), by_field);
    block.least[field] = (*least)[field];
    const uint64_t range = static_cast<uint64_t>((*most)[field]) - static_cast<uint64_t>((*least)[field]);
    block.bytes[field] = static_cast<uint8_t>((std::bit_width(range) + 7) / 8);
    block.segment_bytes = static_cast<uint8_t>(block.segment_bytes + block.bytes[field]);
  }
  packed_->bytes.resize(block.begin + waits_ * block.segment_bytes);
  std::byte* at = packed_->bytes.data() + block.begin;
  for (size_t i = 0; i < waits_; ++i) {
    for (size_t field = 0; field < SegmentStore::k_fields; ++field) {
      uint64_t value = static_cast<uint64_t>(waiting_[i][field]) - static_cast<uint64_t>(block.least[field]);
      for (unsigned byte = 0; byte < block.bytes[field]; ++byte, value >>= 8)
        *at++ = static_cast<std::byte>(value);
    }
  }
  packed_->blocks.push_back(block);
  waits_ = 0;
}

SegmentStore SegmentPacker::take() {
  if (packed_ == nullptr) return {};
  pack();
  packed_->bytes.resize(packed_->bytes.size() + sizeof(uint64_t));
  packed_->bytes.shrink_to_fit();
  packed_->blocks.shrink_to_fit();
  SegmentStore store;
  store.packed_ = std::exchange(packed_, nullptr);
  return store;
}

}  // namespace scorpio::decomp
