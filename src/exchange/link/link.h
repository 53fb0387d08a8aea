// One rank's view of a channel: its staging memory, the counters of its node, waking and sleeping. Its parts
// are the order of calls, what I/O ranks announce, and the messages between nodes. Shared by the parts of a
// channel. One thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/guarded.h"
#include "exchange/io_phase/full_slot.h"
#include "exchange/link/announcements.h"
#include "exchange/link/call_order.h"
#include "exchange/link/channel_context.h"
#include "exchange/link/channel_messages.h"
#include "exchange/link/node_lines.h"
#include "exchange/link/watched_channel.h"
#include "exchange/memory/common_slots.h"
#include "observe/counters.h"

namespace scorpio::exchange {

class Link final : public SlotUser, public WatchedChannel {
 public:
  Link(const ChannelContext& context, const Lease& lease);
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  const ChannelContext& context() const { return context_; }
  const Lease& lease() const { return lease_; }
  observe::Counters& counters() const { return *context_.counters; }
  CallOrder& calls() { return calls_; }
  const CallOrder& calls() const override { return calls_; }
  Announcements& announcements() { return announcements_; }
  const Announcements& announcements() const { return announcements_; }
  ChannelMessages& messages() { return messages_; }
  uint64_t bitmap_bytes() const { return context_.staging->sizes().bitmap_bytes; }

  int my_owner() const { return my_owner_; }
  bool is_leader() const { return context_.nodes->my_local_rank == 0; }
  int my_node() const { return context_.nodes->my_node; }
  bool several_nodes() const { return context_.nodes->nodes() > 1; }
  bool owner_is_here(int owner) const { return context_.staging->local_owner(owner) >= 0; }
  int rank_of_owner(int owner) const { return (*context_.io_ranks)[static_cast<size_t>(owner)]; }

  // With slots in common, a slot that is bound.
  Slot slot(int owner, int slot) const { return context_.staging->slot(owner, physical_slot(owner, slot)); }
  std::byte* image(int owner, int slot) const {
    return context_.staging->image(owner, physical_slot(owner, slot));
  }
  // Whether the slot of this activation is that of the unit; without slots in common it always is.
  bool is_bound(const plan::SlotUse& activation) const {
    return !common_.in_use() || common_.is_bound(Opened(activation));
  }
  Slot out_slot(int slot) const {
    return context_.staging->out_slot(lease_.out_slots[static_cast<size_t>(slot)]);
  }

  // Where a request is made for bytes of an outgoing slot.
  std::byte* request_of(int out_slot) const {
    return this->out_slot(out_slot).bytes + context_.staging->sizes().unit_bytes;
  }

  // The number of messages that this I/O rank receives at a time, and the buffers for them.
  size_t receives() const { return lease_.receives.size(); }
  std::span<std::byte> owner_message(size_t number) const {
    return {context_.staging->owner_message(my_owner_, lease_.receives[number]), message_bytes()};
  }
  size_t message_bytes() const { return context_.staging->message_bytes(); }

  // `owner` is an I/O rank of this node.
  SlotCounter& slot_counter(int owner, int slot) const {
    if (common_.in_use()) return common_.counter(owner, slot);
    return context_.staging->slot_counter(owner, lease_.slots[static_cast<size_t>(slot)]);
  }
  NodeLine& node_line() const { return lines_.node(); }
  uint64_t my_done() const { return lines_.mine().done.load(std::memory_order_relaxed); }

  // This rank has contributed to all closes below `closes`, or has marked its requests for them.
  void publish_done(uint64_t closes);
  void publish_wanted(uint64_t closes);
  // Whether all ranks of the node have done so.
  bool all_done(uint64_t closes);
  bool all_wanted(uint64_t closes);
  // Wakes the ranks of the node that sleep in this channel, or in those of these bits.
  void ring_all() const { lines_.ring_all(); }
  void ring_channels(uint64_t channels) const;
  const CommonSlots& common() const { return common_; }

