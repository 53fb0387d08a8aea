#include "exchange/gets.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "codec/stream.h"
#include "exchange/copies/shared_rows.h"

namespace scorpio::exchange {

using plan::Activation;
using plan::Unit;

namespace {

// In parts of a unit: longer gaps between the bytes that are needed are not read. With units of 1 MiB this is
// what storage reads in about the time that a further read takes.
constexpr uint64_t k_read_gap_share = 8;

// A chunk is decoded as a whole, and would be read once for each range that it has a part of.
std::vector<ByteRange> ranges_to_read(const Cut& cut, const storage::Source& source) {
  if (source.prefers_whole_ranges() || cut.unit.bytes.begin >= plan::k_chunk_space) return {cut.hull};
  const uint64_t gap = cut.unit.bytes.size() / k_read_gap_share;
  std::vector<ByteRange> ranges;
  for (const ByteRange& range : cut.ranges) {
    if (ranges.empty() || range.begin - ranges.back().end > gap) {
      ranges.push_back(range);
    } else {
      ranges.back().end = range.end;
    }
  }
  return ranges;
}

}  // namespace

struct Gets::CopiesOut {
  explicit CopiesOut(const Flow& flow) {
    const bool streams = flow.bytes() >= codec::k_stream_total_bytes;
    for (const Part& part : flow.parts) parts.emplace_back(*part.conversion, part.to, streams);
  }
  std::vector<CopyOut> parts;  // [parts of the flow]
  Batch::Most most;
  uint64_t misfits = 0;
};

// Fills slots of this I/O rank ahead of its own copies, as far as its slots allow.
class Gets::LookAhead {
 public:
  LookAhead(ChannelState& state, const Flow& flow, storage::Source& source, FileIo& file_io)
      : state_(state),
        flow_(flow),
        source_(source),
        file_io_(file_io),
        schedule_(state.schedule),
        walk_(flow.rule, flow.variable, flow.touched) {}

  bool find_next() {
    Unit unit;
    while (!next_ && walk_.next(unit)) {
      Activation activation = schedule_.read(file_io_.file, unit, {});
      state_.binder.expect(activation);
      if (unit.owner == state_.link.my_owner()) next_ = activation;
    }
    return next_.has_value();
  }

  // Chunks of several slots are passed on together, so that other ranks can decode them.
  bool step() {
    const bool any = fill_next();
    for (bool more = any && source_.decoding() != nullptr; more;) more = fill_next();
    return any;
  }

 private:
  bool fill_next() {
    if (!find_next() || !state_.arrivals.slot_free(*next_) || !state_.binder.bind(*next_)) return false;
    state_.arrivals.fill({*next_, &file_io_}, ranges_to_read(Cut::of(flow_, next_->unit), source_), source_);
    next_.reset();
    return true;
  }

