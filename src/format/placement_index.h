// The variables that have bytes in a range of a file, found without a look at the others: thousands of
// variables cost a call on one of them no more than a few. Local; pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/byte_range.h"

namespace scorpio::format {

// Ranges that may overlap, as of a variable under two names, in ascending order of their begin.
class RangesOfVariables {
 public:
  struct Entry {
    ByteRange range;
    int variable = 0;
  };

  bool empty() const { return all_.empty(); }
  // From the first byte to the last.
  ByteRange hull() const { return empty() ? ByteRange{} : ByteRange{all_.front().range.begin, ends_.back()}; }
  bool can_append(const Entry& entry) const {
    return empty() || entry.range.begin >= all_.back().range.begin;
  }
  void append(const Entry& entry) {
    ends_.push_back(empty() ? entry.range.end : std::max(ends_.back(), entry.range.end));
    all_.push_back(entry);
  }
  // Calls visit(entry) for all that overlap `range`, until it returns false; returns whether it never did.
  template <typename Visit>
  bool visit(ByteRange range, Visit&& visit) const {
    const auto behind = std::partition_point(
        all_.begin(), all_.end(), [&](const Entry& entry) { return entry.range.begin < range.end; });
    for (auto i = static_cast<size_t>(behind - all_.begin()); i > 0 && ends_[i - 1] > range.begin; --i) {
      if (all_[i - 1].range.end > range.begin && !visit(all_[i - 1])) return false;
    }
    return true;
  }

 private:
  std::vector<Entry> all_;
  std::vector<uint64_t> ends_;  // [all_] the greatest end up to here
};

class PlacementIndex {
 public:
  using Entry = RangesOfVariables::Entry;
  // Record 0 of a variable, which is repeated every `stride` bytes.
  struct Repeated {
    uint64_t stride;
    Entry entry;
  };

  PlacementIndex() = default;
  PlacementIndex(std::vector<Entry> whole, std::vector<Repeated> records);

  // Adds a variable without records, if it begins behind the others.
  bool append(const Entry& entry);
  // Calls visit(variable, bytes of the whole variable or of one record) for those that have bytes in `hull`,
  // until it returns false; returns whether it never did. Records are visited up to the end of `hull`,
  // however many the file has.
  template <typename Visit>
  bool visit(ByteRange hull, Visit&& visit) const {
    if (!whole_.visit(hull, [&](const Entry& entry) { return visit(entry.variable, entry.range); }))
      return false;
    return std::ranges::all_of(records_,
                               [&](const Records& some) { return visit_records(some, hull, visit); });
  }

 private:
  // Variables whose records begin within one stride.
  struct Records {
    uint64_t stride;
    RangesOfVariables first;  // their records 0
  };
  template <typename Visit>
  static bool visit_records(const Records& some, ByteRange hull, Visit&& visit) {
    const ByteRange first = some.first.hull();
    uint64_t shift = hull.begin < first.end ? 0 : ((hull.begin - first.end) / some.stride + 1) * some.stride;
    for (; first.begin + shift < hull.end; shift += some.stride) {
      const ByteRange shifted{hull.begin - std::min(hull.begin, shift), hull.end - shift};
      const bool more = some.first.visit(shifted, [&](const Entry& entry) {
        return visit(entry.variable, ByteRange{entry.range.begin + shift, entry.range.end + shift});
      });
      if (!more) return false;
    }
    return true;
  }

  RangesOfVariables whole_;
  std::vector<Records> records_;
};

}  // namespace scorpio::format