  // This rank is about to wait for this counter of an I/O rank of the node, and need not be woken before it
  // has this value.
  void watch(int owner, int slot, uint64_t value);
  void unwatch() { lines_.mine().watched.store(0, std::memory_order_relaxed); }
  // The counter of this I/O rank's slot reaches `value`: wakes the ranks that wait for it, or for any change.
  void advance(int slot, uint64_t value) override;
  // Wakes the worker of this I/O rank.
  void ring_own_worker() const;
  // While it lives, this rank waits until slots of the channel are written: the workers write them before
  // those of other channels.
  class Pressing {
   public:
    explicit Pressing(Link& link) : line_(link.context_.background ? &link.node_line() : nullptr) {
      if (line_ != nullptr) line_->pressing.fetch_add(1);
    }
    ~Pressing() {
      if (line_ != nullptr) line_->pressing.fetch_sub(1);
    }
    Pressing(const Pressing&) = delete;
    Pressing& operator=(const Pressing&) = delete;

   private:
    NodeLine* line_;
  };
  void call_helpers(size_t ranks) override;
  bool pressing() const override { return lines_.node().pressing.load() > 0; }
  bool wanted() const override { return common_.in_use() && my_owner_ >= 0 && common_.wanted(my_owner_); }

  // The value that this rank needs from the other ranks before it can do I/O work; 0: none. Ranks that
  // publish it wake this rank.
  void await(uint64_t closes) { lines_.mine().awaiting.store(closes, std::memory_order_relaxed); }
  // The same for the worker of this rank, which checks its condition once more after this call.
  void await_by_worker(uint64_t closes) { lines_.mine().worker_awaiting.store(closes); }

  // Sleeps until this rank is woken or a short time has passed, unless `ready` holds after this rank has
  // stored that it sleeps.
  template <typename Ready>
  void sleep(Ready&& ready, bool messages_pending);

  // For a rank that waits: whether the ranks of the node still make the same calls. If one made another call,
  // or entered a flush without this call, the others would wait indefinitely: the channel fails, and the
  // status names the ranks.
  Status check_calls();
  // A rank cannot continue, so no rank may wait in this channel any longer. Informs the other nodes.
  void fail() override;
  // Returns the result of `body`, a part of a call. After an exception this rank has done an unknown part of
  // the work that other ranks depend on, so the channel has failed.
  template <typename Body>
  Status carry_out(Body&& body);
  // Another node has reported this.
  void hear_failure() override;
  bool failed() const override { return lines_.node().failed.load() != 0; }

 private:
  int physical_slot(int owner, int slot) const {
    return common_.in_use() ? common_.place(owner, slot) : lease_.slots[static_cast<size_t>(slot)];
  }
  void listen(uint32_t& seen);
  void doze(uint32_t seen, bool messages_pending);
  void ring_waiting(uint64_t closes, bool wanted);
  void ring_workers(uint64_t closes);
  uint64_t least(bool wanted) const;

  ChannelContext context_;
  Lease lease_;
  NodeLines lines_;
  CommonSlots common_;
  CallOrder calls_;
  Announcements announcements_;
  ChannelMessages messages_;
  int my_owner_;
  std::vector<int> io_workers_;  // local ranks that wait for arrivals: the node's I/O ranks and its leader
  std::atomic<uint64_t> known_done_ = 0;  // lower bound of `done` of all ranks; a worker looks too
  uint64_t known_wanted_ = 0;
};

template <typename Body>
Status Link::carry_out(Body&& body) {
  bool returned = false;
  const Status status = guarded([&] {
    Status result = body();
    returned = true;
    return result;
  });
  if (!returned) fail();
  return status;
}

template <typename Ready>
void Link::sleep(Ready&& ready, bool messages_pending) {
  uint32_t seen = 0;
  listen(seen);
  if (!ready()) doze(seen, messages_pending);
  lines_.mine().sleeping.store(0, std::memory_order_relaxed);
}

}  // namespace scorpio::exchange
