// How far variables with unlimited dimensions have been put: their frames, which are the indices of the first
// dimension, and for variables with other unlimited dimensions the end in each dimension. Local.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/byte_range.h"
#include "format/chunk_form.h"

namespace scorpio::format {

class PutFrames {
 public:
  // Notes that these bytes of the chunk's image were written. Costs nothing if no dimension grows.
  void put(int variable, const ChunkForm& form, int64_t chunk, ByteRange bytes);
  // Returns what the metadata rank then knows of the variable, or of the chunk: see IndexEntry::frames.
  uint64_t tell(int variable, int64_t chunk);
  // Whether tell() concerns this chunk alone: an inner dimension grows.
  bool tells_of_chunks(int variable) const { return free_.contains(variable); }
  // True if an index was written that the metadata rank does not know yet.
  bool has_news(int variable, int64_t chunk) const;

 private:
  struct Frames {
    int64_t put = 0;
    int64_t told = 0;
  };
  struct Put {
    std::vector<int64_t> start;  // [ndims] of the chunk
    std::vector<int64_t> ends;   // [ndims] from there
  };
  // A variable with a free grid.
  struct Ends {
    std::vector<int64_t> chunk;    // [ndims] extents of a chunk
    std::vector<int64_t> told;     // [ndims] of the variable
    std::map<int64_t, Put> put{};  // chunks that extend the variable, by number
  };
  void put_free(int variable, const ChunkForm& form, int64_t chunk, ByteRange bytes);

  std::map<int, Frames> all_;  // the key is the index of the variable
  std::map<int, Ends> free_;
};

}  // namespace scorpio::format
