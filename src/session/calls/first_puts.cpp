#include "session/calls/first_puts.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "session/elements/call_checks.h"
#include "session/iosystem/decomposition.h"

namespace scorpio::session {

bool FirstPuts::include(const DataCall& call) const {
  return std::ranges::any_of(call.targets,
                             [this](const DataCall::Target& target) { return waits(target.index); });
}

Status FirstPuts::place(const DataCall& call) {
  const Decomposition& by = *call.decomposition;
  const bool held = by.survey().exact && !by.holes(core_.setting.comm().size()).any;
  std::vector<First> all;
  for (size_t i = 0; i < call.moves.size(); ++i) {
    const Move& move = call.moves[i];
    const auto known = std::ranges::find(all, move.variable, &First::variable);
    if (!waits(move.variable) || known != all.end()) continue;
    const bool whole = held || move.fill != nullptr;
    all.push_back({move.variable, whole && !is_of_frames(*call.targets[i].variable, by)});
  }
  return place(all);
}

Status FirstPuts::place(const std::list<Request>& requests) {
  if (!awaited()) return {};
  std::vector<int> variables;
  std::ranges::copy_if(core_.contents.layout().placements().by_library(), std::back_inserter(variables),
                       [this](int variable) { return waits(variable); });
  std::vector<uint64_t> wanted(variables.size());
  for (const Request& request : requests) {
    const auto at = std::ranges::lower_bound(variables, request.variable);
    if (!request.reading && at != variables.end() && *at == request.variable)
      wanted[static_cast<size_t>(at - variables.begin())] = 1;
  }
  SCORPIO_TRY(core_.setting.comm().all_max(wanted));
  std::vector<First> all;
  for (size_t i = 0; i < variables.size(); ++i) {
    if (wanted[i] != 0 && core_.contents.schema().variables().alive(variables[i]))
      all.push_back({variables[i]});
  }
  return place(all);
}

// All ranks place the same variables, in the same order.
Status FirstPuts::place(const std::vector<First>& all) {
  std::vector<std::vector<std::byte>> values;
  for (const First& one : all) {
    values.push_back(core_.contents.layout().placement(one.variable).fill());
    SCORPIO_TRY(core_.contents.layout().place_found(core_.contents.schema(), one.variable));
    core_.contents.schema().take_space(one.variable);
  }
  const format::ChunkLayout* const chunks = core_.contents.layout().chunks();
  if (chunks != nullptr && chunks->waits_for_arena()) SCORPIO_TRY(define_mode_.ready_for_data());
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].whole && !values[i].empty()) fills_.fill_found(all[i].variable, values[i]);
  }
  return {};
}

}  // namespace scorpio::session
