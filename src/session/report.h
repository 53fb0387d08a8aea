// The report of an I/O system: gathered from all ranks at its end, written by rank 0 of its communicator.
// Collective where said. Never fails the program: what cannot be written is a note.
#pragma once

#include <string>

namespace scorpio::session {

class IoSystem;

class Reporter {
 public:
  // Local. On rank 0 `wished` (option report) becomes the file of this I/O system, made empty: what is found
  // there later is not of an earlier run. On others it is not looked at.
  Reporter(IoSystem& system, const std::string& wished);
  // Where it goes; on rank 0.
  const std::string& path() const { return path_; }
  // Collective: two or three reductions, and a broadcast where rank 0 is not the metadata rank.
  void write() const;

 private:
  IoSystem& system_;
  std::string path_;  // "-": standard output; on rank 0
};

}  // namespace scorpio::session
