// The parts of the staging memory that files have: which channel and which slots the next file gets. Local
// and pure: every rank makes the same calls in the same order and gets the same leases, without messages.
#pragma once

#include <vector>

#include "comm/node_map.h"
#include "exchange/memory/slot_pool.h"
#include "exchange/memory/staging_layout.h"
#include "exchange/memory/staging_memory.h"
#include "plan/slot_schedule.h"

namespace scorpio::exchange {

class Leases {
 public:
  explicit Leases(const StagingSizes& sizes);

  // Whether the next lease has slots of its own.
  bool has_room() const;
  // `files`: the number of files that get an equal share of the slots each; 0: each file gets half of the
  // remaining slots. `background`: its slots are written while no call is made, so that it may use slots in
  // common with other files.
  Lease lend(int files, bool background);
  // Also of a part of a lease. Needs no memory.
  void take_back(const Lease& lease);

 private:
  void lend(Lease& lease, int files, bool background);
  bool several_nodes() const { return sizes_.out_slots > 0; }
  std::vector<int> take(SlotPool& pool, int all, int least, int files);

  StagingSizes sizes_;
  SlotPool channels_, slots_, out_slots_, receives_;
};

// The limits of the slot schedule of a channel with this lease.
plan::SlotLimits slot_limits(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                             const Lease& lease);

}  // namespace scorpio::exchange
