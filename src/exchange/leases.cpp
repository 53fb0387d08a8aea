#include "exchange/leases.h"

#include <algorithm>

namespace scorpio::exchange {

namespace {

// The channel and the outgoing slot that are reserved, with the last slot, for files opened when the others
// are in use; these files share them.
constexpr int k_shared = 0;

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
      out_slots_(sizes.out_slots) {
  channels_.take(1);  // k_shared in each pool
  if (several_nodes()) out_slots_.take(1);
}

bool Leases::has_room() const {
  return channels_.available() > 0 && slots_.available() >= 2 &&
         (!several_nodes() || out_slots_.available() >= 1);
}

Lease Leases::lend(int files, bool background) {
  Lease lease;
  lease.shared = !has_room();
  if (lease.shared) {
    lease.channel = k_shared;
    lease.slots = {sizes_.slots - 1};
    lease.scattered = 1;
    if (several_nodes()) lease.out_slots = {k_shared};
    return lease;
  }
  lease.channel = channels_.take(1).front();
  lease.slots = slots_.take(sizes_.reserved > 0 ? sizes_.reserved
                                                : share_of(sizes_.slots, slots_.available(), 2, files));
  if (background) lease.common = sizes_.common();
  // Messages between nodes are of whole units.
  if (background && !several_nodes()) lease.packed_bytes = sizes_.unit_bytes;
  lease.scattered = static_cast<int>(
      std::ranges::count_if(lease.slots, [this](int slot) { return sizes_.has_bitmap(slot); }));
  if (several_nodes()) {
    lease.out_slots = out_slots_.take(share_of(sizes_.out_slots, out_slots_.available(), 1, files));
  }
  return lease;
}

void Leases::take_back(const Lease& lease) {
  if (lease.shared) return;
  channels_.give_back({lease.channel});
  slots_.give_back(lease.slots);
  out_slots_.give_back(lease.out_slots);
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
  }
  limits.out_slots = static_cast<int>(lease.out_slots.size());
  limits.nodes = nodes.nodes();
  limits.my_node = nodes.my_node;
  for (const int rank : io_ranks) limits.node_of_owner.push_back(nodes.node_of(rank));
  return limits;
}

}  // namespace scorpio::exchange
