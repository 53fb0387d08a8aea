#include "exchange/channel.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/hash.h"
#include "codec/stream.h"
#include "exchange/stall_watch.h"

namespace scorpio::exchange {

using plan::Activation;
using plan::ByteRange;
using plan::Region;

namespace {

plan::SlotLimits limits_of(const Fabric& fabric, const Lease& lease) {
  plan::SlotLimits limits;
  limits.owners = static_cast<int>(fabric.io_ranks->size());
  limits.slots = static_cast<int>(lease.slots.size());
  limits.scattered = lease.scattered;
  limits.out_slots = static_cast<int>(lease.out_slots.size());
  limits.region_bytes = fabric.staging->sizes().region_bytes;
  return limits;
}

// For other nodes, before they are asked whether they are in other calls.
constexpr std::chrono::milliseconds k_patience{200};

Status gave_up() {
  return failure(
      Code::aborted,
      "given up because another rank could not take part in a data call; the next sync or close says why");
}

// In order, since of overlapping ones the later is put; where they are moved together none overlap.
void move_pieces(const Flow& flow, const std::vector<Piece>& pieces, bool together, const MoveTile& move) {
  if (together) return for_each_tile(flow.parts, pieces, move);
  for (const Piece& piece : pieces) move(piece, piece.frame);
}

void merge_sorted(std::vector<int>& into, const std::vector<int>& more) {
  into.insert(into.end(), more.begin(), more.end());
  std::sort(into.begin(), into.end());
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

}  // namespace

// ---- waiting ----

bool Channel::progress() {
  bool moved = arrivals_.progress();
  if (fill_next_ && fill_next_()) moved = true;
  if (io_->progress()) moved = true;
  arrivals_.settle();
  if (!link_.several_nodes()) return moved;
  if (link_.fabric().watch != nullptr) link_.fabric().watch->answer(false);
  if (!link_.is_leader()) return moved;
  return courier_.progress() || moved;
}

template <typename Condition>
Status Channel::wait_until(Condition&& condition) {
  std::optional<std::chrono::steady_clock::time_point> asks_at;
  while (!condition()) {
    if (link_.failed()) return gave_up();
    if (progress()) continue;
    const bool messages = link_.several_nodes() && (link_.is_leader() || arrivals_.waits_for_messages());
    link_.sleep([&] { return condition() || link_.failed() || progress(); }, messages);
    if (condition()) break;
    SCORPIO_TRY(link_.check_calls());
    if (!messages || link_.fabric().watch == nullptr) continue;
    const auto now = std::chrono::steady_clock::now();
    if (!asks_at) asks_at = now + k_patience;
    if (now < *asks_at) continue;
    link_.fabric().watch->ask();
    asks_at =
        std::chrono::steady_clock::time_point::max();  // what this rank has done does not change any more
  }
  return {};
}

// Until the counter of a slot of an I/O rank of this node has reached `value`.
Status Channel::wait_for(int owner, int slot, uint64_t value) {
  const SlotCounter& counter = link_.slot_counter(owner, slot);
  link_.watch(owner, slot, value);
  const Status status = wait_until([&] { return counter.reached(value); });
  link_.unwatch();
  return status;
}

// A rank that contributes nothing need not wait; an I/O rank and a leader always do for what is theirs, so
// that nobody depends on them after they have returned to the caller.
Status Channel::wait_for_slot(const Activation& activation, bool contributing) {
  const int owner = activation.region.owner;
  if (link_.owner_is_here(owner)) {
    if (activation.free_after == plan::k_never || (!contributing && owner != link_.my_owner())) return {};
    if (owner == link_.my_owner()) arrivals_.demand_before(activation.free_after + 1);
    return wait_for(owner, activation.slot, SlotCounter::free_for(activation.use));
  }
  if (activation.out_free_after == plan::k_never || (!contributing && !link_.is_leader())) return {};
  const NodeLine& line = link_.node_line();
  return wait_until(
      [&] { return line.released.load(std::memory_order_acquire) > activation.out_free_after; });
}

// On several nodes: before it returns to its caller, a leader has sent, and an I/O rank has taken, all that
// somebody may wait for.
Status Channel::keep_promises() {
  if (!link_.several_nodes()) return {};
  const uint64_t due = schedule_.reused();
  arrivals_.demand_before(due);
  return wait_until([&] { return arrivals_.finished_before(due) && courier_.finished_before(due); });
}

void Channel::closed(const Activation& activation) {
  Outlet* outlet = outlet_of(activation.file);
  if (activation.region.owner == link_.my_owner()) arrivals_.push({activation, outlet});
  if (link_.several_nodes() && link_.is_leader()) courier_.push({activation, outlet});
  link_.publish_done(activation.close + 1);
}

// Between nodes nothing is waited for: who takes part in the call there learns from the question that this
// node does not, and who nobody waits for learns it at the next sync point.
void Channel::skip() {
  link_.enter_skipped_call();
  bool same = false;
  const Status entered = wait_until([&] { return link_.all_entered(same); });
  if (!entered.ok() || !same) return link_.fail();
  link_.name_skipped_call();
  if (link_.several_nodes() && link_.is_leader() && link_.fabric().watch != nullptr)
    link_.fabric().watch->ask();
}

void Channel::abandon() {
  arrivals_.cancel_receives();
  courier_.cancel_receives();
}

Status Channel::drain() {
  if (!link_.several_nodes()) return {};
  arrivals_.cancel_receives();
  courier_.cancel_receives();
  const Status drained = link_.drain();
  arrivals_.complete_sends();
  courier_.complete_sends();
  return drained;
}

// ---- slots ----

Slot Channel::slot_of(const Activation& activation) const {
  const int owner = activation.region.owner;
  return link_.owner_is_here(owner) ? link_.slot(owner, activation.slot)
                                    : link_.out_slot(activation.out_slot);
}

// What this rank has in the first `visits` regions of the batch.
std::vector<Piece> Channel::pieces_of(const Flow& flow, const Batch& batch, size_t visits) const {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < visits; ++i) {
    const Visit& visit = batch.visits[i];
    std::byte* image = slot_of(visit.activation).bytes;
    for (const size_t part : visit.cut.parts)
      pieces.push_back({part, visit.cut.frame_of(flow.parts[part]), image});
  }
  return pieces;
}

void Channel::set_bits(const Flow& flow, const Visit& visit) const {
  Slot slot = slot_of(visit.activation);
  for (const size_t i : visit.cut.parts) {
    const Part& part = flow.parts[i];
    for_each_image_span(visit.cut.frame_of(part), *part.runs, part.element_bytes,
                        [&](uint64_t begin, uint64_t end) { slot.bitmap.set(begin, end); });
  }
}

// ---- writing ----

Status Channel::place(const Flow& flow, Batch& batch, uint64_t& misfits) {
  for (const Visit& visit : batch.visits)
    SCORPIO_TRY(wait_for_slot(visit.activation, !visit.cut.parts.empty()));
  {
    const observe::Timer timer(link_.counters().time_exchange_ns);
    const std::vector<Piece> pieces = pieces_of(flow, batch, batch.visits.size());
    move_pieces(flow, pieces, batch.together, [&](const Piece& piece, const CopyFrame& frame) {
      const Part& part = flow.parts[piece.part];
      const uint64_t clipped = copy_in(frame, *part.runs, *part.conversion, part.from, piece.image);
      misfits += clipped;
      if (part.misfits != nullptr) *part.misfits += clipped;
    });
    for (const Visit& visit : batch.visits) {
      if (!flow.exact || !link_.owner_is_here(visit.activation.region.owner)) set_bits(flow, visit);
    }
  }
  for (const Activation& activation : batch.closes) closed(activation);
  batch.visits.clear();
  batch.closes.clear();
  return keep_promises();
}

void Channel::close_all() {
  schedule_.close_all([this](const Activation& activation) { closed(activation); });
}

// Null: it was forgotten, in a channel that has failed and carries out nothing more.
Outlet* Channel::outlet_of(uint64_t file) const {
  const auto at = std::find_if(outlets_.begin(), outlets_.end(),
                               [file](const Outlet* outlet) { return outlet->file == file; });
  return at == outlets_.end() ? nullptr : *at;
}

void Channel::forget(const Outlet& outlet) { std::erase(outlets_, &outlet); }

// What follows in later windows is the same on all ranks if this is.
void Channel::begin_operation(const Flow& flow, bool reading, Outlet& outlet) {
  if (outlet_of(outlet.file) == nullptr) outlets_.push_back(&outlet);
  link_.enter_call(flow.hash(reading) ^ mixed(outlet.file));
  ++link_.counters().operations;
}

// Half of the slots of one I/O rank: the other half is written, or read, meanwhile.
size_t Channel::batch_regions() const { return std::max<size_t>(1, link_.lease().slots.size() / 2); }

// An I/O rank that gathers writes nothing before this rank has published all regions that it knows of.
bool Channel::batches_puts() const { return !link_.fabric().gather_writes; }

// Between nodes an I/O rank gives out a region when all have published what it gave out before.
bool Channel::batches_gets() const { return !link_.several_nodes(); }

// On one node, where it was measured; between nodes gets go region by region.
uint64_t Channel::regions_in_a_pass(bool reading) const {
  if (link_.several_nodes() || !(reading ? batches_gets() : batches_puts())) return 0;
  return link_.fabric().io_ranks->size() * batch_regions();
}

Result<uint64_t> Channel::put(const Flow& flow, Outlet& outlet) {
  if (link_.failed()) return gave_up();
  if (!flow.continues) begin_operation(flow, false, outlet);
  plan::RegionWalk walk(flow.rule, flow.variable, flow.touched);
  uint64_t misfits = 0;
  Batch batch;
  batch.together = batches_puts() && flow.interleaved;
  Region region;
  while (walk.next(region)) {
    Cut cut = Cut::of(flow, region, link_.region_bytes());
    std::vector<Activation> first;  // closed to make room for this one
    Activation& activation = schedule_.charge(outlet.file, region, cut.ranges, flow.exact,
                                              [&](const Activation& closed) { first.push_back(closed); });
    if (link_.several_nodes()) merge_sorted(activation.nodes, cut.nodes(flow));
    if (!first.empty() || batch.has_slot_of(activation)) SCORPIO_TRY(place(flow, batch, misfits));
    for (const Activation& earlier : first) closed(earlier);
    batch.visits.push_back({std::move(cut), activation});
    schedule_.close_if_full(activation, [&](const Activation& full) { batch.closes.push_back(full); });
    if (!batch.together || batch.regions_of(region.owner) == batch_regions())
      SCORPIO_TRY(place(flow, batch, misfits));
  }
  SCORPIO_TRY(place(flow, batch, misfits));
  if (!flow.continues) link_.counters().bytes_placed += flow.bytes();
  return misfits;
}

// An agreement follows, in which MPI would keep the cores busy with waiting: ranks that have nothing left to
// do sleep until the I/O ranks of their node have finished. On a single node ranks sleep in the agreement
// itself.
Status Channel::wait_for_owners() {
  if (!link_.several_nodes()) return {};
  for (size_t owner = 0; owner < link_.fabric().io_ranks->size(); ++owner) {
    const int number = static_cast<int>(owner);
    if (!link_.owner_is_here(number) || number == link_.my_owner()) continue;
    // It is the last one that takes longest, mostly: this rank sleeps once.
    const auto& closed = schedule_.closed_slots(number);
    for (auto at = closed.rbegin(); at != closed.rend(); ++at)
      SCORPIO_TRY(wait_for(number, at->slot, SlotCounter::end_of(at->use)));
  }
  return {};
}

Status Channel::flush(Outlet& outlet) {
  link_.enter_flush();
  close_all();
  arrivals_.demand_before(schedule_.closes());
  Status waited = wait_until([this] { return arrivals_.idle() && courier_.idle(); });
  if (waited.ok()) waited = wait_for_owners();
  link_.leave_flush();
  return first_failure(outlet.take_status(), waited);
}

// ---- reading ----

struct Channel::CopiesOut {
  explicit CopiesOut(const Flow& flow) {
    const bool streams = flow.bytes() >= codec::k_stream_total_bytes;
    for (const Part& part : flow.parts) parts.emplace_back(*part.conversion, part.to, streams);
  }
  std::vector<CopyOut> parts;  // [parts of the flow]
  uint64_t misfits = 0;
};

Channel::Channel(const Fabric& fabric, const Lease& lease, std::unique_ptr<IoPhase> io)
    : link_(fabric, lease),
      schedule_(limits_of(fabric, lease)),
      io_(std::move(io)),
      arrivals_(link_, *io_),
      courier_(link_) {
  if (fabric.watch != nullptr) fabric.watch->add(link_);
}

Channel::~Channel() {
  if (link_.fabric().watch != nullptr) link_.fabric().watch->remove(link_);
}

// Looks ahead of this I/O rank's own place in the walk, as far as its slots allow.
struct Channel::Reading {
  Channel& channel;
  const Flow& flow;
  storage::Source& source;
  Outlet& file;
  plan::SlotSchedule schedule;
  plan::RegionWalk walk;
  std::optional<Activation> next;

