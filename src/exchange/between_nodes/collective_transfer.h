// Data that cross between nodes in rounds (option transfer). The parts of a channel send and receive messages
// as they do point-to-point; here they wait until those of a round are complete on this rank, and then cross
// by two collective operations: one for their lengths, one for the messages. A read has two such steps in
// each round, for the requests and for the replies. On the leaders and the I/O ranks of a job of several
// nodes, which begin all steps in the same order. With the lengths goes a hash of the calls, so that ranks
// which have made different ones notice it in the first step in which they meet. Independent; progresses
// inside library calls; never blocks, except where stated. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "comm/messages.h"
#include "comm/peer_exchange.h"
#include "exchange/link/link.h"
#include "plan/transfer_rounds.h"

namespace scorpio::exchange {

class CollectiveTransfer final : public comm::Messages {
 public:
  // `peers` of this channel; all outlive this object.
  CollectiveTransfer(const ChannelContext& context, const Lease& lease, comm::PeerExchange& peers);
  CollectiveTransfer(const CollectiveTransfer&) = delete;
  CollectiveTransfer& operator=(const CollectiveTransfer&) = delete;

  // ---- the plan: as TransferRounds, on all ranks that take part in the same order ----
  // `calls`: a hash of the calls so far (CallOrder::hash).
  void add(const plan::Activation& closed, uint64_t calls) { rounds_.add(closed, calls); }
  void reuse_before(uint64_t close) { rounds_.reuse_before(close); }
  void end_round() { rounds_.end_round(); }

  // Begins and ends what can be begun and ended now. False if there was nothing. A failure of MPI leaves the
  // channel without communication. It is a failure too (mismatch) if a peer has made other calls: the memory
  // of the messages is left as it is.
  Result<bool> progress();
  // Whether all rounds that have ended have crossed.
  bool idle() const { return steps_.empty() && !rounds_.any_ended(); }
  // Whether those with messages of units below this close number have.
  bool finished_before(uint64_t close);

  // After a failure: the number of steps that this rank has begun, and the steps up to those that any rank
  // has begun, in which this rank sends nothing more. Blocks.
  int64_t begun() const { return begun_; }
  Status finish(int64_t steps, std::chrono::seconds longest_wait);

  // ---- messages, of the tags of Link for data, requests and replies ----
  int rank() const override { return direct_.rank(); }
  int size() const override { return direct_.size(); }
  comm::Transfer send(std::span<const std::byte> bytes, int to, int tag) override;
  comm::Transfer receive(std::span<std::byte> bytes, int from, int tag) override;
  Result<bool> test(comm::Transfer& transfer, size_t* length = nullptr) override;
  // After finish(): nothing uses the memory any more.
  void wait(comm::Transfer& transfer) override { (void)cancel(transfer); }
  bool cancel(comm::Transfer& transfer) override;
  // The others are those of the ranks, without rounds.
  Status receive_now(std::span<std::byte> bytes, int from, int tag) override {
    return direct_.receive_now(bytes, from, tag);
  }
  std::optional<Envelope> probe(int tag) override { return direct_.probe(tag); }
  Result<std::vector<std::vector<int64_t>>> all_to_all(
      const std::vector<std::vector<int64_t>>& parts) const override {
    return direct_.all_to_all(parts);
  }

 private:
  // A message that was given to this object.
  struct Operation {
    std::span<std::byte> bytes;
    bool done = false;
    size_t length = 0;
    Status status;
  };
  // Of one kind, to a peer or from it.
  struct Direction {
    int tag = 0;
    size_t peer = 0;
    bool sending = false;
    auto operator<=>(const Direction&) const = default;
  };
  // The messages of one step that this rank sends and receives.
  struct Step {
    uint64_t first_close = 0;
    uint64_t tag = 0;  // a hash of its messages and of the calls that have closed their units; not 0
    std::map<Direction, size_t> messages;
  };
  // An operation of the step under way; it may have been given up meanwhile.
  struct Taken {
    uint64_t number = 0;
    std::span<std::byte> bytes;
  };
  enum class Phase { none, lengths, messages };

  void release(uint64_t request) override;
  size_t peer_of(int rank) const;
  comm::Transfer begin(std::span<std::byte> bytes, Direction direction);
  void plan_steps();
  bool ready(const Step& step) const;
  Status begin_step(bool empty);
  Status begin_messages();
  void end_step(const Status& status);
  bool is_same_step(size_t peer) const;
  std::span<std::byte> place_of(size_t peer, size_t number, uint64_t length);
  Status compare_step();

  comm::Messages& direct_;
  comm::PeerExchange& peers_;
  const ChannelContext context_;
  int my_owner_;
  int first_tag_;
  plan::TransferRounds rounds_;
  std::deque<Step> steps_;  // of rounds that have ended; the first one may be under way
  int64_t begun_ = 0;
  Phase phase_ = Phase::none;

  uint64_t made_ = 0;
  std::map<uint64_t, Operation> operations_;           // by the number of the request
  std::map<Direction, std::deque<uint64_t>> waiting_;  // for their steps, in their order
  std::vector<std::vector<Taken>> sends_, receives_;   // [peers] of the step under way, in their order
  uint64_t tag_ = 0;                                   // of the step under way; 0: it is empty
  std::vector<uint64_t> lengths_;                      // [peers][k_most_of_pair] sent: LengthWord
  std::deque<std::vector<std::byte>> unwanted_;  // memory for what this rank does not expect after a failure
};

}  // namespace scorpio::exchange
