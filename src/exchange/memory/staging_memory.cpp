#include "exchange/memory/staging_memory.h"

#include <algorithm>
#include <new>
#include <utility>

#include "exchange/memory/slot_words.h"

namespace scorpio::exchange {

namespace {

int count_here(const std::vector<int>& local_owner) {
  return static_cast<int>(
      std::count_if(local_owner.begin(), local_owner.end(), [](int o) { return o >= 0; }));
}

}  // namespace

StagingMemory::StagingMemory(const StagingSizes& sizes, int local_ranks, std::vector<int> local_owner,
                             std::byte* memory)
    : sizes_(sizes),
      local_ranks_(local_ranks),
      local_owner_(std::move(local_owner)),
      local_io_ranks_(count_here(local_owner_)),
      layout_(sizes, local_ranks, local_io_ranks_),
      memory_(memory) {}

Slot StagingMemory::slot_at(int local_owner, int slot) const {
  std::byte* words =
      layout_.has_bitmap(local_owner, slot) ? memory_ + layout_.bitmap(local_owner, slot) : nullptr;
  return {memory_ + layout_.image(local_owner, slot), Bitmap(words, sizes_.unit_bytes)};
}

std::byte* StagingMemory::owner_message(int owner, int number) const {
  return memory_ + layout_.message(local_owner(owner), number);
}

RankLine& StagingMemory::rank_line(int channel, int local_rank) const {
  auto* lines = reinterpret_cast<RankLine*>(memory_ + layout_.control(channel));
  return lines[local_rank];
}

SlotCounter& StagingMemory::slot_counter(int owner, int physical_slot) const {
  auto* counters = reinterpret_cast<SlotCounter*>(memory_ + layout_.slot_counters(local_owner(owner)));
  return counters[physical_slot];
}

WorkerBell& StagingMemory::worker_bell(int owner) const {
  return *reinterpret_cast<WorkerBell*>(memory_ + layout_.worker_bell(local_owner(owner)));
}

CommonLine& StagingMemory::common_line(int owner) const {
  return *reinterpret_cast<CommonLine*>(memory_ + layout_.common_line(local_owner(owner)));
}

Shared<uint64_t>& StagingMemory::taken(int owner, int physical_slot) const {
  auto* words = reinterpret_cast<Shared<uint64_t>*>(&common_line(owner) + 1);
  return words[physical_slot / k_slots_of_word];
}

Shared<uint64_t>& StagingMemory::bound(int channel, int owner) const {
  return *reinterpret_cast<Shared<uint64_t>*>(memory_ + layout_.bindings(channel, local_owner(owner)));
}

SlotBinding& StagingMemory::binding(int channel, int owner, int slot) const {
  return reinterpret_cast<SlotBinding*>(&bound(channel, owner) + 1)[slot];
}

NodeLine& StagingMemory::node_line(int channel) const {
  return *reinterpret_cast<NodeLine*>(&rank_line(channel, local_ranks_));
}

void StagingMemory::reset(const Lease& lease) const {
  for (int r = 0; r < local_ranks_; ++r) new (&rank_line(lease.channel, r)) RankLine{};
  new (&node_line(lease.channel)) NodeLine{};
  for (size_t owner = 0; owner < local_owner_.size(); ++owner) {
    if (local_owner_[owner] < 0) continue;
    for (const int slot : lease.slots) new (&slot_counter(static_cast<int>(owner), slot)) SlotCounter{};
    if (lease.common == 0) continue;
    new (&bound(lease.channel, static_cast<int>(owner))) Shared<uint64_t>{};
    for (int slot = 0; slot < static_cast<int>(lease.most_slots()); ++slot)
      new (&binding(lease.channel, static_cast<int>(owner), slot)) SlotBinding{};
  }
}

void StagingMemory::release(const Lease& lease, int owner) const {
  for (int number = 0; number < static_cast<int>(lease.most_slots()); ++number) {
    Shared<uint64_t>& place = binding(lease.channel, owner, number).place;
    const int physical = slot_in(place.load());
    if (physical < 0) continue;
    slot(owner, physical).bitmap.clear();
    place.store(without_slot(place.load()));
    taken(owner, physical).fetch_and(~bit_of(physical));
  }
  clear_free_slots(owner);
}

// Ranks that made different calls may have marked bytes of a slot that was given back.
void StagingMemory::clear_free_slots(int owner) const {
  for (int number = sizes_.files * sizes_.reserved; number < sizes_.slots - 1; ++number) {
    const uint64_t bit = bit_of(number);
    if ((taken(owner, number).fetch_or(bit) & bit) != 0) continue;
    slot(owner, number).bitmap.clear();
    taken(owner, number).fetch_and(~bit);
  }
}

// A rank that sets its bit after this look finds the slots that were given back before.
uint64_t StagingMemory::end_wanting(int owner) const {
  Shared<uint64_t>& wanting = common_line(owner).wanting;
  return wanting.load() == 0 ? 0 : wanting.exchange(0);
}

uint64_t StagingMemory::clear_slots(const Lease& lease) const {
  uint64_t wanting = 0;
  for (size_t owner = 0; owner < local_owner_.size(); ++owner) {
    if (local_owner_[owner] < 0) continue;
    for (const int number : lease.slots) {
      if (layout_.has_bitmap(0, number)) slot(static_cast<int>(owner), number).bitmap.clear();
    }
    if (lease.common == 0) continue;
    release(lease, static_cast<int>(owner));
    wanting |= end_wanting(static_cast<int>(owner));
  }
  for (const int number : lease.out_slots) out_slot(number).bitmap.clear();
  return wanting;
}

}  // namespace scorpio::exchange
