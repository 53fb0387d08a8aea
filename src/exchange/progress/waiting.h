// How a rank waits in a channel: it does the work for which other ranks may wait, and sleeps if there is
// none. Independent; one thread.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "base/status.h"
#include "comm/deadline.h"
#include "exchange/between_nodes/collective_transfer.h"
#include "exchange/between_nodes/leader_transfer.h"
#include "exchange/between_nodes/round_sizes.h"
#include "exchange/io_phase/full_slot.h"
#include "exchange/link/link.h"
#include "exchange/progress/arrivals.h"
#include "exchange/progress/slot_binder.h"
#include "plan/slot_schedule.h"

namespace scorpio::exchange {

class Waiting {
 public:
  // All of them outlive this object.
  Waiting(Link& link, IoPhase& io, Arrivals& arrivals, LeaderTransfer& leader_transfer, SlotBinder& binder,
          RoundSizes& rounds)
      : link_(link),
        io_(io),
        arrivals_(arrivals),
        leader_transfer_(leader_transfer),
        binder_(binder),
        rounds_(rounds) {}
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  // From now on data cross between nodes by the collective operations of `together`, which outlives this
  // object.
  void cross_by(CollectiveTransfer& together) { together_ = &together; }

  // Waits until the condition holds. Fails if the channel has failed, or if ranks of the node make different
  // calls.
  template <typename Condition>
  Status until(Condition&& condition);
  // The same for a condition that depends on messages about placement rounds.
  template <typename Condition>
  Status until_rounds(Condition&& condition);
  // Waits until the counter of a slot of an I/O rank of this node has reached `value`.
  Status until_reached(int owner, int slot, uint64_t value);
  // Waits until this rank may write to the slot. A rank that contributes no elements need not wait. An I/O
  // rank and a leader always wait for their own slots, so that no rank depends on them after they have
  // returned.
  Status until_free(const plan::SlotUse& activation, bool contributing);
  // Whether until_free() would return at once. What is free stays so until this rank has published the unit.
  bool is_free(const plan::SlotUse& activation, bool contributing);
  // On several nodes, before the call returns: a leader sends, and an I/O rank receives, the units whose
  // slots were assigned again (SlotSchedule::reused), because another rank may wait for these slots.
  Status until_due_units_are_done(const plan::SlotSchedule& schedule);
  // One step of what this rank has for other ranks and for the I/O phase. False if nothing could be done.
  // Does not wait; also used between data calls.
  bool pass_on();
  // One step of what crosses between nodes, for a thread that works between calls: it reads nothing from
  // files. False if nothing could be done.
  bool pass_between_nodes();
  // One step of the work for which other ranks may wait. Between nodes a rank that has everything it needs
  // makes one with each unit, so that messages are in transit while it copies.
  // False if nothing could be done.
  bool progress();
  // Only with ChannelContext::background: passes on the slots that are full. Does not wait.
  void hand_on();
  // For calls that an agreement follows, in which MPI would wait actively: ranks without work sleep until the
  // I/O ranks of their node have finished. On a single node ranks sleep in the agreement itself.
  Status until_owners_are_done(const plan::SlotSchedule& schedule);

  // While the object exists, a rank that waits also makes steps of the call that it is in. `step`: false if
  // nothing could be done now; null: the call has no such work.
  class Ahead {
   public:
    Ahead(Waiting& waiting, const std::function<bool()>* step) : waiting_(waiting) { waiting_.ahead_ = step; }
    ~Ahead() { waiting_.ahead_ = nullptr; }
    Ahead(const Ahead&) = delete;
    Ahead& operator=(const Ahead&) = delete;

   private:
    Waiting& waiting_;
  };

 private:
  bool cross();
  bool crosses() const { return together_ != nullptr && !together_->idle(); }
  // When this rank has waited long enough, it asks the other nodes whether they are in other calls.
  using Time = std::chrono::steady_clock::time_point;
  void ask_when_due(std::optional<Time>& asks_at) const;

  Link& link_;
  IoPhase& io_;
  Arrivals& arrivals_;
  LeaderTransfer& leader_transfer_;
  SlotBinder& binder_;
  RoundSizes& rounds_;
  CollectiveTransfer* together_ = nullptr;
  Status why_;              // data cannot cross between nodes any more
  bool in_rounds_ = false;  // in until_rounds()
  const std::function<bool()>* ahead_ = nullptr;
  uint64_t idle_looks_ = 0;  // steps that found nothing to do
};

// The status of a rank that waits in a channel that has failed.
Status gave_up();

template <typename Condition>
Status Waiting::until_rounds(Condition&& condition) {
  (void)rounds_.progress();
  in_rounds_ = true;
  const Status status = until(condition);
  in_rounds_ = false;
  return status;
}

template <typename Condition>
Status Waiting::until(Condition&& condition) {
  std::optional<Time> asks_at;
  const comm::Deadline deadline(link_.context().longest_wait);
  while (!condition()) {
    if (link_.failed()) return first_failure(why_, gave_up());
    if (progress()) continue;
    const bool messages = in_rounds_ || crosses() ||
                          (link_.several_nodes() && (link_.is_leader() || arrivals_.waits_for_messages()));
    link_.sleep([&] { return condition() || link_.failed() || progress(); }, messages);
    if (condition()) break;
    SCORPIO_TRY(link_.check_calls());
    deadline.check();
    if (messages) ask_when_due(asks_at);
  }
  return {};
}

}  // namespace scorpio::exchange
