// The part of a channel on the leader of a node, in a job of several nodes: sends the data of the node's
// ranks for I/O ranks of other nodes, and fetches the data that they read; one message for each unit and I/O
// rank, in the order in which the units were closed. Messages are made in the outgoing slots, so that several
// are under way. Independent: progresses inside library calls of the leader, one step at a time; never
// blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "base/status.h"
#include "exchange/images/bitmap.h"
#include "exchange/io_phase/file_io.h"
#include "exchange/link/link.h"
#include "plan/slot_schedule.h"

namespace scorpio::exchange {

class LeaderTransfer {
 public:
  // Of one leader, in one channel: units whose messages are under way at a time.
  static constexpr size_t k_most_under_way = 4;

  explicit LeaderTransfer(Link& link);
  LeaderTransfer(const LeaderTransfer&) = delete;
  LeaderTransfer& operator=(const LeaderTransfer&) = delete;

  // Adds a closed activation of any owner. Failures are recorded in its file_io.
  void push(Job job);
  bool progress();
  // Whether everything was sent and delivered.
  bool idle() const { return work_.empty(); }
  // The same for closes below `close`.
  bool finished_before(uint64_t close) const { return idle() || work_.front().job.close >= close; }
  // After a failure: before and after ChannelMessages::drain().
  void cancel_receives();
  void complete_sends();

 private:
  // One unit, and the messages of it that are under way.
  struct Work {
    Job job;
    std::optional<ChannelMessages::Transfer> sending;  // data, or a request
    std::optional<ChannelMessages::Transfer> reply;
    Bitmap::Outline wanted{};  // the bytes that the reply has

    bool under_way() const { return sending || reply; }
  };

  bool concerns_us(const Job& job) const;
  size_t under_way() const;
  bool is_ready(const Job& job);
  bool start();
  void send_data(Work& work);
  void request(Work& work);
  bool finish_send(Work& work);
  bool finish_reply(Work& work);
  void unpack(const Work& work, size_t length);
  bool deliver();
  bool release();

  Link& link_;
  // In this order: units that are delivered to the ranks of the node, units that were sent or requested, the
  // others.
  std::deque<Work> work_;
  size_t delivered_ = 0;  // number of the first kind
  size_t started_ = 0;    // number of the first two kinds
};

}  // namespace scorpio::exchange
