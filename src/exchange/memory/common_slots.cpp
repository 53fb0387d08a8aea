#include "exchange/memory/common_slots.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/hash.h"
#include "exchange/memory/slot_words.h"

namespace scorpio::exchange {

namespace {

uint64_t word_of(const Opened& opened, int physical) {
  return binding_word(opened.use + 1, opened.tag, physical);
}

}  // namespace

Opened::Opened(const plan::SlotUse& activation)
    : owner(activation.unit.owner),
      slot(activation.slot),
      use(activation.use),
      opening(activation.opening),
      tag(activation.tag) {}

uint64_t tag_of(const plan::SlotUse& activation, uint64_t calls) {
  const std::array<uint64_t, 4> facts{calls, activation.file, activation.unit.number, activation.opening};
  return (fnv1a(std::as_bytes(std::span(facts))) & k_most_tag) | 1;
}

int CommonSlots::place(int owner, int slot) const {
  // A slot that is not bound is used only after ranks have made different calls.
  const int bound = slot_in(binding(owner, slot).place.load());
  return bound < 0 ? lease_.slots.front() : bound;
}

bool CommonSlots::is_bound(const Opened& opened) const {
  const uint64_t word = binding(opened.owner, opened.slot).place.load();
  const int physical = slot_in(word);
  if (physical < 0 || word != word_of(opened, physical)) return false;
#if defined(__SANITIZE_THREAD__)
  // The rank that bound it had seen it given back, perhaps by a thread of this process. The sanitizer sees
  // only what this process does, and gets the order from the word itself.
  (void)memory_->taken(opened.owner, physical).load();
#endif
  return true;
}

bool CommonSlots::take(int owner, int physical) const {
  Shared<uint64_t>& word = memory_->taken(owner, physical);
  const uint64_t bit = bit_of(physical);
  return (word.load() & bit) == 0 && (word.fetch_or(bit) & bit) == 0;
}

// Neighbours in the file are bound one after another: neighbours in the memory become one write.
int CommonSlots::take_any(int owner) const {
  for (const int physical : lease_.slots) {
    if (take(owner, physical)) return physical;
  }
  const StagingSizes& sizes = memory_->sizes();
  const int first = sizes.files * sizes.reserved;
  for (int physical = first; physical < first + sizes.common(); ++physical) {
    if (take(owner, physical)) return physical;
  }
  return -1;
}

// If a slot is given back after the second look, the bit is seen.
int CommonSlots::take_or_want(int owner) const {
  const int physical = take_any(owner);
  if (physical >= 0) return physical;
  memory_->common_line(owner).wanting.fetch_or(own_bit());
  return take_any(owner);
}

// The word is different in each use, so that a rank that was slow changes nothing. A rank that finds no slot,
// because another one has taken it and not bound it yet, sets its bit before it looks for the bound slot
// again.
bool CommonSlots::bind(const Opened& next, uint64_t& wake) const {
  Shared<uint64_t>& place = binding(next.owner, next.slot).place;
  uint64_t before = place.load();
  const bool unbound = uses_in(before) <= next.use;
  if (unbound) {
    if (uses_in(before) < next.use || slot_in(before) >= 0) return false;
    const int physical = take_or_want(next.owner);
    if (physical < 0 && uses_in(place.load()) <= next.use) return false;
    if (physical >= 0 && !place.compare_exchange_strong(before, word_of(next, physical)))
      wake |= give_back(next.owner, physical);
  }
  uint64_t bound = next.opening;
  const bool counted =
      memory_->bound(lease_.channel, next.owner).compare_exchange_strong(bound, next.opening + 1);
  if (unbound || counted) wake |= memory_->common_line(next.owner).wanting.load() & own_bit();
  return true;
}

// If the last of them is bound after the second look, the bit is seen.
bool CommonSlots::all_bound(int owner, uint64_t activations) const {
  if (bound(owner) >= activations) return true;
  memory_->common_line(owner).wanting.fetch_or(own_bit());
  return bound(owner) >= activations;
}

int CommonSlots::unbind(int owner, int slot) const {
  Shared<uint64_t>& place = binding(owner, slot).place;
  const uint64_t word = place.load();
  place.store(without_slot(word));
  return slot_in(word);
}

uint64_t CommonSlots::give_back(int owner, int physical) const {
  memory_->taken(owner, physical).fetch_and(~bit_of(physical));
  return memory_->end_wanting(owner);
}

bool CommonSlots::wanted(int owner) const { return memory_->common_line(owner).wanting.load() != 0; }

}  // namespace scorpio::exchange
