// comm::Shared in tests that draw the interleaving of the ranks (interleaving.h).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "exchange/interleaving.h"

namespace scorpio::comm {

template <typename T>
class Shared {
 public:
  Shared() = default;
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  T load(std::memory_order order = std::memory_order_seq_cst) const {
    test::shared_access();
    uint64_t late = 0;
    return test::find_late(&word_, late) ? static_cast<T>(late) : word_.load(order);
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) {
    test::shared_access();
    if (order != std::memory_order_seq_cst && test::store_late(&word_, value, sizeof value)) return;
    test::store_all();
    word_.store(value, order);
  }
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst) {
    return before_change().exchange(value, order);
  }
  T fetch_add(T value, std::memory_order order = std::memory_order_seq_cst) {
    return before_change().fetch_add(value, order);
  }
  T fetch_sub(T value, std::memory_order order = std::memory_order_seq_cst) {
    return before_change().fetch_sub(value, order);
  }
  T fetch_or(T value, std::memory_order order = std::memory_order_seq_cst) {
    return before_change().fetch_or(value, order);
  }
  T fetch_and(T value, std::memory_order order = std::memory_order_seq_cst) {
    return before_change().fetch_and(value, order);
  }
  bool compare_exchange_strong(T& expected, T value, std::memory_order order = std::memory_order_seq_cst) {
    return before_change().compare_exchange_strong(expected, value, order);
  }
  std::atomic<T>& raw() { return word_; }

 private:
  std::atomic<T>& before_change() {
    test::shared_access();
    test::store_all();
    return word_;
  }
  std::atomic<T> word_{};
};

static_assert(sizeof(Shared<uint64_t>) == sizeof(uint64_t) && sizeof(Shared<uint32_t>) == sizeof(uint32_t));

// A sleep has no time limit, so that a missing wake-up is found. A rank that waits for messages, which wake
// no rank, sets a short limit.
inline void futex_wait(Shared<uint32_t>& word, uint32_t seen, std::chrono::microseconds limit) {
  if (limit < std::chrono::milliseconds(1)) return test::step_aside();
  test::sleep_on(word.raw(), seen);
}
inline void futex_wake_all(Shared<uint32_t>& word) { test::wake_sleepers(word.raw()); }

}  // namespace scorpio::comm
