// What one rank did: plain counters, by field and by name. Local; a field may be counted from several threads
// with add() and raise(), and read when they rest.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"

namespace scorpio::observe {

// X(name, unit); docs/counters.md says what each means.
#define SCORPIO_COUNTERS(X)      \
  X(opens, "calls")              \
  X(closes, "calls")             \
  X(reads, "calls")              \
  X(writes, "calls")             \
  X(bytes_read, "bytes")         \
  X(bytes_written, "bytes")      \
  X(bytes_placed, "bytes")       \
  X(bytes_fetched, "bytes")      \
  X(metadata_writes, "calls")    \
  X(metadata_bytes, "bytes")     \
  X(syncs, "calls")              \
  X(aligned_writes, "calls")     \
  X(unaligned_writes, "calls")   \
  X(messages, "messages")        \
  X(message_bytes, "bytes")      \
  X(agreements, "calls")         \
  X(operations, "calls")         \
  X(rounds, "rounds")            \
  X(waits, "waits")              \
  X(staging_bytes, "bytes")      \
  X(staging_peak_bytes, "bytes") \
  X(stale_found, "files")        \
  X(missing_bytes, "bytes")      \
  X(retries, "calls")            \
  X(fallback_reads, "calls")     \
  X(relocated, "variables")      \
  X(time_init_ns, "ns")          \
  X(time_open_ns, "ns")          \
  X(time_exchange_ns, "ns")      \
  X(time_io_ns, "ns")            \
  X(time_wait_ns, "ns")          \
  X(time_close_ns, "ns")         \
  X(time_metadata_ns, "ns")

struct Counters {
#define SCORPIO_COUNTER_FIELD(name, unit) uint64_t name = 0;
  SCORPIO_COUNTERS(SCORPIO_COUNTER_FIELD)
#undef SCORPIO_COUNTER_FIELD
};

// Names of all counters in the order of the fields, NULL-terminated; static.
const char* const* counter_names();
// Units in the same order, NULL-terminated; static.
const char* const* counter_units();

// All of them in that order.
#define SCORPIO_COUNTER_ONE(name, unit) +1
inline constexpr size_t k_counters = 0 SCORPIO_COUNTERS(SCORPIO_COUNTER_ONE);
#undef SCORPIO_COUNTER_ONE
std::array<uint64_t, k_counters> values_of(const Counters& counters);
Counters counters_of(std::span<const uint64_t, k_counters> values);
// total += now - before, each.
void add_gain(Counters& total, const Counters& now, const Counters& before);

// Code::name when there is no such counter.
Result<uint64_t*> find_counter(Counters& counters, std::string_view name);

// Safe against add() and raise() of the same field in other threads.
inline void add(uint64_t& field, uint64_t amount) {
  std::atomic_ref<uint64_t>(field).fetch_add(amount, std::memory_order_relaxed);
}

// Makes `field` at least `value`.
inline void raise(uint64_t& field, uint64_t value) {
  std::atomic_ref<uint64_t> shared(field);
  uint64_t seen = shared.load(std::memory_order_relaxed);
  while (seen < value && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

// Adds the nanoseconds from its construction to its destruction to a counter.
class Timer {
 public:
  explicit Timer(uint64_t& field) : field_(field), start_(Clock::now()) {}
  ~Timer() {
    const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_);
    add(field_, static_cast<uint64_t>(passed.count()));
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  uint64_t& field_;
  Clock::time_point start_;
};

}  // namespace scorpio::observe
