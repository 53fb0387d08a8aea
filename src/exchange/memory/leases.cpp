#include "exchange/memory/leases.h"

#include <algorithm>
#include <span>

namespace scorpio::exchange {

namespace {

// The channel, the outgoing slot and the message buffer that are reserved, with the last slot, for files
// opened when the others are in use; these files share them.
constexpr int k_shared = 0;
constexpr int k_least_slots = 2;  // of a file that has slots of its own

// The default is half of the remaining ones: a single file is fast, and a few more files still get slots.
int share_of(int all, int available, int least, int files) {
  if (files == 0) return std::max(least, available / 2);
  return std::clamp((all - 1) / files, least, available);
}

}  // namespace

Leases::Leases(const StagingSizes& sizes)
    : sizes_(sizes),
      channels_(sizes.channels),
      slots_(sizes.reserved > 0 ? sizes.files * sizes.reserved : sizes.slots - 1),
      out_slots_(sizes.out_slots),
      receives_(sizes.receives) {
  channels_.take(1);  // k_shared in each pool
  if (!several_nodes()) return;
  out_slots_.take(1);
  receives_.take(1);
}

bool Leases::has_room() const {
  return channels_.available() > 0 && slots_.available() >= k_least_slots &&
         (!several_nodes() || (out_slots_.available() >= 1 && receives_.available() >= 1));
}

// A share of the numbers; all of them for the last file that can have its own.
std::vector<int> Leases::take(SlotPool& pool, int all, int least, int files) {
  const int available = pool.available();
  return pool.take(channels_.available() == 0 ? available : share_of(all, available, least, files));
}

Lease Leases::lend(int files, bool background) {
  Lease lease;
  try {
    lend(lease, files, background);
  } catch (...) {
    take_back(lease);
    throw;
  }
  return lease;
}

void Leases::lend(Lease& lease, int files, bool background) {
  lease.shared = !has_room();
  if (lease.shared) {
    lease.channel = k_shared;
    lease.slots = {sizes_.slots - 1};
    lease.scattered = 1;
    if (several_nodes()) lease.out_slots = lease.receives = {k_shared};
    return;
  }
  lease.channel = channels_.take(1).front();
  lease.slots =
      sizes_.reserved > 0 ? slots_.take(sizes_.reserved) : take(slots_, sizes_.slots, k_least_slots, files);
  if (background) lease.common = sizes_.common();
  // Messages between nodes are of whole units.
  if (background && !several_nodes()) lease.packed_bytes = sizes_.unit_bytes;
  lease.scattered = static_cast<int>(
      std::ranges::count_if(lease.slots, [this](int slot) { return sizes_.has_bitmap(slot); }));
  if (several_nodes()) {
    const int sharing = sizes_.reserved > 0 ? sizes_.files : files;
    lease.out_slots = take(out_slots_, sizes_.out_slots, 1, sharing);
    lease.receives = take(receives_, sizes_.receives, 1, sharing);
  }
}

void Leases::take_back(const Lease& lease) {
  if (lease.shared) return;
  if (lease.channel != k_shared) channels_.give_back(std::span(&lease.channel, 1));
  slots_.give_back(lease.slots);
  out_slots_.give_back(lease.out_slots);
  receives_.give_back(lease.receives);
}

plan::SlotLimits slot_limits(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                             const Lease& lease) {
  plan::SlotLimits limits;
  limits.io_ranks = static_cast<int>(io_ranks.size());
  limits.slots = static_cast<int>(lease.most_slots());
  limits.scattered = lease.scattered;
  limits.packed_bytes = lease.packed_bytes;
  if (lease.common > 0) {
    limits.scattered = limits.slots;
    limits.most_open = static_cast<int>(lease.slots.size()) / 2;
    if (nodes.nodes() > 1) limits.reserved = static_cast<int>(lease.slots.size());
  }
  limits.out_slots = static_cast<int>(lease.out_slots.size());
  limits.nodes = nodes.nodes();
  limits.my_node = nodes.my_node;
  for (const int rank : io_ranks) limits.node_of_owner.push_back(nodes.node_of(rank));
  return limits;
}

}  // namespace scorpio::exchange
