#include "exchange/staging.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace scorpio::exchange {

namespace {

// Channel and outgoing slot kept back for files that find the pool empty: they share it, and the last slot.
constexpr int k_shared = 0;

// By default half of what is left, so that a file that is alone is fast and a few more still find room.
int share_of(int all, int available, int least, int files) {
  if (files == 0) return std::max(least, available / 2);
  return std::clamp((all - 1) / files, least, available);
}

}  // namespace

Staging::Staging(const StagingSizes& sizes, const StagingLayout& layout, comm::SharedSegment segment)
    : sizes_(sizes),
      layout_(layout),
      segment_(std::move(segment)),
      channels_(sizes.channels),
      slots_(sizes.slots - 1),
      out_slots_(sizes.out_slots) {
  channels_.take(1);  // k_shared of each
  if (sizes.out_slots > 0) out_slots_.take(1);
}

Result<std::unique_ptr<Staging>> Staging::create(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                                                 const StagingSizes& sizes) {
  const std::vector<int>& local = nodes.local_ranks();
  std::vector<int> local_owner;
  int local_owners = 0, mine = -1;
  for (const int rank : io_ranks) {
    const bool here = nodes.node_of_rank[static_cast<size_t>(rank)] == nodes.my_node;
    if (here && rank == local[static_cast<size_t>(nodes.my_local_rank)]) mine = local_owners;
    local_owner.push_back(here ? local_owners++ : -1);
  }
  const StagingLayout layout(sizes, static_cast<int>(local.size()), local_owners);
  SCORPIO_ASSIGN(comm::SharedSegment segment, comm::SharedSegment::create(nodes.node, layout.total_bytes()));
  std::unique_ptr<Staging> staging(new (std::nothrow) Staging(sizes, layout, std::move(segment)));
  if (staging == nullptr) return failure(Code::memory, "no memory for the staging administration");
  staging->local_owner_ = std::move(local_owner);
  staging->local_ranks_ = static_cast<int>(local.size());
  staging->local_owners_ = local_owners;
  if (mine >= 0) staging->accounted_ = layout.total_bytes() / static_cast<uint64_t>(local_owners);
  if (local_owners == 0 && nodes.my_local_rank == 0) staging->accounted_ = layout.total_bytes();
  staging->prefault(mine);
  return staging;
}

// A copy into pages that were never touched is several times slower; the I/O rank's own touch also places
// them on its memory node. Not the last slot, which is for files beyond the budget: few programs use it.
void Staging::prefault(int my_local_owner) {
  if (my_local_owner < 0) return;
  std::memset(segment_.data() + layout_.image(my_local_owner, 0), 0,
              static_cast<size_t>(sizes_.slots - 1) * sizes_.region_bytes);
}

Lease Staging::lend(int files) {
  const bool several_nodes = sizes_.out_slots > 0;
  const bool room =
      channels_.available() > 0 && slots_.available() >= 2 && (!several_nodes || out_slots_.available() >= 1);
  Lease lease;
  lease.shared = !room;
  if (!room) {
    lease.channel = k_shared;
    lease.slots = {sizes_.slots - 1};
    lease.scattered = 1;
    if (several_nodes) lease.out_slots = {k_shared};
    return lease;
  }
  lease.channel = channels_.take(1).front();
  lease.slots = slots_.take(share_of(sizes_.slots, slots_.available(), 2, files));
  lease.scattered = static_cast<int>(std::count_if(lease.slots.begin(), lease.slots.end(),
                                                   [this](int slot) { return layout_.has_bitmap(0, slot); }));
  if (several_nodes) {
    lease.out_slots = out_slots_.take(share_of(sizes_.out_slots, out_slots_.available(), 1, files));
  }
  return lease;
}

void Staging::take_back(const Lease& lease) {
  if (lease.shared) return;
  channels_.give_back({lease.channel});
  slots_.give_back(lease.slots);
  out_slots_.give_back(lease.out_slots);
}

Slot Staging::slot_at(int local_owner, int slot) const {
  std::byte* words =
      layout_.has_bitmap(local_owner, slot) ? segment_.data() + layout_.bitmap(local_owner, slot) : nullptr;
  return {segment_.data() + layout_.image(local_owner, slot), Bitmap(words, sizes_.region_bytes)};
}

Slot Staging::slot(int owner, int physical_slot) const { return slot_at(local_owner(owner), physical_slot); }

Slot Staging::out_slot(int physical_slot) const { return slot_at(local_owners_, physical_slot); }

std::byte* Staging::owner_message(int channel, int owner) const {
  return segment_.data() + layout_.message(local_owner(owner), channel);
}

std::byte* Staging::leader_message(int channel) const {
  return segment_.data() + layout_.message(local_owners_, channel);
}

RankLine& Staging::rank_line(int channel, int local_rank) const {
  auto* lines = reinterpret_cast<RankLine*>(segment_.data() + layout_.control(channel));
  return lines[local_rank];
}

SlotCounter& Staging::slot_counter(int owner, int physical_slot) const {
  auto* counters =
      reinterpret_cast<SlotCounter*>(segment_.data() + layout_.slot_counters(local_owner(owner)));
  return counters[physical_slot];
}

NodeLine& Staging::node_line(int channel) const {
  return *reinterpret_cast<NodeLine*>(&rank_line(channel, local_ranks_));
}

void Staging::reset(const Lease& lease) const {
  for (int r = 0; r < local_ranks_; ++r) new (&rank_line(lease.channel, r)) RankLine{};
  new (&node_line(lease.channel)) NodeLine{};
  for (size_t owner = 0; owner < local_owner_.size(); ++owner) {
    if (local_owner_[owner] < 0) continue;
    for (const int slot : lease.slots) new (&slot_counter(static_cast<int>(owner), slot)) SlotCounter{};
  }
}

void Staging::clear_slots(const Lease& lease) const {
  for (size_t owner = 0; owner < local_owner_.size(); ++owner) {
    if (local_owner_[owner] < 0) continue;
    for (const int number : lease.slots) {
      if (layout_.has_bitmap(0, number)) slot(static_cast<int>(owner), number).bitmap.clear();
    }
  }
  for (const int number : lease.out_slots) out_slot(number).bitmap.clear();
}

}  // namespace scorpio::exchange
