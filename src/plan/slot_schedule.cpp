#include "plan/slot_schedule.h"

#include <algorithm>

namespace scorpio::plan {

bool merge_disjoint(std::vector<ByteRange>& ranges, ByteRange range) {
  const auto next = std::ranges::upper_bound(ranges, range.begin, {}, &ByteRange::end);
  if (next != ranges.end() && next->begin < range.end) return false;
  const bool joins_before = next != ranges.begin() && std::prev(next)->end == range.begin;
  const bool joins_next = next != ranges.end() && next->begin == range.end;
  if (joins_before && joins_next) {
    std::prev(next)->end = next->end;
    ranges.erase(next);
  } else if (joins_before) {
    std::prev(next)->end = range.end;
  } else if (joins_next) {
    next->begin = range.begin;
  } else {
    ranges.insert(next, range);
  }
  return true;
}

namespace {

// In time proportional to the length of both lists, where one range after the other would move the rest of
// the list each time. Neither list overlaps the other.
void merge_lists(std::vector<ByteRange>& ranges, const std::vector<ByteRange>& more) {
  std::vector<ByteRange> merged;
  merged.reserve(ranges.size() + more.size());
  const auto append = [&](const ByteRange& range) {
    if (!merged.empty() && merged.back().end == range.begin) {
      merged.back().end = range.end;
    } else {
      merged.push_back(range);
    }
  };
  auto next = more.begin();
  for (const ByteRange& range : ranges) {
    for (; next != more.end() && next->begin < range.begin; ++next) append(*next);
    append(range);
  }
  for (; next != more.end(); ++next) append(*next);
  ranges = std::move(merged);
}

// Neither list overlaps the other.
void merge_all(std::vector<ByteRange>& ranges, const std::vector<ByteRange>& more) {
  constexpr size_t k_few = 4;
  if (more.size() > k_few) return merge_lists(ranges, more);
  for (const ByteRange& range : more) merge_disjoint(ranges, range);
}

// Both lists are sorted.
bool any_overlap(const std::vector<ByteRange>& sorted, const std::vector<ByteRange>& ranges) {
  auto next = sorted.begin();
  for (const ByteRange& range : ranges) {
    next = std::ranges::upper_bound(next, sorted.end(), range.begin, {}, &ByteRange::end);
    if (next != sorted.end() && next->begin < range.end) return true;
  }
  return false;
}

}  // namespace

SlotSchedule::SlotSchedule(const SlotLimits& limits)
    : limits_(limits),
      owners_(static_cast<size_t>(limits.io_ranks)),
      out_(limits.nodes, limits.out_slots, limits.my_node) {
  for (Owner& owner : owners_) {
    for (int slot = 0; slot < limits.slots; ++slot) owner.fresh.push_back(slot);
  }
}

namespace {

auto is_packed_of(uint64_t file) {
  return [=](const Activation& a) { return a.file == file && a.is_packed(); };
}

}  // namespace

std::vector<Activation>::iterator SlotSchedule::find_open(Owner& owner, uint64_t file, uint64_t number) {
  auto at = owner.open.begin();
  while (at != owner.open.end() && !at->is_of_unit(file, number)) ++at;
  return at;
}

std::vector<Activation>::iterator SlotSchedule::find_packed(Owner& owner, uint64_t file) {
  return std::ranges::find_if(owner.open, is_packed_of(file));
}

// If two calls write the same bytes, those of the later one are written to the file after the earlier ones.
bool SlotSchedule::takes(const Activation& open, const std::vector<ByteRange>& ranges, bool exact) const {
  return !any_overlap(open.charged, ranges) && (exact || takes_scattered(open.slot));
}

Activation& SlotSchedule::charge(uint64_t file, const Unit& unit, const std::vector<ByteRange>& ranges,
                                 bool exact, const std::vector<int>& nodes, const OnClose& on_close) {
  Owner& owner = owners_[static_cast<size_t>(unit.owner)];
  if (limits_.packed_bytes > 0) close_packed_overlapping(owner, file, ranges, on_close);
  auto at = find_open(owner, file, unit.number);
  const bool is_open = at != owner.open.end(), goes_on = is_open && takes(*at, ranges, exact);
  if (is_open && !goes_on) close_at(owner, static_cast<size_t>(at - owner.open.begin()), on_close);
  if (!goes_on) at = open(file, unit, exact, on_close);
  for (const int node : nodes) add_node(node, file, unit, on_close);
  Activation& activation = nodes.empty() ? *at : *find_open(owner, file, unit.number);
  for (const ByteRange& range : ranges) activation.charged_bytes += range.size();
  merge_all(activation.charged, ranges);
  if (exact) merge_all(activation.certain, ranges);
  activation.exact = activation.exact && exact;
  return activation;
}

// ---- packed activations: an I/O rank has at most one of a file open ----

namespace {

// Further parts are not worth their list then.
constexpr size_t k_most_regions = 1024;
// A packed activation with less room is full: a share of the image, or enough for an element and its
// alignment.
constexpr uint64_t k_least_room_share = 32;
constexpr uint64_t k_least_room = 16;

// The first place for this byte behind the regions: elements are aligned in the image as they are in the
// file.
uint64_t place_behind(const std::vector<Region>& regions, uint64_t begin) {
  constexpr uint64_t k_alignment = 8;
  if (regions.empty()) return begin % k_alignment;
  const Region& last = regions.back();
  if (last.bytes.end == begin) return last.end();
  return (last.end() + k_alignment - 1) / k_alignment * k_alignment + begin % k_alignment;
}

}  // namespace

bool SlotSchedule::has_room(const Activation& packed) const {
  const uint64_t least = std::max(k_least_room, limits_.packed_bytes / k_least_room_share);
  return packed.regions.size() < k_most_regions &&
         packed.regions.back().end() + least <= limits_.packed_bytes;
}

void SlotSchedule::close_packed_overlapping(Owner& owner, uint64_t file, const std::vector<ByteRange>& ranges,
                                            const OnClose& on_close) {
  const auto at = find_packed(owner, file);
  if (at != owner.open.end() && any_overlap(at->charged, ranges))
    close_at(owner, static_cast<size_t>(at - owner.open.begin()), on_close);
}

uint64_t SlotSchedule::room_for(uint64_t file, int number, uint64_t begin) const {
  const std::vector<Activation>& open = owners_[static_cast<size_t>(number)].open;
  const auto at = std::ranges::find_if(open, is_packed_of(file));
  return limits_.packed_bytes - place_behind(at == open.end() ? std::vector<Region>() : at->regions, begin);
}

bool SlotSchedule::any_packed_open(uint64_t file) const {
  return std::ranges::any_of(
      owners_, [&](const Owner& owner) { return std::ranges::any_of(owner.open, is_packed_of(file)); });
}

bool SlotSchedule::is_open(uint64_t file, const Unit& unit) const {
  const std::vector<Activation>& open = owners_[static_cast<size_t>(unit.owner)].open;
  return std::ranges::any_of(open, [&](const Activation& a) { return a.is_of_unit(file, unit.number); });
}

// Bytes between the ranges count as charged: they are in the image.
Activation& SlotSchedule::pack(uint64_t file, const Unit& unit, const std::vector<ByteRange>& ranges,
                               const OnClose& on_close) {
  Owner& owner = owners_[static_cast<size_t>(unit.owner)];
  const std::vector<ByteRange> hull{{ranges.front().begin, ranges.back().end}};
  close_packed_overlapping(owner, file, hull, on_close);
  auto at = find_packed(owner, file);
  if (at == owner.open.end()) {
    at = open(file, unit, true, on_close);
    at->regions.push_back({{hull.front().begin, hull.front().begin}, place_behind({}, hull.front().begin)});
  }
  Activation& activation = *at;
  const uint64_t place = place_behind(activation.regions, hull.front().begin);
  if (activation.regions.back().bytes.end == hull.front().begin) {
    activation.regions.back().bytes.end = hull.front().end;
  } else {
    activation.regions.push_back({hull.front(), place});
  }
  activation.charged_bytes += hull.front().size();
  merge_all(activation.charged, hull);
  merge_all(activation.certain, ranges);
  return activation;
}

void SlotSchedule::make_room(Owner& owner, bool exact, const OnClose& on_close) {
  // Half of the slots may be open, while the other half is being written.
  const int half = std::max(1, limits_.slots / 2);
  const auto most_open = static_cast<size_t>(limits_.most_open > 0 ? limits_.most_open : half);
  if (owner.open.size() >= most_open) close_at(owner, 0, on_close);
  if (exact) return;
  // The same for slots with a bitmap.
  const auto scattered = [this](const Activation& a) { return takes_scattered(a.slot); };
  const auto most_scattered = std::max(1, limits_.scattered / 2);
  if (std::count_if(owner.open.begin(), owner.open.end(), scattered) < most_scattered) return;
  const auto oldest = std::find_if(owner.open.begin(), owner.open.end(), scattered);
  close_at(owner, static_cast<size_t>(oldest - owner.open.begin()), on_close);
}

std::vector<Activation>::iterator SlotSchedule::open(uint64_t file, const Unit& unit, bool exact,
                                                     const OnClose& on_close) {
  Owner& owner = owners_[static_cast<size_t>(unit.owner)];
  make_room(owner, exact, on_close);
  if (limits_.reserved > 0) count_on_reserved(owner);
  Activation activation;
  activation.file = file;
  activation.unit = unit;
  take_slot(activation, exact);
  const Opened opened{unit.owner, activation.opening};
  owner.open.push_back(std::move(activation));
  open_order_.push_back(opened);  // last: what is in the list is open, also if there is no memory
  return owner.open.end() - 1;
}

// Of the activations that have the slots of the channel's own, one is closed and not among the latest ones
// here: its end makes room for the one that is opened now.
void SlotSchedule::count_on_reserved(const Owner& owner) {
  const auto others = static_cast<size_t>(limits_.reserved) - 1;
  const size_t latest = others - std::min(others, owner.open.size());
  if (owner.closed.size() > latest)
    reused_ = std::max(reused_, owner.closed[owner.closed.size() - 1 - latest].close + 1);
}

void SlotSchedule::take_slot(Activation& activation, bool exact) {
  Owner& owner = owners_[static_cast<size_t>(activation.unit.owner)];
  activation.opening = owner.openings++;
  const int first = exact ? 0 : limits_.slots - limits_.scattered;
  const auto fresh = std::ranges::lower_bound(owner.fresh, first);
  if (fresh != owner.fresh.end()) {
    activation.slot = *fresh;
    owner.fresh.erase(fresh);
    return;
  }
  const auto at = std::find_if(owner.closed.begin(), owner.closed.end(),
                               [first](const ClosedSlot& closed) { return closed.slot >= first; });
  activation.slot = at->slot;
  activation.use = at->use + 1;
  activation.free_after = at->close;
  reused_ = std::max(reused_, at->close + 1);
  owner.closed.erase(at);
}

bool SlotSchedule::is_sent_from(int node, const Activation& activation) const {
  return out_.in_use() && node != limits_.node_of_owner[static_cast<size_t>(activation.unit.owner)];
}

// The activation has no slot on the node yet, so that it is not closed itself.
void SlotSchedule::add_node(int node, uint64_t file, const Unit& unit, const OnClose& on_close) {
  Owner& owner = owners_[static_cast<size_t>(unit.owner)];
  const Activation& before = *find_open(owner, file, unit.number);
  if (std::ranges::binary_search(before.nodes, node)) return;
  if (is_sent_from(node, before)) {
    while (out_.full(node)) close_oldest_on(node, on_close);
  }
  Activation& activation = *find_open(owner, file, unit.number);
  activation.nodes.insert(std::ranges::lower_bound(activation.nodes, node), node);
  take_out_slot(node, activation);
}

void SlotSchedule::take_out_slot(int node, Activation& activation) {
  if (!is_sent_from(node, activation)) return;
  const OutSlots::Taken taken = out_.take(node);
  if (taken.free_after != k_never) reused_ = std::max(reused_, taken.free_after + 1);
  if (node != limits_.my_node) return;
  activation.out_slot = taken.slot;
  activation.out_free_after = taken.free_after;
}

void SlotSchedule::finish(Activation& activation) {
  Owner& owner = owners_[static_cast<size_t>(activation.unit.owner)];
  activation.close = closes_++;
  owner.closed.push_back({activation.slot, activation.use, activation.close});
  for (const int node : activation.nodes) {
    if (is_sent_from(node, activation)) out_.give_back(node, activation.out_slot, activation.close);
  }
}

void SlotSchedule::close_at(Owner& owner, size_t index, const OnClose& on_close) {
  Activation activation = std::move(owner.open[index]);
  owner.open.erase(owner.open.begin() + static_cast<std::ptrdiff_t>(index));
  std::erase(open_order_, Opened{activation.unit.owner, activation.opening});
  finish(activation);
  on_close(activation);
}

size_t SlotSchedule::index_of(const Opened& opened) const {
  const std::vector<Activation>& open = owners_[static_cast<size_t>(opened.owner)].open;
  const auto at = std::ranges::find(open, opened.opening, &Activation::opening);
  return static_cast<size_t>(at - open.begin());
}

void SlotSchedule::close_oldest_on(int node, const OnClose& on_close) {
  const auto is_on_node = [&](const Opened& opened) {
    const Activation& activation = owners_[static_cast<size_t>(opened.owner)].open[index_of(opened)];
    return is_sent_from(node, activation) && std::ranges::binary_search(activation.nodes, node);
  };
  const Opened oldest = *std::ranges::find_if(open_order_, is_on_node);
  close_at(owners_[static_cast<size_t>(oldest.owner)], index_of(oldest), on_close);
}

void SlotSchedule::close_oldest_of_all(const OnClose& on_close) {
  const Opened oldest = open_order_.front();
  close_at(owners_[static_cast<size_t>(oldest.owner)], index_of(oldest), on_close);
}

void SlotSchedule::close_if_full(Activation& activation, const OnClose& on_close) {
  if (activation.is_packed() ? has_room(activation) : activation.charged_bytes < activation.unit.bytes.size())
    return;
  Owner& owner = owners_[static_cast<size_t>(activation.unit.owner)];
  close_at(owner, static_cast<size_t>(&activation - owner.open.data()), on_close);
}

Activation SlotSchedule::read(uint64_t file, const Unit& unit, std::vector<int> nodes) {
  Activation activation;
  activation.file = file;
  activation.unit = unit;
  activation.read = true;
  take_slot(activation, true);
  for (const int node : nodes) take_out_slot(node, activation);
  activation.nodes = std::move(nodes);
  finish(activation);
  return activation;
}

void SlotSchedule::close_all(const OnClose& on_close) {
  while (any_open()) close_oldest_of_all(on_close);
}

}  // namespace scorpio::plan
