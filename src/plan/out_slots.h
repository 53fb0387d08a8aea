// The outgoing slots of each node, which hold data of its ranks for I/O ranks of other nodes. An activation
// takes one on each node that may contribute to it, but on no other node, and gives them back when it is
// closed. Each rank follows those of all nodes, because they decide when activations are closed; it needs
// numbers of slots of its own node alone. Pure; the same on every rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scorpio::plan {

inline constexpr uint64_t k_never = ~uint64_t{0};

class OutSlots {
 public:
  // `slots`: the number of slots of each node; 0: there are none, and no other function is called.
  OutSlots(int nodes, int slots, int my_node);

  bool in_use() const { return slots_ > 0; }
  // Whether half of the slots of the node, which may belong to open activations at the same time, do so.
  bool full(int node) const;

  struct Taken {
    int slot = -1;                  // its number, on the node of this rank
    uint64_t free_after = k_never;  // the close that must be sent before; k_never: the slot was never used
  };
  // Slots are used again in the order in which they were given back.
  Taken take(int node);
  void give_back(int node, int slot, uint64_t close);

 private:
  struct Counts {
    uint64_t taken = 0;
    uint64_t closed = 0;
  };
  size_t place_of(uint64_t number) const {
    return static_cast<size_t>(number % static_cast<uint64_t>(slots_));
  }
  uint64_t& close_at(int node, size_t place);

  int slots_;
  int my_node_;
  std::vector<Counts> counts_;    // [nodes]
  std::vector<uint64_t> closes_;  // [nodes][slots] the last ones, by their number
  std::vector<int> given_back_;   // [slots] the same of the slots of my node
};

}  // namespace scorpio::plan
