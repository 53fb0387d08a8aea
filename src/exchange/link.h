// One rank's view of a channel: its staging memory, the counters of its node, waking and sleeping, messages.
// Shared by the parts of a channel. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "comm/messages.h"
#include "comm/node_map.h"
#include "comm/peer_exchange.h"
#include "comm/shared_tasks.h"
#include "exchange/common_slots.h"
#include "exchange/full_slot.h"
#include "exchange/staging.h"
#include "observe/counters.h"

namespace scorpio::exchange {

class StallWatch;

// The encoded chunks of one I/O rank at a posted close.
struct StoredBytes {
  bool any = false;        // it has stored chunks since the last synchronisation point
  uint64_t unplaced = 0;   // bytes that have no address yet
  uint64_t arena_end = 0;  // of what it uses of the arena; 0: nothing

  friend bool operator==(const StoredBytes&, const StoredBytes&) = default;
};

// The parts of an I/O system that all its channels use, and that outlive them.
struct Fabric {
  comm::Messages* messages = nullptr;  // between nodes
  const comm::NodeMap* nodes = nullptr;
  const std::vector<int>* io_ranks = nullptr;
  Staging* staging = nullptr;
  observe::Counters* counters = nullptr;
  StallWatch* watch = nullptr;         // null: different calls on several files are not detected
  comm::SharedTasks* tasks = nullptr;  // of all I/O ranks of the node; null: there are none
  bool gather_writes = false;          // hold closed units until a slot is needed or at a flush
  bool background = false;  // I/O ranks write while they make no call; gather_writes is then ignored
  std::chrono::seconds longest_wait{0};  // for other ranks, before the job ends; 0: without a limit
  // The time to wait for other nodes before they are asked whether they are in other calls.
  std::chrono::microseconds patience{200000};
  // Of the channels, by which data cross between nodes; null: each message is sent on its own.
  comm::PeerExchanges* exchanges = nullptr;

  int owner_of_rank(int rank) const;  // index among the I/O ranks, or -1
};

class Link final : public SlotUser {
 public:
  Link(const Fabric& fabric, const Lease& lease);

  const Fabric& fabric() const { return fabric_; }
  const Lease& lease() const { return lease_; }
  observe::Counters& counters() const { return *fabric_.counters; }
  uint64_t bitmap_bytes() const { return fabric_.staging->sizes().bitmap_bytes; }

  int my_owner() const { return my_owner_; }
  bool is_leader() const { return fabric_.nodes->my_local_rank == 0; }
  int my_node() const { return fabric_.nodes->my_node; }
  bool several_nodes() const { return fabric_.nodes->nodes() > 1; }
  bool owner_is_here(int owner) const { return fabric_.staging->local_owner(owner) >= 0; }
  int rank_of_owner(int owner) const { return (*fabric_.io_ranks)[static_cast<size_t>(owner)]; }

  // With slots in common, a slot that is bound.
  Slot slot(int owner, int slot) const {
    return fabric_.staging->slot(
        owner, common_.in_use() ? common_.place(owner, slot) : lease_.slots[static_cast<size_t>(slot)]);
  }
  // Whether the slot of this activation is that of the unit; without slots in common it always is.
  bool is_bound(const plan::Activation& activation) const {
    return !common_.in_use() || common_.is_bound(Opened(activation));
  }
  Slot out_slot(int slot) const {
    return fabric_.staging->out_slot(lease_.out_slots[static_cast<size_t>(slot)]);
  }

  // Where a request is made for bytes of an outgoing slot.
  std::byte* request_of(int out_slot) const {
    return this->out_slot(out_slot).bytes + fabric_.staging->sizes().unit_bytes;
  }

  // The number of messages that this I/O rank receives at a time, and the buffers for them.
  size_t receives() const { return lease_.receives.size(); }
  std::span<std::byte> owner_message(size_t number) const {
    return {fabric_.staging->owner_message(my_owner_, lease_.receives[number]), message_bytes()};
  }
  size_t message_bytes() const { return fabric_.staging->message_bytes(); }

  // `owner` is an I/O rank of this node.
  SlotCounter& slot_counter(int owner, int slot) const {
    if (common_.in_use()) return common_.counter(owner, slot);
    return fabric_.staging->slot_counter(owner, lease_.slots[static_cast<size_t>(slot)]);
  }
  NodeLine& node_line() const { return *node_; }
  uint64_t my_done() const { return mine_->done.load(std::memory_order_relaxed); }

