#include "session/data_call.h"

#include <algorithm>

namespace scorpio::session {

Status check_distinct(const DataCall& call) {
  std::vector<size_t> order;
  for (size_t i = 0; i < call.slabs.size(); ++i) {
    if (call.slabs[i].whole.begin < call.slabs[i].whole.end && !call.by_library) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return call.slabs[a].begin < call.slabs[b].begin; });
  const auto twice = std::adjacent_find(order.begin(), order.end(), [&](size_t a, size_t b) {
    return call.slabs[a].begin == call.slabs[b].begin;
  });
  if (twice == order.end()) return {};
  return failure(Code::argument,
                 "variable {} is named twice in one call with the same record; put or get it by two calls",
                 call.targets[*twice].variable->path);
}

}  // namespace scorpio::session
