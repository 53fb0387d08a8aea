// How many bytes of encoded chunks each I/O rank has of each placement round (session/state/chunk_rounds.h),
// on several nodes. When the chunks of a round are encoded, each I/O rank sends their bytes to the first I/O
// rank, which sends those of all I/O ranks to each. The number of messages follows from the number of rounds
// that have ended alone: an I/O rank that takes no part any more says so in each. Independent; progresses
// inside library calls. Never blocks. The thread of the calls, except where stated.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "exchange/link/link.h"

namespace scorpio::exchange {

class RoundSizes {
 public:
  explicit RoundSizes(Link& link);
  RoundSizes(const RoundSizes&) = delete;
  RoundSizes& operator=(const RoundSizes&) = delete;

  // Round `number` has ended, and the same calls end it on all I/O ranks. The first one may have any number,
  // the next ones follow.
  void ended(uint64_t number);
  // Sends and receives what can be sent and received now. False if there was nothing.
  bool progress();
  // Whether all messages about the rounds that have ended are over.
  bool complete() const;
  // Whether this I/O rank has sent all that others need for the rounds up to this one; `known`: and their
  // bytes are known.
  bool passed_on(uint64_t number, bool known) const;
  // After a failure: before and after ChannelMessages::drain().
  void cancel_receives() { link_.messages().cancel_receive(incoming_); }
  void complete_sends();

  // ---- any thread ----
  // This I/O rank has encoded so many bytes of the next round that has ended.
  void tell(uint64_t bytes);
  // It takes no part in the rounds of which it has not told the bytes, nor in later ones, until take_part().
  void give_up();
  // All messages are over.
  void take_part();
  // Whether the bytes of this round are known.
  bool knows(uint64_t number) const;
  // [I/O ranks] its bytes, once; none: not known yet. Empty: some I/O rank takes no part.
  std::optional<std::vector<uint64_t>> take(uint64_t number);

 private:
  struct Sent {
    std::vector<uint64_t> words;
    std::vector<std::optional<ChannelMessages::Transfer>> sends;
  };

  bool is_first() const { return link_.my_owner() == 0; }
  std::optional<uint64_t> take_own();
  bool arrived(int owner, std::span<uint64_t> words);
  void send(std::vector<uint64_t> words, int first_owner, int end_owner);
  void finish_sends();
  bool gather();
  void keep();

  Link& link_;
  uint64_t ended_ = 0;  // the last round that has ended
  uint64_t done_ = 0;   // the last one whose bytes are known
  // ---- of the round after done_ ----
  std::vector<uint64_t> words_;  // [I/O ranks], as far as they have arrived
  int next_ = 0;                 // on the first I/O rank: whose bytes are awaited
  std::optional<ChannelMessages::Transfer> incoming_;
  std::deque<Sent> sent_;  // that are under way

  mutable Mutex mutex_;
  uint64_t begun_ GUARDED_BY(mutex_) = 0;  // ended_
  uint64_t said_ GUARDED_BY(mutex_) = 0;   // the last round about which this I/O rank has said something
  std::deque<uint64_t> own_ GUARDED_BY(mutex_);  // the bytes of the rounds after it, as far as they are told
  bool gave_up_ GUARDED_BY(mutex_) = false;
  std::map<uint64_t, std::vector<uint64_t>> known_ GUARDED_BY(mutex_);  // by the number of the round
};

}  // namespace scorpio::exchange
