#include "transfer/write_batch.h"

#include <algorithm>
#include <numeric>

namespace scorpio::transfer {

using exchange::FullSlot;

// A write contains the slots that were added before the one that begins the next write.
void WriteBatch::carry_out(bool early) {
  const std::span<const size_t> order = in_file_order();
  early = announce(order) || early;
  size_t done = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const uint64_t before = writer_.writes();
    writer_.add(slots_[order[i]]);
    if (!early || writer_.writes() == before) continue;
    for (; done < i; ++done) slots_[order[done]].completion.done();
  }
  writer_.finish();
  if (early) {
    for (; done < order.size(); ++done) slots_[order[done]].completion.done();
  } else {
    for (const FullSlot& slot : slots_) slot.completion.done();
  }
  slots_.clear();
}

void WriteBatch::carry_out_announced(FullSlot slot) {
  writer_.add(slot);
  writer_.finish();
  slot.completion.done();
}

// Ranks that wait encode chunks of the batch. Returns whether slots have chunks: each is free when it is
// written, whoever encodes.
bool WriteBatch::announce(std::span<const size_t> order) {
  size_t pieces = 0;
  bool chunks = false;
  for (const size_t i : order) {
    FullSlot& slot = slots_[i];
    if (!slot.file_io->takes_announcements(slot.unit)) continue;
    chunks = true;
    pieces += transfer::announce(slot);
  }
  if (pieces > 1) slots_[order.front()].completion.user->call_helpers(pieces - 1);
  return chunks;
}

// Sorts the indices of the batch in file order. A unit in which a variable begins is closed after the units
// that the variable fills, and can still be joined with them. If a unit is written twice, the order of the
// slots is kept; so it is with packed slots, which are closed in the order of the file.
std::span<const size_t> WriteBatch::in_file_order() {
  const auto place = [this](size_t i) { return std::pair(slots_[i].file_io, slots_[i].unit.number); };
  const auto end = order_.begin() + static_cast<std::ptrdiff_t>(slots_.size());
  std::iota(order_.begin(), end, size_t{0});
  std::sort(order_.begin(), end, [&](size_t a, size_t b) { return place(a) < place(b); });
  const auto twice =
      std::adjacent_find(order_.begin(), end, [&](size_t a, size_t b) { return place(a) == place(b); });
  const bool packed = std::ranges::any_of(slots_, [](const FullSlot& slot) { return !slot.regions.empty(); });
  if (twice != end || packed) std::iota(order_.begin(), end, size_t{0});
  return std::span(order_).first(slots_.size());
}

}  // namespace scorpio::transfer
