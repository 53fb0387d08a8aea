#include "exchange/staging_memory.h"

#include <algorithm>
#include <new>
#include <utility>

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

Slot StagingMemory::slot(int owner, int physical_slot) const {
  return slot_at(local_owner(owner), physical_slot);
}

Slot StagingMemory::out_slot(int physical_slot) const { return slot_at(local_io_ranks_, physical_slot); }

std::byte* StagingMemory::owner_message(int channel, int owner, int number) const {
  return memory_ + layout_.message(local_owner(owner), channel, number);
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

NodeLine& StagingMemory::node_line(int channel) const {
  return *reinterpret_cast<NodeLine*>(&rank_line(channel, local_ranks_));
}

void StagingMemory::reset(const Lease& lease) const {
  for (int r = 0; r < local_ranks_; ++r) new (&rank_line(lease.channel, r)) RankLine{};
  new (&node_line(lease.channel)) NodeLine{};
  for (size_t owner = 0; owner < local_owner_.size(); ++owner) {
    if (local_owner_[owner] < 0) continue;
    for (const int slot : lease.slots) new (&slot_counter(static_cast<int>(owner), slot)) SlotCounter{};
  }
}

void StagingMemory::clear_slots(const Lease& lease) const {
  for (size_t owner = 0; owner < local_owner_.size(); ++owner) {
    if (local_owner_[owner] < 0) continue;
    for (const int number : lease.slots) {
      if (layout_.has_bitmap(0, number)) slot(static_cast<int>(owner), number).bitmap.clear();
    }
  }
  for (const int number : lease.out_slots) out_slot(number).bitmap.clear();
}

}  // namespace scorpio::exchange
