// Makes the flow of a put or get by a decomposition: the byte ranges of its variables in the file, and the
// parts of this rank. Local and pure.
#pragma once

#include <span>
#include <vector>

#include "exchange/copies/flow.h"
#include "format/placement.h"
#include "model/variable.h"
#include "plan/domains.h"
#include "plan/survey.h"

namespace scorpio::transfer {

// A slab: a variable, one record of it, or the elements at one index of its first dimension, with its
// location in the file.
struct Slab {
  uint64_t begin = 0;
  size_t element_bytes = 1;
  ByteRange whole{};  // all bytes of the variable or record, which contiguous file domains divide

  // `record`: for a variable without records the index of its first dimension; 0 or less stands for all of it
  // too. A variable without an address is read through its library, with addresses of its own from byte 0.
  static Slab of(const model::Variable& variable, const format::Placement& placement, int64_t record);
};

// The elements that ranks hold; they are the same in each slab.
struct Cover {
  std::span<const decomp::Interval> touched;  // sorted, disjoint
  bool exact = true;                          // ranks hold every element of `touched`
  const plan::NodeSets& nodes;                // those of each node

  static Cover of(const plan::Survey& survey) { return {survey.coverage, survey.exact, survey.nodes}; }
};

class SlabFlow {
 public:
  // `slabs` do not overlap and may be in any order. `parts` are those of this rank, with begin and
  // element_bytes set; the objects to which they, and `cover`, point outlive this one.
  SlabFlow(std::vector<Slab> slabs, const Cover& cover, const plan::DomainRule& rule,
           std::vector<exchange::Part> parts);
  SlabFlow(const SlabFlow&) = delete;
  SlabFlow& operator=(const SlabFlow&) = delete;

  // It continues the operation of the flow before, which has the same parts.
  void continue_operation() { flow_.continues = true; }
  const exchange::Flow& flow() const { return flow_; }

 private:
  void name_nodes(const std::vector<Slab>& slabs, const plan::NodeSets& nodes);

  std::vector<ByteRange> touched_;
  std::vector<exchange::ArrayPlace> places_;  // of the slabs, ascending
  std::vector<ByteRange> node_hulls_;
  std::vector<exchange::Part> parts_;
  exchange::Flow flow_;
};

}  // namespace scorpio::transfer
