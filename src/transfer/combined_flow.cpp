#include "transfer/combined_flow.h"

#include <algorithm>

#include "base/hash.h"
#include "transfer/stored_ranges.h"
#include "transfer/strips.h"

namespace scorpio::transfer {

namespace {

// A window has at most 1 MiB of bounds: 64 GiB of the file, with units of 1 MiB.
constexpr uint64_t k_window_units = 64u << 10;
constexpr uint64_t k_none = ~uint64_t{0};  // its earliness is 0

// The elements that may have bytes in `bytes`; possibly a few more.
decomp::Interval elements_near(const exchange::Part& part, ByteRange bytes) {
  const decomp::Interval all = part.runs->hull();
  const auto below = [&](uint64_t byte) {
    return byte <= part.begin ? 0 : static_cast<int64_t>((byte - part.begin) / part.element_bytes);
  };
  return {std::max(all.begin, below(bytes.begin)), std::min(all.end, below(bytes.end) + 1)};
}

}  // namespace

void Reach::add(ByteRange range) {
  begin = std::min(begin, range.begin);
  end = std::max(end, range.end);
  edges += mixed(range.end) - mixed(range.begin);
}

Reach reach_of(std::span<const exchange::Part> parts) {
  Reach reach;
  for (const exchange::Part& part : parts) {
    const decomp::Interval all = part.runs->hull();
    part.runs->for_each_span(all.begin, all.end, [&](const decomp::Interval& span) {
      reach.add({part.begin + static_cast<uint64_t>(span.begin) * part.element_bytes,
                 part.begin + static_cast<uint64_t>(span.end) * part.element_bytes});
    });
  }
  return reach;
}

bool covers_once(const Reach& reach, std::span<const ByteRange> ranges) {
  Reach whole;
  for (const ByteRange& range : ranges) whole.add(range);
  return !reach.empty() && reach.edges == whole.edges;
}

CombinedFlow::CombinedFlow(const plan::DomainRule& rule, Reach all, std::vector<Reach> nodes,
                           const Stored& stored, std::vector<exchange::Part> parts, bool interleaved)
    : all_(all), parts_(std::move(parts)) {
  flow_.rule = rule;
  flow_.rule.contiguous = false;  // contiguous domains exist for a single variable only
  flow_.exact = false;
  for (const Reach& reach : nodes) {
    node_hulls_.push_back(reach.empty() ? ByteRange{0, 0} : ByteRange{reach.begin, reach.end});
  }
  flow_.node_hulls = node_hulls_;
  flow_.parts = parts_;
  flow_.interleaved = interleaved;
  if (all.empty()) return;
  next_ = rule.number_at(all.begin);
  end_ = rule.number_from(all.end);
  if (!stored.slabs) return;
  const std::vector<ByteRange> ranges = stored_ranges(*stored.slabs, {all.begin, all.end});
  flow_.exact = covers_once(all, ranges);
  if (!flow_.exact) return;
  strips_ = {ranges};
  if (stored.units_at_once > 0) strips_ = strips_of(ranges, *stored.slabs, flow_.rule, stored.units_at_once);
}

// [units of the window][2]: the earliness of the first byte that this rank accesses, and one past the last
// byte.
std::vector<uint64_t> CombinedFlow::own_bounds(ByteRange window) const {
  const plan::DomainRule& rule = flow_.rule;
  const uint64_t first = rule.number_at(window.begin);
  std::vector<uint64_t> bounds(2 * (rule.number_at(window.end) - first), 0);
  const auto add = [&](ByteRange range) {
    const uint64_t end = std::min(range.end, window.end);
    for (uint64_t at = std::max(range.begin, window.begin); at < end;) {
      const uint64_t number = rule.number_at(at);
      const uint64_t stop = std::min(end, rule.bytes_of(number).end);
      uint64_t* entry = &bounds[2 * (number - first)];
      entry[0] = std::max(entry[0], earliness(at));
      entry[1] = std::max(entry[1], stop);
      at = stop;
    }
  };
  for (const exchange::Part& part : parts_) {
    const decomp::Interval within = elements_near(part, window);
    part.runs->for_each_span(within.begin, within.end, [&](const decomp::Interval& span) {
      add({part.begin + static_cast<uint64_t>(span.begin) * part.element_bytes,
           part.begin + static_cast<uint64_t>(span.end) * part.element_bytes});
    });
  }
  return bounds;
}

// The first byte at or after `begin` that this rank accesses; k_none if there is none.
uint64_t CombinedFlow::own_next(uint64_t begin) const {
  uint64_t next = k_none;
  for (const exchange::Part& part : parts_) {
    const decomp::Interval behind = elements_near(part, {begin, all_.end});
    const auto element = part.runs->first_in(behind.begin, behind.end);
    if (!element) continue;
    next = std::min(next, std::max(begin, part.begin + static_cast<uint64_t>(*element) * part.element_bytes));
  }
  return next;
}

// `bounds` [units of the window][2]: the maxima of own_bounds() over all ranks.
void CombinedFlow::touch(ByteRange window, std::span<const uint64_t> bounds) {
  touched_.clear();
  for (size_t i = 0; i < bounds.size(); i += 2) {
    if (bounds[i + 1] > 0) touched_.push_back({earliness(bounds[i]), bounds[i + 1]});
  }
  flow_.variable = window;
  flow_.touched = touched_;
}

Result<bool> CombinedFlow::next_window(const comm::RangePhase& ranges) {
  const plan::DomainRule& rule = flow_.rule;
  flow_.continues = moved_;
  if (flow_.exact) {
    if (next_strip_ == strips_.size()) return false;
    flow_.variable = {rule.begin_of(next_), rule.begin_of(end_)};
    flow_.touched = strips_[next_strip_++];
    moved_ = true;
    return true;
  }
  if (next_ >= end_) return false;
  moved_ = true;
  const uint64_t behind = next_ + std::min(end_ - next_, k_window_units);
  const ByteRange window{rule.begin_of(next_), rule.begin_of(behind)};
  std::vector<uint64_t> bounds = own_bounds(window);
  const size_t in_window = bounds.size();
  if (behind < end_) bounds.push_back(earliness(own_next(window.end)));
  SCORPIO_TRY(ranges.all_max(bounds));
  next_ = behind < end_ ? rule.number_at(earliness(bounds.back())) : end_;
  touch(window, std::span(bounds).first(in_window));
  return true;
}

}  // namespace scorpio::transfer
