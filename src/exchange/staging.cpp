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

Staging::Staging(StagingMemory memory, comm::SharedSegment segment)
    : StagingMemory(std::move(memory)),
      segment_(std::move(segment)),
      channels_(sizes().channels),
      slots_(sizes().slots - 1),
      out_slots_(sizes().out_slots) {
  channels_.take(1);  // k_shared of each
  if (sizes().out_slots > 0) out_slots_.take(1);
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
  StagingMemory memory(sizes, static_cast<int>(local.size()), std::move(local_owner), segment.data());
  std::unique_ptr<Staging> staging(new (std::nothrow) Staging(std::move(memory), std::move(segment)));
  if (staging == nullptr) return failure(Code::memory, "no memory for the staging administration");
  if (mine >= 0) staging->accounted_ = layout.total_bytes() / static_cast<uint64_t>(local_owners);
  if (local_owners == 0 && nodes.my_local_rank == 0) staging->accounted_ = layout.total_bytes();
  staging->prefault(mine);
  return staging;
}

// A copy into pages that were never touched is several times slower; the I/O rank's own touch also places
// them on its memory node. Not the last slot, which is for files beyond the budget: few programs use it.
void Staging::prefault(int my_local_owner) {
  if (my_local_owner < 0) return;
  std::memset(segment_.data() + layout().image(my_local_owner, 0), 0,
              static_cast<size_t>(sizes().slots - 1) * sizes().region_bytes);
}

Lease Staging::lend(int files) {
  const bool several_nodes = sizes().out_slots > 0;
  const bool room =
      channels_.available() > 0 && slots_.available() >= 2 && (!several_nodes || out_slots_.available() >= 1);
  Lease lease;
  lease.shared = !room;
  if (!room) {
    lease.channel = k_shared;
    lease.slots = {sizes().slots - 1};
    lease.scattered = 1;
    if (several_nodes) lease.out_slots = {k_shared};
    return lease;
  }
  lease.channel = channels_.take(1).front();
  lease.slots = slots_.take(share_of(sizes().slots, slots_.available(), 2, files));
  lease.scattered = static_cast<int>(std::count_if(
      lease.slots.begin(), lease.slots.end(), [this](int slot) { return layout().has_bitmap(0, slot); }));
  if (several_nodes) {
    lease.out_slots = out_slots_.take(share_of(sizes().out_slots, out_slots_.available(), 1, files));
  }
  return lease;
}

void Staging::take_back(const Lease& lease) {
  if (lease.shared) return;
  channels_.give_back({lease.channel});
  slots_.give_back(lease.slots);
  out_slots_.give_back(lease.out_slots);
}

}  // namespace scorpio::exchange
