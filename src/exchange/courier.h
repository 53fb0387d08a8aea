// The leader's side of a channel on a job of several nodes: carries what its node's ranks placed for I/O
// ranks elsewhere, and fetches what they want to read, one message per unit and I/O rank, in order of
// closing. Independent: works on inside library calls of the leader, one step at a time; never blocks.
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

  // A closed activation, wherever its owner is. Failures are noted in its outlet.
  void push(Job job);
  bool progress();
  // Everything was sent and delivered.
  bool idle() const { return jobs_.empty() && unreleased_.empty() && !transfer_; }
  // The same of closes below `close`.
  bool finished_before(uint64_t close) const;
  // After a failure: before and behind Link::drain().
  void cancel_receives() { link_.cancel_receive(transfer_); }
  void complete_sends() { link_.complete_send(transfer_); }

 private:
  bool concerns_us(const Job& job) const;
  bool advance(const Job& job);
  bool send_data(const Job& job);
  bool fetch(const Job& job);
  void unpack_reply(const Job& job, int length);
  bool finish_sending();
  bool release();

  enum class Stage { none, requested, receiving };

  Link& link_;
  std::deque<Job> jobs_;                    // to be carried
  std::deque<Job> unreleased_;              // carried, outgoing slot still in use (reads)
  std::optional<Link::Transfer> transfer_;  // on the leader's message buffer
  uint64_t transfer_close_ = 0;             // what it carries, ...
  Outlet* transfer_outlet_ = nullptr;       // ... and for which file
  Stage stage_ = Stage::none;
};

}  // namespace scorpio::exchange
