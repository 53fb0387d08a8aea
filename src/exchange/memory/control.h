// The counters through which the ranks of a node synchronise in one channel, and those of staging slots.
// Unless stated otherwise, each is written by one rank only and only grows. They are in the node's shared
// memory segment.
//
// Release stores and acquire loads order the data. If a rank may sleep, loads and stores are sequentially
// consistent: a rank stores that it sleeps and then loads the counter for which it waits; another rank stores
// the counter and then loads the flags of sleeping ranks. At least one of them sees the store of the other.
// (The thread sanitizer supports such operations, but no fences.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "comm/shared_word.h"

namespace scorpio::exchange {

using comm::Shared;

inline constexpr size_t k_line_bytes = 64;

// Written by the rank itself; to wake it, other ranks increase `bell` and clear `sleeping` or
// `worker_awaiting`.
struct alignas(k_line_bytes) RankLine {
  Shared<uint64_t> done;       // closes to which this rank has contributed all its data
  Shared<uint64_t> wanted;     // reads for which it has marked the bytes that it requests from another node
  Shared<uint64_t> awaiting;   // minimum of all ranks' `done` (or `wanted`) for which it waits; 0: none
  Shared<uint64_t> calls;      // data calls it has entered
  Shared<uint64_t> last_call;  // number of the last of them, and a hash of all of them
  Shared<uint64_t> flushes;    // flushes it has entered, after these calls
  Shared<uint64_t> skips;      // hash of the numbers of the calls that it left out
  Shared<uint64_t> skips_before;  // the same without the last one
  Shared<uint32_t> bell;          // futex: others add one to wake it
  Shared<uint32_t> sleeping;
  Shared<uint64_t> watched;        // the slot counter for which it sleeps (Link::watch); 0: any change
  Shared<uint64_t> watched_value;  // ... and the value for which it waits
  // On an I/O rank with a worker: the minimum of all ranks' `done` at which the worker is woken; 0: none.
  Shared<uint64_t> worker_awaiting;
  // On an I/O rank, written by its worker: the last posted sync or close (1, 2, ...) whose data it has
  // written (Announcements::tell_complete).
  Shared<uint32_t> complete;
  // The same before it: the last posted close whose chunks are encoded (Announcements::tell_stored), and the
  // end of what it uses of the arena.
  Shared<uint32_t> stored;
  Shared<uint64_t> stored_end;
  // Bytes of encoded chunks that have no address, in the words of an even and of an odd number: those of each
  // placement round, with its number (Announcements::tell_round), and of the posted close, which follows the
  // last round, plus one (0: it has stored no chunks).
  Shared<uint64_t> unplaced[2];
};
static_assert(sizeof(RankLine) == 2 * k_line_bytes);

// The progress of one slot, written by its I/O rank alone. The uses of a slot are numbered from 0; one ends
// before the next begins.
struct SlotCounter {
  Shared<uint64_t> value;

  // The values from which on a condition holds.
  static uint64_t free_for(uint64_t use) { return 2 * use; }  // the slot may be used for this use
  static uint64_t filled_in(uint64_t use) {
    return 2 * use + 1;
  }  // for a read: the slot holds the bytes of the file
  static uint64_t end_of(uint64_t use) { return 2 * use + 2; }  // the use is over
  bool reached(uint64_t wanted) const { return value.load() >= wanted; }
};

// A slot of a channel that uses slots in common with other channels (common_slots.h): its number means
// another slot of the memory in each use.
struct SlotBinding {
  SlotCounter counter;
  // Written by any rank that needs the slot, and by the I/O rank or its worker at the end of a use: the
  // number of uses that have begun, a hash of the last activation, and the slot of the memory plus one; 0:
  // none.
  Shared<uint64_t> place;
};

// The slots of an I/O rank that channels have in common.
struct alignas(k_line_bytes) CommonLine {
  // Written by any rank, which sets the bit of its channel: its ranks wait for a slot. Whoever gives one back
  // clears them.
  Shared<uint64_t> wanting;
};

// The worker of an I/O rank sleeps on this bell, for all channels. Any rank writes it.
struct WorkerBell {
  Shared<uint32_t> rung;  // futex: increased by the rank that wakes the worker
  Shared<uint32_t> sleeping;
};
static_assert(sizeof(WorkerBell) <= sizeof(SlotCounter));

// Written by the node's leader or, where stated, by any rank.
struct alignas(k_line_bytes) NodeLine {
  Shared<uint64_t> released;   // number of closes whose outgoing slots are free again
  Shared<uint64_t> delivered;  // number of closes of reads whose bytes have arrived from their I/O rank
  Shared<uint32_t> failed;  // written by any rank: a rank cannot continue, and no rank waits in this channel
  Shared<uint32_t> skipping;  // written by any rank: number of ranks that wait until all have entered a call
                              // that they skip
  Shared<uint32_t> incomplete;  // written by any I/O rank; 1: one of them cannot say that its data are kept
  // Written by any rank: number of ranks that wait until slots of this channel are written in the background.
  Shared<uint32_t> pressing;
};

}  // namespace scorpio::exchange
