// The communication phase of puts: copies a rank's elements to the slots of the I/O ranks, or to outgoing
// slots of its node. Collective in order; an error of this rank does not end it early.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "exchange/channel_state.h"
#include "exchange/copies/put_walk.h"

namespace scorpio::exchange {

class Puts {
 public:
  explicit Puts(ChannelState& state) : state_(state) {}

  // Returns the number of elements that did not fit the type in the file.
  Result<uint64_t> put(const Flow& flow, const FileIo& file_io);
  // Whether this rank may copy several units in one pass over its memory, instead of one after the other. An
  // I/O rank with gather_writes writes nothing before this rank has published all units that it has begun.
  bool batches() const { return !state_.link.context().gather_writes; }

 private:
  Batch::Most most_in_a_batch(const Flow& flow, const PutWalk& walk, bool together) const;
  Status place(const Flow& flow, uint64_t& misfits);
  Status check_bound();

  ChannelState& state_;
  Batch batch_;                             // of the present put, as the next one
  std::vector<plan::Activation> closed_{};  // by the last charge, because their slots are needed
};

}  // namespace scorpio::exchange
