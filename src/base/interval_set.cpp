#include "base/interval_set.h"

#include <algorithm>
#include <iterator>

namespace scorpio {

void IntervalSet::add(ByteRange range) {
  const uint64_t begin = range.begin;
  uint64_t end = range.end;
  if (begin >= end) return;
  auto next = ranges_.upper_bound(begin);
  const bool extends = next != ranges_.begin() && std::prev(next)->second >= begin;
  const auto at = extends ? std::prev(next) : ranges_.emplace_hint(next, begin, end);
  end = std::max(end, at->second);
  while (next != ranges_.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = ranges_.erase(next);
  }
  at->second = end;
}

void IntervalSet::erase(ByteRange range) {
  const auto [begin, end] = range;
  if (begin >= end) return;
  auto it = ranges_.upper_bound(begin);
  if (it != ranges_.begin() && std::prev(it)->second > begin) --it;
  while (it != ranges_.end() && it->first < end) {
    const auto [old_begin, old_end] = *it;
    it = ranges_.erase(it);
    if (old_begin < begin) ranges_.emplace_hint(it, old_begin, begin);
    if (old_end > end) ranges_.emplace_hint(it, end, old_end);
  }
}

std::optional<uint64_t> IntervalSet::end_of_range_at(uint64_t address) const {
  auto it = ranges_.upper_bound(address);
  if (it == ranges_.begin() || std::prev(it)->second <= address) return std::nullopt;
  return std::prev(it)->second;
}

bool IntervalSet::covers(ByteRange range) const {
  const auto last = end_of_range_at(range.begin);
  return last.has_value() && *last >= range.end;
}

}  // namespace scorpio
