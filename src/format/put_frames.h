// Up to which index of their first dimension variables were put that grow along it. Local.
#pragma once

#include <cstdint>
#include <map>

#include "format/chunk_form.h"

namespace scorpio::format {

class PutFrames {
 public:
  // Bytes of the image of the chunk were put, the last of them before `end`.
  void put(int variable, const ChunkForm& form, int64_t chunk, uint64_t end);
  // One past the last index, for the metadata, which know it from now on.
  uint64_t tell(int variable);
  // Whether there is more than the metadata know.
  bool has_news(int variable) const;

 private:
  struct Frames {
    int64_t put = 0;
    int64_t told = 0;
  };
  std::map<int, Frames> all_;  // by index of the variable
};

}  // namespace scorpio::format
