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
#include "exchange/region_io.h"
#include "plan/slot_schedule.h"

namespace scorpio::exchange {

class OwnerQueue {
 public:
  OwnerQueue(Link& link, RegionWriter& writer);
  OwnerQueue(const OwnerQueue&) = delete;
  OwnerQueue& operator=(const OwnerQueue&) = delete;

  // A closed activation of this I/O rank.
  void push(const plan::Activation& activation);
  // Closes of this I/O rank below `owner_close` must be retired: their slots are needed, or it is a flush.
  // Where writes are gathered nothing is written before.
  void demand(uint64_t owner_close) { demanded_ = std::max(demanded_, owner_close); }
  // The same for all closes below `close`.
  void demand_before(uint64_t close);
  // One step: a write, a retirement, a message. False when nothing could be done now.
  bool progress();
  bool idle() const { return jobs_.empty(); }
  // Closes below `close` are all retired.
  bool finished_before(uint64_t close) const { return jobs_.empty() || jobs_.front().close >= close; }

  // Puts the file's bytes `range` of the region of `activation` into its slot, for a read; its slot must be
  // free. A failure is kept: the readers get zeros and the status comes with the next agreement.
  void fill(const plan::Activation& activation, plan::ByteRange range, RegionReader& reader);
  bool slot_free(const plan::Activation& activation) const;

  // First failure since the last take_status(); clears it.
  Status take_status();
  // After a failure: before and behind Link::drain().
  void cancel_receives() { link_.cancel_receive(transfer_); }
  void complete_sends() { link_.complete_send(transfer_); }
  bool waits_for_messages() const { return !jobs_.empty() && link_.several_nodes(); }

 private:
  bool advance_messages(const plan::Activation& job);
  bool receive_data(const plan::Activation& job, int node);
  bool answer_request(const plan::Activation& job, int node);
  Status unpack(const plan::Activation& job, std::span<const std::byte> message);
  bool prepare();
  size_t batch() const;
  void write(size_t jobs);
  void add_ranges(const plan::Activation& job);
  void add_range(const plan::Activation& job, plan::ByteRange range);
  void retire();

  Link& link_;
  RegionWriter& writer_;
  std::deque<plan::Activation> jobs_;
  size_t prepared_ = 0;    // jobs at the front whose bytes are all in their slots
  uint64_t demanded_ = 0;  // owner_close
  struct Write {
    plan::ByteRange range;
    const std::byte* bytes;
  };
  std::vector<Write> writes_;  // of the batch, neighbours joined
  Status status_;
  uint64_t reads_retired_ = 0;  // the front read job has its bytes once `filled` is larger
  // Message under way for the first job that is not prepared.
  size_t next_node_ = 0;
  std::optional<Link::Transfer> transfer_;
};

}  // namespace scorpio::exchange
