// The part of a channel on an I/O rank: the closed units that are to be written or distributed, in the order
// in which they were closed. When all bytes of a unit have arrived in its slot, the slot is passed to the I/O
// phase. Independent: progresses inside library calls of its rank, one step at a time; if its slots are
// written in the background, the worker progresses it too, but for messages. Never blocks. Any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "base/mutex.h"
#include "base/status.h"
#include "exchange/io_phase/file_io.h"
#include "exchange/io_phase/full_slot.h"
#include "exchange/link/link.h"
#include "plan/slot_schedule.h"
#include "storage/sink.h"

namespace scorpio::exchange {

class Arrivals final : public SlotsToCome {
 public:
  // The I/O phase outlives this.
  Arrivals(Link& link, IoPhase& io);
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // Adds a closed activation of this I/O rank. Failures are recorded in its file_io.
  void push(Job job);
  // Activations with a close number below `close` must be retired, because their slots are needed or because
  // of a flush. With gather_writes nothing is written before this call.
  void demand_before(uint64_t close) {
    const MutexLock lock(mutex_);
    demanded_ = std::max(demanded_, close);
  }
  // One step: a message is received, or a slot is passed to the I/O phase. False if nothing could be done
  // now.
  bool progress();
  // Removes the activations that the I/O phase has finished. False if there were none.
  bool retire();
  bool idle() const {
    const MutexLock lock(mutex_);
    return jobs_.empty();
  }
  // Whether the I/O phase has received everything that was closed.
  bool all_handed_on() const {
    const MutexLock lock(mutex_);
    return handed_on_ == jobs_.size();
  }
  // Whether the I/O phase has received all activations below `close`.
  bool handed_on_before(uint64_t close) const {
    const MutexLock lock(mutex_);
    return handed_on_ == jobs_.size() || jobs_[handed_on_].close >= close;
  }
  // Whether all activations below `close` are retired.
  bool finished_before(uint64_t close) const {
    const MutexLock lock(mutex_);
    return jobs_.empty() || jobs_.front().close >= close;
  }
  // Called by the worker while the rank is outside of library calls: passes full slots to the I/O phase and
  // has the worker woken when there are more. Those of which other nodes have parts come after the messages,
  // which are received inside calls.
  void look() noexcept override;
  // If units of this file have not been passed on, look() does nothing from now on: the file is closed, and
  // the channel with it.
  void part_with(const FileIo& file_io);

  // Asks the I/O phase to read these ranges of the file into the slot of the job, which must be free. A
  // failure is recorded in its file_io: the ranks get zeros, and the next agreement returns the status.
  void fill(const Job& job, std::vector<ByteRange> ranges, storage::Source& source);
  bool slot_free(const plan::Activation& activation) const;

  // After a failure: before and after ChannelMessages::drain().
  void cancel_receives() {
    const MutexLock lock(mutex_);
    for (Exchange& exchange : exchanges_) link_.messages().cancel_receive(exchange.transfer);
  }
  void complete_sends() {
    const MutexLock lock(mutex_);
    for (Exchange& exchange : exchanges_) link_.messages().complete_send(exchange.transfer);
  }
  bool waits_for_messages() const { return link_.several_nodes() && !idle(); }

 private:
  // The caller: a rank is woken for `done` as any rank is, its worker by a bell of its own.
  enum class Who { rank, worker };

  // What another node sends for a unit: data, or a request, which is answered from the same buffer. The only
  // run of bytes of a unit is received in the slot, without a buffer.
  struct Exchange {
    const Job* job = nullptr;
    int leader = 0;
    bool in_slot = false;
    std::span<std::byte> buffer{};
    std::optional<ChannelMessages::Transfer> transfer{};

    bool receives() const { return transfer && transfer->receiving; }
  };

  bool expect_messages(Who who) REQUIRES(mutex_);
  bool expect(const Job& job, int node) REQUIRES(mutex_);
  std::span<std::byte> place_of_run(const Job& job) const;
  bool advance_messages() REQUIRES(mutex_);
  bool may_take_in(const Exchange& exchange);
  bool take_in(Exchange& exchange);
  bool is_over(Exchange& exchange);
  bool awaits_messages(const Job& job) const REQUIRES(mutex_);
  Status unpack(const Job& job, std::span<const std::byte> message);
  Result<std::span<const std::byte>> reply_to(const Job& job, std::span<std::byte> buffer, size_t length);
  void await(uint64_t closes, Who who);
  bool prepare(Who who) REQUIRES(mutex_);
  size_t batch() const REQUIRES(mutex_);
  bool step(Who who) REQUIRES(mutex_);
  void hand_on(Job& job);

  Link& link_;
  IoPhase& io_;
  mutable Mutex mutex_;
  // In this order: jobs that were passed on, jobs whose bytes have arrived, the others.
  std::deque<Job> jobs_ GUARDED_BY(mutex_);
  size_t handed_on_ GUARDED_BY(mutex_) = 0;  // number passed to the I/O phase, or completed
  size_t prepared_ GUARDED_BY(mutex_) = 0;  // number whose bytes are all in their slots, including the former
  uint64_t demanded_ GUARDED_BY(mutex_) = 0;  // units with a lower close number are demanded
  bool looks_ GUARDED_BY(mutex_) = true;
  // The messages that are expected, in the order of the jobs and their nodes, so that messages of one leader
  // are received in the order in which they are sent: those that are not received in slots have a buffer, in
  // turn; all receives are started.
  std::deque<Exchange> exchanges_ GUARDED_BY(mutex_);
  size_t buffered_ GUARDED_BY(mutex_) = 0;   // number of them that have a buffer
  size_t expected_ GUARDED_BY(mutex_) = 0;   // number of jobs of which all messages are expected, or were
  size_t next_node_ GUARDED_BY(mutex_) = 0;  // of the job after them
  size_t next_buffer_ GUARDED_BY(mutex_) = 0;
};

}  // namespace scorpio::exchange
