// The file of option trace: the tracks of all ranks, written when the I/O system is released. No call fails
// because of a trace: if it cannot be written, its file stays empty. Collective where stated.
#pragma once

#include <string>

#include "observe/event_log.h"
#include "observe/trace.h"
#include "session/iosystem/record_files.h"

namespace scorpio::session {

class System;

class TraceWriter {
 public:
  // Local. Rank 0 derives the name of the file from `wished` (option trace) as that of a report, and creates
  // it empty. The other ranks ignore `wished`.
  TraceWriter(const System& system, observe::EventLog& events, const RecordNames& names,
              const std::string& wished);
  // The name of the file; on rank 0.
  const std::string& path() const { return path_; }
  observe::Trace& trace() { return trace_; }
  // Collective: each rank writes its events to a part of the file of its own. All workers are idle. `begin`:
  // when this rank made the I/O system.
  void write(observe::TraceClock::time_point begin) const;

 private:
  const System& system_;
  std::string path_;
  observe::Trace trace_;
};

}  // namespace scorpio::session
