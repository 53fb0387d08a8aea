// What rounding and lossy filters of one I/O rank did to variables since it was last told. Local; one thread
// at a time.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "codec/loss.h"
#include "storage/chunk_access.h"

namespace scorpio::format {

class LossLog {
 public:
  // Elements of the variable were rounded, or changed by a lossy filter. Both may change the same element.
  void rounded(int variable, const codec::Loss& loss) {
    if (loss != codec::Loss()) notes_[variable].rounding.raise(loss);
  }
  void encoded(int variable, const codec::Loss& loss) {
    if (loss != codec::Loss()) notes_[variable].encoding.raise(loss);
  }
  // The number of chunks of the variable that are stored without their lossy filter has changed by this.
  void counted(int variable, int64_t lossless_chunks) {
    if (lossless_chunks != 0) notes_[variable].lossless_chunks += lossless_chunks;
  }

  bool empty() const { return notes_.empty(); }
  // What was noted since the last call, one entry for each variable.
  std::vector<storage::LossEntry> take() {
    std::vector<storage::LossEntry> all;
    for (const auto& [variable, note] : notes_) {
      all.push_back({.variable = variable,
                     .absolute = note.rounding.absolute + note.encoding.absolute,
                     .relative = note.rounding.relative,
                     .lossless_chunks = note.lossless_chunks});
    }
    notes_.clear();
    return all;
  }

 private:
  struct Note {
    codec::Loss rounding, encoding;
    int64_t lossless_chunks = 0;
  };

  std::map<int, Note> notes_;  // by variable
};

}  // namespace scorpio::format
