// Records how far variables with an unlimited first dimension have been written. Local.
#pragma once

#include <cstdint>
#include <map>

#include "format/chunk_form.h"

namespace scorpio::format {

class PutFrames {
 public:
  // Notes that bytes of the chunk's image before offset `end` were written.
  void put(int variable, const ChunkForm& form, int64_t chunk, uint64_t end);
  // Returns one past the last written index, which the metadata owner then knows.
  uint64_t tell(int variable);
  // True if an index was written that the metadata owner does not know yet.
  bool has_news(int variable) const;

 private:
  struct Frames {
    int64_t put = 0;
    int64_t told = 0;
  };
  std::map<int, Frames> all_;  // the key is the index of the variable
};

}  // namespace scorpio::format
