#include "session/state/file_domains.h"

#include <algorithm>
#include <utility>

#include "session/iosystem/arrangement.h"

namespace scorpio::session {

FileDomains::FileDomains(const plan::DomainRule& rule, uint64_t stripes, Options& options)
    : options_(options),
      rule_(rule),
      stripes_(stripes),
      open_(chooses_domains(options)),
      costs_(cost_model(options)),
      transfer_(transfer_of(options)) {
  const Writers chosen = writers(options, rule_.io_ranks, stripes);
  limit_writers(rule_, chosen.number);
  options_.set_in_force(Option::writers, chosen.in_force);
  if (open_) options_.set_in_force(Option::domains, "not chosen yet: no put so far divides a variable");
}

DomainChoice FileDomains::choice_for(const std::vector<CoveredSlab>& slabs, const comm::NodeMap& nodes,
                                     const std::vector<int>& io_ranks, const exchange::Lease& lease) const {
  return choose_domains(costs_, nodes, {io_ranks, lease, rule_, transfer_}, slabs);
}

bool FileDomains::any_divided(std::span<const transfer::Slab> slabs) const {
  return std::ranges::any_of(
      slabs, [this](const transfer::Slab& slab) { return rule_.divided_part(slab.whole).size() > 0; });
}

void FileDomains::fix(bool contiguous, std::string in_force) {
  rule_.contiguous = contiguous;
  rule_.balanced = false;
  open_ = false;
  options_.set_in_force(Option::domains, std::move(in_force));
}

void FileDomains::fix() {
  if (open_) fix(false, "cyclic, without a count: the file was first accessed by another call");
}

void FileDomains::fix_for_records_in_turns() { fix(false, "cyclic, the only ones of this format"); }

}  // namespace scorpio::session
