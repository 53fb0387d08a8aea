// The report of an I/O system: collected from all ranks when it is released, and written by rank 0 of its
// communicator. Collective where stated. No call fails because of a report: if it cannot be written,
// scorpio_iosystem_describe() says so.
#pragma once

#include <string>

#include "base/status.h"

namespace scorpio::session {

class IoSystem;

// Creates an empty file whose name follows from `wished`, and returns the name. If this fails, the I/O system
// notes that the `what` cannot be written. Local; on rank 0.
std::string create_empty(IoSystem& system, const std::string& wished, const char* what);
// Does not use the counted store, so that the report does not change the counters. Local.
Status write_file(const std::string& path, const std::string& text);

class Reporter {
 public:
  // Local. Rank 0 derives the name of the file from `wished` (option report) and creates it empty, so that it
  // never holds the report of an earlier job. The other ranks ignore `wished`.
  Reporter(IoSystem& system, const std::string& wished);
  // The name of the file; on rank 0.
  const std::string& path() const { return path_; }
  // Collective: two or three reductions, and a broadcast where rank 0 is not the metadata rank.
  void write() const;

 private:
  IoSystem& system_;
  std::string path_;  // "-": standard output; on rank 0
};

}  // namespace scorpio::session
