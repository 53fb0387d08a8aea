// The I/O rank's side of a channel: what has been closed and is to be written or given out, in order of
// closing. Waits until all has arrived in the slot, and hands it to the I/O phase.
// Independent: works on inside library calls of its rank, one step at a time; never blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "base/status.h"
#include "exchange/full_slot.h"
#include "exchange/link.h"
#include "exchange/outlet.h"
#include "plan/slot_schedule.h"
#include "storage/sink.h"

namespace scorpio::exchange {

class Arrivals {
 public:
  // The I/O phase outlives this.
  Arrivals(Link& link, IoPhase& io);
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // A closed activation of this I/O rank. Failures are noted in its outlet.
  void push(Job job);
  // Closes below `close` must be retired: their slots are needed, or it is a flush. Where writes are gathered
  // nothing is written before.
  void demand_before(uint64_t close) { demanded_ = std::max(demanded_, close); }
  // One step: a message, a slot handed on. False when nothing could be done now.
  bool progress();
  // Forgets those that the I/O phase is done with. False: there were none.
  bool settle();
  bool idle() const { return jobs_.empty(); }
  // The I/O phase has all that was closed, or is done with it.
  bool all_handed_on() const { return handed_on_ == jobs_.size(); }
  // Closes below `close` are all retired.
  bool finished_before(uint64_t close) const { return jobs_.empty() || jobs_.front().close >= close; }

  // Has the file's bytes `range` put into the slot of the job, a read; its slot must be free. A failure is
  // noted in its outlet: the readers get zeros and the status comes with the next agreement.
  void fill(const Job& job, ByteRange range, storage::Source& source);
  bool slot_free(const plan::Activation& activation) const;

  // After a failure: before and behind Link::drain().
  void cancel_receives() { link_.cancel_receive(transfer_); }
  void complete_sends() { link_.complete_send(transfer_); }
  bool waits_for_messages() const { return !jobs_.empty() && link_.several_nodes(); }

 private:
  bool advance_messages(const Job& job);
  bool receive_data(const Job& job, int node);
  bool answer_request(const Job& job, int node);
  Status unpack(const Job& job, std::span<const std::byte> message);
  bool prepare();
  size_t batch() const;
  void hand_on(Job& job);

  Link& link_;
  IoPhase& io_;
  std::deque<Job> jobs_;   // at the front those that were handed on, then those whose bytes have arrived
  size_t handed_on_ = 0;   // to the I/O phase, or at their end
  size_t prepared_ = 0;    // whose bytes are all in their slots; the former included
  uint64_t demanded_ = 0;  // close
  // Message under way for the first job that is not prepared.
  size_t next_node_ = 0;
  std::optional<Link::Transfer> transfer_;
};

}  // namespace scorpio::exchange
