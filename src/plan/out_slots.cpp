#include "plan/out_slots.h"

#include <algorithm>

namespace scorpio::plan {

OutSlots::OutSlots(int nodes, int slots, int my_node)
    : slots_(slots),
      my_node_(my_node),
      counts_(slots > 0 ? static_cast<size_t>(nodes) : 0),
      closes_(counts_.size() * static_cast<size_t>(slots)),
      given_back_(static_cast<size_t>(slots)) {}

uint64_t& OutSlots::close_at(int node, size_t place) {
  return closes_[static_cast<size_t>(node) * static_cast<size_t>(slots_) + place];
}

bool OutSlots::full(int node) const {
  const Counts& counts = counts_[static_cast<size_t>(node)];
  return counts.taken - counts.closed >= static_cast<uint64_t>(std::max(1, slots_ / 2));
}

OutSlots::Taken OutSlots::take(int node) {
  const uint64_t number = counts_[static_cast<size_t>(node)].taken++;
  if (number < static_cast<uint64_t>(slots_)) return {static_cast<int>(number), k_never};
  const size_t place = place_of(number);  // the place of the close that is `slots_` before
  return {node == my_node_ ? given_back_[place] : -1, close_at(node, place)};
}

void OutSlots::give_back(int node, int slot, uint64_t close) {
  const size_t place = place_of(counts_[static_cast<size_t>(node)].closed++);
  close_at(node, place) = close;
  if (node == my_node_) given_back_[place] = slot;
}

}  // namespace scorpio::plan
