// What an I/O system records: counters, events and the accounts of files, and what the options report, trace
// and explain ask for. No call fails because of a recording. Collective where stated; one thread, but for the
// trace and the backlog.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/options.h"
#include "observe/trace.h"
#include "session/iosystem/records.h"

namespace scorpio::session {

class Explanations;
class Reporter;
class System;
class TraceWriter;

class Recording {
 public:
  // `system` outlives this.
  explicit Recording(System& system);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // What rank 0 has asked for, the same on all ranks.
  struct Asked {
    bool report = false;
    bool trace = false;
    int world_rank = 0;  // of this rank in the job: files of several I/O systems have different names
  };
  // Calls and full slots are recorded from now on; the files of options trace and explain are made, and their
  // names put in force in `options`. The ranks and the I/O ranks of the system are known. Local.
  void begin(const Asked& asked, Options& options);
  // The same for the file of option report. Local.
  void begin_report(Options& options);
  // Writes the report, with the `options` and `staging` memory of the I/O system, and the trace. All workers
  // are idle. Collective, after an agreement of the same call.
  void write(const Options& options, const std::string& staging) const;

  Records& records() { return records_; }
  const Records& records() const { return records_; }
  // Null: calls are not recorded.
  observe::Trace* trace();
  // On rank 0, if option explain is set there; else null.
  Explanations* explanations() { return explanations_.get(); }

 private:
  System& system_;
  const std::chrono::steady_clock::time_point made_ = std::chrono::steady_clock::now();
  Asked asked_;
  Records records_;
  std::unique_ptr<TraceWriter> trace_;          // if asked for
  std::unique_ptr<Explanations> explanations_;  // see explanations()
  std::unique_ptr<Reporter> reporter_;          // if asked for, from begin_report() on
};

}  // namespace scorpio::session
