#include "exchange/link.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "base/hash.h"
#include "comm/futex.h"
#include "exchange/shared_bell.h"
#include "exchange/stall_watch.h"

namespace scorpio::exchange {

namespace {

using std::chrono::microseconds;
// A wake-up can be missing only if a rank died. A sleeping rank checks its condition after this time.
constexpr microseconds k_long_nap{100000};
// MPI cannot wake a sleeping rank: with messages in transit the rank polls.
constexpr microseconds k_short_nap{50};

}  // namespace

int Fabric::owner_of_rank(int rank) const {
  const auto at = std::find(io_ranks->begin(), io_ranks->end(), rank);
  return at == io_ranks->end() ? -1 : static_cast<int>(at - io_ranks->begin());
}

Link::Link(const Fabric& fabric, const Lease& lease)
    : fabric_(fabric), lease_(lease), common_(*fabric.staging, lease) {
  my_owner_ = fabric.owner_of_rank(fabric.messages->rank());
  mine_ = &line(fabric.nodes->my_local_rank);
  node_ = &fabric.staging->node_line(lease.channel);
  for (int i = 0; i < fabric.nodes->local_size(); ++i) {
    if (fabric.owner_of_rank(fabric.nodes->local_rank(i)) >= 0 || (i == 0 && several_nodes()))
      io_workers_.push_back(i);
  }
}

// Only the first rank that finds it asleep wakes it: it checks all conditions before it sleeps again.
void Link::ring(RankLine& line) {
  if (line.sleeping.load() == 0 || line.sleeping.exchange(0) == 0) return;
  line.bell.fetch_add(1, std::memory_order_release);
  comm::futex_wake_all(line.bell);
}

void Link::ring_all() {
  for (int r = 0; r < fabric_.staging->local_ranks(); ++r) ring(line(r));
}

void Link::call_helpers(size_t ranks) {
  if (fabric_.tasks != nullptr) ranks = std::min<size_t>(ranks, fabric_.tasks->helpers());
  for (int r = 0; r < fabric_.staging->local_ranks() && ranks > 0; ++r) {
    if (line(r).sleeping.load() == 0) continue;
    ring(line(r));
    --ranks;
  }
}

void Link::ring_channels(uint64_t channels) const {
  for (; channels != 0; channels &= channels - 1) {
    for (int r = 0; r < fabric_.staging->local_ranks(); ++r)
      ring(fabric_.staging->rank_line(std::countr_zero(channels), r));
  }
}

namespace {

uint64_t watch_key(int owner, int slot) {
  return (static_cast<uint64_t>(owner) << 32 | static_cast<uint64_t>(slot)) + 1;
}

}  // namespace

void Link::watch(int owner, int slot, uint64_t value) {
  mine_->watched_value.store(value, std::memory_order_relaxed);
  mine_->watched.store(watch_key(owner, slot), std::memory_order_relaxed);
}

// A rank that waits for one slot is not woken for other slots: each needless wake-up costs two context
// switches. The slot of the memory is free before the next use of the number can be bound.
void Link::advance(int slot, uint64_t value) {
  const bool over = value % 2 == 0;
  const int physical = over && common_.in_use() ? common_.unbind(my_owner_, slot) : -1;
  slot_counter(my_owner_, slot).value.store(value);
  if (physical >= 0) ring_channels(common_.give_back(my_owner_, physical));
  const uint64_t key = watch_key(my_owner_, slot);
  for (int r = 0; r < fabric_.staging->local_ranks(); ++r) {
    RankLine& other = line(r);
    if (other.sleeping.load() == 0) continue;
    const uint64_t watched = other.watched.load(std::memory_order_relaxed);
    const bool reached = watched == key && other.watched_value.load(std::memory_order_relaxed) <= value;
    if (watched == 0 || reached) ring(other);
  }
}

// Wakes only the ranks for which this was the last arrival.
void Link::ring_waiting(uint64_t closes, bool wanted) {
  uint64_t all = 0;
  for (const int worker : io_workers_) {
    RankLine& candidate = line(worker);
    if (candidate.sleeping.load() == 0) continue;
    const uint64_t target = candidate.awaiting.load(std::memory_order_relaxed);
    if (target == 0 || closes < target) continue;
    if (all == 0) all = least(wanted);
    if (all >= target) ring(candidate);
  }
}

void Link::publish_done(uint64_t closes) {
  if (closes <= my_done()) return;
  mine_->done.store(closes);
  ring_waiting(closes, false);
  ring_workers(closes);
}

// Wakes workers of I/O ranks of the node. Only the first rank that finds the condition of a worker fulfilled
// wakes it: the worker checks all conditions before it sleeps again.
void Link::ring_workers(uint64_t closes) {
  for (const int worker : io_workers_) {
    RankLine& candidate = line(worker);
    const uint64_t target = candidate.worker_awaiting.load();
    if (target == 0 || closes < target || least(false) < target) continue;
    if (candidate.worker_awaiting.exchange(0) == 0) continue;
    const int owner = fabric_.owner_of_rank(fabric_.nodes->local_rank(worker));
    exchange::ring(fabric_.staging->worker_bell(owner));
  }
}

void Link::tell_complete(uint64_t number, bool good) {
  if (good) {
    mine_->complete.store(static_cast<uint32_t>(number));
  } else {
    node_->incomplete.store(1);
  }
  ring_all_workers();
}

void Link::ring_all_workers() {
  for (int owner = 0; owner < static_cast<int>(fabric_.io_ranks->size()); ++owner) {
    if (owner_is_here(owner)) exchange::ring(fabric_.staging->worker_bell(owner));
  }
}

void Link::ring_own_worker() { exchange::ring(fabric_.staging->worker_bell(my_owner_)); }

// A word with the bytes of a round, in the lower bits, and its number. Two rounds that a word has one after
// the other differ in the number.
namespace {

constexpr int k_bits_of_bytes = 44;

uint64_t word_of_round(uint64_t number, uint64_t bytes) { return (number << k_bits_of_bytes) | bytes; }
uint64_t bytes_of_word(uint64_t word) { return word & ((uint64_t{1} << k_bits_of_bytes) - 1); }

}  // namespace

void Link::tell_stored(uint64_t number, const StoredBytes& stored) {
  mine_->unplaced[(rounds_ + 1) % 2].store(stored.any ? stored.unplaced + 1 : 0);
  mine_->stored_end.store(stored.arena_end);
  mine_->stored.store(static_cast<uint32_t>(number));
  ring_all_workers();
}

std::optional<std::vector<StoredBytes>> Link::all_stored(uint64_t number) const {
  std::vector<StoredBytes> all;
  if (node_->incomplete.load() != 0) return all;
  for (const int worker : io_workers_) {
    if (line(worker).stored.load() < number) return std::nullopt;
  }
  all.resize(fabric_.io_ranks->size());
  for (const int worker : io_workers_) {
    const RankLine& told = line(worker);
    const uint64_t bytes = told.unplaced[(rounds_ + 1) % 2].load();
    all[owner_on_node(worker)] = {bytes > 0, bytes - (bytes > 0 ? 1 : 0), told.stored_end.load()};
  }
  return all;
}

void Link::tell_round(uint64_t number, uint64_t bytes) {
  rounds_ = number;
  mine_->unplaced[number % 2].store(word_of_round(number, bytes));
  ring_all_workers();
}

std::optional<std::vector<uint64_t>> Link::all_of_round(uint64_t number) const {
  if (node_->incomplete.load() != 0) return std::vector<uint64_t>();
  std::vector<uint64_t> all(fabric_.io_ranks->size());
  for (const int worker : io_workers_) {
    const uint64_t word = line(worker).unplaced[number % 2].load();
    const uint64_t bytes = bytes_of_word(word);
    if (word != word_of_round(number, bytes)) return std::nullopt;
    all[owner_on_node(worker)] = bytes;
  }
  return all;
}

size_t Link::owner_on_node(int local_rank) const {
  return static_cast<size_t>(fabric_.owner_of_rank(fabric_.nodes->local_rank(local_rank)));
}

std::optional<bool> Link::all_complete(uint64_t number) const {
  if (node_->incomplete.load() != 0) return false;
  for (const int worker : io_workers_) {
    if (line(worker).complete.load() < number) return std::nullopt;
  }
  return true;
}

void Link::publish_wanted(uint64_t closes) {
  mine_->wanted.store(closes);
  ring_waiting(closes, true);
}

uint64_t Link::least(bool wanted) const {
  uint64_t smallest = ~uint64_t{0};
  for (int r = 0; r < fabric_.staging->local_ranks(); ++r) {
    const RankLine& other = line(r);
    smallest = std::min(smallest, (wanted ? other.wanted : other.done).load());
  }
  return smallest;
}

bool Link::all_done(uint64_t closes) {
  if (known_done_ < closes) known_done_ = least(false);
  return known_done_ >= closes;
}

bool Link::all_wanted(uint64_t closes) {
  if (known_wanted_ < closes) known_wanted_ = least(true);
  return known_wanted_ >= closes;
}

void Link::listen(uint32_t& seen) {
  seen = mine_->bell.load(std::memory_order_relaxed);
  mine_->sleeping.store(1);
}

void Link::doze(uint32_t seen, bool messages_pending) {
  ++counters().waits;
  const observe::Timer timer(counters().time_wait_ns, observe::Activity::back_pressure);
  comm::futex_wait(mine_->bell, seen, messages_pending ? k_short_nap : k_long_nap);
}

namespace {

// A key has the number of a data call in its lower bits, and a hash of this and all earlier calls in the
// others, so that both are loaded at once.
constexpr uint64_t k_number_bits = 24;
constexpr uint64_t k_number_mask = (uint64_t{1} << k_number_bits) - 1;
constexpr uint64_t k_unknown_call = 0;
constexpr uint64_t k_skipped_call = 1;  // takes the place of the hash of a call
constexpr size_t k_remembered_calls = 1024;

}  // namespace

uint64_t Link::call_key() const { return (call_chain_ & ~k_number_mask) | (calls_ & k_number_mask); }

void Link::publish_call(uint64_t key) {
  last_calls_.push_back(key);
  if (last_calls_.size() > k_remembered_calls) last_calls_.pop_front();
  mine_->last_call.store(key, std::memory_order_release);
  mine_->calls.store(calls_);
}

void Link::count_call(uint64_t what) {
  ++calls_;
  call_chain_ = fnv1a(std::as_bytes(std::span(&what, 1)), call_chain_);
}

void Link::enter_call(uint64_t what) {
  count_call(what);
  publish_call(call_key());
  if (node_->skipping.load() > 0) ring_all();
}

void Link::name_skipped_call() {
  last_calls_.back() = call_key();
  mine_->last_call.store(call_key(), std::memory_order_release);
}

void Link::enter_skipped_call() {
  node_->skipping.fetch_add(1);
  const uint64_t number = calls_ + 1;
  const uint64_t before = mine_->skips.load(std::memory_order_relaxed);
  mine_->skips_before.store(before, std::memory_order_release);
  mine_->skips.store(fnv1a(std::as_bytes(std::span(&number, 1)), before ^ k_fnv_offset_basis),
                     std::memory_order_release);
  count_call(k_skipped_call);
  publish_call(k_unknown_call);
  ring_all();
}

// A rank that skipped a call waits for the others, so no rank is more than one skip ahead of it.
bool Link::all_entered(bool& same) const {
  const uint64_t own = mine_->skips.load(std::memory_order_relaxed);
  same = true;
  for (int r = 0; r < fabric_.staging->local_ranks(); ++r) {
    const RankLine& other = line(r);
    if (other.calls.load() < calls_) return false;
    same = same && (other.skips.load(std::memory_order_acquire) == own ||
                    other.skips_before.load(std::memory_order_acquire) == own);
  }
  return true;
}

void Link::enter_flush() {
  mine_->flushes.store(++flushes_);
  in_flush_ = true;
  // A rank that sleeps in a call which this rank has left out must learn this now. Other ranks are not woken,
  // because that would cost each of them two context switches.
  for (int r = 0; r < fabric_.staging->local_ranks(); ++r) {
    RankLine& other = line(r);
    const bool ahead = other.calls.load() > calls_;
    if (ahead && other.flushes.load() < flushes_) ring(other);
  }
}

bool Link::is_ahead(int local_rank) const {
  const RankLine& other = line(local_rank);
  return other.calls.load(std::memory_order_acquire) > calls_ ||
         other.flushes.load(std::memory_order_acquire) > flushes_;
}

bool Link::is_behind(int local_rank) const {
  const RankLine& other = line(local_rank);
  return other.calls.load(std::memory_order_acquire) < calls_ ||
         other.flushes.load(std::memory_order_acquire) < flushes_;
}

bool Link::missed_a_call(const RankLine& other) const {
  const uint64_t next_flush = in_flush_ ? flushes_ : flushes_ + 1;
  return other.flushes.load(std::memory_order_acquire) >= next_flush &&
         other.calls.load(std::memory_order_acquire) < calls_;
}

// Compares the other rank's last call with this rank's call of the same number. A rank with fewer calls
// leaves the comparison to the other one.
bool Link::made_another_call(uint64_t theirs) const {
  const uint64_t behind = (calls_ - theirs) & k_number_mask;
  if (theirs == k_unknown_call || behind >= last_calls_.size()) return false;
  const uint64_t mine = last_calls_[last_calls_.size() - 1 - behind];
  return mine != k_unknown_call && mine != theirs;
}

Status Link::check_calls() {
  for (int r = 0; r < fabric_.staging->local_ranks(); ++r) {
    const bool missed =
        missed_a_call(line(r)) || (fabric_.watch != nullptr && fabric_.watch->passed_by(*this, r));
    if (!missed && !made_another_call(line(r).last_call.load(std::memory_order_acquire))) continue;
    if (failed()) return {};  // another rank has reported it already
    fail();
    return failure(Code::mismatch, "rank {} {} rank {}; all ranks must make the same calls in the same order",
                   fabric_.nodes->local_rank(r),
                   missed ? "waits in another call, before which it has made fewer calls on the file than"
                          : "put or got another variable, or with another decomposition, than",
                   fabric_.messages->rank());
  }
  return {};
}

void Link::fail() {
  if (several_nodes() && !failed() && fabric_.watch != nullptr) fabric_.watch->tell_failure(*this);
  hear_failure();
}

void Link::hear_failure() {
  node_->failed.store(1);
  ring_all();
}

// The memory of the counts is allocated before a message is in transit, because drain() depends on the
// counts.
Link::Transfer Link::send(std::span<const std::byte> message, size_t data_bytes, int rank, Tag tag) {
  int64_t& sent = sent_[{rank, tag}];
  Transfer transfer{carrier(tag).send(message, rank, this->tag(tag)), rank, tag, false};
  ++sent;
  ++counters().messages;
  counters().message_bytes += message.size();
  counters().message_data_bytes += data_bytes;
  return transfer;
}

Link::Transfer Link::receive(std::span<std::byte> buffer, int rank, Tag tag) {
  received_.try_emplace({rank, tag});
  return {carrier(tag).receive(buffer, rank, this->tag(tag)), rank, tag, true};
}

Result<bool> Link::finished(Transfer& transfer, size_t* length) {
  Result<bool> finished = carrier(transfer.tag).test(transfer.handle, length);
  if (transfer.receiving && (!finished.ok() || *finished)) ++received_[{transfer.peer, transfer.tag}];
  return finished;
}

void Link::cancel_receive(std::optional<Transfer>& transfer) {
  if (!transfer || !transfer->receiving) return;
  if (carrier(transfer->tag).cancel(transfer->handle)) ++received_[{transfer->peer, transfer->tag}];
  transfer.reset();
}

void Link::complete_send(std::optional<Transfer>& transfer) {
  if (!transfer || transfer->receiving) return;
  carrier(transfer->tag).wait(transfer->handle);
  transfer.reset();
}

Status Link::drain() {
  comm::Messages& messages = *fabric_.messages;
  std::vector<std::vector<int64_t>> sent(static_cast<size_t>(messages.size()));
  for (const auto& [key, count] : sent_) {
    if (&carrier(key.second) != &messages) continue;
    auto& part = sent[static_cast<size_t>(key.first)];
    part.resize(k_tags);
    part[static_cast<size_t>(key.second)] = count;
  }
  SCORPIO_ASSIGN(const auto arriving, messages.all_to_all(sent));
  std::vector<std::byte> unwanted(
      std::max(message_bytes(), fabric_.io_ranks->size() * sizeof(uint64_t)));  // of a round
  for (int rank = 0; rank < messages.size(); ++rank) {
    const std::vector<int64_t>& counts = arriving[static_cast<size_t>(rank)];
    for (size_t kind = 0; kind < counts.size(); ++kind) {
      const Tag what = static_cast<Tag>(kind);
      for (int64_t left = counts[kind] - received_[{rank, what}]; left > 0; --left) {
        SCORPIO_TRY(messages.receive_now(unwanted, rank, tag(what)));
        ++received_[{rank, what}];
      }
    }
  }
  return {};
}

}  // namespace scorpio::exchange
