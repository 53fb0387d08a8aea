// The counters through which the ranks of a node keep step in one channel, and those of staging slots. Each
// is written by one rank only and only grows, so that plain release stores and acquire loads are enough; they
// live in the node's segment.
#pragma once

#include <atomic>
#include <cstdint>

namespace scorpio::exchange {

inline constexpr size_t k_line_bytes = 64;

// Written by the rank itself.
struct alignas(k_line_bytes) RankLine {
  std::atomic<uint64_t> done;       // closes to which this rank has contributed all it had
  std::atomic<uint64_t> wanted;     // reads for which it has marked what it wants from another node
  std::atomic<uint64_t> awaiting;   // value of everybody's `done` (or `wanted`) that it sleeps for; 0: none
  std::atomic<uint64_t> calls;      // data calls it has entered
  std::atomic<uint64_t> last_call;  // number of the last of them, and a hash of all
  std::atomic<uint64_t> flushes;    // flushes it has entered, behind these calls
  std::atomic<uint64_t> skips;      // hash of the numbers of those it could not take part in
  std::atomic<uint64_t> skips_before;  // the same without the last one
  std::atomic<uint32_t> bell;          // futex: others add one to wake it
  std::atomic<uint32_t> sleeping;
  std::atomic<uint64_t> watched;        // counter of a slot that it sleeps for (Link::watch); 0: anything
  std::atomic<uint64_t> watched_value;  // ... until it has this value
};

// Of one slot of an I/O rank, which alone writes it: where the slot is in its uses, which count from 0. Of
// one use that is over before the next begins.
struct SlotCounter {
  std::atomic<uint64_t> value;

  // From these values on ...
  static uint64_t free_for(uint64_t use) { return 2 * use; }       // the slot may be used for this use
  static uint64_t filled_in(uint64_t use) { return 2 * use + 1; }  // it holds the file's bytes, of a read
  static uint64_t end_of(uint64_t use) { return 2 * use + 2; }     // the use is over
  bool reached(uint64_t wanted) const { return value.load(std::memory_order_acquire) >= wanted; }
};

// Written by the node's leader.
struct alignas(k_line_bytes) NodeLine {
  std::atomic<uint64_t> released;   // closes whose outgoing slots are free again
  std::atomic<uint64_t> delivered;  // closes of reads whose bytes have come from their I/O rank
  std::atomic<uint32_t> failed;  // a rank cannot take part any more: nobody waits in this channel (any rank)
};

}  // namespace scorpio::exchange
