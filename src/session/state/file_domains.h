// The file domains of an open file: which I/O ranks have units of it, and for how long the library may still
// choose the kind of domains. The same on all ranks, because the parameters are. Local; one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/cost_model.h"
#include "base/options.h"
#include "comm/node_map.h"
#include "exchange/between_nodes/transfer_group.h"
#include "plan/domains.h"
#include "session/state/domain_choice.h"

namespace scorpio::session {

class FileDomains {
 public:
  // `rule`: that of the I/O system for the blocks of the file. `stripes`: of the file; 0: not known. Puts the
  // values of options writers and domains in force in `options`, which outlives this object.
  FileDomains(const plan::DomainRule& rule, uint64_t stripes, Options& options);

  const plan::DomainRule& rule() const { return rule_; }
  uint64_t stripes() const { return stripes_; }

  // What a put of these slabs would choose: planned with both kinds of domains, by the cost model and the
  // option transfer of the file. `lease`: of its channel.
  DomainChoice choice_for(const std::vector<CoveredSlab>& slabs, const comm::NodeMap& nodes,
                          const std::vector<int>& io_ranks, const exchange::Lease& lease) const;
  // Whether the library chooses the domains (option domains), and no unit whose owner depends on them has one
  // yet.
  bool are_open() const { return open_; }
  // Whether they are open, and a put of these slabs may need the choice.
  bool chooses_for(std::span<const transfer::Slab> slabs) const {
    return open_ && rule_.io_ranks > 1 && any_divided(slabs);
  }
  // From now on; `in_force`: the value in force of option domains.
  void fix(bool contiguous, std::string in_force);
  // If they are open: a call gives owners to units, and is none that is counted.
  void fix();
  // Variables have no ranges of bytes that could be divided into contiguous domains.
  void fix_for_records_in_turns();
  // Each range of this many bytes has one owner from now on, as that of plan::undivided().
  void keep_whole(uint64_t bytes) { rule_ = plan::undivided(rule_, bytes); }

 private:
  bool any_divided(std::span<const transfer::Slab> slabs) const;

  Options& options_;
  plan::DomainRule rule_;
  uint64_t stripes_;
  bool open_;
  const CostModel costs_;
  const exchange::Transfer transfer_;
};

}  // namespace scorpio::session
