// The slots of one channel of which the memory is in common with other channels. The schedule of the channel
// names slots by numbers, as always; in each use such a number is *bound* to a slot of the memory that is
// free then: one that is reserved for the file, or one in common. The first rank of the node that needs it
// chooses, and the others see its choice. The I/O rank, or its worker, gives the slot of the memory back at
// the end of the use.
//
// Ranks bind the activations of an I/O rank in the order of opening, also those to which they contribute
// nothing. If none can be bound, a slot that is reserved for the file is held by an activation that is
// closed, because the open ones and those of a batch are fewer; it becomes free when all ranks have come to
// the same call. Any thread.
#pragma once

#include <cstdint>

#include "exchange/memory/staging_memory.h"
#include "plan/slot_schedule.h"

namespace scorpio::exchange {

// What a rank must know of an activation to bind its slot.
struct Opened {
  Opened() = default;
  explicit Opened(const plan::SlotUse& activation);
  int owner = 0;
  int slot = 0;
  uint64_t use = 0;
  uint64_t opening = 0;
  uint64_t tag = 0;
};

// A hash of 16 bits, not 0, of an activation and of the calls up to the one that opens it
// (CallOrder::hash).
uint64_t tag_of(const plan::SlotUse& activation, uint64_t calls);

class CommonSlots {
 public:
  // `memory` outlives this object. Without common slots in the lease only in_use() is called.
  CommonSlots(const StagingMemory& memory, const Lease& lease) : memory_(&memory), lease_(lease) {}

  bool in_use() const { return lease_.common > 0; }
  SlotCounter& counter(int owner, int slot) const { return binding(owner, slot).counter; }
  // The slot of the memory; the use has not ended.
  int place(int owner, int slot) const;
  // Whether the slot is bound for this activation, and not for another one.
  bool is_bound(const Opened& opened) const;

  // The number of activations of the I/O rank that are bound.
  uint64_t bound(int owner) const { return memory_->bound(lease_.channel, owner).load(); }
  // Whether so many activations of the I/O rank are bound. False: the ranks of this channel are woken when
  // further ones are.
  bool all_bound(int owner, uint64_t activations) const;
  // Binds the next activation. False: the use before is not over, or no slot is free; the ranks of this
  // channel are woken when one is given back. `wake`: channels whose ranks are to be woken.
  bool bind(const Opened& next, uint64_t& wake) const;
  // The use is over: returns the slot of the memory, or -1 if it has none.
  int unbind(int owner, int slot) const;
  // Whether ranks of any channel wait for a slot of the I/O rank.
  bool wanted(int owner) const;
  // Returns the channels whose ranks wait for a slot, as bits.
  uint64_t give_back(int owner, int physical) const;

 private:
  SlotBinding& binding(int owner, int slot) const { return memory_->binding(lease_.channel, owner, slot); }
  bool take(int owner, int physical) const;
  int take_any(int owner) const;
  int take_or_want(int owner) const;
  uint64_t own_bit() const { return uint64_t{1} << lease_.channel; }

  const StagingMemory* memory_;
  Lease lease_;
};

}  // namespace scorpio::exchange
