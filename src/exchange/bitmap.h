// One bit for each byte of a unit: the bytes of a slot that hold data. Several processes set bits at the same
// time (lock-free); one reads them after all have finished.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/byte_range.h"

namespace scorpio::exchange {

class Bitmap {
 public:
  // `words` [bits / 64] in shared memory, all zero at first.
  Bitmap(std::byte* words, uint64_t bits)
      : words_(reinterpret_cast<std::atomic<uint64_t>*>(words)), bits_(bits) {}

  void set(uint64_t begin, uint64_t end) {
    uint64_t word = begin / 64;
    const uint64_t last = (end - 1) / 64;
    const uint64_t head = ~uint64_t{0} << (begin % 64);
    const uint64_t tail = ~uint64_t{0} >> (63 - (end - 1) % 64);
    if (word == last) {
      words_[word].fetch_or(head & tail, std::memory_order_relaxed);
      return;
    }
    words_[word].fetch_or(head, std::memory_order_relaxed);
    for (++word; word < last; ++word) words_[word].store(~uint64_t{0}, std::memory_order_relaxed);
    words_[last].fetch_or(tail, std::memory_order_relaxed);
  }

  // Calls visit(begin, end) for each maximal run of set bits, ascending.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    uint64_t at = next(0, true);
    while (at < bits_) {
      const uint64_t end = next(at, false);
      visit(at, end);
      at = next(end, true);
    }
  }

  // All set bits, if they are one run.
  std::optional<ByteRange> only_run() const {
    const uint64_t begin = next(0, true), end = next(begin, false);
    if (begin == bits_ || next(end, true) != bits_) return std::nullopt;
    return ByteRange{begin, end};
  }

  const std::byte* words() const { return reinterpret_cast<const std::byte*>(words_); }

  void clear() {
    for (uint64_t w = 0; w < (bits_ + 63) / 64; ++w) words_[w].store(0, std::memory_order_relaxed);
  }

 private:
  // The first bit at or after `from` that has the value `wanted`; bits_ if there is none.
  uint64_t next(uint64_t from, bool wanted) const {
    if (from >= bits_) return bits_;
    uint64_t w = from / 64;
    uint64_t mask = ~uint64_t{0} << (from % 64);
    for (; w < (bits_ + 63) / 64; ++w, mask = ~uint64_t{0}) {
      const uint64_t value = words_[w].load(std::memory_order_relaxed);
      const uint64_t hits = (wanted ? value : ~value) & mask;
      if (hits != 0) return std::min(bits_, w * 64 + static_cast<uint64_t>(std::countr_zero(hits)));
    }
    return bits_;
  }

  std::atomic<uint64_t>* words_;
  uint64_t bits_;
};

}  // namespace scorpio::exchange
