// What the puts and the gets of a channel work on. Local, but for what Waiting says; one thread.
#pragma once

#include <memory>
#include <vector>

#include "exchange/arrivals.h"
#include "exchange/batch.h"
#include "exchange/courier.h"
#include "exchange/flow.h"
#include "exchange/full_slot.h"
#include "exchange/link.h"
#include "exchange/outlet.h"
#include "exchange/tiles.h"
#include "exchange/waiting.h"
#include "plan/slot_schedule.h"

namespace scorpio::exchange {

struct ChannelState {
  ChannelState(const Fabric& fabric, const Lease& lease, std::unique_ptr<IoPhase> io);
  ChannelState(const ChannelState&) = delete;
  ChannelState& operator=(const ChannelState&) = delete;

  // Null: it was forgotten, in a channel that has failed and carries out nothing more.
  Outlet* outlet_of(uint64_t file) const;
  // This rank has contributed all that it has to the activation, which is closed.
  void closed(const plan::Activation& activation);
  void close_all();

  Slot slot_of(const plan::Activation& activation) const;
  // What this rank has in the first `visits` units of the batch.
  std::vector<Piece> pieces_of(const Flow& flow, const Batch& batch, size_t visits) const;
  void set_bits(const Flow& flow, const Visit& visit) const;
  // So many units of each I/O rank are moved in one pass: half of its slots; the other half is written, or
  // read, meanwhile.
  size_t batch_units() const;

  Link link;
  plan::SlotSchedule schedule;
  std::unique_ptr<IoPhase> io;
  Arrivals arrivals;
  Courier courier;
  Waiting waiting;
  std::vector<Outlet*> outlets;  // of the files that use it
};

// In order, since of overlapping ones the later is put; where they are moved together none overlap.
void move_pieces(const Flow& flow, const std::vector<Piece>& pieces, bool together, const MoveTile& move);

}  // namespace scorpio::exchange
