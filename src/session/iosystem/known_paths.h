// Hashes of the paths of the files that were opened for writing, which are kept as long as the I/O system: 8
// bytes each, as a long run writes many files. Local; one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace scorpio::session {

class KnownPaths {
 public:
  void add(uint64_t hash) {
    const auto place = std::ranges::lower_bound(hashes_, hash);
    if (place == hashes_.end() || *place != hash) hashes_.insert(place, hash);
  }
  bool contains(uint64_t hash) const { return std::ranges::binary_search(hashes_, hash); }

 private:
  std::vector<uint64_t> hashes_;  // in ascending order
};

}  // namespace scorpio::session
