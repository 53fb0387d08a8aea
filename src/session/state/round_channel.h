// What the placement rounds of a file (chunk_rounds.h) need of its channel. The thread of the calls, except
// where stated.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "exchange/progress/placement_rounds.h"
#include "observe/counters.h"
#include "plan/slot_schedule.h"

namespace scorpio::session {

class RoundChannel {
 public:
  using Slots = std::vector<plan::SlotSchedule::ClosedSlot>;

  // ---- the units of all I/O ranks: the same numbers on all ranks ----
  // The number of units that were closed so far.
  virtual uint64_t closes() const = 0;
  // As that of plan::SlotSchedule.
  virtual uint64_t reused() const = 0;
  // Units that are closed from now on belong to this round.
  virtual void set_round(uint64_t round) = 0;

  // ---- the slots of this I/O rank ----
  // Those whose units are closed and were not used again.
  virtual Slots delivered_here() const = 0;
  // Whether these slots are written, or used again. Any thread.
  virtual bool written(const Slots& slots) const = 0;

  // ---- failures. Any thread ----
  // The channel: it may never be written.
  virtual bool failed() const = 0;
  // A write to the file, on this rank.
  virtual bool ever_failed() const = 0;
  // What another thread than that of the calls has done, and counted meanwhile.
  virtual void note(const Status& done, const observe::Counters& counted) = 0;

  // ---- the other I/O ranks ----
  virtual bool several_nodes() const = 0;
  // What they tell each other. Any thread.
  virtual exchange::PlacementRounds& others() const = 0;
  // A wait for them that lasts longer ends the job; 0: there is no limit.
  virtual std::chrono::seconds longest_wait() const = 0;

 protected:
  ~RoundChannel() = default;
};

}  // namespace scorpio::session
