#include "observe/event_log.h"

#include <utility>

namespace scorpio::observe {

void EventLog::add(std::string text) {
  const MutexLock lock(mutex_);
  if (events_.size() < capacity_) {
    events_.push_back(std::move(text));
  } else {
    ++dropped_;
  }
}

std::vector<std::string> EventLog::events() const {
  const MutexLock lock(mutex_);
  return events_;
}

uint64_t EventLog::dropped() const {
  const MutexLock lock(mutex_);
  return dropped_;
}

}  // namespace scorpio::observe
