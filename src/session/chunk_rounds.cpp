#include "session/chunk_rounds.h"

#include <chrono>
#include <utility>

#include "base/guarded.h"
#include "observe/counters_here.h"
#include "observe/trace.h"

namespace scorpio::session {

namespace {

constexpr std::chrono::milliseconds k_next_look{10};

}  // namespace

ChunkRounds::ChunkRounds(const Ground& ground) : ground_(ground), addresses_(ground.block_bytes, 0) {}

void ChunkRounds::use(uint64_t begin) {
  if (begin == begin_) return;
  begin_ = begin;
  addresses_ = format::AddressBook(ground_.block_bytes, begin);
  ranges_ = {};
}

void ChunkRounds::after_put() {
  if (begin_ == 0 || ground_.channel.failed()) return;
  const uint64_t closes = ground_.channel.closes();
  if (closes < closes_ + ground_.closes) return;
  closes_ = closes;
  Slots slots = ground_.channel.delivered_here();
  {
    const MutexLock lock(mutex_);
    if (stopped_) return;
    slots_ = std::move(slots);
    ++ended_;
    ground_.channel.set_round(ended_);
  }
  ground_.worker.attend(*this);
  const MutexLock lock(mutex_);
  while (!is_done() && placed_ + 1 < ended_ && ground_.data.unplaced_bytes() > ground_.most_bytes)
    placed_more_.wait_for(mutex_, k_next_look);
}

// A channel in which ranks have made different calls may never be written. After a failed write the other
// I/O ranks are not to wait for this one.
bool ChunkRounds::is_done() {
  if (!stopped_ && ground_.channel.ever_failed()) {
    stopped_ = true;
    ground_.channel.tell_complete(0, false);
  }
  return placed_ == ended_ || stopped_ || ground_.channel.failed();
}

void ChunkRounds::finish() {
  {
    const MutexLock lock(mutex_);
    if (is_done()) return;
  }
  ground_.worker.attend(*this);
  const MutexLock lock(mutex_);
  while (!is_done()) placed_more_.wait_for(mutex_, k_next_look);
}

void ChunkRounds::stop() {
  ground_.worker.withdraw(*this);
  const MutexLock lock(mutex_);
  stopped_ = true;
}

// The channel may be another one than before, which counts its closes anew. No chunk was placed since use():
// if one had been, the synchronisation point would have ended the arena.
void ChunkRounds::begin_again() {
  const MutexLock lock(mutex_);
  if (!stopped_ || ground_.channel.failed() || ground_.channel.ever_failed()) return;
  closes_ = ground_.channel.closes();
  slots_.clear();
  told_ = placed_ = ended_;
  ground_.data.begin_round(ended_);
  begin_ = 0;
  stopped_ = false;
}

bool ChunkRounds::advance() {
  {
    const MutexLock lock(mutex_);
    if (is_done()) return true;
  }
  observe::Counters worked;
  bool done = false;
  const Status advanced = guarded([&] {
    const observe::CountHere here(worked);
    const observe::TraceFile file(ground_.number);
    done = step(worked);
    return Status();
  });
  ground_.channel.add_worked(worked);
  if (!advanced.ok()) ground_.channel.note(advanced);
  placed_more_.notify_all();
  return done || !advanced.ok();
}

// The slots of a file are written in the order in which their units were closed. So either a slot of a later
// round has been written, or all slots that were closed by the end of the last round.
bool ChunkRounds::step(observe::Counters& worked) {
  uint64_t ended = 0, placed = 0;
  bool written = false;
  {
    const MutexLock lock(mutex_);
    ended = ended_;
    placed = placed_;
    written = ground_.channel.written(slots_);
  }
  if (written) ground_.data.begin_round(ended);
  for (const uint64_t begun = ground_.data.round(); placed < begun;) {
    if (told_ == placed) ground_.channel.tell_round(++told_, ground_.data.round_bytes(placed));
    const auto all = ground_.channel.all_of_round(told_);
    if (!all) return false;
    if (!all->empty()) {
      const observe::Timer timer(worked.time_io_ns, observe::Activity::write);
      const Status done = place(placed, *all);
      if (!done.ok()) ground_.channel.note(done);
    }
    const MutexLock lock(mutex_);
    stopped_ = stopped_ || all->empty();
    placed_ = ++placed;
  }
  const MutexLock lock(mutex_);
  return placed_ == ended_ || stopped_;
}

Status ChunkRounds::place(uint64_t round, const std::vector<uint64_t>& bytes) {
  SCORPIO_ASSIGN(const std::vector<uint64_t> at, ranges_.place(addresses_, bytes));
  return ground_.data.place_round(round, at[ground_.my_owner]);
}

}  // namespace scorpio::session
