// The rate at which a worker writes one file: how much at a time, and when the next part is due. One thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace scorpio::exchange {

// The options of a file that determine when a worker writes it.
struct WritePolicy {
  static constexpr uint64_t k_unlimited = std::numeric_limits<int64_t>::max();

  int priority = 0;
  uint64_t bytes_per_s = k_unlimited;

  bool limited() const { return bytes_per_s != k_unlimited; }
};

class Pace {
 public:
  using Clock = std::chrono::steady_clock;
  // A file that was not written for some time, because the worker wrote other files, makes up for this time.
  // A part is what may be written in this time.
  static constexpr std::chrono::milliseconds k_part_time{100};

  void set(const WritePolicy& policy) { policy_ = policy; }
  const WritePolicy& policy() const { return policy_; }

  // The next part may be written from this time on.
  Clock::time_point due() const { return due_; }
  // Whether a part that has so many bytes takes another slot.
  bool takes_more(uint64_t bytes) const {
    if (!policy_.limited()) return true;
    return static_cast<double>(bytes) <
           std::chrono::duration<double>(k_part_time).count() * static_cast<double>(policy_.bytes_per_s);
  }
  // A part was written, which began at this time.
  void wrote(uint64_t bytes, Clock::time_point began) {
    if (!policy_.limited()) return;
    const double seconds =
        std::min(k_longest_s, static_cast<double>(bytes) / static_cast<double>(policy_.bytes_per_s));
    due_ = std::max(due_, began - k_part_time) +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

 private:
  static constexpr double k_longest_s = 1e6;  // no overflow of the clock

  WritePolicy policy_;
  Clock::time_point due_{};
};

}  // namespace scorpio::exchange
