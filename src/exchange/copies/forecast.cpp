#include "exchange/copies/forecast.h"

#include "exchange/copies/batch.h"

namespace scorpio::exchange {

namespace {

uint64_t bytes_of(const Flow& flow, const Cut& cut) {
  uint64_t bytes = 0;
  for (const size_t i : cut.parts) {
    const Part& part = flow.parts[i];
    for_each_image_span(cut.frame_of(part), *part.runs, part.element_bytes,
                        [&](uint64_t begin, uint64_t end) { bytes += end - begin; });
  }
  return bytes;
}

}  // namespace

Forecast Forecast::of(const Flow& flow, const comm::NodeMap& nodes, const std::vector<int>& io_ranks) {
  Forecast forecast;
  forecast.units_of.resize(io_ranks.size());
  plan::UnitWalk walk(flow.rule, flow.variable, flow.touched);
  plan::Unit unit;
  while (walk.next(unit)) {
    const Cut cut = Cut::of(flow, unit);
    const auto owner = static_cast<size_t>(unit.owner);
    const int home = nodes.node_of(io_ranks[owner]);
    ++forecast.units;
    ++forecast.units_of[owner];
    for (const ByteRange& range : cut.ranges) forecast.bytes += range.size();
    for (const int node : cut.nodes(flow)) forecast.messages += node != home ? 1 : 0;
    if (home != nodes.my_node) forecast.crossing += bytes_of(flow, cut);
  }
  return forecast;
}

}  // namespace scorpio::exchange
