// The elements that each rank moves in one access, as the library is told and place by place. All ranks draw
// the parts of all ranks. Local.
#pragma once

#include <memory>
#include <random>

#include "api/layout.h"
#include "contents.h"

namespace scorpio::drawn {

class Draws {
 public:
  explicit Draws(uint64_t seed) : random_(seed) {}
  size_t pick(size_t n) { return n < 2 ? 0 : random_() % n; }
  int64_t between(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(pick(static_cast<size_t>(most - least + 1)));
  }
  bool one_in(size_t n) { return pick(n) == 0; }
  template <typename T>
  T of(std::initializer_list<T> list) {
    return list.begin()[pick(list.size())];
  }
  std::mt19937_64& engine() { return random_; }

 private:
  std::mt19937_64 random_;
};

// Of one rank.
struct Selection {
  std::vector<Place> places;   // in the order of the buffer's elements that are moved
  std::vector<size_t> buffer;  // [places] the index in the buffer
  size_t buffer_elements = 0;

  // Hyperslabs, as scorpio_access has them.
  int64_t n = 0;
  std::vector<int64_t> start, count, stride, offset, map;
};

// Hyperslabs of one rank: none, one or several, strided or not, in memory in any order. growing: unlimited
// dimensions may be exceeded.
Selection draw_slabs(Draws& draws, const Contents& contents, const Variable& variable, bool growing,
                     int64_t most_slabs);

scorpio_access access_of(const Selection& selection, int id, scorpio_type type, const void* data);

std::string text_of(const Selection& selection);

// A part of a decomposition. leading: where its dimensions lie in those of the variable.
Selection part_of(const api_test::Layout& layout, int rank, const Variable& variable, int64_t record);

}  // namespace scorpio::drawn
