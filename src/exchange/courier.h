// The part of a channel on the leader of a node, in a job of several nodes: sends the data of the node's
// ranks for I/O ranks of other nodes, and fetches the data that they read; one message for each unit and I/O
// rank, in the order in which the units were closed. Independent: progresses inside library calls of the
// leader, one step at a time; never blocks.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "base/status.h"
#include "exchange/link.h"
#include "exchange/outlet.h"
#include "plan/slot_schedule.h"

namespace scorpio::exchange {

class Courier {
 public:
  explicit Courier(Link& link);
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;

  // Adds a closed activation of any owner. Failures are recorded in its outlet.
  void push(Job job);
  bool progress();
  // Whether everything was sent and delivered.
  bool idle() const { return jobs_.empty() && unreleased_.empty() && !transfer_; }
  // The same for closes below `close`.
  bool finished_before(uint64_t close) const;
  // After a failure: before and after Link::drain().
  void cancel_receives() { link_.cancel_receive(transfer_); }
  void complete_sends() { link_.complete_send(transfer_); }

 private:
  bool concerns_us(const Job& job) const;
  bool advance(const Job& job);
  bool send_data(const Job& job);
  bool fetch(const Job& job);
  void unpack_reply(const Job& job, size_t length);
  bool finish_sending();
  bool release();

  enum class Stage { none, requested, receiving };

  Link& link_;
  std::deque<Job> jobs_;                    // not sent or fetched yet
  std::deque<Job> unreleased_;              // done, but the outgoing slot is still in use (reads)
  std::optional<Link::Transfer> transfer_;  // uses the leader's message buffer
  uint64_t transfer_close_ = 0;             // the close that the transfer belongs to
  Outlet* transfer_outlet_ = nullptr;       // ... and the outlet of its file
  Stage stage_ = Stage::none;
};

}  // namespace scorpio::exchange
