// The counters through which the ranks of a node keep step in one channel, and those of staging slots. Each
// is written by one rank only and only grows; they live in the node's segment.
//
// Release stores and acquire loads order the data. Where somebody may sleep, loads and stores are
// sequentially consistent: a rank stores that it sleeps, and looks once more at what it waits for; another
// one stores what it has done, and looks who sleeps. One of the two sees the other. (The thread sanitizer
// knows such operations, and knows no fences.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "comm/shared_word.h"

namespace scorpio::exchange {

using comm::Shared;

inline constexpr size_t k_line_bytes = 64;

// Written by the rank itself.
struct alignas(k_line_bytes) RankLine {
  Shared<uint64_t> done;          // closes to which this rank has contributed all it had
  Shared<uint64_t> wanted;        // reads for which it has marked what it wants from another node
  Shared<uint64_t> awaiting;      // value of everybody's `done` (or `wanted`) that it sleeps for; 0: none
  Shared<uint64_t> calls;         // data calls it has entered
  Shared<uint64_t> last_call;     // number of the last of them, and a hash of all
  Shared<uint64_t> flushes;       // flushes it has entered, behind these calls
  Shared<uint64_t> skips;         // hash of the numbers of those it could not take part in
  Shared<uint64_t> skips_before;  // the same without the last one
  Shared<uint32_t> bell;          // futex: others add one to wake it
  Shared<uint32_t> sleeping;
  Shared<uint64_t> watched;        // counter of a slot that it sleeps for (Link::watch); 0: anything
  Shared<uint64_t> watched_value;  // ... until it has this value
};

// Of one slot of an I/O rank, which alone writes it: where the slot is in its uses, which count from 0. Of
// one use that is over before the next begins.
struct SlotCounter {
  Shared<uint64_t> value;

  // From these values on ...
  static uint64_t free_for(uint64_t use) { return 2 * use; }       // the slot may be used for this use
  static uint64_t filled_in(uint64_t use) { return 2 * use + 1; }  // it holds the file's bytes, of a read
  static uint64_t end_of(uint64_t use) { return 2 * use + 2; }     // the use is over
  bool reached(uint64_t wanted) const { return value.load() >= wanted; }
};

// Written by the node's leader, or where it is said so by any rank.
struct alignas(k_line_bytes) NodeLine {
  Shared<uint64_t> released;   // closes whose outgoing slots are free again
  Shared<uint64_t> delivered;  // closes of reads whose bytes have come from their I/O rank
  Shared<uint32_t> failed;     // any rank: one cannot take part any more, and nobody waits in this channel
  Shared<uint32_t> skipping;   // any rank: so many wait for all to enter a call that they skip
};

}  // namespace scorpio::exchange
