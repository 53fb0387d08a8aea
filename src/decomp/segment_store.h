// Stores the segments of a decomposition in packed form. The segments are divided into blocks; within a block
// each field is stored as its difference from the least value of the block, in as many bytes as the largest
// difference needs. A scattered element takes five to eight bytes.
// Immutable; copies share their memory. Local; thread-safe for readers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace scorpio::decomp {

// `count` runs of `length` elements, each `global_stride` and `local_stride` elements behind the one before.
// If count > 1, then length <= global_stride, so the runs of a segment ascend and do not overlap.
struct Segment {
  int64_t global;
  int64_t local;
  int64_t length;
  int64_t count = 1;
  int64_t global_stride = 0;
  int64_t local_stride = 0;

  int64_t global_end() const { return global + (count - 1) * global_stride + length; }
  int64_t elements() const { return length * count; }
};

class SegmentStore {
 public:
  class Iterator;

  SegmentStore() = default;

  size_t size() const { return packed_ == nullptr ? 0 : packed_->size; }
  bool empty() const { return size() == 0; }
  inline Segment operator[](size_t i) const;
  // Iterators return segments by value. They are valid until the store is destroyed or assigned to.
  inline Iterator begin() const;
  inline Iterator end() const;
  inline Iterator from(size_t i) const;
  // Unpacks segments from number `first` on, as many as `into` has room for and as are in the same block, and
  // returns their number; 0 behind the last segment. Long walks are faster by this than by an iterator.
  inline size_t unpack(size_t first, std::span<Segment> into) const;

  // Index of the first segment that reaches beyond `begin`; size() if there is none.
  size_t first_reaching(int64_t begin) const;
  // The largest global_end(). The store must not be empty.
  int64_t reach() const { return packed_->blocks.back().reach; }
  // True if a segment begins before the end of an earlier segment.
  bool overlap() const { return packed_ != nullptr && packed_->overlap; }
  int64_t elements() const { return packed_ == nullptr ? 0 : packed_->elements; }
  int64_t runs() const { return packed_ == nullptr ? 0 : packed_->runs; }
  // The number of bytes that this store and its copies share.
  size_t kept_bytes() const;

 private:
  friend class SegmentPacker;
  static constexpr size_t k_block = 64;
  static constexpr size_t k_fields = 6;
  using Fields = std::array<int64_t, k_fields>;

  struct Block {
    Fields least{};
    int64_t reach = 0;   // the largest global_end() in this block and in all earlier blocks
    uint64_t begin = 0;  // the offset of its first segment in Packed::bytes
    std::array<uint8_t, k_fields> bytes{};  // the width of each field
    uint8_t segment_bytes = 0;

    Segment unpack(const std::byte* at) const;
    void unpack(const std::byte* at, std::span<Segment> into) const;
  };

  struct Packed {
    std::vector<Block> blocks;  // each has k_block segments, the last one at most that many
    std::vector<std::byte> bytes;
    size_t size = 0;
    int64_t elements = 0;
    int64_t runs = 0;
    bool overlap = false;
  };

  static constexpr std::array<uint64_t, 9> k_masks{
      0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff, ~uint64_t{0}};
  static uint64_t load(const std::byte* at, uint64_t mask);
  bool reaches(size_t i, int64_t begin) const;

  std::shared_ptr<const Packed> packed_;  // null for an empty store
};

class SegmentStore::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Segment;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Segment;

  Iterator() = default;
  Iterator(const Packed* packed, size_t index) : index_(index) {
    if (packed == nullptr || index >= packed->size) return;
    block_ = packed->blocks.data() + index / k_block;
    at_ = packed->bytes.data() + block_->begin + index % k_block * block_->segment_bytes;
  }
  Segment operator*() const { return block_->unpack(at_); }
  // The bytes of consecutive blocks are contiguous.
  Iterator& operator++() {
    at_ += block_->segment_bytes;
    if (++index_ % k_block == 0) ++block_;
    return *this;
  }
  Iterator operator++(int) {
    Iterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Iterator& other) const { return index_ == other.index_; }

 private:
  size_t index_ = 0;
  const Block* block_ = nullptr;
  const std::byte* at_ = nullptr;
};

// Builds a store from segments that are added in ascending order of `global`. Local; one thread.
class SegmentPacker {
 public:
  // An empty segment is ignored.
  void add(const Segment& segment);
  SegmentStore take();

 private:
  void pack();

  std::shared_ptr<SegmentStore::Packed> packed_;
  std::array<SegmentStore::Fields, SegmentStore::k_block> waiting_;
  size_t waits_ = 0;  // the number of segments in waiting_
  int64_t reach_ = 0;
};

// Reads a whole word and keeps the lower bytes that are in `mask`. The storage is padded, so the last value
// can be read in this way too.
inline uint64_t SegmentStore::load(const std::byte* at, uint64_t mask) {
  uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
  }
  return word & mask;
}

inline Segment SegmentStore::Block::unpack(const std::byte* at) const {
  const auto next = [&](size_t field) {
    const uint64_t value = static_cast<uint64_t>(least[field]) + load(at, k_masks[bytes[field]]);
    at += bytes[field];
    return static_cast<int64_t>(value);
  };
  Segment segment{next(0), next(1), next(2)};
  segment.count = next(3);
  if (segment.count == 1) return segment;
  segment.global_stride = next(4);
  segment.local_stride = next(5);
  return segment;
}

// The strides of a segment of one run are stored as zeros, so all fields can be read without a branch. In
// most blocks the last fields are the same in all segments, and take no bytes.
inline void SegmentStore::Block::unpack(const std::byte* at, std::span<Segment> into) const {
  const Fields base = least;  // a copy, which the segments cannot share memory with
  std::array<uint64_t, k_fields> masks;
  std::array<size_t, k_fields> offsets;
  size_t offset = 0;
  for (size_t field = 0; field < k_fields; ++field) {
    masks[field] = k_masks[bytes[field]];
    offsets[field] = offset;
    offset += bytes[field];
  }
  const auto unpack_first = [&](auto fields) {
    constexpr size_t k_stored = decltype(fields)::value;
    const auto value = [&](size_t field) {
      if (field >= k_stored) return base[field];
      return static_cast<int64_t>(static_cast<uint64_t>(base[field]) +
                                  load(at + offsets[field], masks[field]));
    };
    for (Segment& segment : into) {
      segment = {value(0), value(1), value(2), value(3), value(4), value(5)};
      at += offset;
    }
  };
  if (offsets[2] == offset) return unpack_first(std::integral_constant<size_t, 2>{});
  if (offsets[3] == offset) return unpack_first(std::integral_constant<size_t, 3>{});
  unpack_first(std::integral_constant<size_t, k_fields>{});
}

inline size_t SegmentStore::unpack(size_t first, std::span<Segment> into) const {
  if (first >= size()) return 0;
  const size_t in_block = first % k_block;
  const size_t count = std::min({into.size(), k_block - in_block, size() - first});
  const Block& block = packed_->blocks[first / k_block];
  block.unpack(packed_->bytes.data() + block.begin + in_block * block.segment_bytes, into.first(count));
  return count;
}

inline Segment SegmentStore::operator[](size_t i) const { return *from(i); }
inline SegmentStore::Iterator SegmentStore::begin() const { return from(0); }
inline SegmentStore::Iterator SegmentStore::from(size_t i) const { return {packed_.get(), i}; }
inline SegmentStore::Iterator SegmentStore::end() const { return {packed_.get(), size()}; }

}  // namespace scorpio::decomp
