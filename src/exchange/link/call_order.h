// The data calls and flushes of a channel that this rank has entered, beside those of the other ranks of its
// node, which are in shared counters: whether all make the same calls in the same order. One thread.
#pragma once

#include <cstdint>
#include <deque>

#include "base/hash.h"
#include "exchange/link/node_lines.h"

namespace scorpio::exchange {

class CallOrder {
 public:
  // `lines` outlives this object.
  explicit CallOrder(const NodeLines& lines) : lines_(lines) {}

  // This rank enters its next data call. `what`: a hash of it, the same on all ranks that make the same call.
  void enter(uint64_t what);
  // The same for a call that this rank leaves out. It is not compared with the calls of other ranks until
  // name_skipped(): the failure of the channel informs the ranks of the node.
  void enter_skipped();
  void leave_skipped() const { lines_.node().skipping.fetch_sub(1); }
  // All ranks of the node skipped it.
  void name_skipped();
  // All ranks of the node have entered the call that this rank skipped; `same`: all of them skipped it.
  bool all_entered(bool& same) const;
  void enter_flush();
  void leave_flush() { in_flush_ = false; }

  // Data calls and flushes that this rank has entered, the key of its last call, and a hash of all of them in
  // their order.
  uint64_t calls() const { return calls_; }
  uint64_t flushes() const { return flushes_; }
  uint64_t last_call() const { return lines_.mine().last_call.load(std::memory_order_relaxed); }
  uint64_t hash() const { return chain_; }

  // Whether another rank of the node has entered calls or flushes that this one has not, or the reverse.
  bool is_ahead(int local_rank) const;
  bool is_behind(int local_rank) const;
  // While this rank waits in a call: whether the other rank, which has entered a flush, has not entered this
  // call.
  bool is_missed_by(int local_rank) const;
  // Whether `theirs`, the key of another rank's last call, is not that of this rank's call of the same
  // number; the same of a rank of the node.
  bool differs_from(uint64_t theirs) const;
  bool is_another_of(int local_rank) const {
    return differs_from(lines_.of(local_rank).last_call.load(std::memory_order_acquire));
  }

 private:
  void count(uint64_t what) {
    ++calls_;
    chain_ = followed_by(chain_, what);
  }
  uint64_t key() const;
  void publish(uint64_t key);

  const NodeLines& lines_;
  uint64_t calls_ = 0;
  uint64_t chain_ = k_fnv_offset_basis;
  std::deque<uint64_t> last_;  // keys of the last calls
  uint64_t flushes_ = 0;
  bool in_flush_ = false;
};

}  // namespace scorpio::exchange
