// The communication phase of gets: the I/O phase fills the slots of the I/O ranks, and all ranks copy their
// elements out. Collective in order; an error of this rank does not end it early.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "exchange/channel_state.h"
#include "storage/sink.h"

namespace scorpio::exchange {

class Gets {
 public:
  explicit Gets(ChannelState& state);
  ~Gets();

  // All writes must be closed and done. Returns the number of elements that did not fit the type in memory.
  Result<uint64_t> get(const Flow& flow, storage::Source& source, FileIo& file_io);
  // As Puts::batches(). Between nodes an I/O rank distributes a unit only when all ranks have published the
  // units that it distributed before.
  bool batches() const { return !state_.link.several_nodes(); }

 private:
  class LookAhead;
  struct CopiesOut;
  Status mark(const Flow& flow, const Visit& visit);
  bool has_bytes(const Visit& visit) const;
  Status wait_for_bytes(const Visit& visit);
  Batch::Most most_in_a_batch(const Flow& flow, bool together) const;
  Status take(const Flow& flow, Batch& batch, CopiesOut& out);
  Status take_arrived(const Flow& flow, Batch& batch, CopiesOut& out);
  Status read_units(const Flow& flow, FileIo& file_io, CopiesOut& out);

  ChannelState& state_;
  std::unique_ptr<CopiesOut> copies_out_;  // of the last get, which the next one may continue
};

}  // namespace scorpio::exchange
