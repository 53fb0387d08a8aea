// The choice of file domains by estimated cost (option domains = auto): the put is planned with alternating
// and with contiguous domains, and the cheaper one is taken. Pure: the same on all ranks, because they plan
// the same put, and costs are integers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/cost_model.h"
#include "base/options.h"
#include "comm/node_map.h"
#include "exchange/between_nodes/transfer_group.h"
#include "exchange/memory/staging_memory.h"
#include "plan/domains.h"
#include "session/state/data_call.h"
#include "transfer/slab_flow.h"

namespace scorpio::session {

// The I/O ranks, the staging memory and the domains of a file.
struct Ground {
  std::vector<int> io_ranks;
  exchange::Lease lease;
  plan::DomainRule rule;
  exchange::Transfer transfer = exchange::Transfer::messages;
  uint64_t node_memory = 0;  // staging memory of the node with the most; not needed for the choice
};

struct DomainChoice {
  // Whether the put needs the choice: if not, both kinds of domains give each of its units the same owner.
  bool needed = false;
  // Whether several variables are put in the call: one operation with cyclic domains, and one for each
  // variable with contiguous ones, which is slower whatever the messages.
  bool several = false;
  // Whether the costs were counted. They were not if there is one node, on which no message is sent, and the
  // ranks hold one range, of which alternating domains always give the I/O ranks equal parts.
  bool counted = false;
  uint64_t cyclic_ns = 0, contiguous_ns = 0;

  // Only if they are cheaper by this part of the cost. Requests need no flush before them with alternating
  // domains, which is not counted.
  static constexpr uint64_t k_margin = 100;  // 1 %
  bool contiguous() const { return contiguous_ns < cyclic_ns - cyclic_ns / k_margin; }
  // The value in force of option domains: "contiguous, by estimated cost: 1.2 ms, cyclic: 3.4 ms".
  std::string text() const;
};

// A variable, or a part of it, that is put, and the elements that ranks hold.
struct CoveredSlab {
  transfer::Slab slab;
  transfer::Cover cover;
};

DomainChoice choose_domains(const CostModel& model, const comm::NodeMap& nodes, const Ground& ground,
                            const std::vector<CoveredSlab>& slabs);
// Those of a data call that are not stored in chunks, whose domains are not chosen.
std::vector<CoveredSlab> covered_slabs(const DataCall& call);

}  // namespace scorpio::session
