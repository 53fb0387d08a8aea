// The notes on chunks that are so long that few ranks encode them. Local; one thread.
#pragma once

#include <cstdint>

#include "session/state/core.h"

namespace scorpio::session {

class LongChunks {
 public:
  explicit LongChunks(Core& core) : core_(core) {}

  // On the metadata rank: looks at the variables that were defined since the last call. One note names the
  // one with the longest of the chunks that limit who encodes.
  void note_new();
  // The number of variables that were looked at.
  int known() const { return known_; }

 private:
  Core& core_;
  int known_ = 0;
  uint64_t noted_bytes_ = 0;  // the memory of encoders that the last note names
};

}  // namespace scorpio::session
