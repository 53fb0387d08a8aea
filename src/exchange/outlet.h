// Where the bytes of one file go from a channel, and what became of them on this rank. A channel may carry
// several files: every unit that was closed keeps the outlet of its file. Local; what is written may be told
// by another thread than the one that asks.
#pragma once

#include <cstdint>
#include <utility>

#include "base/mutex.h"
#include "base/status.h"
#include "observe/counters.h"
#include "plan/slot_schedule.h"
#include "storage/sink.h"

namespace scorpio::exchange {

class Outlet {
 public:
  Outlet(storage::Sink* to, uint64_t number) : sink(to), file(number) {}

  storage::Sink* sink;  // changed only while nothing is written
  const uint64_t file;  // its number, the same on all ranks

  // The first failure since take_status() is kept.
  void note(Status failed) {
    if (failed.ok()) return;
    const MutexLock lock(mutex_);
    if (status_.ok()) status_ = std::move(failed);
  }
  bool failed() const {
    const MutexLock lock(mutex_);
    return !status_.ok();
  }
  Status take_status() {
    const MutexLock lock(mutex_);
    return std::exchange(status_, Status());
  }

  // What a thread beside that of the calls has counted for the file, to be added to the I/O system's counters
  // when a call waits for it.
  void add_worked(const observe::Counters& counted) {
    const MutexLock lock(mutex_);
    observe::add_gain(worked_, counted, {});
  }
  observe::Counters take_worked() {
    const MutexLock lock(mutex_);
    return std::exchange(worked_, {});
  }

 private:
  mutable Mutex mutex_;
  Status status_ GUARDED_BY(mutex_);
  observe::Counters worked_ GUARDED_BY(mutex_);
};

// A closed activation, of the file that its bytes belong to.
struct Job : plan::Activation {
  Outlet* outlet = nullptr;
};

}  // namespace scorpio::exchange
