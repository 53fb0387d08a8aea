// The state that puts and gets of a channel share. Local, except where Waiting states otherwise; one thread.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "exchange/between_nodes/collective_transfer.h"
#include "exchange/between_nodes/leader_transfer.h"
#include "exchange/between_nodes/round_sizes.h"
#include "exchange/copies/batch.h"
#include "exchange/copies/flow.h"
#include "exchange/copies/tiles.h"
#include "exchange/io_phase/file_io.h"
#include "exchange/io_phase/full_slot.h"
#include "exchange/link/link.h"
#include "exchange/progress/arrivals.h"
#include "exchange/progress/slot_binder.h"
#include "exchange/progress/waiting.h"
#include "plan/slot_schedule.h"

namespace scorpio::exchange {

struct ChannelState {
  ChannelState(const ChannelContext& context, const Lease& lease, std::unique_ptr<IoPhase> io);
  ChannelState(const ChannelState&) = delete;
  ChannelState& operator=(const ChannelState&) = delete;

  // Null: the FileIo was removed; the channel has failed and does no further work.
  FileIo* file_io_of(uint64_t file) const;
  // The schedule has closed the activation, and the slots of closed units are used again as it says. In the
  // order of its calls.
  void scheduled(const plan::Activation& closed) const {
    if (together) together->add(closed, link.calls().hash());
  }
  void reused() const {
    if (together) together->reuse_before(schedule.reused());
  }
  void end_round() const {
    if (together) together->end_round();
  }
  // In rounds an outgoing slot, or a slot of an I/O rank, can wait for the end of a round that has a closed
  // unit of the batch too. This unit is then published before another slot is waited for. On all ranks, also
  // those that take part in no round.
  bool must_place(const Batch& batch) const {
    return link.context().exchanges != nullptr && !batch.closes.empty();
  }
  // All messages of rounds that have ended have crossed.
  bool has_crossed() const { return !together || together->idle(); }
  // This rank has contributed all its elements to the activation, which is closed.
  void closed(const plan::Activation& activation);
  void close_all();

  // The nodes that may have elements in the unit; on one node the list is empty.
  std::vector<int> nodes_of(const Cut& cut, const Flow& flow) const {
    return link.several_nodes() ? cut.nodes(flow) : std::vector<int>();
  }
  // The slot, and its image, of a unit in which the rank has elements.
  Slot slot_of(const plan::SlotUse& activation) const;
  std::byte* image_of(const plan::SlotUse& activation) const;
  // The elements of this rank in the first `visits` units of the batch; valid until the next call.
  std::span<const Piece> pieces_of(const Flow& flow, const Batch& batch, size_t visits);
  void set_bits(const Flow& flow, const Visit& visit) const;
  // The number of units of each I/O rank that are copied in one pass: half of the slots that no other file
  // uses. The other half is written, or read, at the same time.
  size_t batch_units() const;

  Link link;
  std::unique_ptr<CollectiveTransfer> together;  // null: messages are sent one by one, or not by this rank
  plan::SlotSchedule schedule;
  std::unique_ptr<IoPhase> io;
  Arrivals arrivals;
  LeaderTransfer leader_transfer;
  SlotBinder binder;
  RoundSizes rounds;
  Waiting waiting;
  std::vector<FileIo*> file_ios;  // those of the files that use the channel
  std::vector<Piece> pieces;      // of pieces_of()
};

}  // namespace scorpio::exchange
