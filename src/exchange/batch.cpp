#include "exchange/batch.h"

#include <algorithm>

namespace scorpio::exchange {

namespace {

// Whether elements of the part lie at least partly in the unit.
bool reaches(const Part& part, ByteRange hull) {
  const ByteRange mine = part.hull();
  if (mine.begin >= hull.end || mine.end <= hull.begin) return false;
  const decomp::Interval span = elements_in({part.begin, hull.begin, hull}, part.element_bytes);
  return part.runs->any(span.begin, span.end);
}

}  // namespace

Cut Cut::of(const Flow& flow, const plan::Unit& unit) {
  Cut cut;
  cut.unit = unit;
  const ByteRange all = unit.bytes;
  auto at = std::lower_bound(flow.touched.begin(), flow.touched.end(), all.begin,
                             [](const ByteRange& r, uint64_t b) { return r.end <= b; });
  for (; at != flow.touched.end() && at->begin < all.end; ++at) {
    cut.ranges.push_back({std::max(at->begin, all.begin), std::min(at->end, all.end)});
  }
  cut.hull = {cut.ranges.front().begin, cut.ranges.back().end};
  for (size_t i = 0; i < flow.parts.size(); ++i) {
    if (reaches(flow.parts[i], cut.hull)) cut.parts.push_back(i);
  }
  return cut;
}

std::vector<int> Cut::nodes(const Flow& flow) const {
  std::vector<int> nodes;
  for (size_t n = 0; n < flow.node_hulls.size(); ++n) {
    const ByteRange& other = flow.node_hulls[n];
    if (other.begin < hull.end && other.end > hull.begin) nodes.push_back(static_cast<int>(n));
  }
  return nodes;
}

bool Batch::has_slot_of(const plan::Activation& next) const {
  return std::any_of(closes.begin(), closes.end(), [&](const plan::Activation& closed) {
    return closed.close == next.out_free_after || closed.close == next.free_after;
  });
}

size_t Batch::units_of(int owner) const {
  return static_cast<size_t>(std::count_if(visits.begin(), visits.end(), [owner](const Visit& visit) {
    return visit.activation.unit.owner == owner;
  }));
}

}  // namespace scorpio::exchange
