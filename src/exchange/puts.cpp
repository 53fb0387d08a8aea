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
  return flow.touched.size() > 1 && std::ranges::none_of(flow.touched, is_large) &&
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
  if (walk.packs() || has_small_pieces(flow)) return {state_.batch_units(), k_any};
  if (share_rows(flow.parts)) return {k_any, k_pieces_together};
  return {1, k_any};
}

// A slot can be given back while this rank waits for those of the other visits, if ranks made different
// calls.
Status Puts::check_bound(const Batch& batch) {
  for (const Visit& visit : batch.visits) {
    const bool copies = !visit.cut.parts.empty() && state_.link.owner_is_here(visit.activation.unit.owner);
    if (copies && !state_.binder.bind(visit.activation)) return gave_up();
  }
  return {};
}

Status Puts::place(const Flow& flow, Batch& batch, uint64_t& misfits) {
  for (const Visit& visit : batch.visits)
    SCORPIO_TRY(state_.waiting.until_free(visit.activation, !visit.cut.parts.empty()));
  SCORPIO_TRY(check_bound(batch));
  {
    const observe::Timer timer(state_.link.counters().time_exchange_ns, observe::Activity::copy);
    const std::vector<Piece> pieces = state_.pieces_of(flow, batch, batch.visits.size());
    misfits += copy_pieces(flow, pieces, batch.together);
    for (const Visit& visit : batch.visits) {
      if (!flow.exact || !state_.link.owner_is_here(visit.activation.unit.owner))
        state_.set_bits(flow, visit);
    }
  }
  for (const Activation& activation : batch.closes) state_.closed(activation);
  batch.visits.clear();
  batch.closes.clear();
  if (state_.link.several_nodes()) state_.waiting.work();
  return {};
}

Result<uint64_t> Puts::put(const Flow& flow, const FileIo& file_io) {
  Link& link = state_.link;
  PutWalk walk(flow, file_io.file, state_.schedule);
  uint64_t misfits = 0;
  Batch batch;
  batch.together = batches() && flow.interleaved;
  const Batch::Most most = most_in_a_batch(flow, walk, batch.together);
  Cut cut;
  while (walk.next(cut)) {
    const int owner = cut.unit.owner;
    std::vector<Activation> first;  // closed, because their slots are needed
    Activation& activation = walk.charge(cut, state_.nodes_of(cut, flow), [&](const Activation& closed) {
      state_.scheduled(closed);
      first.push_back(closed);
    });
    state_.reused();
    state_.binder.expect(activation);
    // While a rank waits for slots, it holds back at most batch_units() of each I/O rank.
    const bool may_wait = batch.units_of(owner) < state_.batch_units();
    if (!first.empty() || batch.has_slot_of(activation) ||
        (!may_wait && !state_.waiting.is_free(activation, !cut.parts.empty())))
      SCORPIO_TRY(place(flow, batch, misfits));
    for (const Activation& earlier : first) state_.closed(earlier);
    batch.add(std::move(cut), activation);
    state_.schedule.close_if_full(activation, [&](const Activation& full) {
      state_.scheduled(full);
      batch.closes.push_back(full);
    });
    const bool enough = batch.units_of(owner) >= most.units || batch.pieces() >= most.pieces;
    if (enough || state_.must_place(batch)) SCORPIO_TRY(place(flow, batch, misfits));
  }
  SCORPIO_TRY(place(flow, batch, misfits));
  // Not after each unit: until the end of the call this rank works whenever it waits.
  SCORPIO_TRY(state_.waiting.until_promises_are_kept(state_.schedule));
  state_.waiting.hand_on();
  if (!flow.continues) link.counters().bytes_placed += flow.bytes();
  return misfits;
}

}  // namespace scorpio::exchange
