#include "exchange/between_nodes/collective_transfer.h"

#include <algorithm>

#include "base/hash.h"
#include "comm/deadline.h"
#include "comm/pause.h"
#include "exchange/between_nodes/leader_transfer.h"

namespace scorpio::exchange {

namespace {

// The words of a step for each pair of peers. A leader has so many messages under way at most.
constexpr size_t k_most_of_pair = LeaderTransfer::k_most_under_way;

// What a rank tells another one of a message: its length, and the tag of the step in which it is.
struct LengthWord {
  static constexpr uint64_t k_length_bits = 40;
  static constexpr uint64_t k_length_mask = (uint64_t{1} << k_length_bits) - 1;

  static uint64_t of(uint64_t tag, size_t length) { return of_none(tag) | (length + 1); }
  static uint64_t of_none(uint64_t tag) { return tag << k_length_bits; }

  uint64_t word;
  uint64_t tag() const { return word >> k_length_bits; }
  bool any() const { return (word & k_length_mask) != 0; }
  uint64_t length() const { return (word & k_length_mask) - 1; }
};

// Of as many bits as a word has room for.
uint64_t tag_of_round(const plan::TransferRound& round) {
  uint64_t hash = round.read ? 1 : 0;
  for (const plan::RoundMessage& message : round.messages) {
    for (const uint64_t fact : {message.tag, message.close, static_cast<uint64_t>(message.node),
                                static_cast<uint64_t>(message.owner)})
      hash = followed_by(hash, fact);
  }
  return (hash >> LengthWord::k_length_bits) | 1;
}

std::vector<int> nodes_of_owners(const ChannelContext& context) {
  std::vector<int> nodes;
  for (const int rank : *context.io_ranks) nodes.push_back(context.nodes->node_of(rank));
  return nodes;
}

}  // namespace

CollectiveTransfer::CollectiveTransfer(const ChannelContext& context, const Lease& lease,
                                       comm::PeerExchange& peers)
    : direct_(*context.messages),
      peers_(peers),
      context_(context),
      my_owner_(context.owner_of_rank(context.messages->rank())),
      first_tag_(ChannelMessages::first_tag(lease.channel)),
      rounds_(nodes_of_owners(context), context.nodes->nodes(),
              {LeaderTransfer::k_most_under_way, lease.receives.size()}),
      sends_(peers.peers().size()),
      receives_(peers.peers().size()),
      lengths_(peers.peers().size() * k_most_of_pair) {}

size_t CollectiveTransfer::peer_of(int rank) const {
  return static_cast<size_t>(std::ranges::lower_bound(peers_.peers(), rank) - peers_.peers().begin());
}

// ---- messages ----

comm::Transfer CollectiveTransfer::begin(std::span<std::byte> bytes, Direction direction) {
  const uint64_t number = ++made_;
  operations_[number].bytes = bytes;
  waiting_[direction].push_back(number);
  return started(number);
}

// The memory of a send is only read: pieces of both directions have one type.
comm::Transfer CollectiveTransfer::send(std::span<const std::byte> bytes, int to, int tag) {
  return begin({const_cast<std::byte*>(bytes.data()), bytes.size()}, {tag, peer_of(to), true});
}

comm::Transfer CollectiveTransfer::receive(std::span<std::byte> bytes, int from, int tag) {
  return begin(bytes, {tag, peer_of(from), false});
}

Result<bool> CollectiveTransfer::test(comm::Transfer& transfer, size_t* length) {
  if (length != nullptr) *length = 0;
  if (!transfer.under_way()) return true;
  const auto at = operations_.find(request_of(transfer));
  if (!at->second.done) return false;
  complete(transfer);
  const Operation ended = std::move(at->second);
  operations_.erase(at);
  if (length != nullptr) *length = ended.length;
  SCORPIO_TRY(ended.status);
  return true;
}

bool CollectiveTransfer::cancel(comm::Transfer& transfer) {
  if (!transfer.under_way()) return false;
  const uint64_t number = request_of(transfer);
  complete(transfer);
  release(number);
  return false;
}

// An operation of the step under way keeps its memory, which MPI uses until the end of the step.
void CollectiveTransfer::release(uint64_t number) {
  for (auto& [direction, numbers] : waiting_) std::erase(numbers, number);
  operations_.erase(number);
}

// ---- steps ----

void CollectiveTransfer::plan_steps() {
  const int me = rank();
  while (rounds_.any_ended()) {
    const plan::TransferRound round = rounds_.take();
    Step out, back;
    out.first_close = back.first_close = round.first_close();
    out.tag = back.tag = tag_of_round(round);
    const int tag = first_tag_ +
                    static_cast<int>(round.read ? ChannelMessages::Tag::request : ChannelMessages::Tag::data);
    const int reply = first_tag_ + static_cast<int>(ChannelMessages::Tag::reply);
    for (const plan::RoundMessage& message : round.messages) {
      const int leader = context_.nodes->leader(message.node);
      const int owner = (*context_.io_ranks)[static_cast<size_t>(message.owner)];
      if (leader == me) {
        ++out.messages[{tag, peer_of(owner), true}];
        ++back.messages[{reply, peer_of(owner), false}];
      }
      if (message.owner == my_owner_) {
        ++out.messages[{tag, peer_of(leader), false}];
        ++back.messages[{reply, peer_of(leader), true}];
      }
    }
    steps_.push_back(std::move(out));
    if (round.read) steps_.push_back(std::move(back));
  }
}

bool CollectiveTransfer::ready(const Step& step) const {
  return std::ranges::all_of(step.messages, [this](const auto& expected) {
    const auto at = waiting_.find(expected.first);
    return at != waiting_.end() && at->second.size() >= expected.second;
  });
}

// `empty`: this rank sends nothing, and does not know what it receives.
Status CollectiveTransfer::begin_step(bool empty) {
  tag_ = empty ? 0 : steps_.front().tag;
  std::ranges::fill(lengths_, LengthWord::of_none(tag_));
  for (auto& taken : sends_) taken.clear();
  for (auto& taken : receives_) taken.clear();
  if (!empty) {
    for (const auto& [direction, count] : steps_.front().messages) {
      std::deque<uint64_t>& waiting = waiting_[direction];
      std::vector<Taken>& taken = (direction.sending ? sends_ : receives_)[direction.peer];
      for (size_t i = 0; i < count; ++i) {
        const std::span<std::byte> bytes = operations_[waiting.front()].bytes;
        if (direction.sending)
          lengths_[direction.peer * k_most_of_pair + i] = LengthWord::of(tag_, bytes.size());
        taken.push_back({waiting.front(), bytes});
        waiting.pop_front();
      }
    }
  }
  ++begun_;
  ++context_.counters->collective_transfers;
  phase_ = Phase::lengths;
  return peers_.begin_words(lengths_, k_most_of_pair);
}

// A rank that has nothing to send but the end of the operations tells no tag.
bool CollectiveTransfer::is_same_step(size_t peer) const {
  const uint64_t theirs = LengthWord{peers_.words()[peer * k_most_of_pair]}.tag();
  return tag_ == 0 || theirs == 0 || theirs == tag_;
}

// What a peer that has made other calls sends is not what this rank expects.
Status CollectiveTransfer::compare_step() {
  Status status;
  for (size_t peer = 0; peer < peers_.peers().size(); ++peer) {
    if (is_same_step(peer)) continue;
    const int other = peers_.peers()[peer];
    const Status differs = failure(
        Code::mismatch,
        "rank {} put or got other data than rank {}; all ranks must make the same calls in the same order",
        std::max(rank(), other), std::min(rank(), other));
    for (const Taken& receive : receives_[peer]) {
      const auto at = operations_.find(receive.number);
      if (at != operations_.end()) at->second.status = differs;
    }
    status = first_failure(status, differs);
  }
  return status;
}

// Of the message with this number from the peer. It is received elsewhere if this rank does not want it: it
// has given it up, or the ranks have made different calls.
std::span<std::byte> CollectiveTransfer::place_of(size_t peer, size_t number, uint64_t length) {
  const std::vector<Taken>& taken = receives_[peer];
  const auto at = number < taken.size() && is_same_step(peer) ? operations_.find(taken[number].number)
                                                              : operations_.end();
  if (at != operations_.end()) {
    Operation& receive = at->second;
    if (receive.bytes.size() >= length) {
      receive.length = static_cast<size_t>(length);
      return receive.bytes.first(receive.length);
    }
    receive.status = failure(Code::internal, "a message of {} bytes came for a buffer of {}", length,
                             receive.bytes.size());
  }
  return unwanted_.emplace_back(static_cast<size_t>(length));
}

Status CollectiveTransfer::begin_messages() {
  std::vector<comm::PeerExchange::Piece> out, in;
  for (size_t peer = 0; peer < sends_.size(); ++peer) {
    for (const Taken& sent : sends_[peer]) out.push_back({peer, sent.bytes});
    for (size_t i = 0; i < k_most_of_pair; ++i) {
      const LengthWord told{peers_.words()[peer * k_most_of_pair + i]};
      if (told.any()) in.push_back({peer, place_of(peer, i, told.length())});
    }
  }
  ++context_.counters->collective_transfers;
  phase_ = Phase::messages;
  return peers_.begin_pieces(out, in);
}

void CollectiveTransfer::end_step(const Status& status) {
  for (auto* both : {&sends_, &receives_}) {
    for (auto& taken : *both) {
      for (const Taken& one : taken) {
        const auto at = operations_.find(one.number);
        if (at == operations_.end()) continue;
        at->second.done = true;
        at->second.status = first_failure(status, at->second.status);
      }
      taken.clear();
    }
  }
  unwanted_.clear();
  phase_ = Phase::none;
  if (!steps_.empty()) steps_.pop_front();
}

Result<bool> CollectiveTransfer::progress() {
  plan_steps();
  bool moved = false;
  while (true) {
    if (phase_ == Phase::none) {
      if (steps_.empty() || !ready(steps_.front())) return moved;
      SCORPIO_TRY(begin_step(false));
      moved = true;
    }
    const Result<bool> over = peers_.finished();
    if (!over.ok()) {
      end_step(over.status());
      return over.status();
    }
    if (!*over) return moved;
    moved = true;
    if (phase_ == Phase::lengths) {
      const Status same = compare_step();
      SCORPIO_TRY(begin_messages());
      SCORPIO_TRY(same);
    } else {
      end_step({});
    }
  }
}

bool CollectiveTransfer::finished_before(uint64_t close) {
  plan_steps();
  return steps_.empty() || steps_.front().first_close >= close;
}

Status CollectiveTransfer::finish(int64_t steps, std::chrono::seconds longest_wait) {
  const comm::Deadline deadline(longest_wait);
  for (comm::Pause pause; phase_ != Phase::none || begun_ < steps;) {
    if (phase_ == Phase::none) SCORPIO_TRY(begin_step(true));
    SCORPIO_ASSIGN(const bool over, peers_.finished());
    if (!over) {
      deadline.check();
      pause.rest();
    } else if (phase_ == Phase::lengths) {
      SCORPIO_TRY(begin_messages());
    } else {
      end_step({});
    }
  }
  steps_.clear();
  return {};
}

}  // namespace scorpio::exchange
