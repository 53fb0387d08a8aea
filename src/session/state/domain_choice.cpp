#include "session/state/domain_choice.h"

#include <algorithm>

#include "exchange/rehearsal.h"

namespace scorpio::session {

namespace {

// Without opens: a file is opened once for all puts, and a put of a part of a variable by few I/O ranks would
// seem cheaper than it is.
uint64_t cost_with(CostModel model, const comm::NodeMap& nodes, const Ground& ground,
                   const std::vector<CoveredSlab>& slabs, bool contiguous) {
  model.open_ns = 0;
  plan::DomainRule rule = ground.rule;
  rule.contiguous = contiguous;
  exchange::Rehearsal rehearsal(nodes, ground.io_ranks, ground.lease);
  for (const CoveredSlab& one : slabs) {
    const transfer::SlabFlow flow({one.slab}, one.cover, rule, {});
    rehearsal.put(flow.flow(), {});
  }
  return rehearsal.finish().cost_ns(model, ground.transfer);
}

bool is_divided(const Ground& ground, const CoveredSlab& one) {
  return ground.rule.divided_part(one.slab.whole).size() > 0;
}

}  // namespace

std::string DomainChoice::text() const {
  if (several) return "cyclic: contiguous domains need an operation for each variable of a call";
  if (!counted) return "cyclic: equal parts, and no messages on a single node";
  const auto name = [](bool contiguous) { return contiguous ? "contiguous" : "cyclic"; };
  const bool taken = contiguous();
  const bool nearly = !taken && contiguous_ns < cyclic_ns;
  return fmt::format("{}, by estimated cost: {}, {}: {}{}", name(taken),
                     format_ns(taken ? contiguous_ns : cyclic_ns), name(!taken),
                     format_ns(taken ? cyclic_ns : contiguous_ns),
                     nearly ? fmt::format(", not {} % cheaper", 100 / k_margin) : "");
}

DomainChoice choose_domains(const CostModel& model, const comm::NodeMap& nodes, const Ground& ground,
                            const std::vector<CoveredSlab>& slabs) {
  DomainChoice choice;
  choice.needed = ground.rule.io_ranks > 1 &&
                  std::ranges::any_of(slabs, [&](const CoveredSlab& one) { return is_divided(ground, one); });
  choice.several = choice.needed && slabs.size() > 1;
  choice.counted = choice.needed && !choice.several &&
                   (nodes.nodes() > 1 || std::ranges::any_of(slabs, [](const CoveredSlab& one) {
                      return one.cover.touched.size() > 1;
                    }));
  if (!choice.counted) return choice;
  choice.cyclic_ns = cost_with(model, nodes, ground, slabs, false);
  choice.contiguous_ns = cost_with(model, nodes, ground, slabs, true);
  return choice;
}

std::vector<CoveredSlab> covered_slabs(const DataCall& call) {
  std::vector<CoveredSlab> slabs;
  const transfer::Cover cover = transfer::Cover::of(call.decomposition->survey());
  for (size_t i = 0; i < call.slabs.size() && !call.by_library; ++i) {
    if (call.targets[i].view == nullptr) slabs.push_back({call.slabs[i], cover});
  }
  return slabs;
}

}  // namespace scorpio::session
