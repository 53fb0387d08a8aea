// The report of an I/O system: collected from all ranks when it is released, and written by rank 0 of its
// communicator. Collective where stated. No call fails because of a report: if it cannot be written,
// scorpio_iosystem_describe() says so.
#pragma once

#include <string>
#include <vector>

#include "base/options.h"
#include "observe/event_log.h"
#include "session/iosystem/record_files.h"
#include "session/iosystem/records.h"

namespace scorpio::session {

class System;

// The events, and the number of those that were not kept.
std::vector<std::string> notes_of(const observe::EventLog& events);

class Reporter {
 public:
  // Local. Rank 0 derives the name of the file from `wished` (option report) and creates it empty, so that it
  // never holds the report of an earlier job. The other ranks ignore `wished`.
  Reporter(const System& system, Records& records, const RecordNames& names, const std::string& wished);
  // The name of the file; on rank 0.
  const std::string& path() const { return path_; }
  // What the report says of the I/O system itself.
  struct Described {
    const Options& options;
    const std::string& staging;
    double age_s;
  };
  // Collective: two or three reductions, and a broadcast where rank 0 is not the metadata rank.
  void write(const Described& description) const;

 private:
  const System& system_;
  Records& records_;
  std::string path_;  // "-": standard output; on rank 0
};

}  // namespace scorpio::session
