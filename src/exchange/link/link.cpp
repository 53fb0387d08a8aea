#include "exchange/link/link.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "comm/futex.h"
#include "exchange/link/shared_bell.h"
#include "exchange/link/stall_watch.h"

namespace scorpio::exchange {

namespace {

using std::chrono::microseconds;
// A wake-up can be missing only if a rank died. A sleeping rank checks its condition after this time.
constexpr microseconds k_long_nap{100000};
// MPI cannot wake a sleeping rank: with messages in transit the rank polls.
constexpr microseconds k_short_nap{50};

}  // namespace

Link::Link(const ChannelContext& context, const Lease& lease)
    : context_(context),
      lease_(lease),
      lines_(*context.staging, *context.nodes, lease.channel),
      common_(*context.staging, lease),
      calls_(lines_),
      announcements_(context_, lines_),
      messages_(context_, lease.channel, message_bytes()),
      my_owner_(context.owner_of_rank(context.messages->rank())) {
  for (int i = 0; i < context.nodes->local_size(); ++i) {
    if (context.owner_of_rank(context.nodes->local_rank(i)) >= 0 || (i == 0 && several_nodes()))
      io_workers_.push_back(i);
  }
}

void Link::call_helpers(size_t ranks) {
  if (context_.tasks != nullptr) ranks = std::min<size_t>(ranks, context_.tasks->helpers());
  for (int r = 0; r < lines_.ranks() && ranks > 0; ++r) {
    if (lines_.of(r).sleeping.load() == 0) continue;
    NodeLines::ring(lines_.of(r));
    --ranks;
  }
}

void Link::ring_channels(uint64_t channels) const {
  for (; channels != 0; channels &= channels - 1) {
    for (int r = 0; r < lines_.ranks(); ++r)
      NodeLines::ring(context_.staging->rank_line(std::countr_zero(channels), r));
  }
}

namespace {

uint64_t watch_key(int owner, int slot) {
  return (static_cast<uint64_t>(owner) << 32 | static_cast<uint64_t>(slot)) + 1;
}

}  // namespace

void Link::watch(int owner, int slot, uint64_t value) {
  lines_.mine().watched_value.store(value, std::memory_order_relaxed);
  lines_.mine().watched.store(watch_key(owner, slot), std::memory_order_relaxed);
}

// A rank that waits for one slot is not woken for other slots: each needless wake-up costs two context
// switches. The slot of the memory is free before the next use of the number can be bound.
void Link::advance(int slot, uint64_t value) {
  const bool over = value % 2 == 0;
  const int physical = over && common_.in_use() ? common_.unbind(my_owner_, slot) : -1;
  slot_counter(my_owner_, slot).value.store(value);
  if (physical >= 0) ring_channels(common_.give_back(my_owner_, physical));
  const uint64_t key = watch_key(my_owner_, slot);
  for (int r = 0; r < lines_.ranks(); ++r) {
    RankLine& other = lines_.of(r);
    if (other.sleeping.load() == 0) continue;
    const uint64_t watched = other.watched.load(std::memory_order_relaxed);
    const bool reached = watched == key && other.watched_value.load(std::memory_order_relaxed) <= value;
    if (watched == 0 || reached) NodeLines::ring(other);
  }
}

// Wakes only the ranks for which this was the last arrival.
void Link::ring_waiting(uint64_t closes, bool wanted) {
  uint64_t all = 0;
  for (const int worker : io_workers_) {
    RankLine& candidate = lines_.of(worker);
    if (candidate.sleeping.load() == 0) continue;
    const uint64_t target = candidate.awaiting.load(std::memory_order_relaxed);
    if (target == 0 || closes < target) continue;
    if (all == 0) all = least(wanted);
    if (all >= target) NodeLines::ring(candidate);
  }
}

void Link::publish_done(uint64_t closes) {
  if (closes <= my_done()) return;
  lines_.mine().done.store(closes);
  ring_waiting(closes, false);
  ring_workers(closes);
}

// Wakes workers of I/O ranks of the node. Only the first rank that finds the condition of a worker fulfilled
// wakes it: the worker checks all conditions before it sleeps again.
void Link::ring_workers(uint64_t closes) {
  for (const int worker : io_workers_) {
    RankLine& candidate = lines_.of(worker);
    const uint64_t target = candidate.worker_awaiting.load();
    if (target == 0 || closes < target || least(false) < target) continue;
    if (candidate.worker_awaiting.exchange(0) == 0) continue;
    const int owner = context_.owner_of_rank(context_.nodes->local_rank(worker));
    exchange::ring(context_.staging->worker_bell(owner));
  }
}

void Link::ring_own_worker() const { exchange::ring(context_.staging->worker_bell(my_owner_)); }

void Link::publish_wanted(uint64_t closes) {
  lines_.mine().wanted.store(closes);
  ring_waiting(closes, true);
}

uint64_t Link::least(bool wanted) const {
  uint64_t smallest = ~uint64_t{0};
  for (int r = 0; r < lines_.ranks(); ++r) {
    const RankLine& other = lines_.of(r);
    smallest = std::min(smallest, (wanted ? other.wanted : other.done).load());
  }
  return smallest;
}

bool Link::all_done(uint64_t closes) {
  if (known_done_.load() >= closes) return true;
  const uint64_t now = least(false);
  known_done_.store(now);
  return now >= closes;
}

bool Link::all_wanted(uint64_t closes) {
  if (known_wanted_ < closes) known_wanted_ = least(true);
  return known_wanted_ >= closes;
}

void Link::listen(uint32_t& seen) {
  seen = lines_.mine().bell.load(std::memory_order_relaxed);
  lines_.mine().sleeping.store(1);
}

void Link::doze(uint32_t seen, bool messages_pending) {
  ++counters().waits;
  const observe::Timer timer(counters().time_wait_ns, observe::Activity::back_pressure);
  comm::futex_wait(lines_.mine().bell, seen, messages_pending ? k_short_nap : k_long_nap);
}

Status Link::check_calls() {
  for (int r = 0; r < lines_.ranks(); ++r) {
    const bool missed =
        calls_.is_missed_by(r) || (context_.watch != nullptr && context_.watch->passed_by(*this, r));
    if (!missed && !calls_.is_another_of(r)) continue;
    if (failed()) return {};  // another rank has reported it already
    fail();
    return failure(Code::mismatch, "rank {} {} rank {}; all ranks must make the same calls in the same order",
                   context_.nodes->local_rank(r),
                   missed ? "waits in another call, before which it has made fewer calls on the file than"
                          : "put or got another variable, or with another decomposition, than",
                   context_.messages->rank());
  }
  return {};
}

void Link::fail() {
  if (several_nodes() && !failed() && context_.watch != nullptr) context_.watch->tell_failure(*this);
  hear_failure();
}

void Link::hear_failure() {
  lines_.node().failed.store(1);
  ring_all();
}

}  // namespace scorpio::exchange