  bool find_next() {
    Region region;
    while (!next && walk.next(region)) {
      const Activation activation = schedule.read(file.file, region);
      if (region.owner == channel.link_.my_owner()) next = activation;
    }
    return next.has_value();
  }

  bool fill_one() {
    if (!find_next() || !channel.arrivals_.slot_free(*next)) return false;
    const Cut cut = Cut::of(flow, next->region, channel.link_.region_bytes());
    channel.arrivals_.fill({*next, &file}, cut.hull, source);
    next.reset();
    return true;
  }
};

Status Channel::mark(const Flow& flow, const Visit& visit) {
  if (link_.owner_is_here(visit.activation.region.owner)) return {};
  SCORPIO_TRY(wait_for_slot(visit.activation, !visit.cut.parts.empty()));
  set_bits(flow, visit);
  return {};
}

// Until the bytes of the region are in this node's memory.
Status Channel::wait_for_bytes(const Visit& visit) {
  if (visit.cut.parts.empty()) return {};
  const int owner = visit.activation.region.owner;
  if (link_.owner_is_here(owner))
    return wait_for(owner, visit.activation.slot, SlotCounter::filled_in(visit.activation.use));
  const NodeLine& line = link_.node_line();
  return wait_until([&] { return line.delivered.load(std::memory_order_acquire) > visit.activation.close; });
}

// Takes the elements of the first region of the batch, or of all together, out of their slots.
Status Channel::take(const Flow& flow, Batch& batch, CopiesOut& out) {
  const size_t visits = batch.together ? batch.visits.size() : std::min<size_t>(1, batch.visits.size());
  for (size_t i = 0; i < visits; ++i) SCORPIO_TRY(wait_for_bytes(batch.visits[i]));
  {
    const observe::Timer timer(link_.counters().time_exchange_ns);
    const std::vector<Piece> pieces = pieces_of(flow, batch, visits);
    move_pieces(flow, pieces, batch.together, [&](const Piece& piece, const CopyFrame& frame) {
      const Part& part = flow.parts[piece.part];
      const uint64_t clipped = out.parts[piece.part].take(frame, *part.runs, piece.image);
      out.misfits += clipped;
      if (part.misfits != nullptr) *part.misfits += clipped;
    });
  }
  const auto count = static_cast<std::ptrdiff_t>(visits);
  if (visits > 0) link_.publish_done(batch.closes[visits - 1].close + 1);
  batch.visits.erase(batch.visits.begin(), batch.visits.begin() + count);
  batch.closes.erase(batch.closes.begin(), batch.closes.begin() + count);
  return {};
}

Status Channel::read_regions(const Flow& flow, Outlet& outlet, CopiesOut& out) {
  // Wishes run ahead of the copies as far as outgoing slots allow, so that requests travel early.
  const size_t ahead = link_.several_nodes() ? link_.lease().out_slots.size() - 1 : 0;
  Batch batch;
  batch.together = batches_gets() && flow.interleaved;
  plan::RegionWalk walk(flow.rule, flow.variable, flow.touched);
  Region region;
  while (walk.next(region)) {
    Visit next{Cut::of(flow, region, link_.region_bytes()), schedule_.read(outlet.file, region)};
    if (link_.several_nodes()) next.activation.nodes = next.cut.nodes(flow);
    while (batch.has_slot_of(next.activation)) SCORPIO_TRY(take(flow, batch, out));
    if (region.owner == link_.my_owner()) arrivals_.push({next.activation, &outlet});
    if (link_.several_nodes() && link_.is_leader()) courier_.push({next.activation, &outlet});
    SCORPIO_TRY(mark(flow, next));
    if (link_.several_nodes()) link_.publish_wanted(next.activation.close + 1);
    batch.closes.push_back(next.activation);
    batch.visits.push_back(std::move(next));
    const bool full =
        batch.together ? batch.regions_of(region.owner) == batch_regions() : batch.visits.size() > ahead;
    if (full) SCORPIO_TRY(take(flow, batch, out));
  }
  while (!batch.visits.empty()) SCORPIO_TRY(take(flow, batch, out));
  return {};
}

Result<uint64_t> Channel::get(const Flow& flow, storage::Source& source, Outlet& outlet) {
  const Status written =
      flush(outlet);  // a failed write does not stop this rank from taking part in the read
  if (link_.failed()) return first_failure(written, gave_up());
  if (!flow.continues) begin_operation(flow, true, outlet);
  Reading reading{
      *this, flow, source, outlet, schedule_, plan::RegionWalk(flow.rule, flow.variable, flow.touched), {}};
  if (link_.my_owner() >= 0) fill_next_ = [&reading] { return reading.fill_one(); };
  if (!flow.continues || copies_out_ == nullptr) copies_out_ = std::make_unique<CopiesOut>(flow);
  CopiesOut& out = *copies_out_;  // an element may lie in regions of two flows
  Status status = read_regions(flow, outlet, out);
  // Others still read from this rank's slots, and other nodes still ask.
  const auto finished = [&] { return !reading.find_next() && arrivals_.idle() && courier_.idle(); };
  if (status.ok()) status = wait_until([&] { return link_.my_owner() < 0 ? courier_.idle() : finished(); });
  if (status.ok()) status = wait_for_owners();  // whose slots are free when all of the node have read
  fill_next_ = nullptr;
  status = first_failure(outlet.take_status(), status);
  status = first_failure(written, status);
  if (!status.ok()) return status;
  if (!flow.continues) link_.counters().bytes_fetched += flow.bytes();
  return out.misfits;
}

}  // namespace scorpio::exchange
