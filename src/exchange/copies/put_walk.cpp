#include "exchange/copies/put_walk.h"

#include <algorithm>
#include <utility>

namespace scorpio::exchange {

namespace {

// In parts of a slot: shorter gaps are packed with the bytes around them; parts are not so small on average
// that their lists take longer than their bytes.
constexpr uint64_t k_gap_share = 256;
constexpr uint64_t k_part_share = 256;

// What a flow has of the units that it does not fill.
struct Rest {
  uint64_t units = 0, bytes = 0, parts = 0;

  void add(uint64_t unit_bytes, uint64_t part_bytes, uint64_t part_count) {
    if (part_bytes == 0 || part_bytes == unit_bytes) return;
    ++units;
    bytes += part_bytes;
    parts += part_count;
  }
};

Rest rest_of(const Flow& flow) {
  const uint64_t unit_bytes = flow.rule.unit_bytes;
  Rest rest;
  uint64_t number = 0, bytes = 0, parts = 0;
  const auto add = [&](const ByteRange& range) {
    const uint64_t of = flow.rule.number_at(range.begin);
    if (of != number) {
      rest.add(unit_bytes, bytes, parts);
      number = of;
      bytes = parts = 0;
    }
    bytes += range.size();
    ++parts;
  };
  for (const ByteRange& range : flow.touched) {
    const uint64_t first_end = flow.rule.begin_of(flow.rule.number_at(range.begin) + 1);
    const uint64_t last_begin = flow.rule.begin_of(flow.rule.number_at(range.end));
    add({range.begin, std::min(range.end, first_end)});
    if (range.end > first_end && last_begin > first_end) add({last_begin - unit_bytes, last_begin});
    if (range.end > first_end && range.end > last_begin) add({last_begin, range.end});
  }
  rest.add(unit_bytes, bytes, parts);
  return rest;
}

// Whether packing saves a good part of the slots. The ends of one array that is divided among the I/O ranks
// are not packed: what is put next to them completes their units.
bool saves_slots(const Flow& flow, uint64_t packed_bytes) {
  if (flow.touched.size() < 2) return false;
  const Rest rest = rest_of(flow);
  if (rest.bytes < rest.parts * (packed_bytes / k_part_share)) return false;
  const uint64_t packed = rest.bytes / packed_bytes + static_cast<uint64_t>(flow.rule.io_ranks);
  return rest.units >= packed + packed / 4 + 2;
}

bool can_be_packed(const Flow& flow) {
  return flow.exact && !flow.touched.empty() && flow.touched.back().end <= plan::k_chunk_space;
}

}  // namespace

PutWalk::PutWalk(const Flow& flow, uint64_t file, plan::SlotSchedule& schedule)
    : flow_(flow),
      file_(file),
      schedule_(schedule),
      walk_(flow.rule, flow.variable, flow.touched),
      packs_(schedule.packed_bytes() > 0 && can_be_packed(flow) &&
             (schedule.any_packed_open(file) || saves_slots(flow, schedule.packed_bytes()))) {}

bool PutWalk::next(Cut& cut) {
  if (next_ == parts_.size()) {
    if (!walk_.next(unit_)) return false;
    cut = Cut::of(flow_, unit_);
    if (!packs_ || is_whole_block(cut) || schedule_.is_open(file_, unit_)) return true;
    split(cut.ranges);
  }
  cut = Cut::of(flow_, unit_, take_part());
  cut.packed = true;
  return true;
}

// Other units that are filled are packed too: they are often between the first and the last part of a record,
// and one write with them.
bool PutWalk::is_whole_block(const Cut& cut) const {
  return cut.hull == unit_.bytes && cut.ranges.size() == 1 && flow_.rule.unit_bytes >= flow_.rule.block_bytes;
}

void PutWalk::split(const std::vector<ByteRange>& ranges) {
  const uint64_t gap = schedule_.packed_bytes() / k_gap_share;
  parts_.clear();
  next_ = 0;
  for (const ByteRange& range : ranges) {
    if (parts_.empty() || range.begin > parts_.back().back().end + gap) parts_.emplace_back();
    parts_.back().push_back(range);
  }
}

// As much of the first part as the slot has room for.
std::vector<ByteRange> PutWalk::take_part() {
  std::vector<ByteRange> part = std::move(parts_[next_++]);
  const uint64_t begin = part.front().begin;
  const uint64_t end = begin + schedule_.room_for(file_, unit_.owner, begin);
  if (part.back().end <= end) return part;
  std::vector<ByteRange> rest;
  for (; !part.empty() && part.back().begin >= end; part.pop_back()) rest.insert(rest.begin(), part.back());
  if (part.back().end > end) {
    rest.insert(rest.begin(), {end, part.back().end});
    part.back().end = end;
  }
  parts_[--next_] = std::move(rest);
  return part;
}

plan::Activation& PutWalk::charge(Cut& cut, const std::vector<int>& nodes,
                                  const plan::SlotSchedule::OnClose& on_close) {
  if (!cut.packed) return schedule_.charge(file_, cut.unit, cut.ranges, flow_.exact, nodes, on_close);
  plan::Activation& activation = schedule_.pack(file_, cut.unit, cut.ranges, on_close);
  const plan::Region& last = activation.regions.back();
  cut.image_begin = last.bytes.begin - last.at;
  return activation;
}

}  // namespace scorpio::exchange
