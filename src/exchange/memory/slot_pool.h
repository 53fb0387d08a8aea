// The allocation of numbers from a fixed range. Every rank makes the same calls and therefore gets the same
// numbers.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace scorpio::exchange {

class SlotPool {
 public:
  explicit SlotPool(int n) {
    for (int i = 0; i < n; ++i) free_.push_back(i);
  }

  int available() const { return static_cast<int>(free_.size()); }

  // The lowest `n` free numbers; n <= available().
  std::vector<int> take(int n) {
    std::vector<int> taken(free_.begin(), free_.begin() + n);
    free_.erase(free_.begin(), free_.begin() + n);
    return taken;
  }

  // Needs no memory.
  void give_back(std::span<const int> numbers) {
    free_.insert(free_.end(), numbers.begin(), numbers.end());
    std::sort(free_.begin(), free_.end());
  }

 private:
  std::vector<int> free_;  // ascending
};

}  // namespace scorpio::exchange
