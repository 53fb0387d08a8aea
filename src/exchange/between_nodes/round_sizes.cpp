#include "exchange/between_nodes/round_sizes.h"

#include <algorithm>
#include <utility>

namespace scorpio::exchange {

namespace {

constexpr uint64_t k_takes_no_part = ~uint64_t{0};

}  // namespace

RoundSizes::RoundSizes(Link& link) : link_(link) {}

// The receiver of a message counts it as planned.
void RoundSizes::ended(uint64_t number) {
  const uint64_t others = link_.context().io_ranks->size() - 1;
  link_.counters().planned_messages += is_first() ? others : 1;
  words_.resize(others + 1);
  const MutexLock lock(mutex_);
  if (ended_ == 0) done_ = said_ = number - 1;
  ended_ = begun_ = number;
}

void RoundSizes::tell(uint64_t bytes) {
  const MutexLock lock(mutex_);
  own_.push_back(bytes);
}

void RoundSizes::give_up() {
  const MutexLock lock(mutex_);
  gave_up_ = true;
}

void RoundSizes::take_part() {
  const MutexLock lock(mutex_);
  gave_up_ = false;
}

bool RoundSizes::knows(uint64_t number) const {
  const MutexLock lock(mutex_);
  return known_.contains(number);
}

std::optional<std::vector<uint64_t>> RoundSizes::take(uint64_t number) {
  const MutexLock lock(mutex_);
  const auto found = known_.find(number);
  if (found == known_.end()) return std::nullopt;
  std::vector<uint64_t> all = std::move(found->second);
  known_.erase(found);
  if (std::ranges::find(all, k_takes_no_part) != all.end()) all.clear();
  return all;
}

// What this I/O rank says about the next round, once.
std::optional<uint64_t> RoundSizes::take_own() {
  const MutexLock lock(mutex_);
  if (said_ == begun_ || (own_.empty() && !gave_up_)) return std::nullopt;
  ++said_;
  if (own_.empty()) return k_takes_no_part;
  const uint64_t bytes = own_.front();
  own_.pop_front();
  return bytes;
}

// One receive is started at a time, because the messages are needed in one order. Without one the rounds
// cannot continue, and neither can the channel.
bool RoundSizes::arrived(int owner, std::span<uint64_t> words) {
  if (!incoming_)
    incoming_ = link_.messages().receive(std::as_writable_bytes(words), link_.rank_of_owner(owner),
                                         ChannelMessages::Tag::round);
  const Result<bool> received = link_.messages().finished(*incoming_);
  if (received.ok() && !*received) return false;
  incoming_.reset();
  if (!received.ok()) link_.fail();
  return received.ok();
}

void RoundSizes::send(std::vector<uint64_t> words, int first_owner, int end_owner) {
  Sent& message = sent_.emplace_back();
  message.words = std::move(words);
  message.sends.reserve(static_cast<size_t>(end_owner - first_owner));
  for (int owner = first_owner; owner < end_owner; ++owner)
    message.sends.emplace_back(link_.messages().send(std::as_bytes(std::span<const uint64_t>(message.words)),
                                                     0, link_.rank_of_owner(owner),
                                                     ChannelMessages::Tag::round));
}

void RoundSizes::finish_sends() {
  while (!sent_.empty()) {
    for (std::optional<ChannelMessages::Transfer>& send : sent_.front().sends) {
      if (!send) continue;
      const Result<bool> finished = link_.messages().finished(*send);
      if (finished.ok() && !*finished) return;
      send.reset();
      if (!finished.ok()) link_.fail();
    }
    sent_.pop_front();
  }
}

// On the first I/O rank.
bool RoundSizes::gather() {
  bool moved = false;
  const int owners = static_cast<int>(words_.size());
  while (done_ < ended_ && !link_.failed()) {
    if (next_ == 0) {
      const std::optional<uint64_t> own = take_own();
      if (!own) return moved;
      words_[0] = *own;
      ++next_;
      moved = true;
    }
    for (; next_ < owners; ++next_, moved = true) {
      if (!arrived(next_, std::span(words_).subspan(static_cast<size_t>(next_), 1))) return moved;
    }
    next_ = 0;
    if (owners > 1) send(words_, 1, owners);
    keep();
  }
  return moved;
}

// The worker places the chunks of the round.
void RoundSizes::keep() {
  {
    const MutexLock lock(mutex_);
    known_.emplace(++done_, words_);
  }
  link_.ring_own_worker();
}

bool RoundSizes::progress() {
  if (ended_ == 0 || link_.failed()) return false;
  finish_sends();
  if (is_first()) return gather();
  bool moved = false;
  for (auto own = take_own(); own; own = take_own(), moved = true) send({*own}, 0, 1);
  for (; done_ < ended_ && !link_.failed() && arrived(0, words_); moved = true) keep();
  return moved;
}

bool RoundSizes::complete() const { return done_ == ended_ && sent_.empty(); }

bool RoundSizes::passed_on(uint64_t number, bool known) const {
  if (is_first() || known) return done_ >= number;
  const MutexLock lock(mutex_);
  return said_ >= number;
}

void RoundSizes::complete_sends() {
  for (Sent& message : sent_) {
    for (std::optional<ChannelMessages::Transfer>& send : message.sends) link_.messages().complete_send(send);
  }
  sent_.clear();
}

}  // namespace scorpio::exchange
