#include "format/placement_index.h"

#include <tuple>

namespace scorpio::format {

PlacementIndex::PlacementIndex(std::vector<Entry> whole, std::vector<Repeated> records) {
  std::ranges::sort(whole, {}, [](const Entry& entry) { return entry.range.begin; });
  for (const Entry& entry : whole) whole_.append(entry);
  std::ranges::sort(records, {},
                    [](const Repeated& one) { return std::tuple(one.stride, one.entry.range.begin); });
  for (const Repeated& one : records) {
    const bool together = !records_.empty() && records_.back().stride == one.stride &&
                          one.entry.range.begin - records_.back().first.hull().begin <= one.stride;
    if (!together) records_.push_back({one.stride, {}});
    records_.back().first.append(one.entry);
  }
}

bool PlacementIndex::append(const Entry& entry) {
  if (!whole_.can_append(entry)) return false;
  whole_.append(entry);
  return true;
}

}  // namespace scorpio::format
