// One bit for each byte of a unit: the bytes of a slot that hold data. Several processes set bits at the same
// time (lock-free); one reads them after all have finished.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace scorpio::exchange {

// The first bit at or after `from` that has the value `wanted`; `bits` if there is none. load(w): word w.
template <typename Load>
uint64_t next_bit(uint64_t from, bool wanted, uint64_t bits, const Load& load) {
  if (from >= bits) return bits;
  uint64_t w = from / 64;
  uint64_t mask = ~uint64_t{0} << (from % 64);
  for (; w < (bits + 63) / 64; ++w, mask = ~uint64_t{0}) {
    const uint64_t value = load(w);
    const uint64_t hits = (wanted ? value : ~value) & mask;
    if (hits != 0) return std::min(bits, w * 64 + static_cast<uint64_t>(std::countr_zero(hits)));
  }
  return bits;
}

// Calls visit(begin, end) for each maximal run of set bits, ascending.
template <typename Load, typename Visit>
void for_each_bit_run(uint64_t bits, const Load& load, const Visit& visit) {
  uint64_t at = next_bit(0, true, bits, load);
  while (at < bits) {
    const uint64_t end = next_bit(at, false, bits, load);
    visit(at, end);
    at = next_bit(end, true, bits, load);
  }
}

class Bitmap {
 public:
  // `words` [bits / 64] in shared memory, all zero at first.
  Bitmap(std::byte* words, uint64_t bits)
      : words_(reinterpret_cast<std::atomic<uint64_t>*>(words)), bits_(bits) {}

  void set(uint64_t begin, uint64_t end) {
    set_words(begin, end, [](std::atomic<uint64_t>& word, uint64_t bits) {
      word.fetch_or(bits, std::memory_order_relaxed);
    });
  }
  // The same where no other process sets bits.
  void set_alone(uint64_t begin, uint64_t end) {
    set_words(begin, end, [](std::atomic<uint64_t>& word, uint64_t bits) {
      word.store(word.load(std::memory_order_relaxed) | bits, std::memory_order_relaxed);
    });
  }

  uint64_t bits() const { return bits_; }
  uint64_t words() const { return (bits_ + 63) / 64; }
  uint64_t word(uint64_t w) const { return words_[w].load(std::memory_order_relaxed); }

  // Calls visit(begin, end) for each maximal run of set bits, ascending.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for_each_bit_run(
        bits_, [this](uint64_t w) { return word(w); }, visit);
  }

  // What is set, without a list of the runs.
  struct Outline {
    uint64_t bytes = 0;
    uint64_t runs = 0;
    uint64_t begin = 0;  // of the first run
    uint64_t end = 0;    // of the last one
    uint64_t edges = 0;  // bit i: a run begins or ends at a position that is i modulo 64
  };
  Outline outline() const {
    Outline found;
    uint64_t last_bit = 0;  // of the word before
    for (uint64_t w = 0; w < words(); ++w) {
      const uint64_t set = word(w), before = set << 1 | last_bit;
      found.edges |= set ^ before;
      found.runs += static_cast<uint64_t>(std::popcount(set & ~before));
      last_bit = set >> 63;
      if (set == 0) continue;
      if (found.bytes == 0) found.begin = w * 64 + static_cast<uint64_t>(std::countr_zero(set));
      found.bytes += static_cast<uint64_t>(std::popcount(set));
      found.end = w * 64 + static_cast<uint64_t>(std::bit_width(set));
    }
    return found;
  }

  void clear() {
    for (uint64_t w = 0; w < words(); ++w) words_[w].store(0, std::memory_order_relaxed);
  }

 private:
  template <typename Or>
  void set_words(uint64_t begin, uint64_t end, const Or& set_bits) {
    uint64_t word = begin / 64;
    const uint64_t last = (end - 1) / 64;
    const uint64_t head = ~uint64_t{0} << (begin % 64);
    const uint64_t tail = ~uint64_t{0} >> (63 - (end - 1) % 64);
    if (word == last) return set_bits(words_[word], head & tail);
    set_bits(words_[word], head);
    for (++word; word < last; ++word) words_[word].store(~uint64_t{0}, std::memory_order_relaxed);
    set_bits(words_[last], tail);
  }

  std::atomic<uint64_t>* words_;
  uint64_t bits_;
};

}  // namespace scorpio::exchange
