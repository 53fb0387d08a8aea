// The I/O of one file in a channel on this rank: the sink of its bytes, the status and counters of its
// writes, and the status of its reads. A channel may serve several files: each closed unit keeps the FileIo
// of its file. Local; a thread other than the one that takes the status may record it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "base/status.h"
#include "exchange/io_phase/pace.h"
#include "observe/counters.h"
#include "observe/meanwhile.h"
#include "plan/domains.h"
#include "plan/slot_schedule.h"
#include "storage/sink.h"

namespace scorpio::exchange {

class FileIo {
 public:
  FileIo(storage::Sink* to, uint64_t number) : sink(to), file(number) {}

  storage::Sink* sink;  // changed only while nothing is written
  const uint64_t file;  // its number, the same on all ranks
  Pace pace;            // set before the first put, and then used by the thread that writes
  uint64_t round = 0;   // the placement round of units that are closed now (session/state/chunk_rounds.h)

  // Whether the sink is told beforehand what is written of the unit: only chunks are encoded.
  bool takes_announcements(const plan::Unit& unit) const {
    return unit.bytes.begin >= plan::k_chunk_space && sink != nullptr && sink->encoding() != nullptr;
  }

  // Whether the sink is told the round, before units that were closed in it are written.
  bool takes_rounds(uint64_t of_unit) const {
    return of_unit > 0 && sink != nullptr && sink->encoding() != nullptr;
  }

  // A write: the first failure since take_status() is kept.
  void note(Status failed) {
    if (failed.ok()) return;
    const MutexLock lock(mutex_);
    ever_failed_ = true;
    if (status_.ok()) status_ = std::move(failed);
  }
  bool failed() const {
    const MutexLock lock(mutex_);
    return !status_.ok();
  }
  // The same, also after take_status().
  bool ever_failed() const {
    const MutexLock lock(mutex_);
    return ever_failed_;
  }
  Status take_status() {
    const MutexLock lock(mutex_);
    return std::exchange(status_, Status());
  }
  // A read: the first failure since take_read_status() is kept. The file lacks no data.
  void note_read(Status failed) {
    if (failed.ok()) return;
    const MutexLock lock(mutex_);
    if (read_status_.ok()) read_status_ = std::move(failed);
  }
  Status take_read_status() {
    const MutexLock lock(mutex_);
    return std::exchange(read_status_, Status());
  }

  // The counters of another thread for this file. take_worked() adds them to `total`, the counters of the I/O
  // system, when a call waits for that thread.
  void add_worked(const observe::Counters& counted) {
    const MutexLock lock(mutex_);
    if (!worked_) worked_.emplace();
    observe::add_gain(*worked_, counted, {});
    const uint64_t spent = counted.time_io_ns + counted.time_metadata_ns;
    meanwhile_.write_ns += spent - std::min(spent, counted.time_encode_ns);
    meanwhile_.encode_ns += counted.time_encode_ns;
    meanwhile_.writes += counted.writes;
    meanwhile_.bytes += counted.bytes_written;
  }
  void take_worked(observe::Counters& total) {
    const MutexLock lock(mutex_);
    if (worked_) observe::add_gain(total, *worked_, {});
    worked_.reset();
  }

  // ---- the full slots of this file that wait for the thread that writes them ----
  void queue(uint64_t bytes) {
    const uint64_t slots = queued_slots_.fetch_add(1, std::memory_order_relaxed) + 1;
    const uint64_t all = queued_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    observe::raise(most_queued_slots_, slots);
    observe::raise(most_queued_bytes_, all);
  }
  void unqueue(uint64_t bytes) {
    queued_slots_.fetch_sub(1, std::memory_order_relaxed);
    queued_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  }
  uint64_t queued_slots() const { return queued_slots_.load(std::memory_order_relaxed); }
  // What the other thread has done for this file, when it does nothing more.
  observe::Meanwhile meanwhile() const {
    const MutexLock lock(mutex_);
    observe::Meanwhile all = meanwhile_;
    all.queued_slots = most_queued_slots_;
    all.queued_bytes = most_queued_bytes_;
    return all;
  }

 private:
  mutable Mutex mutex_;
  Status status_ GUARDED_BY(mutex_);
  Status read_status_ GUARDED_BY(mutex_);
  bool ever_failed_ GUARDED_BY(mutex_) = false;
  std::optional<observe::Counters> worked_ GUARDED_BY(mutex_);  // since take_worked()
  observe::Meanwhile meanwhile_ GUARDED_BY(mutex_);
  std::atomic<uint64_t> queued_slots_ = 0, queued_bytes_ = 0;
  uint64_t most_queued_slots_ = 0, most_queued_bytes_ = 0;  // changed by raise()
};

// A closed activation and the FileIo of its file.
struct Job : plan::Activation {
  FileIo* file_io = nullptr;
  uint64_t round = file_io == nullptr ? 0 : file_io->round;

  // What this rank met while it moved the data.
  void note(Status failed) const {
    read ? file_io->note_read(std::move(failed)) : file_io->note(std::move(failed));
  }
};

}  // namespace scorpio::exchange
