#include "exchange/channel_state.h"

#include <algorithm>
#include <utility>

#include "exchange/memory/leases.h"

namespace scorpio::exchange {

using plan::Activation;

namespace {

std::unique_ptr<CollectiveTransfer> together_of(const ChannelContext& context, const Lease& lease) {
  comm::PeerExchange* peers = context.exchanges == nullptr ? nullptr : context.exchanges->at(lease.channel);
  return peers == nullptr ? nullptr : std::make_unique<CollectiveTransfer>(context, lease, *peers);
}

}  // namespace

ChannelState::ChannelState(const ChannelContext& context, const Lease& lease,
                           std::unique_ptr<IoPhase> io_phase)
    : link(context, lease),
      together(together_of(context, lease)),
      schedule(slot_limits(*context.nodes, *context.io_ranks, lease)),
      io(std::move(io_phase)),
      arrivals(link, *io),
      leader_transfer(link),
      binder(link),
      rounds(link),
      waiting(link, *io, arrivals, leader_transfer, binder, rounds) {
  if (!together) return;
  link.messages().carry_by(*together);
  waiting.cross_by(*together);
}

FileIo* ChannelState::file_io_of(uint64_t file) const {
  const auto at =
      std::find_if(file_ios.begin(), file_ios.end(), [file](const FileIo* o) { return o->file == file; });
  return at == file_ios.end() ? nullptr : *at;
}

void ChannelState::closed(const Activation& activation) {
  FileIo* file_io = file_io_of(activation.file);
  if (activation.unit.owner == link.my_owner()) arrivals.push({activation, file_io});
  if (link.several_nodes() && link.is_leader()) leader_transfer.push({activation, file_io});
  link.publish_done(activation.close + 1);
}

void ChannelState::close_all() {
  schedule.close_all([this](const Activation& activation) {
    scheduled(activation);
    closed(activation);
  });
  end_round();
}

Slot ChannelState::slot_of(const plan::SlotUse& activation) const {
  const int owner = activation.unit.owner;
  return link.owner_is_here(owner) ? link.slot(owner, activation.slot) : link.out_slot(activation.out_slot);
}

std::byte* ChannelState::image_of(const plan::SlotUse& activation) const {
  const int owner = activation.unit.owner;
  return link.owner_is_here(owner) ? link.image(owner, activation.slot)
                                   : link.out_slot(activation.out_slot).bytes;
}

std::span<const Piece> ChannelState::pieces_of(const Flow& flow, const Batch& batch, size_t visits) {
  pieces.clear();
  for (size_t i = 0; i < visits; ++i) {
    const Visit& visit = batch.visits[i];
    if (visit.cut.parts.empty()) continue;
    std::byte* image = image_of(visit.activation);
    for (const size_t part : visit.cut.parts)
      pieces.push_back({part, visit.cut.frame_of(flow.parts[part]), image});
  }
  return pieces;
}

void ChannelState::set_bits(const Flow& flow, const Visit& visit) const {
  if (visit.cut.parts.empty()) return;  // the unit may have no slot on this node
  Slot slot = slot_of(visit.activation);
  for (const size_t i : visit.cut.parts) {
    const Part& part = flow.parts[i];
    for_each_image_span(visit.cut.frame_of(part), *part.runs, part.element_bytes,
                        [&](uint64_t begin, uint64_t end) { slot.bitmap.set(begin, end); });
  }
}

size_t ChannelState::batch_units() const { return std::max<size_t>(1, link.lease().slots.size() / 2); }

}  // namespace scorpio::exchange