  ChannelState& state_;
  const Flow& flow_;
  storage::Source& source_;
  FileIo& file_io_;
  plan::SlotSchedule schedule_;
  plan::UnitWalk walk_;
  std::optional<Activation> next_;
};

Gets::Gets(ChannelState& state) : state_(state) {}
Gets::~Gets() = default;

Status Gets::mark(const Flow& flow, const Visit& visit) {
  if (state_.link.owner_is_here(visit.activation.unit.owner)) return {};
  SCORPIO_TRY(state_.waiting.until_free(visit.activation, !visit.cut.parts.empty()));
  state_.set_bits(flow, visit);
  return {};
}

// Whether the bytes of the unit that this rank needs are in the memory of this node.
bool Gets::has_bytes(const Visit& visit) const {
  if (visit.cut.parts.empty()) return true;
  const plan::SlotUse& activation = visit.activation;
  const int owner = activation.unit.owner;
  const Link& link = state_.link;
  if (!link.owner_is_here(owner)) return link.node_line().delivered.load() > activation.close;
  return link.slot_counter(owner, activation.slot).reached(SlotCounter::filled_in(activation.use));
}

// Waits until they are.
Status Gets::wait_for_bytes(const Visit& visit) {
  if (has_bytes(visit)) return {};
  const plan::SlotUse& activation = visit.activation;
  const int owner = activation.unit.owner;
  if (state_.link.owner_is_here(owner))
    return state_.waiting.until_reached(owner, activation.slot, SlotCounter::filled_in(activation.use));
  return state_.waiting.until([&] { return has_bytes(visit); });
}

// Copies the elements of the first unit of the batch, or of all of them together, out of their slots.
Status Gets::take(const Flow& flow, Batch& batch, CopiesOut& out) {
  const bool several = out.most.units > 1;
  const size_t visits = several ? batch.visits.size() : std::min<size_t>(1, batch.visits.size());
  for (size_t i = 0; i < visits; ++i) SCORPIO_TRY(wait_for_bytes(batch.visits[i]));
  {
    const observe::Timer timer(state_.link.counters().time_exchange_ns, observe::Activity::copy);
    const std::span<const Piece> pieces = state_.pieces_of(flow, batch, visits);
    const auto count = [&](const Piece& piece, uint64_t clipped) {
      uint64_t* misfits = flow.parts[piece.part].misfits;
      out.misfits += clipped;
      if (misfits != nullptr) *misfits += clipped;
    };
    const auto copy = [&](const Piece& piece, const CopyFrame& frame) {
      count(piece, out.parts[piece.part].take(frame, *flow.parts[piece.part].runs, piece.image));
    };
    const auto copy_together = [&](std::span<const Piece> some) {
      copy_out_together(flow.parts, some);
      for (const Piece& piece : some)
        count(piece, out.parts[piece.part].take_ends(piece.frame, *flow.parts[piece.part].runs, piece.image));
    };
    move_pieces(flow.parts, pieces, batch.together, copy, copy_together);
  }
  const auto count = static_cast<std::ptrdiff_t>(visits);
  if (visits > 0) state_.link.publish_done(batch.closes[visits - 1].close + 1);
  batch.visits.erase(batch.visits.begin(), batch.visits.begin() + count);
  batch.closes.erase(batch.closes.begin(), batch.closes.begin() + count);
  return {};
}

// Half of the slots can be filled meanwhile.
Batch::Most Gets::most_in_a_batch(const Flow& flow, bool together) const {
  if (together) return {state_.batch_units(), Batch::k_any};
  if (batches() && flow.parts.size() > 1 && share_rows(flow.parts))
    return {state_.batch_units(), k_pieces_together};
  return {1, Batch::k_any};
}

// Copies out what has arrived, so that its slots are used again. Between nodes the other units wait: requests
// are made ahead of the copies, as far as slots allow.
Status Gets::take_arrived(const Flow& flow, Batch& batch, CopiesOut& out) {
  if (out.most.units > 1) {
    const int owner = batch.visits.back().activation.unit.owner;
    const bool enough = batch.units_of(owner) >= out.most.units || batch.pieces() >= out.most.pieces;
    return enough ? take(flow, batch, out) : Status();
  }
  const bool several_nodes = state_.link.several_nodes();
  if (several_nodes) (void)state_.waiting.progress();
  while (!batch.visits.empty() && (!several_nodes || has_bytes(batch.visits.front())))
    SCORPIO_TRY(take(flow, batch, out));
  return {};
}

Status Gets::read_units(const Flow& flow, FileIo& file_io, CopiesOut& out) {
  Link& link = state_.link;
  Batch batch;
  batch.together = batches() && flow.interleaved;
  out.most = most_in_a_batch(flow, batch.together);
  plan::UnitWalk walk(flow.rule, flow.variable, flow.touched);
  Unit unit;
  while (walk.next(unit)) {
    Cut cut = Cut::of(flow, unit);
    std::vector<int> nodes = state_.nodes_of(cut, flow);
    Activation next = state_.schedule.read(file_io.file, unit, std::move(nodes));
    state_.reused();
    state_.scheduled(next);
    state_.binder.expect(next);
    while (batch.has_slot_of(next)) SCORPIO_TRY(take(flow, batch, out));
    if (unit.owner == link.my_owner()) state_.arrivals.push({next, &file_io});
    if (link.several_nodes() && link.is_leader()) state_.leader_transfer.push({next, &file_io});
    batch.add(std::move(cut), next);
    SCORPIO_TRY(mark(flow, batch.visits.back()));
    if (link.several_nodes()) link.publish_wanted(next.close + 1);
    batch.closes.push_back(std::move(next));
    SCORPIO_TRY(take_arrived(flow, batch, out));
  }
  state_.end_round();
  while (!batch.visits.empty()) SCORPIO_TRY(take(flow, batch, out));
  return {};
}

Result<uint64_t> Gets::get(const Flow& flow, storage::Source& source, FileIo& file_io) {
  const bool fills = state_.link.my_owner() >= 0;
  std::optional<LookAhead> look_ahead;
  if (fills) look_ahead.emplace(state_, flow, source, file_io);
  const std::function<bool()> step = [&look_ahead] { return look_ahead->step(); };
  const Waiting::Ahead ahead(state_.waiting, fills ? &step : nullptr);
  if (!flow.continues || copies_out_ == nullptr) copies_out_ = std::make_unique<CopiesOut>(flow);
  CopiesOut& out = *copies_out_;  // kept between flows, because an element may be in units of two of them
  SCORPIO_TRY(read_units(flow, file_io, out));
  // Other ranks may still read the slots of this rank, and other nodes may still send requests.
  const auto finished = [&] {
    return state_.leader_transfer.idle() && state_.has_crossed() &&
           (!fills || (!look_ahead->find_next() && state_.arrivals.idle()));
  };
  SCORPIO_TRY(state_.waiting.until(finished));
  SCORPIO_TRY(
      state_.waiting.until_owners_are_done(state_.schedule));  // when all ranks of the node have copied
  return out.misfits;
}

}  // namespace scorpio::exchange
