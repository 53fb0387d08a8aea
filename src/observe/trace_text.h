// The trace of a rank in the trace event format of Chrome. Pure; session/iosystem/trace_writer.cpp makes a
// file of those of all ranks.
#pragma once

#include <chrono>
#include <string>

#include "observe/trace.h"

namespace scorpio::observe {

struct TraceOf {
  int rank = 0;
  bool is_io_rank = false;
  TraceClock::time_point origin{};  // the time that is shown as 0
};

// The elements of the array of events, each after a comma and a line break. In each track the activities are
// sorted by their begin, and an activity precedes the activities inside it.
std::string trace_events(const Trace& trace, const TraceOf& of);
// The text before the elements, whose first comma is left out, and the text after them.
std::string trace_head(const std::string& version);
std::string trace_end();

}  // namespace scorpio::observe
