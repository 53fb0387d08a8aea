#include "exchange/link/call_order.h"

#include <cstddef>

namespace scorpio::exchange {

namespace {

// A key has the number of a data call in its lower bits, and a hash of this and all earlier calls in the
// others, so that both are loaded at once.
constexpr uint64_t k_number_bits = 24;
constexpr uint64_t k_number_mask = (uint64_t{1} << k_number_bits) - 1;
constexpr uint64_t k_unknown_call = 0;
constexpr uint64_t k_skipped_call = 1;  // takes the place of the hash of a call
constexpr size_t k_remembered_calls = 1024;

}  // namespace

uint64_t CallOrder::key() const { return (chain_ & ~k_number_mask) | (calls_ & k_number_mask); }

void CallOrder::publish(uint64_t key) {
  last_.push_back(key);
  if (last_.size() > k_remembered_calls) last_.pop_front();
  lines_.mine().last_call.store(key, std::memory_order_release);
  lines_.mine().calls.store(calls_);
}

void CallOrder::enter(uint64_t what) {
  count(what);
  publish(key());
  if (lines_.node().skipping.load() > 0) lines_.ring_all();
}

void CallOrder::name_skipped() {
  last_.back() = key();
  lines_.mine().last_call.store(key(), std::memory_order_release);
}

void CallOrder::enter_skipped() {
  lines_.node().skipping.fetch_add(1);
  RankLine& mine = lines_.mine();
  const uint64_t before = mine.skips.load(std::memory_order_relaxed);
  mine.skips_before.store(before, std::memory_order_release);
  mine.skips.store(followed_by(before, calls_ + 1), std::memory_order_release);
  count(k_skipped_call);
  publish(k_unknown_call);
  lines_.ring_all();
}

// A rank that skipped a call waits for the others, so no rank is more than one skip ahead of it.
bool CallOrder::all_entered(bool& same) const {
  const uint64_t own = lines_.mine().skips.load(std::memory_order_relaxed);
  same = true;
  for (int r = 0; r < lines_.ranks(); ++r) {
    const RankLine& other = lines_.of(r);
    if (other.calls.load() < calls_) return false;
    same = same && (other.skips.load(std::memory_order_acquire) == own ||
                    other.skips_before.load(std::memory_order_acquire) == own);
  }
  return true;
}

void CallOrder::enter_flush() {
  lines_.mine().flushes.store(++flushes_);
  in_flush_ = true;
  // A rank that sleeps in a call which this rank has left out must learn this now. Other ranks are not woken,
  // because that would cost each of them two context switches.
  for (int r = 0; r < lines_.ranks(); ++r) {
    RankLine& other = lines_.of(r);
    const bool ahead = other.calls.load() > calls_;
    if (ahead && other.flushes.load() < flushes_) NodeLines::ring(other);
  }
}

bool CallOrder::is_ahead(int local_rank) const {
  const RankLine& other = lines_.of(local_rank);
  return other.calls.load(std::memory_order_acquire) > calls_ ||
         other.flushes.load(std::memory_order_acquire) > flushes_;
}

bool CallOrder::is_behind(int local_rank) const {
  const RankLine& other = lines_.of(local_rank);
  return other.calls.load(std::memory_order_acquire) < calls_ ||
         other.flushes.load(std::memory_order_acquire) < flushes_;
}

bool CallOrder::is_missed_by(int local_rank) const {
  const RankLine& other = lines_.of(local_rank);
  const uint64_t next_flush = in_flush_ ? flushes_ : flushes_ + 1;
  return other.flushes.load(std::memory_order_acquire) >= next_flush &&
         other.calls.load(std::memory_order_acquire) < calls_;
}

// Compares the other rank's last call with this rank's call of the same number. A rank with fewer calls
// leaves the comparison to the other one.
bool CallOrder::differs_from(uint64_t theirs) const {
  const uint64_t behind = (calls_ - theirs) & k_number_mask;
  if (theirs == k_unknown_call || behind >= last_.size()) return false;
  const uint64_t mine = last_[last_.size() - 1 - behind];
  return mine != k_unknown_call && mine != theirs;
}

}  // namespace scorpio::exchange
