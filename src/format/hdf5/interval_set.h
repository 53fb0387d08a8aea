// A set of file addresses, kept as disjoint ranges. Local; one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace scorpio::format::hdf5 {

class IntervalSet {
 public:
  // Ranges are [begin, end); empty ones are ignored.
  void add(uint64_t begin, uint64_t end);
  void erase(uint64_t begin, uint64_t end);
  void clear() { ranges_.clear(); }

  bool empty() const { return ranges_.empty(); }
  bool covers(uint64_t begin, uint64_t end) const;
  // End of the range that holds `address`, if one does.
  std::optional<uint64_t> end_of_range_at(uint64_t address) const;

  const std::map<uint64_t, uint64_t>& ranges() const { return ranges_; }  // begin -> end

 private:
  std::map<uint64_t, uint64_t> ranges_;
};

}  // namespace scorpio::format::hdf5
