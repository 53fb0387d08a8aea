// The reader of variables that only the format's library can read: chunked, compressed, external, virtual
// ones. On an I/O rank. Local; one thread.
#pragma once

#include <memory>

#include "session/state/core.h"

namespace scorpio::session {

class LibraryReads {
 public:
  explicit LibraryReads(Core& core) : core_(core) {}

  // The source of the variable's bytes: the file itself, or the format's library if the variable has no
  // address. Valid until the next call. If the reader cannot be opened, the returned source fails.
  storage::Source& source_of(int variable);
  // The reader has the metadata that the file had when the reader was opened.
  Status close();

 private:
  Status open();

  Core& core_;
  std::unique_ptr<format::LibraryReader> reader_;
  std::unique_ptr<storage::Source> source_;
};

}  // namespace scorpio::session
