// The encoded chunks of a file whose close was posted, to which the workers of a node give addresses while no
// call is made: each says in shared memory how many bytes it has, all compute the same addresses from these
// numbers, and each writes its chunks. Independent; a worker, or in its place the thread of the calls.
#pragma once

#include <cstdint>

#include "session/state/core.h"

namespace scorpio::session {

class PostedChunks {
 public:
  explicit PostedChunks(Core& core) : core_(core) {}

  // Whether the file may have such chunks. The same on all ranks, as is possible().
  static bool wanted(const Core& core);
  // Whether it may, and the workers can do it: on one node.
  static bool possible(const Core& core);

  // `waits`: for other I/O ranks. `part`: a part is written. `left`: some I/O rank cannot take part, and the
  // chunks have no addresses.
  enum class Step { waits, part, placed, left };
  // Does what can be done now for posted close `number`, whose data this I/O rank has written; not `whole`: a
  // part of it, so that other work comes in between. After a failure the file is not to be completed.
  Result<Step> advance(uint64_t number, bool whole);

 private:
  Status compute(std::span<const exchange::StoredBytes> all);

  Core& core_;
  uint64_t told_ = 0;      // the last close of which the other I/O ranks know the bytes
  uint64_t computed_ = 0;  // the last one whose addresses are known
  uint64_t next_ = 0;      // the address of the first chunk that has none
};

}  // namespace scorpio::session
