// The notes in the log of events on variables whose chunks few ranks encode (encoders.h), because they are
// long. Local; one thread.
#pragma once

#include <cstdint>

#include "session/state/core.h"

namespace scorpio::session {

class EncoderNotes {
 public:
  explicit EncoderNotes(Core& core) : core_(core) {}

  // On the metadata rank: looks at the variables from number `first` on. One note names the one with the
  // longest of the chunks that limit who encodes, if they are longer than those of earlier notes.
  void add_from(int first);

 private:
  Core& core_;
  uint64_t noted_bytes_ = 0;  // the memory of encoders that the last note names
};

}  // namespace scorpio::session
