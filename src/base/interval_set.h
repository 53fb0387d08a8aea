// A set of addresses, kept as disjoint ranges of bytes. Local; one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "base/byte_range.h"

namespace scorpio {

class IntervalSet {
 public:
  // Empty ranges are ignored.
  void add(ByteRange range);
  void erase(ByteRange range);
  void clear() { ranges_.clear(); }

  bool empty() const { return ranges_.empty(); }
  bool covers(ByteRange range) const;
  // The end of the range that contains `address`, if there is one.
  std::optional<uint64_t> end_of_range_at(uint64_t address) const;

  const std::map<uint64_t, uint64_t>& ranges() const { return ranges_; }  // begin -> end

 private:
  std::map<uint64_t, uint64_t> ranges_;
};

}  // namespace scorpio
