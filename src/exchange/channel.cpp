#include "exchange/channel.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "exchange/copy.h"

namespace scorpio::exchange {

using plan::Activation;
using plan::ByteRange;
using plan::Region;

struct Channel::Cut {
  ByteRange region{};             // all bytes of the region
  std::vector<ByteRange> ranges;  // touched bytes of the variable in it
  CopyFrame frame{};
};

namespace {

plan::SlotLimits limits_of(const Fabric& fabric, const Lease& lease) {
  plan::SlotLimits limits;
  limits.owners = static_cast<int>(fabric.io_ranks->size());
  limits.slots = static_cast<int>(lease.slots.size());
  limits.out_slots = static_cast<int>(lease.out_slots.size());
  limits.region_bytes = fabric.staging->sizes().region_bytes;
  return limits;
}

Status gave_up() {
  return failure(
      Code::aborted,
      "given up because another rank could not take part in a data call; the next sync or close says why");
}

// Of a rank's part, as it is in the file.
uint64_t bytes_of(const Flow& flow) {
  return flow.runs == nullptr ? 0 : static_cast<uint64_t>(flow.runs->elements()) * flow.element_bytes;
}

// Of what all ranks see of a data call.
uint64_t hash_of(const Flow& flow, bool reading) {
  std::array<uint64_t, 6> facts{
      reading ? 1u : 0u, flow.variable.begin, flow.variable.end, flow.touched.size(), 0, 0};
  if (!flow.touched.empty()) {
    facts[4] = flow.touched.front().begin;
    facts[5] = flow.touched.back().end;
  }
  return fnv1a({reinterpret_cast<const char*>(facts.data()), sizeof facts});
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
  cut.frame = {flow.variable.begin, begin, {cut.ranges.front().begin, cut.ranges.back().end}};
  return cut;
}

bool Channel::contributes(const Flow& flow, const Cut& cut) const {
  if (flow.runs == nullptr || flow.runs->empty()) return false;
  const decomp::Interval span = elements_in(cut.frame, flow.element_bytes);
  return flow.runs->any(span.begin, span.end);
}

std::vector<int> Channel::nodes_in(const Flow& flow, const Cut& cut) const {
  std::vector<int> nodes;
  if (!link_.several_nodes()) return nodes;
  for (size_t n = 0; n < flow.node_hulls.size(); ++n) {
    const ByteRange& hull = flow.node_hulls[n];
    if (hull.begin < cut.frame.range.end && hull.end > cut.frame.range.begin)
      nodes.push_back(static_cast<int>(n));
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

Status Channel::place(const Flow& flow, const Cut& cut, const Activation& activation, const std::byte* data,
                      uint64_t& misfits) {
  const bool contributing = contributes(flow, cut);
  SCORPIO_TRY(wait_for_slot(activation, contributing));
  if (!contributing) return {};
  const bool here = link_.owner_is_here(activation.region.owner);
  Slot slot =
      here ? link_.slot(activation.region.owner, activation.slot) : link_.out_slot(activation.out_slot);
  const observe::Timer timer(link_.counters().time_exchange_ns);
  misfits += copy_in(cut.frame, *flow.runs, *flow.conversion, data, slot.bytes);
  if (here && flow.exact) return {};
  for_each_image_run(cut.frame, *flow.runs, flow.element_bytes,
                     [&](uint64_t begin, uint64_t end) { slot.bitmap.set(begin, end); });
  return {};
}

Result<uint64_t> Channel::put(const Flow& flow, const std::byte* data) {
  if (link_.failed()) return gave_up();
  link_.enter_call(hash_of(flow, false));
  const auto on_close = [this](const Activation& activation) { closed(activation); };
  plan::RegionWalk walk(flow.rule, flow.variable, flow.touched);
  uint64_t misfits = 0;
  Region region;
  while (walk.next(region)) {
    const Cut part = cut(flow, region);
    Activation& activation = schedule_.charge(region, part.ranges, flow.exact, on_close);
    merge_sorted(activation.nodes, nodes_in(flow, part));
    SCORPIO_TRY(place(flow, part, activation, data, misfits));
    schedule_.close_if_full(activation, on_close);
    SCORPIO_TRY(keep_promises());
  }
  link_.counters().bytes_placed += bytes_of(flow);
  return misfits;
}

Status Channel::flush() {
  link_.enter_flush();
  schedule_.close_all([this](const Activation& activation) { closed(activation); });
  const Status waited = wait_until([this] { return owner_.idle() && courier_.idle(); });
  link_.leave_flush();
  return first_failure(first_failure(owner_.take_status(), courier_.take_status()), waited);
}

// ---- reading ----

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
    channel.owner_.fill(*next, part.frame.range, reader);
    next.reset();
    return true;
  }
};

Status Channel::mark(const Flow& flow, const Cut& cut, const Activation& activation) {
  if (link_.owner_is_here(activation.region.owner)) return {};
  const bool contributing = contributes(flow, cut);
  SCORPIO_TRY(wait_for_slot(activation, contributing));
  if (!contributing) return {};
  Slot slot = link_.out_slot(activation.out_slot);
  for_each_image_run(cut.frame, *flow.runs, flow.element_bytes,
                     [&](uint64_t begin, uint64_t end) { slot.bitmap.set(begin, end); });
  return {};
}

Status Channel::take(const Flow& flow, const Cut& cut, const Activation& activation, uint64_t filled,
                     CopyOut& out, uint64_t& misfits) {
  if (contributes(flow, cut)) {
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
    misfits += out.take(cut.frame, *flow.runs, slot.bytes);
  }
  link_.publish_done(activation.close + 1);
  return {};
}

Status Channel::read_regions(const Flow& flow, CopyOut& out, uint64_t& misfits) {
  struct Marked {
    Cut cut;
    Activation activation;
    uint64_t filled;
  };
  std::deque<Marked> marked;
  const auto take_first = [&] {
    const Marked first = std::move(marked.front());
    marked.pop_front();
    return take(flow, first.cut, first.activation, first.filled, out, misfits);
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

Result<uint64_t> Channel::get(const Flow& flow, std::byte* data, RegionReader& reader) {
  const Status written = flush();  // a failed write does not stop this rank from taking part in the read
  if (link_.failed()) return first_failure(written, gave_up());
  link_.enter_call(hash_of(flow, true));
  uint64_t misfits = 0;
  Reading reading{*this, flow, reader, schedule_, plan::RegionWalk(flow.rule, flow.variable, flow.touched),
                  {}};
  if (link_.my_owner() >= 0) fill_next_ = [&reading] { return reading.fill_one(); };
  CopyOut out(*flow.conversion, data);
  Status status = read_regions(flow, out, misfits);
  // Others still read from this rank's slots, and other nodes still ask.
  const auto finished = [&] { return !reading.find_next() && owner_.idle() && courier_.idle(); };
  if (status.ok()) status = wait_until([&] { return link_.my_owner() < 0 ? courier_.idle() : finished(); });
  fill_next_ = nullptr;
  status = first_failure(first_failure(owner_.take_status(), courier_.take_status()), status);
  status = first_failure(written, status);
  if (!status.ok()) return status;
  link_.counters().bytes_fetched += bytes_of(flow);
  return misfits;
}

}  // namespace scorpio::exchange
