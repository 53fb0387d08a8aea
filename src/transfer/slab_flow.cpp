#include "transfer/slab_flow.h"

#include <algorithm>
#include <utility>

#include "exchange/copies/tiles.h"

namespace scorpio::transfer {

namespace {

ByteRange to_bytes(const Slab& slab, const decomp::Interval& elements) {
  return {slab.begin + static_cast<uint64_t>(elements.begin) * slab.element_bytes,
          slab.begin + static_cast<uint64_t>(elements.end) * slab.element_bytes};
}

// The range from the node's first byte in the first slab to its last byte in the last slab.
ByteRange reach_of_node(const std::vector<Slab>& slabs, const decomp::Interval& elements) {
  if (slabs.empty() || elements.begin >= elements.end) return {0, 0};
  return {to_bytes(slabs.front(), elements).begin, to_bytes(slabs.back(), elements).end};
}

}  // namespace

Slab Slab::of(const model::Variable& variable, const format::Placement& placement, int64_t record) {
  if (const auto& chunks = placement.chunks(); chunks != nullptr) {
    const uint64_t first = *placement.address(), size = variable.type.size_bytes;
    return {first + static_cast<uint64_t>(chunks->grid.frame_begin(std::max<int64_t>(record, 0))) * size,
            size, chunks->window(first)};
  }
  if (placement.is_by_library() && variable.records) {
    const auto before = static_cast<uint64_t>(std::max<int64_t>(record, 0)) * variable.slab_bytes();
    return {before, variable.type.size_bytes, {0, variable.bytes()}};
  }
  const uint64_t bytes = variable.slab_bytes();
  const uint64_t begin = placement.address_of(record);
  Slab slab{begin, variable.type.size_bytes, {begin, begin + bytes}};
  if (!variable.records && record > 0)
    slab.begin += static_cast<uint64_t>(record) * (bytes / static_cast<uint64_t>(variable.dims[0]));
  return slab;
}

// On one node nobody asks which nodes have elements in a unit.
void SlabFlow::name_nodes(const std::vector<Slab>& slabs, const plan::NodeSets& nodes) {
  for (const Slab& slab : slabs) places_.push_back({slab.begin, slab.element_bytes});
  for (size_t n = 0; n < nodes.nodes(); ++n) node_hulls_.push_back(reach_of_node(slabs, nodes.hull(n)));
  flow_.node_hulls = node_hulls_;
  flow_.node_sets = &nodes;
  flow_.places = places_;
}

SlabFlow::SlabFlow(std::vector<Slab> slabs, const Cover& cover, const plan::DomainRule& rule,
                   std::vector<exchange::Part> parts)
    : parts_(std::move(parts)) {
  std::sort(slabs.begin(), slabs.end(), [](const Slab& a, const Slab& b) { return a.begin < b.begin; });
  for (const Slab& slab : slabs) {
    for (const decomp::Interval& held : cover.touched) touched_.push_back(to_bytes(slab, held));
  }
  if (cover.nodes.nodes() > 1) name_nodes(slabs, cover.nodes);
  flow_.rule = rule;
  if (!slabs.empty()) flow_.variable = {slabs.front().whole.begin, slabs.back().whole.end};
  flow_.touched = touched_;
  flow_.exact = cover.exact;
  flow_.parts = parts_;
  flow_.interleaved = parts_.size() > 1 && exchange::interleaved(parts_);
}

}  // namespace scorpio::transfer
