#include "exchange/channel.h"

#include <algorithm>

#include "codec/stream.h"

namespace scorpio::exchange {

using plan::Activation;
using plan::ByteRange;
using plan::Region;

struct Channel::Cut {
  ByteRange region{};             // all bytes of the region
  std::vector<ByteRange> ranges;  // touched bytes of the variable in it
  ByteRange hull{};               // of `ranges`
  std::vector<size_t> parts;      // of this rank, that have elements in it, ascending
};

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

Status gave_up() {
  return failure(
      Code::aborted,
      "given up because another rank could not take part in a data call; the next sync or close says why");
}

// Elements of a part that lie at least partly in the region.
bool reaches(const Part& part, ByteRange hull) {
  const ByteRange mine = part.hull();
  if (mine.begin >= hull.end || mine.end <= hull.begin) return false;
  const decomp::Interval span = elements_in({part.begin, hull.begin, hull}, part.element_bytes);
  return part.runs->any(span.begin, span.end);
}

void set_bits(const Part& part, const CopyFrame& frame, Bitmap& bitmap) {
  for_each_image_span(frame, *part.runs, part.element_bytes,
                      [&](uint64_t begin, uint64_t end) { bitmap.set(begin, end); });
}

void merge_sorted(std::vector<int>& into, const std::vector<int>& more) {
  into.insert(into.end(), more.begin(), more.end());
  std::sort(into.begin(), into.end());
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

}  // namespace

Channel::Channel(const Fabric& fabric, const Lease& lease, RegionWriter& writer)
    : link_(fabric, lease),
      schedule_(limits_of(fabric, lease)),
      owner_(link_, writer),
      courier_(link_),
      reads_of_(fabric.io_ranks->size(), 0) {}

// ---- geometry ----

Channel::Cut Channel::cut(const Flow& flow, const Region& region) const {
  Cut cut;
  const uint64_t begin = region.number * link_.region_bytes();
  cut.region = {begin, begin + link_.region_bytes()};
  auto at = std::lower_bound(flow.touched.begin(), flow.touched.end(), begin,
                             [](const ByteRange& r, uint64_t b) { return r.end <= b; });
  for (; at != flow.touched.end() && at->begin < cut.region.end; ++at) {
    cut.ranges.push_back({std::max(at->begin, cut.region.begin), std::min(at->end, cut.region.end)});
  }
  cut.hull = {cut.ranges.front().begin, cut.ranges.back().end};
  for (size_t i = 0; i < flow.parts.size(); ++i) {
    if (reaches(flow.parts[i], cut.hull)) cut.parts.push_back(i);
  }
  return cut;
}

std::vector<int> Channel::nodes_in(const Flow& flow, const Cut& cut) const {
  std::vector<int> nodes;
  if (!link_.several_nodes()) return nodes;
  for (size_t n = 0; n < flow.node_hulls.size(); ++n) {
    const ByteRange& hull = flow.node_hulls[n];
    if (hull.begin < cut.hull.end && hull.end > cut.hull.begin) nodes.push_back(static_cast<int>(n));
  }
  return nodes;
}

// ---- waiting ----

bool Channel::progress() {
  bool moved = owner_.progress();
  if (fill_next_ && fill_next_()) moved = true;
  if (!link_.several_nodes()) return moved;
  if (link_.is_leader() || link_.my_owner() >= 0) link_.hear_failure();
  if (!link_.is_leader()) return moved;
  return courier_.progress() || moved;
}

template <typename Condition>
Status Channel::wait_until(Condition&& condition) {
  while (!condition()) {
    if (link_.failed()) return gave_up();
    if (progress()) continue;
    const bool messages = link_.several_nodes() && (link_.is_leader() || owner_.waits_for_messages());
    link_.sleep([&] { return condition() || link_.failed() || progress(); }, messages);
    if (condition()) break;
    SCORPIO_TRY(link_.check_calls());
  }
  return {};
}

// Until a counter of an I/O rank of this node has reached `value`.
Status Channel::wait_for(int owner, Link::Progress counter, uint64_t value) {
  const OwnerLine& line = link_.owner_line(owner);
  const auto& watched = counter == Link::Progress::retired ? line.retired : line.filled;
  link_.watch(owner, counter, value);
  const Status status = wait_until([&] { return watched.load(std::memory_order_acquire) >= value; });
  link_.unwatch();
  return status;
}

// A rank that contributes nothing need not wait; an I/O rank and a leader always do for what is theirs, so
// that nobody depends on them after they have returned to the caller.
Status Channel::wait_for_slot(const Activation& activation, bool contributing) {
  const int owner = activation.region.owner;
  if (link_.owner_is_here(owner)) {
    if (activation.free_after == plan::k_never || (!contributing && owner != link_.my_owner())) return {};
    if (owner == link_.my_owner()) owner_.demand(activation.free_after + 1);
    return wait_for(owner, Link::Progress::retired, activation.free_after + 1);
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
  owner_.demand_before(due);
  return wait_until([&] { return owner_.finished_before(due) && courier_.finished_before(due); });
}

void Channel::closed(const Activation& activation) {
  if (activation.region.owner == link_.my_owner()) owner_.push(activation);
  if (link_.several_nodes() && link_.is_leader()) courier_.push(activation);
  link_.publish_done(activation.close + 1);
}

void Channel::skip() {
  link_.enter_skipped_call();
  bool same = false;
  if (!link_.several_nodes()) (void)wait_until([&] { return link_.all_entered(same); });
  if (!same) link_.fail();
}

Status Channel::drain() {
  if (!link_.several_nodes()) return {};
  owner_.cancel_receives();
  courier_.cancel_receives();
  const Status drained = link_.drain();
  owner_.complete_sends();
  courier_.complete_sends();
  return drained;
}

// ---- writing ----

Status Channel::place(const Flow& flow, const Cut& cut, const Activation& activation, uint64_t& misfits) {
  SCORPIO_TRY(wait_for_slot(activation, !cut.parts.empty()));
  if (cut.parts.empty()) return {};
  const bool here = link_.owner_is_here(activation.region.owner);
  Slot slot =
      here ? link_.slot(activation.region.owner, activation.slot) : link_.out_slot(activation.out_slot);
  const observe::Timer timer(link_.counters().time_exchange_ns);
  for (const size_t i : cut.parts) {
    const Part& part = flow.parts[i];
    const CopyFrame frame = part.frame(cut.region.begin, cut.hull);
    const uint64_t clipped = copy_in(frame, *part.runs, *part.conversion, part.from, slot.bytes);
    misfits += clipped;
    if (part.misfits != nullptr) *part.misfits += clipped;
    if (!here || !flow.exact) set_bits(part, frame, slot.bitmap);
  }
  return {};
}

Result<uint64_t> Channel::put(const Flow& flow) {
  if (link_.failed()) return gave_up();
  link_.enter_call(flow.hash(false));
  ++link_.counters().operations;
  const auto on_close = [this](const Activation& activation) { closed(activation); };
  plan::RegionWalk walk(flow.rule, flow.variable, flow.touched);
  uint64_t misfits = 0;
  Region region;
  while (walk.next(region)) {
    const Cut part = cut(flow, region);
    Activation& activation = schedule_.charge(region, part.ranges, flow.exact, on_close);
    merge_sorted(activation.nodes, nodes_in(flow, part));
    SCORPIO_TRY(place(flow, part, activation, misfits));
    schedule_.close_if_full(activation, on_close);
    SCORPIO_TRY(keep_promises());
  }
  link_.counters().bytes_placed += flow.bytes();
  return misfits;
}

// A flush comes before an agreement, where MPI would keep the cores busy with waiting: ranks that have
// nothing left to do sleep until the I/O ranks of their node have written.
Status Channel::wait_for_writers() {
  for (size_t owner = 0; owner < link_.fabric().io_ranks->size(); ++owner) {
    const int number = static_cast<int>(owner);
    if (!link_.owner_is_here(number) || number == link_.my_owner()) continue;
    SCORPIO_TRY(wait_for(number, Link::Progress::retired, schedule_.owner_closes(number)));
  }
  return {};
}

Status Channel::flush() {
  link_.enter_flush();
  schedule_.close_all([this](const Activation& activation) { closed(activation); });
  owner_.demand_before(schedule_.closes());
  Status waited = wait_until([this] { return owner_.idle() && courier_.idle(); });
  if (waited.ok() && link_.several_nodes()) waited = wait_for_writers();
  link_.leave_flush();
  return first_failure(first_failure(owner_.take_status(), courier_.take_status()), waited);
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

// Looks ahead of this I/O rank's own place in the walk, as far as its slots allow.
struct Channel::Reading {
  Channel& channel;
  const Flow& flow;
  RegionReader& reader;
  plan::SlotSchedule schedule;
  plan::RegionWalk walk;
  std::optional<Activation> next;

  bool find_next() {
    Region region;
    while (!next && walk.next(region)) {
      const Activation activation = schedule.read(region);
      if (region.owner == channel.link_.my_owner()) next = activation;
    }
    return next.has_value();
  }

  bool fill_one() {
    if (!find_next() || !channel.owner_.slot_free(*next)) return false;
    const Cut part = channel.cut(flow, next->region);
    channel.owner_.fill(*next, part.hull, reader);
    next.reset();
    return true;
  }
};

Status Channel::mark(const Flow& flow, const Cut& cut, const Activation& activation) {
  if (link_.owner_is_here(activation.region.owner)) return {};
  SCORPIO_TRY(wait_for_slot(activation, !cut.parts.empty()));
  if (cut.parts.empty()) return {};
  Slot slot = link_.out_slot(activation.out_slot);
  for (const size_t i : cut.parts) {
    set_bits(flow.parts[i], flow.parts[i].frame(cut.region.begin, cut.hull), slot.bitmap);
  }
  return {};
}

Status Channel::take(const Flow& flow, const Cut& cut, const Activation& activation, uint64_t filled,
                     CopiesOut& out) {
  if (!cut.parts.empty()) {
    const int owner = activation.region.owner;
    const bool here = link_.owner_is_here(owner);
    if (here) {
      SCORPIO_TRY(wait_for(owner, Link::Progress::filled, filled));
    } else {
      const NodeLine& line = link_.node_line();
      SCORPIO_TRY(
          wait_until([&] { return line.delivered.load(std::memory_order_acquire) > activation.close; }));
    }
    const Slot slot = here ? link_.slot(owner, activation.slot) : link_.out_slot(activation.out_slot);
    const observe::Timer timer(link_.counters().time_exchange_ns);
    for (const size_t i : cut.parts) {
      const Part& part = flow.parts[i];
      const uint64_t clipped =
          out.parts[i].take(part.frame(cut.region.begin, cut.hull), *part.runs, slot.bytes);
      out.misfits += clipped;
      if (part.misfits != nullptr) *part.misfits += clipped;
    }
  }
  link_.publish_done(activation.close + 1);
  return {};
}

Status Channel::read_regions(const Flow& flow, CopiesOut& out) {
  struct Marked {
    Cut cut;
    Activation activation;
    uint64_t filled;
  };
  std::deque<Marked> marked;
  const auto take_first = [&] {
    const Marked first = std::move(marked.front());
    marked.pop_front();
    return take(flow, first.cut, first.activation, first.filled, out);
  };
  // Wishes run ahead of the copies as far as outgoing slots allow, so that requests travel early.
  const size_t ahead = link_.several_nodes() ? link_.lease().out_slots.size() - 1 : 0;
  plan::RegionWalk walk(flow.rule, flow.variable, flow.touched);
  Region region;
  while (walk.next(region)) {
    Marked next{cut(flow, region), schedule_.read(region), 0};
    next.activation.nodes = nodes_in(flow, next.cut);
    next.filled = ++reads_of_[static_cast<size_t>(region.owner)];
    if (region.owner == link_.my_owner()) owner_.push(next.activation);
    if (link_.several_nodes() && link_.is_leader()) courier_.push(next.activation);
    SCORPIO_TRY(mark(flow, next.cut, next.activation));
    if (link_.several_nodes()) link_.publish_wanted(next.activation.close + 1);
    marked.push_back(std::move(next));
    if (marked.size() > ahead) SCORPIO_TRY(take_first());
  }
  while (!marked.empty()) SCORPIO_TRY(take_first());
  return {};
}

Result<uint64_t> Channel::get(const Flow& flow, RegionReader& reader) {
  const Status written = flush();  // a failed write does not stop this rank from taking part in the read
  if (link_.failed()) return first_failure(written, gave_up());
  link_.enter_call(flow.hash(true));
  ++link_.counters().operations;
  Reading reading{*this, flow, reader, schedule_, plan::RegionWalk(flow.rule, flow.variable, flow.touched),
                  {}};
  if (link_.my_owner() >= 0) fill_next_ = [&reading] { return reading.fill_one(); };
  CopiesOut out(flow);
  Status status = read_regions(flow, out);
  // Others still read from this rank's slots, and other nodes still ask.
  const auto finished = [&] { return !reading.find_next() && owner_.idle() && courier_.idle(); };
  if (status.ok()) status = wait_until([&] { return link_.my_owner() < 0 ? courier_.idle() : finished(); });
  if (status.ok()) status = wait_for_writers();  // whose slots are free when all of the node have read
  fill_next_ = nullptr;
  status = first_failure(first_failure(owner_.take_status(), courier_.take_status()), status);
  status = first_failure(written, status);
  if (!status.ok()) return status;
  link_.counters().bytes_fetched += flow.bytes();
  return out.misfits;
}

}  // namespace scorpio::exchange
