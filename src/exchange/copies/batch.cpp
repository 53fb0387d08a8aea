#include "exchange/copies/batch.h"

#include <algorithm>
#include <utility>

namespace scorpio::exchange {

namespace {

// Whether elements of the part lie at least partly in the unit. Of a call for hundreds of variables most
// parts lie before or behind the unit, or end in it, which numbers tell that need no segment to be unpacked.
bool reaches(const Part& part, ByteRange hull) {
  if (part.begin >= hull.end || part.runs->empty()) return false;
  const int64_t behind_last = part.runs->segments().reach();
  if (part.begin + static_cast<uint64_t>(behind_last) * part.element_bytes <= hull.begin) return false;
  const decomp::Interval span = elements_in({part.begin, hull.begin, hull}, part.element_bytes);
  return behind_last <= span.end || part.runs->any(span.begin, span.end);
}

// Whether the node may have elements that lie at least partly in `hull`, within its node_hulls.
bool may_have_elements(const Flow& flow, size_t node, ByteRange hull) {
  if (flow.node_sets == nullptr) return true;
  const auto behind = std::upper_bound(flow.places.begin(), flow.places.end(), hull.begin,
                                       [](uint64_t b, const ArrayPlace& place) { return b < place.begin; });
  // Of an array that lies within `hull` every element is asked for: at most three arrays are looked at.
  for (auto at = behind == flow.places.begin() ? behind : behind - 1;
       at != flow.places.end() && at->begin < hull.end; ++at) {
    const decomp::Interval span = elements_in({at->begin, hull.begin, hull}, at->element_bytes);
    if (flow.node_sets->any(node, span.begin, span.end)) return true;
  }
  return false;
}

}  // namespace

Cut Cut::of(const Flow& flow, const plan::Unit& unit) {
  std::vector<ByteRange> ranges;
  const ByteRange all = unit.bytes;
  auto at = std::lower_bound(flow.touched.begin(), flow.touched.end(), all.begin,
                             [](const ByteRange& r, uint64_t b) { return r.end <= b; });
  for (; at != flow.touched.end() && at->begin < all.end; ++at) {
    ranges.push_back({std::max(at->begin, all.begin), std::min(at->end, all.end)});
  }
  return of(flow, unit, std::move(ranges));
}

Cut Cut::of(const Flow& flow, const plan::Unit& unit, std::vector<ByteRange> ranges) {
  Cut cut;
  cut.unit = unit;
  cut.image_begin = unit.bytes.begin;
  cut.ranges = std::move(ranges);
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
    if (other.begin < hull.end && other.end > hull.begin && may_have_elements(flow, n, hull))
      nodes.push_back(static_cast<int>(n));
  }
  return nodes;
}

void Batch::clear() {
  visits.clear();
  closes.clear();
}

void Batch::add(Cut cut, const plan::SlotUse& activation) {
  const bool more = cut.packed && std::ranges::any_of(visits, [&](const Visit& visit) {
                      return visit.activation.unit.owner == activation.unit.owner &&
                             visit.activation.opening == activation.opening;
                    });
  visits.push_back({std::move(cut), activation, more});
}

bool Batch::has_slot_of(const plan::SlotUse& next) const {
  return std::any_of(closes.begin(), closes.end(), [&](const plan::Activation& closed) {
    return closed.close == next.out_free_after || closed.close == next.free_after;
  });
}

size_t Batch::units_of(int owner) const {
  size_t n = 0;
  for (const Visit& visit : visits) n += visit.activation.unit.owner == owner && !visit.more ? 1 : 0;
  return n;
}

size_t Batch::pieces() const {
  size_t n = 0;
  for (const Visit& visit : visits) n += visit.cut.parts.size();
  return n;
}

}  // namespace scorpio::exchange
