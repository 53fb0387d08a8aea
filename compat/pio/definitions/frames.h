// The frames of the variables of a file: the records, or the indices along first dimensions, that setframe
// has set. Local; one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace scorpio_pio {

class Frames {
 public:
  static constexpr int k_none = -1;

  int of(int varid) const {
    const auto n = static_cast<size_t>(varid);
    return n < frames_.size() ? frames_[n] : k_none;
  }
  // Of a variable that exists. A negative frame removes the setting.
  void set(int varid, int frame) {
    const auto n = static_cast<size_t>(varid);
    if (n >= frames_.size()) frames_.resize(n + 1, k_none);
    frames_[n] = std::max(frame, k_none);
  }

 private:
  std::vector<int> frames_;  // [id of the variable]
};

}  // namespace scorpio_pio
