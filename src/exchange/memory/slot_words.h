// The parts of the shared words by which channels use slots in common (control.h). Pure.
#pragma once

#include <cstdint>

namespace scorpio::exchange {

// A word of SlotBinding::place: the number of uses that have begun | a hash of 16 bits | the slot of the
// memory plus one, in 16 bits.
constexpr int k_uses_at = 32;
constexpr int k_tag_at = 16;
constexpr uint64_t k_most_tag = 0xffff;
constexpr uint64_t k_slot_bits = 0xffff;

inline uint64_t uses_in(uint64_t word) { return word >> k_uses_at; }
// Returns -1 if the number is not bound.
inline int slot_in(uint64_t word) { return static_cast<int>(word & k_slot_bits) - 1; }
inline uint64_t without_slot(uint64_t word) { return word & ~k_slot_bits; }
inline uint64_t binding_word(uint64_t uses, uint64_t tag, int physical_slot) {
  return uses << k_uses_at | tag << k_tag_at | static_cast<uint64_t>(physical_slot + 1);
}

// The words after CommonLine have one bit for each slot of the memory.
constexpr int k_slots_of_word = 64;

inline uint64_t bit_of(int physical_slot) { return uint64_t{1} << (physical_slot % k_slots_of_word); }

}  // namespace scorpio::exchange
