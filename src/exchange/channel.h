// The communication phase: copies a rank's elements to the staging slots of the I/O ranks, and back. A
// channel serves one open file or several; each slot holds data of one of them. A file moves its data through
// file_channel.h; what concerns all files of the channel it asks the channel itself. put and get are
// Collective in order over the I/O system (they may wait for other ranks, and send no message within a node);
// flush is a synchronisation point. A rank with an error continues, and returns the error at the end of the
// call. Only a rank whose allocation fails cannot continue; the channel then fails, so that no other rank
// waits for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "exchange/channel_state.h"
#include "exchange/copies/flow.h"
#include "exchange/gets.h"
#include "exchange/io_phase/file_io.h"
#include "exchange/progress/channel_rounds.h"
#include "exchange/puts.h"
#include "storage/sink.h"

namespace scorpio::exchange {

class Channel {
 public:
  Channel(const ChannelContext& context, const Lease& lease, std::unique_ptr<IoPhase> io);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // Returns the number of elements that did not fit the type in the file and were clipped.
  Result<uint64_t> put(const Flow& flow, FileIo& file_io);
  // Must follow a flush, if there were puts: the source then has all data that were put.
  Result<uint64_t> get(const Flow& flow, storage::Source& source, FileIo& file_io);
  // The number of units, of all I/O ranks, that are in staging memory at the same time if ranks copy
  // interleaved elements in one pass. 0: an order of units for such copies has no advantage.
  uint64_t units_in_a_pass(bool reading) const;
  // Writes everything that was put to all files of the channel; all I/O ranks have done so when all ranks
  // have returned. Fails if the channel does; a failed write is kept by its file_io.
  Status flush(FileIo& file_io);
  // The first part of a flush, for which ranks wait for each other: everything that was put to all files is
  // in the I/O phase. With ChannelContext::background it is written outside of library calls; a flush may
  // follow.
  Status deliver();
  // Between data calls: passes on what this rank has for other ranks and for the I/O phase, as far as
  // possible. The next flush returns failures. Independent; does not wait.
  void pass_on();
  // The same for a thread that works between calls, which calls no function while a call is made: one step of
  // what crosses between nodes. False if nothing could be done.
  bool pass_between_nodes();
  // Whether something is left to cross between nodes, or to be passed to the I/O phase after it. Local.
  bool crosses_nodes() const;
  // After deliver() and before the next call: whether the I/O ranks of this node have written all of it.
  // Local.
  bool written() const;
  // The slots of this I/O rank whose units are closed and were not used again, for written() below. After
  // deliver() all of them are in the I/O phase.
  std::vector<plan::SlotSchedule::ClosedSlot> delivered_here() const;
  // Whether these slots are written, or used again. Any thread, also while later calls are made.
  bool written(const std::vector<plan::SlotSchedule::ClosedSlot>& slots) const;
  // What the I/O ranks of the node announce to each other. Any thread.
  Announcements& announcements() { return state_.link.announcements(); }
  const Announcements& announcements() const { return state_.link.announcements(); }
  // Of a file that is alone in the channel.
  PlacementRounds& placement_rounds() { return placement_rounds_; }
  bool several_nodes() const { return state_.link.several_nodes(); }
  // As that of the schedule.
  uint64_t reused() const { return state_.schedule.reused(); }
  // The number of units that were closed so far, the same on all ranks.
  uint64_t closes() const { return state_.schedule.closes(); }
  // Ends all work for this file; for a channel that has failed, or after a flush. Local.
  void stop(FileIo& file_io);
  // Takes the place of a put or get that this rank cannot carry out, because its arguments are invalid. If
  // all ranks skip the same call, no data are lost. Otherwise the channel fails, at once or when another node
  // waits for data of this one, and no rank waits in it any longer. Waits until the other ranks of the node
  // have entered the call.
  void skip();
  std::chrono::seconds longest_wait() const { return state_.link.context().longest_wait; }
  bool failed() const { return state_.link.failed(); }
  // Takes the place of drain() if the other ranks do not call it: nothing more is received. The communicator
  // must not be freed then. Local.
  void abandon();
  // As that of Link.
  void ring_channels(uint64_t channels) const { state_.link.ring_channels(channels); }
  // A value that is equal on ranks that have made the same calls, on all files of the channel, in the same
  // order.
  uint64_t calls_so_far() const { return state_.link.calls().hash(); }
  // After the ranks have agreed that the channel failed, and before its memory is used again: receives all
  // messages in transit. Collective.
  Status drain();
  const Lease& lease() const { return state_.link.lease(); }
  // Removes the FileIo. Its file was flushed, or the channel has failed and does no further work.
  void forget(FileIo& file_io);

 private:
  bool written_by(int owner) const;
  Status finish_rounds();
  void begin_operation(const Flow& flow, bool reading, FileIo& file_io);
  template <typename Wait>
  Status flush_until(Wait&& wait);

  ChannelState state_;
  ChannelRounds placement_rounds_;
  Puts puts_;
  Gets gets_;
};

}  // namespace scorpio::exchange
