// The communication phase: brings a rank's elements to the staging slots of the I/O ranks, and back. Of one
// open file, or of several: each slot holds data of one of them. Files use it through file_channel.h. put and
// get are Collective in order over the I/O system (they may wait for others, and send no message within a
// node); flush is a sync point. Errors of this rank do not stop it from taking part: they are returned at the
// end. Only a rank that has no memory cannot go on; the channel fails then, so that no other waits for it.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "exchange/channel_state.h"
#include "exchange/flow.h"
#include "exchange/gets.h"
#include "exchange/outlet.h"
#include "exchange/puts.h"
#include "storage/sink.h"

namespace scorpio::exchange {

class Channel {
 public:
  Channel(const Fabric& fabric, const Lease& lease, std::unique_ptr<IoPhase> io);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // Number of elements that did not fit the file's type (they were clipped).
  Result<uint64_t> put(const Flow& flow, Outlet& outlet);
  // After a flush since the last put: the source has all that was put.
  Result<uint64_t> get(const Flow& flow, storage::Source& source, Outlet& outlet);
  // How many units, of all I/O ranks, are in staging together where ranks move what lies between each other
  // in their memory in one pass. 0: it does not pay to bring such units behind each other.
  uint64_t units_in_a_pass(bool reading) const;
  // All that was put is written, of all files (by all I/O ranks when all ranks have returned). Returns this
  // rank's own failure for this outlet since its last flush.
  Status flush(Outlet& outlet);
  // The part of a flush that needs the other ranks: all that was put is in the I/O phase, of all files. With
  // Fabric::background it is written while no call is made; a flush may follow.
  Status deliver();
  // Outside of calls: what this rank has for others, or for the I/O phase, goes on as far as it can. Failures
  // are told by the next flush. Independent; does not wait.
  void pass_on();
  // After a deliver() and before the next call: all of it that the I/O ranks of this node have is written.
  // Local.
  bool written() const;
  // Nothing more of this file is done when it returns: of a channel that has failed, or when it was flushed.
  // Local.
  void stop(Outlet& outlet);
  // In place of a put or get in which this rank cannot take part, because it does not know what is meant.
  // Where all ranks skip the same call nothing is lost; else the channel fails, at once or when another node
  // waits for data of this one, and nobody waits in it any more. Waits for the other ranks of the node to
  // enter the call.
  void skip();
  bool failed() const { return state_.link.failed(); }
  // In place of drain() where the other ranks do not come: nothing more is received. The communicator must
  // not be freed then. Local.
  void abandon();
  // The same on ranks that have made the same calls, on all files of the channel, in the same order.
  uint64_t calls_so_far() const { return state_.link.calls_so_far(); }
  // After the ranks have agreed that the channel failed, and before its place is used again: no message of it
  // stays under way. Collective.
  Status drain();
  const Lease& lease() const { return state_.link.lease(); }
  // The outlet ceases to be. Its file was flushed, or the channel has failed and carries out nothing more.
  void forget(Outlet& outlet);

 private:
  void begin_operation(const Flow& flow, bool reading, Outlet& outlet);
  template <typename Wait>
  Status flush_until(Wait&& wait);
  // What `body`, a part of a call, returns. After an exception the channel has failed.
  template <typename Body>
  Status carry_out(Body&& body);

  ChannelState state_;
  Puts puts_;
  Gets gets_;
};

}  // namespace scorpio::exchange
