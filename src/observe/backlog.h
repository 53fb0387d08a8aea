// The data of an I/O rank that are in full slots and not written yet, over time. Local; any thread adds, and
// the thread that writes removes and samples. Takes no lock.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scorpio::observe {

class Backlog {
 public:
  struct Level {
    uint64_t slots = 0;
    uint64_t bytes = 0;        // of the units in these slots
    uint64_t image_bytes = 0;  // metadata in memory of files whose close was posted
  };
  // The largest levels in an interval.
  struct Sample {
    double seconds = 0;  // the begin of the interval, since this object was made
    Level most;
  };
  static constexpr size_t k_samples = 128;

  void add(uint64_t bytes) {
    slots_.fetch_add(1, std::memory_order_relaxed);
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void remove(uint64_t slots, uint64_t bytes) {
    slots_.fetch_sub(slots, std::memory_order_relaxed);
    bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  }
  void add_image(uint64_t bytes) { image_bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void remove_image(uint64_t bytes) { image_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }
  Level now() const {
    return {slots_.load(std::memory_order_relaxed), bytes_.load(std::memory_order_relaxed),
            image_bytes_.load(std::memory_order_relaxed)};
  }
  // Adds the present level to the samples. One thread. When they are used up, the intervals become twice as
  // long.
  void sample() { sample(std::chrono::steady_clock::now()); }
  void sample(std::chrono::steady_clock::time_point at);
  // The intervals with a level above 0. Not at the same time as sample().
  std::vector<Sample> samples() const;

 private:
  static void raise(Level& level, const Level& to);
  void halve();

  std::atomic<uint64_t> slots_ = 0, bytes_ = 0, image_bytes_ = 0;
  const std::chrono::steady_clock::time_point made_ = std::chrono::steady_clock::now();
  std::chrono::nanoseconds interval_ = std::chrono::milliseconds(10);
  std::array<Level, k_samples> most_{};
};

}  // namespace scorpio::observe