  // This rank has contributed to all closes below `closes`, or has marked its requests for them.
  void publish_done(uint64_t closes);
  void publish_wanted(uint64_t closes);
  // Whether all ranks of the node have done so.
  bool all_done(uint64_t closes);
  bool all_wanted(uint64_t closes);
  // Wakes the ranks of the node that sleep in this channel, or in those of these bits.
  void ring_all();
  void ring_channels(uint64_t channels) const;
  const CommonSlots& common() const { return common_; }

  // This rank is about to wait for this counter of an I/O rank of the node, and need not be woken before it
  // has this value.
  void watch(int owner, int slot, uint64_t value);
  void unwatch() { mine_->watched.store(0, std::memory_order_relaxed); }
  // The counter of this I/O rank's slot reaches `value`: wakes the ranks that wait for it, or for any change.
  void advance(int slot, uint64_t value) override;
  // This I/O rank, or its worker, has written everything that the channel got before posted sync or close
  // `number` (1, 2, ...), or (not `good`) cannot say so; the workers of the node are woken.
  void tell_complete(uint64_t number, bool good);
  // Whether all I/O ranks have said so, of this number or a later one; none: not all have. On one node.
  std::optional<bool> all_complete(uint64_t number) const;
  // Before that, for a file with chunks: what this I/O rank has stored of posted close `number` is encoded.
  void tell_stored(uint64_t number, const StoredBytes& stored);
  // What each I/O rank has said of it, in their order; none: not all have. Empty: one of them cannot. On one
  // node.
  std::optional<std::vector<StoredBytes>> all_stored(uint64_t number) const;
  // In a file whose chunks are placed in rounds: of round `number` this I/O rank has encoded so many bytes.
  // It has the result of all_of_round() for the round before, so that two numbers are kept.
  void tell_round(uint64_t number, uint64_t bytes);
  // [I/O ranks] the bytes of each; none: not all have told theirs. Empty: one of them cannot. On one node.
  std::optional<std::vector<uint64_t>> all_of_round(uint64_t number) const;
  // Wakes the worker of this I/O rank.
  void ring_own_worker();
  // While it lives, this rank waits until slots of the channel are written: the workers write them before
  // those of other channels.
  class Pressing {
   public:
    explicit Pressing(Link& link) : line_(link.fabric_.background ? link.node_ : nullptr) {
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
  bool pressing() const override { return node_->pressing.load() > 0; }
  bool wanted() const override { return common_.in_use() && my_owner_ >= 0 && common_.wanted(my_owner_); }

  // A hash of all data calls so far, in their order.
  uint64_t calls_so_far() const { return call_chain_; }

  // This rank enters its next data call. `what`: a hash of it, the same on all ranks that make the same call.
  void enter_call(uint64_t what);
  // The same for a call that this rank leaves out. It is not compared with the calls of other ranks until
  // name_skipped_call(): the failure of the channel informs the ranks of the node.
  void enter_skipped_call();
  void leave_skipped_call() { node_->skipping.fetch_sub(1); }
  // All ranks of the node skipped it.
  void name_skipped_call();
  // All ranks of the node have entered the call that this rank skipped; `same`: all of them skipped it.
  bool all_entered(bool& same) const;
  // The value that this rank needs from the other ranks before it can do I/O work; 0: none. Ranks that
  // publish it wake this rank.
  void await(uint64_t closes) { mine_->awaiting.store(closes, std::memory_order_relaxed); }
  // The same for the worker of this rank, which checks its condition once more after this call.
  void await_by_worker(uint64_t closes) { mine_->worker_awaiting.store(closes); }

  // Sleeps until this rank is woken or a short time has passed, unless `ready` holds after this rank has
  // stored that it sleeps.
  template <typename Ready>
  void sleep(Ready&& ready, bool messages_pending);

  // For a rank that waits: whether the ranks of the node still make the same calls. If one made another call,
  // or entered a flush without this call, the others would wait indefinitely: the channel fails, and the
  // status names the ranks.
  void enter_flush();
  void leave_flush() { in_flush_ = false; }
  Status check_calls();
  // Data calls and flushes that this rank has entered, and the key of its last call.
  uint64_t my_calls() const { return calls_; }
  uint64_t my_flushes() const { return flushes_; }
  uint64_t my_last_call() const { return mine_->last_call.load(std::memory_order_relaxed); }
  // Whether another rank of the node has entered calls or flushes that this one has not, or the reverse.
  bool is_ahead(int local_rank) const;
  bool is_behind(int local_rank) const;
  // Whether `theirs`, the key of another rank's last call, is not that of this rank's call of the same
  // number.
  bool made_another_call(uint64_t theirs) const;

  // A rank cannot continue, so no rank may wait in this channel any longer. Informs the other nodes.
  void fail();
  // Another node has reported this.
  void hear_failure();
  bool failed() const { return node_->failed.load() != 0; }

  enum class Tag { data = 0, request = 1, reply = 2, round = 3 };
  // The tag of Tag::data; those of the others follow.
  static int first_tag(const Lease& lease) { return lease.channel * k_tags; }
  int tag(Tag tag) const { return first_tag(lease_) + static_cast<int>(tag); }
  // From now on messages other than those of placement rounds are sent and received by `carrier`, which
  // outlives this.
  void carry_by(comm::Messages& carrier) { carrier_ = &carrier; }

  // A message in transit.
  struct Transfer {
    comm::Transfer handle;
    int peer = 0;
    Tag tag = Tag::data;
    bool receiving = false;
  };
  // `data_bytes` of the message are elements.
  Transfer send(std::span<const std::byte> message, size_t data_bytes, int rank, Tag tag);
  Transfer receive(std::span<std::byte> buffer, int rank, Tag tag);
  // False: not complete yet. `length`, if not null, receives the length of the message.
  Result<bool> finished(Transfer& transfer, size_t* length = nullptr);
  // After a failure: cancels a receive that is no longer needed; waits for a send that drain() has received.
  void cancel_receive(std::optional<Transfer>& transfer);
  void complete_send(std::optional<Transfer>& transfer);
  // Receives all messages that were sent and not received, so that no later receive matches them; not those
  // of carry_by(). Collective, after all ranks have stopped sending in this channel and have cancelled their
  // receives.
  Status drain();

 private:
  static constexpr int k_tags = 4;
  using MessageCounts = std::map<std::pair<int, Tag>, int64_t>;  // by rank and kind

  comm::Messages& carrier(Tag tag) const {
    return carrier_ == nullptr || tag == Tag::round ? *fabric_.messages : *carrier_;
  }
  RankLine& line(int local_rank) const { return fabric_.staging->rank_line(lease_.channel, local_rank); }
  void listen(uint32_t& seen);
  void doze(uint32_t seen, bool messages_pending);
  static void ring(RankLine& line);
  void ring_waiting(uint64_t closes, bool wanted);
  void ring_workers(uint64_t closes);
  void ring_all_workers();
  size_t owner_on_node(int local_rank) const;
  uint64_t least(bool wanted) const;
  bool missed_a_call(const RankLine& other) const;
  void count_call(uint64_t what);
  uint64_t call_key() const;
  void publish_call(uint64_t key);

  Fabric fabric_;
  Lease lease_;
  comm::Messages* carrier_ = nullptr;
  CommonSlots common_;
  int my_owner_;
  RankLine* mine_;
  NodeLine* node_;
  uint64_t rounds_ = 0;          // the last number of tell_round(); the worker's
  std::vector<int> io_workers_;  // local ranks that wait for arrivals: the node's I/O ranks and its leader
  uint64_t calls_ = 0;
  uint64_t call_chain_ = k_fnv_offset_basis;
  std::deque<uint64_t> last_calls_;  // keys of the last calls
  uint64_t flushes_ = 0;
  bool in_flush_ = false;
  MessageCounts sent_, received_;
  uint64_t known_done_ = 0;  // lower bound of `done` of all ranks
  uint64_t known_wanted_ = 0;
};

template <typename Ready>
void Link::sleep(Ready&& ready, bool messages_pending) {
  uint32_t seen = 0;
  listen(seen);
  if (!ready()) doze(seen, messages_pending);
  mine_->sleeping.store(0, std::memory_order_relaxed);
}

}  // namespace scorpio::exchange
