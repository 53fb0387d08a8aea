// The I/O rank's side of a channel: what has been closed and is to be written or given out, in order of
// closing. Independent: works on inside library calls of its rank, one step at a time; never blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "exchange/link.h"
#include "exchange/outlet.h"
#include "plan/slot_schedule.h"
#include "storage/sink.h"

namespace scorpio::exchange {

class OwnerQueue {
 public:
  explicit OwnerQueue(Link& link);
  OwnerQueue(const OwnerQueue&) = delete;
  OwnerQueue& operator=(const OwnerQueue&) = delete;

  // A closed activation of this I/O rank. Failures are noted in its outlet.
  void push(Job job);
  // Closes below `close` must be retired: their slots are needed, or it is a flush. Where writes are gathered
  // nothing is written before.
  void demand_before(uint64_t close) { demanded_ = std::max(demanded_, close); }
  // One step: a write, a retirement, a message. False when nothing could be done now.
  bool progress();
  bool idle() const { return jobs_.empty(); }
  // Closes below `close` are all retired.
  bool finished_before(uint64_t close) const { return jobs_.empty() || jobs_.front().close >= close; }

  // Puts the file's bytes `range` of the region of `activation` into its slot, for a read; its slot must be
  // free. A failure is noted in its outlet: the readers get zeros and the status comes with the next
  // agreement.
  void fill(const Job& job, plan::ByteRange range, storage::Source& source);
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
  void write(size_t jobs);
  void add_ranges(const Job& job);
  void add_range(const Job& job, plan::ByteRange range);
  void sort_writes();
  void join_writes();
  void retire();

  Link& link_;
  std::deque<Job> jobs_;
  size_t prepared_ = 0;    // jobs at the front whose bytes are all in their slots
  uint64_t demanded_ = 0;  // close
  struct Write {
    plan::ByteRange range;
    const std::byte* bytes;
    Outlet* outlet;
  };
  std::vector<Write> writes_;  // of the batch, neighbours joined
  // Message under way for the first job that is not prepared.
  size_t next_node_ = 0;
  std::optional<Link::Transfer> transfer_;
};

}  // namespace scorpio::exchange
