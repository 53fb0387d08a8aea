// One bit for each byte of a unit: the bytes of a slot that hold data. Several processes set bits at the same
// time (lock-free); one reads them after all have finished.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace scorpio::exchange {

// Joins the set bits of words to maximal runs, and calls visit(begin, end) for each of them, ascending.
template <typename Visit>
class BitRuns {
 public:
  explicit BitRuns(const Visit& visit) : visit_(visit) {}

  // Word `w`, in ascending order; words between are 0.
  void add(uint64_t w, uint64_t set) {
    const uint64_t base = w * 64;
    if (end_ != base) leave();
    for (uint64_t at = 0; at < 64;) {
      const uint64_t left = set >> at;
      const auto gap = static_cast<uint64_t>(std::countr_zero(left));
      if (gap > 0) leave();
      if (gap == 64) return;
      const auto length = static_cast<uint64_t>(std::countr_one(left >> gap));
      if (end_ == begin_) begin_ = base + at + gap;
      at += gap + length;
      end_ = base + at;
    }
  }
  // After the last word.
  void leave() {
    if (end_ > begin_) visit_(begin_, end_);
    begin_ = end_ = 0;
  }

 private:
  const Visit& visit_;
  uint64_t begin_ = 0, end_ = 0;  // a run up to the end of a word; it may go on
};

// The number of set bits. Without an option for newer processors, std::popcount() is a call of a function
// that reads a table.
constexpr uint64_t set_bits_in(uint64_t word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return (word * 0x0101010101010101) >> 56;
}

// The words are followed by an index, with a bit for each word that may have set bits. Of a unit that many
// nodes divide, each has few bytes: a message of them is to cost no look at all words of the unit.
class Bitmap {
 public:
  // The memory of the index of `bits`, a multiple of 64.
  static constexpr uint64_t index_bytes(uint64_t bits) { return (bits + 4095) / 4096 * sizeof(uint64_t); }

  // `words` [bits / 64] and the index after them, in shared memory, all zero at first.
  Bitmap(std::byte* words, uint64_t bits)
      : words_(reinterpret_cast<std::atomic<uint64_t>*>(words)), bits_(bits) {}

  void set(uint64_t begin, uint64_t end) {
    const auto set_bits = [](std::atomic<uint64_t>& word, uint64_t bits) {
      word.fetch_or(bits, std::memory_order_relaxed);
    };
    set_words(words_, begin, end, set_bits);
    mark(begin / 64, (end + 63) / 64, set_bits);
  }
  // The same where no other process sets bits.
  void set_alone(uint64_t begin, uint64_t end) {
    const auto set_bits = [](std::atomic<uint64_t>& word, uint64_t bits) {
      word.store(word.load(std::memory_order_relaxed) | bits, std::memory_order_relaxed);
    };
    set_words(words_, begin, end, set_bits);
    mark(begin / 64, (end + 63) / 64, set_bits);
  }

  uint64_t bits() const { return bits_; }
  uint64_t words() const { return (bits_ + 63) / 64; }
  uint64_t word(uint64_t w) const { return words_[w].load(std::memory_order_relaxed); }

  // Calls visit(w, word) for the words that have set bits, and perhaps for others, ascending.
  template <typename Visit>
  void for_each_word(const Visit& visit) const {
    for (uint64_t i = 0; i < index_words(); ++i) {
      uint64_t marks = index()[i].load(std::memory_order_relaxed);
      for (; marks != 0; marks &= marks - 1) {
        const uint64_t w = i * 64 + static_cast<uint64_t>(std::countr_zero(marks));
        visit(w, word(w));
      }
    }
  }

  // Calls visit(begin, end) for each maximal run of set bits, ascending.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    BitRuns runs(visit);
    for_each_word([&](uint64_t w, uint64_t set) { runs.add(w, set); });
    runs.leave();
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
    uint64_t last_bit = 0, next = 0;  // of the last word, and the number of the word after it
    for_each_word([&](uint64_t w, uint64_t set) {
      if (w != next) {
        found.edges |= last_bit;
        last_bit = 0;
      }
      const uint64_t before = set << 1 | last_bit;
      found.edges |= set ^ before;
      found.runs += set_bits_in(set & ~before);
      last_bit = set >> 63;
      next = w + 1;
      if (set == 0) return;
      if (found.bytes == 0) found.begin = w * 64 + static_cast<uint64_t>(std::countr_zero(set));
      found.bytes += set_bits_in(set);
      found.end = w * 64 + static_cast<uint64_t>(std::bit_width(set));
    });
    return found;
  }

  void clear() {
    for_each_word([this](uint64_t w, uint64_t) { words_[w].store(0, std::memory_order_relaxed); });
    for (uint64_t i = 0; i < index_words(); ++i) index()[i].store(0, std::memory_order_relaxed);
  }

 private:
  std::atomic<uint64_t>* index() const { return words_ + words(); }
  uint64_t index_words() const { return (words() + 63) / 64; }

  // Words `begin` to `end` have set bits. Most calls find the marks of the calls before.
  template <typename Or>
  void mark(uint64_t begin, uint64_t end, const Or& set_bits) {
    set_words(index(), begin, end, [&](std::atomic<uint64_t>& word, uint64_t bits) {
      if ((word.load(std::memory_order_relaxed) & bits) != bits) set_bits(word, bits);
    });
  }

  template <typename Or>
  static void set_words(std::atomic<uint64_t>* words, uint64_t begin, uint64_t end, const Or& set_bits) {
    uint64_t word = begin / 64;
    const uint64_t last = (end - 1) / 64;
    const uint64_t head = ~uint64_t{0} << (begin % 64);
    const uint64_t tail = ~uint64_t{0} >> (63 - (end - 1) % 64);
    if (word == last) return set_bits(words[word], head & tail);
    set_bits(words[word], head);
    for (++word; word < last; ++word) words[word].store(~uint64_t{0}, std::memory_order_relaxed);
    set_bits(words[last], tail);
  }

  std::atomic<uint64_t>* words_;
  uint64_t bits_;
};

}  // namespace scorpio::exchange
