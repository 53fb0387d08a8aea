// The communication phase of puts: a rank's elements go to the slots of the I/O ranks, or to outgoing slots
// of its node. Collective in order; never ends early because of an error of this rank.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "exchange/channel_state.h"

namespace scorpio::exchange {

class Puts {
 public:
  explicit Puts(ChannelState& state) : state_(state) {}

  // Number of elements that did not fit the file's type.
  Result<uint64_t> put(const Flow& flow, const Outlet& outlet);
  // Whether this rank may move several units in one pass over its memory, instead of one after the other.
  // An I/O rank that gathers writes nothing before this rank has published all units that it knows of.
  bool batches() const { return !state_.link.fabric().gather_writes; }

 private:
  Status place(const Flow& flow, Batch& batch, uint64_t& misfits);

  ChannelState& state_;
};

}  // namespace scorpio::exchange
