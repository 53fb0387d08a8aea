#include "observe/backlog.h"

#include <algorithm>

namespace scorpio::observe {

void Backlog::raise(Level& level, const Level& to) {
  level.slots = std::max(level.slots, to.slots);
  level.bytes = std::max(level.bytes, to.bytes);
  level.image_bytes = std::max(level.image_bytes, to.image_bytes);
}

void Backlog::halve() {
  for (size_t i = 0; i < k_samples / 2; ++i) {
    Level pair = most_[2 * i];
    raise(pair, most_[2 * i + 1]);
    most_[i] = pair;
  }
  std::fill(most_.begin() + k_samples / 2, most_.end(), Level());
  interval_ *= 2;
}

void Backlog::sample(std::chrono::steady_clock::time_point at) {
  const auto interval = [&] { return static_cast<size_t>(std::max<int64_t>(0, (at - made_) / interval_)); };
  while (interval() >= k_samples) halve();
  raise(most_[interval()], now());
}

std::vector<Backlog::Sample> Backlog::samples() const {
  std::vector<Sample> samples;
  for (size_t i = 0; i < k_samples; ++i) {
    if (most_[i].slots == 0 && most_[i].image_bytes == 0) continue;
    samples.push_back({std::chrono::duration<double>(interval_).count() * static_cast<double>(i), most_[i]});
  }
  return samples;
}

}  // namespace scorpio::observe
