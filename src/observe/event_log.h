// Events that a user should know of and that are no failures (an abandoned temporary file, a fallback).
// Local; any thread. Bounded: the first events are kept, later ones only counted. Never prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/mutex.h"

namespace scorpio::observe {

class EventLog {
 public:
  static constexpr size_t k_default_capacity = 256;

  explicit EventLog(size_t capacity = k_default_capacity) : capacity_(capacity) {}

  void add(std::string text);
  std::vector<std::string> events() const;
  // The number of events that were not kept.
  uint64_t dropped() const;

 private:
  const size_t capacity_;
  mutable Mutex mutex_;
  std::vector<std::string> events_ GUARDED_BY(mutex_);
  uint64_t dropped_ GUARDED_BY(mutex_) = 0;
};

}  // namespace scorpio::observe
