// The files that an I/O system makes for the options report, trace and explain. Local.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "observe/event_log.h"

namespace scorpio::session {

// By what the names of files of several I/O systems differ.
struct RecordNames {
  int world_rank = 0;
  uint64_t number = 0;  // of the I/O system
};

// Creates an empty file whose name follows from `wished`, and returns the name. If this fails, an event says
// that the `what` cannot be written. On rank 0.
std::string create_empty(observe::EventLog& events, const RecordNames& names, const std::string& wished,
                         const char* what);
// Does not use the counted store, so that a recording does not change the counters.
Status write_file(const std::string& path, const std::string& text);

}  // namespace scorpio::session
