// What the access to data has beside reads and writes if the file has chunks (DataAccess::chunks): pieces of
// raw space that are stored as a whole, encoded. Independent; one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/byte_range.h"
#include "base/status.h"
#include "storage/chunk_placement.h"

namespace scorpio::storage {

// What rounding and lossy filters did to a variable.
struct LossEntry {
  int variable = 0;
  double absolute = 0;  // the largest error of an element, in the unit of the elements
  double relative = 0;  // the largest one of rounding, relative to the magnitude of the element
  // The pieces that are stored without their lossy filter: by how many there are more than before.
  int64_t lossless_chunks = 0;

  friend bool operator==(const LossEntry&, const LossEntry&) = default;
};

class ChunkAccess {
 public:
  // These bytes may be written from now on, possibly by another thread. Information that the format's library
  // has on them must be obtained now. Inside a call.
  virtual Status expect_writes(ByteRange bytes) = 0;
  // check_close(), ChunkPlacement::place() and writes call the format's library no more, unless
  // expect_writes() is called again: another thread may make them. Inside a call.
  virtual Status leave_library() = 0;
  // Whether ChunkPlacement::take_index() or take_losses() would return entries.
  virtual bool has_news() const = 0;
  // What was done to variables since the last call, one entry for each.
  virtual std::vector<LossEntry> take_losses() = 0;
  // Gives the pieces their locations in the file.
  virtual ChunkPlacement& placement() = 0;

 protected:
  ~ChunkAccess() = default;
};

}  // namespace scorpio::storage
