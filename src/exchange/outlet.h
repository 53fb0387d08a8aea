// The destination of the bytes of one file in a channel, and the status and counters of its writes on this
// rank. A channel may serve several files: each closed unit keeps the outlet of its file. Local; a thread
// other than the one that takes the status may record it.
#pragma once

#include <cstdint>
#include <utility>

#include "base/mutex.h"
#include "base/status.h"
#include "exchange/pace.h"
#include "observe/counters.h"
#include "plan/slot_schedule.h"
#include "storage/sink.h"

namespace scorpio::exchange {

class Outlet {
 public:
  Outlet(storage::Sink* to, uint64_t number) : sink(to), file(number) {}

  storage::Sink* sink;  // changed only while nothing is written
  const uint64_t file;  // its number, the same on all ranks
  Pace pace;            // set before the first put, and then used by the thread that writes

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

  // The counters of another thread for this file. They are added to the counters of the I/O system when a
  // call waits for that thread.
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

// A closed activation and the outlet of its file.
struct Job : plan::Activation {
  Outlet* outlet = nullptr;
};

}  // namespace scorpio::exchange
