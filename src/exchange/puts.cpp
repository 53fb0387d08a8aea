#include "exchange/puts.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "exchange/copies/shared_rows.h"

namespace scorpio::exchange {

using plan::Activation;

namespace {

// Whether few bytes of each unit are put: to wait for the slot takes longer than to copy them.
bool has_small_pieces(const Flow& flow) {
  constexpr uint64_t k_small_bytes = uint64_t{64} << 10;
  const auto is_large = [](const ByteRange& range) { return range.size() > k_small_bytes; };
  const auto share_a_unit = [&](const ByteRange& range, const ByteRange& next) {
    return next.begin - range.begin < flow.rule.unit_bytes;
  };
  return std::ranges::none_of(flow.touched, is_large) &&
         std::ranges::adjacent_find(flow.touched, share_a_unit) == flow.touched.end();
}

// Returns the number of elements that did not fit.
uint64_t copy_pieces(const Flow& flow, std::span<const Piece> pieces, bool together) {
  uint64_t misfits = 0;
  const auto copy = [&](const Piece& piece, const CopyFrame& frame) {
    const Part& part = flow.parts[piece.part];
    const uint64_t clipped = copy_in(frame, *part.runs, *part.conversion, part.from, piece.image);
    misfits += clipped;
    if (part.misfits != nullptr) *part.misfits += clipped;
  };
  move_pieces(flow.parts, pieces, together, copy,
              [&](std::span<const Piece> some) { copy_in_together(flow.parts, some); });
  return misfits;
}

}  // namespace

// Units are copied one by one, several of which the I/O ranks write meanwhile, or as many as share rows and
// have free slots.
Batch::Most Puts::most_in_a_batch(const Flow& flow, const PutWalk& walk, bool together) const {
  constexpr size_t k_any = Batch::k_any;
  if (together) return {state_.batch_units(), k_any};
  if (!batches()) return {1, k_any};
  if (walk.packs() || (flow.touched.size() > 1 && has_small_pieces(flow)))
    return {state_.batch_units(), k_any};
  if (flow.parts.size() > 1 && share_rows(flow.parts)) return {k_any, k_pieces_together};
  return {1, k_any};
}

// A slot can be given back while this rank waits for those of the other visits, if ranks made different
// calls.
Status Puts::check_bound() {
  for (const Visit& visit : batch_.visits) {
    const bool copies = !visit.cut.parts.empty() && state_.link.owner_is_here(visit.activation.unit.owner);
    if (copies && !state_.binder.bind(visit.activation)) return gave_up();
  }
  return {};
}

Status Puts::place(const Flow& flow, uint64_t& misfits) {
  if (batch_.visits.empty()) return {};
  for (const Visit& visit : batch_.visits)
    SCORPIO_TRY(state_.waiting.until_free(visit.activation, !visit.cut.parts.empty()));
  if (state_.binder.in_use()) SCORPIO_TRY(check_bound());
  {
    const observe::Timer timer(state_.link.counters().time_exchange_ns, observe::Activity::copy);
    misfits += copy_pieces(flow, state_.pieces_of(flow, batch_, batch_.visits.size()), batch_.together);
    for (const Visit& visit : batch_.visits) {
      if (!flow.exact || !state_.link.owner_is_here(visit.activation.unit.owner))
        state_.set_bits(flow, visit);
    }
  }
  for (const Activation& activation : batch_.closes) state_.closed(activation);
  batch_.clear();
  if (state_.link.several_nodes()) (void)state_.waiting.progress();
  return {};
}

Result<uint64_t> Puts::put(const Flow& flow, const FileIo& file_io) {
  Link& link = state_.link;
  PutWalk walk(flow, file_io.file, state_.schedule);
  uint64_t misfits = 0;
  batch_.clear();
  batch_.together = batches() && flow.interleaved;
  const Batch::Most most = most_in_a_batch(flow, walk, batch_.together);
  const size_t most_held = state_.batch_units();
  const auto close_into = [this](std::vector<Activation>& list) {
    return [this, &list](const Activation& closed) {
      state_.scheduled(closed);
      list.push_back(closed);
    };
  };
  Cut cut;
  while (walk.next(cut)) {
    const int owner = cut.unit.owner;
    closed_.clear();
    Activation& activation = walk.charge(cut, state_.nodes_of(cut, flow), close_into(closed_));
    state_.reused();
    state_.binder.expect(activation);
    // While a rank waits for slots, it holds back at most batch_units() of each I/O rank.
    const bool may_wait = batch_.units_of(owner) < most_held;
    if (!closed_.empty() || batch_.has_slot_of(activation) ||
        (!may_wait && !state_.waiting.is_free(activation, !cut.parts.empty())))
      SCORPIO_TRY(place(flow, misfits));
    for (const Activation& earlier : closed_) state_.closed(earlier);
    batch_.add(std::move(cut), activation);
    state_.schedule.close_if_full(activation, close_into(batch_.closes));
    const bool enough = batch_.units_of(owner) >= most.units || batch_.pieces() >= most.pieces;
    if (enough || state_.must_place(batch_)) SCORPIO_TRY(place(flow, misfits));
  }
  SCORPIO_TRY(place(flow, misfits));
  // Not after each unit: until the end of the call this rank works whenever it waits.
  if (link.several_nodes()) SCORPIO_TRY(state_.waiting.until_due_units_are_done(state_.schedule));
  if (link.context().background) state_.waiting.hand_on();
  if (!flow.continues) link.counters().bytes_placed += flow.bytes();
  return misfits;
}

}  // namespace scorpio::exchange
