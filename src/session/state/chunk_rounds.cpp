#include "session/state/chunk_rounds.h"

#include <chrono>
#include <utility>

#include "base/guarded.h"
#include "comm/deadline.h"
#include "observe/counters_here.h"
#include "observe/trace.h"

namespace scorpio::session {

namespace {

constexpr std::chrono::milliseconds k_next_look{10};

}  // namespace

ChunkRounds::ChunkRounds(RoundChannel& channel, const Ground& ground)
    : channel_(channel), ground_(ground), addresses_(ground.block_bytes, 0) {}

void ChunkRounds::use(uint64_t begin) {
  if (begin == begin_) return;
  if (begin_ == 0) writer_ = ground_.writer();
  begin_ = begin;
  addresses_ = format::AddressBook(ground_.block_bytes, begin);
  ranges_ = format::ChunkRanges(1);  // the gap between the metadata and `begin`
}

template <class Condition>
void ChunkRounds::wait_while(bool hurry, Condition&& condition) {
  const comm::Deadline deadline(channel_.longest_wait());
  for (leave_if_failed(); !is_done() && condition(); leave_if_failed()) {
    waited_for_ = hurry;
    placed_more_.wait_for(mutex_, k_next_look);
    deadline.check();
  }
  waited_for_ = false;
}

void ChunkRounds::after_operation() {
  if (begin_ == 0 || channel_.failed()) return;
  const uint64_t closes = channel_.closes();
  if (closes < closes_ + ground_.limits.closes) return;
  closes_ = closes;
  const bool takes_part = end_round();
  if (channel_.several_nodes()) tell_due_rounds();
  if (!takes_part) return;
  const MutexLock lock(mutex_);
  wait_while(true, [this]() REQUIRES(mutex_) {
    return placed_ + 1 < ended_ && channel_.others().has(placed_ + 1) &&
           ground_.chunks.unplaced_bytes() > ground_.limits.most_bytes;
  });
}

void ChunkRounds::end_now() {
  if (begin_ == 0 || channel_.failed() || channel_.closes() == closes_) return;
  closes_ = channel_.closes();
  if (channel_.several_nodes()) ends_.push_back(closes_);
  (void)end_round();
}

// Each round ends on all I/O ranks, also on one that takes no part.
bool ChunkRounds::end_round() {
  RoundChannel::Slots slots = channel_.delivered_here();
  {
    const MutexLock lock(mutex_);
    channel_.others().ended(++ended_);
    if (stopped_) {
      tell_stop();
      return false;
    }
    slots_.push_back(std::move(slots));
    channel_.set_round(ended_);
  }
  ground_.worker.attend(*this);
  return true;
}

// The units of such a round are written when this operation ends, on all I/O ranks, because their slots were
// needed. None of the last ones, so that no I/O rank waits for a slower one as long as there is memory.
uint64_t ChunkRounds::due_round() {
  uint64_t ended = 0;
  {
    const MutexLock lock(mutex_);
    ended = ended_;
  }
  ends_.push_back(closes_);
  while (!ends_.empty() && ends_.front() <= channel_.reused() && due_ + ground_.limits.most_rounds < ended) {
    ends_.pop_front();
    ++due_;
  }
  return due_;
}

// All I/O ranks end the same rounds in the same operations, and at the end of such a one each has told the
// bytes of the rounds that are due. So one whose memory is used up can wait for them there.
void ChunkRounds::tell_due_rounds() {
  const uint64_t due = due_round();
  {
    const MutexLock lock(mutex_);
    wait_while(false, [&]() REQUIRES(mutex_) { return told_ < due; });
  }
  channel_.others().pass_on(due, ground_.chunks.unplaced_bytes() > ground_.limits.most_bytes);
}

// After a failed write the other I/O ranks are not to wait for this one. Called by each function that asks
// is_done() after it has taken the lock anew, because any thread may note a failure.
void ChunkRounds::leave_if_failed() {
  if (stopped_ || !channel_.ever_failed()) return;
  stopped_ = true;
  channel_.others().leave();
}

// A channel in which ranks have made different calls may never be written.
bool ChunkRounds::is_done() const { return placed_ == ended_ || stopped_ || channel_.failed(); }

void ChunkRounds::encode() {
  ground_.worker.attend(*this);
  const MutexLock lock(mutex_);
  wait_while(false, [this]() REQUIRES(mutex_) { return told_ < ended_; });
}

bool ChunkRounds::under_way() {
  const MutexLock lock(mutex_);
  leave_if_failed();
  return !is_done() || !channel_.others().are_known();
}

void ChunkRounds::finish() {
  if (!under_way()) return;
  ground_.worker.attend(*this);
  channel_.others().exchange();
  const MutexLock lock(mutex_);
  wait_while(true, [] { return true; });
}

// After stop(), which all I/O ranks make in the same call. On one node it leaves nothing to tell: what is
// told there ends other work of the workers as well.
void ChunkRounds::tell_stop() {
  if (channel_.several_nodes()) channel_.others().leave();
}

void ChunkRounds::stop() {
  {
    const MutexLock lock(mutex_);
    withdrawn_ = true;  // neither thread submits work to the other one from now on
  }
  ground_.worker.withdraw(*this);
  writer().withdraw(writing_);
  const MutexLock lock(mutex_);
  to_write_.clear();
  queued_ = false;
  stopped_ = true;
  tell_stop();
}

// The channel may be another one than before, which counts its closes anew. No chunk was placed since use():
// if one had been, the synchronisation point would have ended the arena.
void ChunkRounds::begin_again() {
  const MutexLock lock(mutex_);
  if (!stopped_ || channel_.failed() || channel_.ever_failed()) return;
  closes_ = channel_.closes();
  ends_.clear();
  slots_.clear();
  written_ = told_ = known_ = placed_ = due_ = ended_;
  ground_.chunks.begin_round(ended_);
  channel_.set_round(ended_);
  channel_.others().take_part();
  begin_ = 0;
  stopped_ = withdrawn_ = false;
}

void ChunkRounds::counted(const std::function<Status(observe::Counters&)>& work) noexcept {
  observe::Counters worked;
  const Status done = guarded([&] {
    const observe::CountHere here(worked);
    const observe::TraceFile file(ground_.number);
    return work(worked);
  });
  channel_.note(done, worked);
  placed_more_.notify_all();
}

// Storage is left to the worker while it writes slots that come first.
async::Turn ChunkRounds::Writing::turn() const noexcept {
  async::Turn turn{rounds_.waited_for_.load(std::memory_order_relaxed), rounds_.ground_.priority, {}, true};
  if (rounds_.writer_ == nullptr) return turn;
  const async::Turn other = rounds_.ground_.worker.present();
  if (other.stores && other.precedes(turn)) turn.not_before = async::Time::max();
  return turn;
}

// Whenever the worker wakes up.
void ChunkRounds::run() noexcept {
  {
    const MutexLock lock(mutex_);
    leave_if_failed();
    if (is_done()) return;
  }
  counted([this](observe::Counters&) { return find_addresses(); });
  submit_writing();
}

// What waits for the rounds of this rank alone (PostedCommit) is the worker's.
void ChunkRounds::write_one() noexcept {
  {
    const MutexLock lock(mutex_);
    queued_ = false;
  }
  (void)write_next();
  submit_writing();
  const MutexLock lock(mutex_);
  if (writer_ != nullptr && !withdrawn_) ground_.worker.attend(*this);
}

// If the worker writes: behind its other works, because slots that are emptied take data of ranks that may
// wait for them.
void ChunkRounds::submit_writing() {
  const MutexLock lock(mutex_);  // so that stop() withdraws it
  leave_if_failed();
  if (to_write_.empty() || queued_ || withdrawn_ || is_done()) return;
  queued_ = true;
  writer().submit(writing_);
}

bool ChunkRounds::advance() {
  {
    const MutexLock lock(mutex_);
    leave_if_failed();
    if (is_done()) return true;
  }
  do {
    counted([this](observe::Counters&) { return find_addresses(); });
  } while (writer_ == nullptr && write_next());
  submit_writing();
  const MutexLock lock(mutex_);
  leave_if_failed();
  return is_done();
}

// The slots of a file are written in the order in which their units were closed. So either a slot of a later
// round has been written, or all slots that were closed by the end of a round.
Status ChunkRounds::find_addresses() {
  uint64_t written = 0;
  {
    const MutexLock lock(mutex_);
    for (; !slots_.empty() && channel_.written(slots_.front()); ++written_) slots_.pop_front();
    written = written_;
  }
  ground_.chunks.begin_round(written);
  for (const uint64_t begun = ground_.chunks.round(); known_ < begun; ++known_) {
    tell(begun);
    const auto all = channel_.others().all_of(known_ + 1);
    if (!all) return {};
    if (!all->empty()) {
      SCORPIO_TRY(find_address(known_, *all));
      continue;
    }
    const MutexLock lock(mutex_);
    if (!stopped_) channel_.others().leave();
    stopped_ = true;
  }
  return {};
}

// The chunks of the rounds before `begun` are encoded.
void ChunkRounds::tell(uint64_t begun) {
  const MutexLock lock(mutex_);
  while (told_ < begun && told_ - known_ < channel_.others().most_under_way()) {
    channel_.others().tell(told_ + 1, ground_.chunks.round_bytes(told_));
    ++told_;
  }
}

// Chunks of a round without an address get one at the next synchronisation point.
Status ChunkRounds::find_address(uint64_t round, const std::vector<uint64_t>& bytes) {
  SCORPIO_ASSIGN(const std::vector<uint64_t> at, ranges_.place(addresses_, bytes));
  const MutexLock lock(mutex_);
  to_write_.push_back({round, at[ground_.my_owner]});
  return {};
}

// Returns whether there was something to write. The round counts as placed when its counters and its failure
// have been noted, because a rank may wait for that.
bool ChunkRounds::write_next() noexcept {
  Addressed next{};
  {
    const MutexLock lock(mutex_);
    leave_if_failed();
    if (is_done() || to_write_.empty()) return false;
    next = to_write_.front();
    to_write_.pop_front();
  }
  counted([&](observe::Counters& worked) {
    const observe::Timer timer(worked.time_io_ns, observe::Activity::write);
    return ground_.chunks.place_round(next.round, next.address);
  });
  {
    const MutexLock lock(mutex_);
    placed_ = next.round + 1;
  }
  placed_more_.notify_all();
  return true;
}

}  // namespace scorpio::session
