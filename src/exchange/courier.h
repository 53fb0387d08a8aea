// The part of a channel on the leader of a node, in a job of several nodes: sends the data of the node's
// ranks for I/O ranks of other nodes, and fetches the data that they read; one message for each unit and I/O
// rank, in the order in which the units were closed. Independent: progresses inside library calls of the
// leader, one step at a time; never blocks.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

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
  bool idle() const { return jobs_.empty() && unreleased_.empty() && sends_.empty() && !fetching_; }
  // The same for closes below `close`.
  bool finished_before(uint64_t close) const;
  // After a failure: before and after Link::drain().
  void cancel_receives() { link_.cancel_receive(fetching_); }
  void complete_sends();

 private:
  bool concerns_us(const Job& job) const;
  bool advance(const Job& job);
  bool send_data(const Job& job);
  bool fetch(const Job& job);
  bool request(const Job& job);
  std::span<std::byte> room_for_reply(const Job& job) const;
  void unpack_reply(const Job& job, size_t length) const;
  bool finish_sends();
  bool release();
  bool in_use(const Job& job) const;
  bool buffer_in_use() const;

  // A message of which the receiver has not taken all yet.
  struct Send {
    std::optional<Link::Transfer> transfer;
    uint64_t close = 0;
    Outlet* outlet = nullptr;
    bool from_slot = false;  // or from the leader's message buffer
  };

  Link& link_;
  std::deque<Job> jobs_;        // not sent or fetched yet
  std::deque<Job> unreleased_;  // done, but the outgoing slot is still in use
  std::deque<Send> sends_;
  bool requested_ = false;                  // the data of the first job are requested
  std::optional<Link::Transfer> fetching_;  // the reply
};

}  // namespace scorpio::exchange
