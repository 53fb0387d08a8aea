// The texts of option explain, which rank 0 writes at the first put by each decomposition to each file. No
// call fails because of them: if they cannot be written, scorpio_iosystem_describe() says so. Local.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/status.h"
#include "observe/event_log.h"
#include "session/iosystem/record_files.h"

namespace scorpio::session {

class Explanations {
 public:
  // Derives the name of the file from `wished` (option explain) as that of a report, and creates it empty.
  Explanations(observe::EventLog& events, const RecordNames& names, const std::string& wished);
  // The name of the file; "-": standard error.
  const std::string& path() const { return path_; }
  // `put` names the put. A text that was written before is not repeated: the earlier put is named.
  Status tell(const std::string& put, const std::string& text);

 private:
  Status write(const std::string& text);

  observe::EventLog& events_;
  std::string path_;
  uint64_t written_ = 0;                                // bytes of the file
  bool failed_ = false;                                 // nothing more is written
  std::unordered_map<std::string, std::string> known_;  // texts, with the put that had it first
};

}  // namespace scorpio::session
