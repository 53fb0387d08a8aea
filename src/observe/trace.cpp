#include "observe/trace.h"

#include <fmt/format.h>

#include <algorithm>

namespace scorpio::observe {

namespace {

thread_local Track* t_track = nullptr;
thread_local uint64_t t_file = Event::k_no_file;

}  // namespace

std::string Trace::name_of(uint64_t number) const {
  const auto named =
      std::ranges::find_if(files_, [number](const auto& file) { return file.first == number; });
  return named == files_.end() ? fmt::format("file {}", number) : named->second;
}

TraceHere::TraceHere(Track* track, uint64_t file)
    : before_(std::exchange(t_track, track)), file_before_(std::exchange(t_file, file)) {}

TraceHere::~TraceHere() {
  t_track = before_;
  t_file = file_before_;
}

TraceFile::TraceFile(uint64_t file) : before_(std::exchange(t_file, file)) {}

TraceFile::~TraceFile() { t_file = before_; }

bool records() { return t_track != nullptr; }

void trace(Activity what, TraceClock::time_point begin, TraceClock::time_point end, uint64_t value) {
  if (t_track != nullptr) t_track->add({begin, end, t_file, value, what});
}

void trace_number(Activity what, uint64_t file, uint64_t value) {
  if (t_track == nullptr) return;
  const TraceClock::time_point now = TraceClock::now();
  t_track->add({now, now, file, value, what});
}

}  // namespace scorpio::observe
