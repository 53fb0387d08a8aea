#include "transfer/combined_flow.h"

#include <algorithm>

namespace scorpio::transfer {

using plan::ByteRange;

namespace {

// 1 MiB of bounds: 64 GiB of the file, with regions of 1 MiB.
constexpr uint64_t k_window_regions = 64u << 10;

}  // namespace

void Reach::add(ByteRange range) {
  if (range.begin >= range.end) return;
  begin = std::min(begin, range.begin);
  end = std::max(end, range.end);
}

Reach reach_of(std::span<const exchange::Part> parts) {
  Reach reach;
  for (const exchange::Part& part : parts) reach.add(part.hull());
  return reach;
}

CombinedFlow::CombinedFlow(const plan::DomainRule& rule, Reach all, std::vector<Reach> nodes,
                           std::vector<exchange::Part> parts)
    : all_(all), parts_(std::move(parts)) {
  flow_.rule = rule;
  flow_.rule.contiguous = false;  // domains of one variable say nothing of several
  flow_.exact = false;
  for (const Reach& reach : nodes) {
    node_hulls_.push_back(reach.empty() ? ByteRange{0, 0} : ByteRange{reach.begin, reach.end});
  }
  flow_.node_hulls = node_hulls_;
  flow_.parts = parts_;
  if (all.empty()) return;
  next_ = all.begin / rule.region_bytes;
  end_ = (all.end + rule.region_bytes - 1) / rule.region_bytes;
}

// `bounds` [regions of the window][2]: earliness of the first byte touched, and one past the last.
void CombinedFlow::touch(const std::vector<uint64_t>& bounds, uint64_t first_region) {
  touched_.clear();
  for (size_t i = 0; i < bounds.size(); i += 2) {
    if (bounds[i + 1] > 0) touched_.push_back({k_far - bounds[i], bounds[i + 1]});
  }
  const uint64_t size = flow_.rule.region_bytes;
  flow_.variable = {first_region * size, next_ * size};
  flow_.touched = touched_;
}

Result<bool> CombinedFlow::next_window(const comm::Communicator& comm) {
  if (next_ >= end_) return false;
  const uint64_t first = next_;
  next_ = std::min(end_, first + k_window_regions);
  const uint64_t size = flow_.rule.region_bytes;
  std::vector<uint64_t> bounds(2 * (next_ - first), 0);
  const auto add = [&](ByteRange range) {
    const uint64_t begin = std::max(range.begin, first * size);
    const uint64_t end = std::min(range.end, next_ * size);
    for (uint64_t at = begin; at < end;) {
      const uint64_t region = at / size;
      const uint64_t stop = std::min(end, (region + 1) * size);
      uint64_t* entry = &bounds[2 * (region - first)];
      entry[0] = std::max(entry[0], earliness(at));
      entry[1] = std::max(entry[1], stop);
      at = stop;
    }
  };
  for (const exchange::Part& part : parts_) {
    const decomp::Interval hull = part.runs->hull();
    part.runs->for_each_row(hull.begin, hull.end, [&](const decomp::Row& row) {
      const uint64_t begin = part.begin + static_cast<uint64_t>(row.global) * part.element_bytes;
      add({begin, begin + static_cast<uint64_t>(row.length) * part.element_bytes});
    });
  }
  SCORPIO_TRY(comm.all_max(bounds));
  touch(bounds, first);
  return true;
}

}  // namespace scorpio::transfer
