// From variables and a decomposition of them to what the exchange needs: byte ranges of the file. Local and
// pure.
#pragma once

#include <span>
#include <vector>

#include "exchange/flow.h"
#include "format/placement.h"
#include "model/schema.h"
#include "plan/domains.h"
#include "plan/survey.h"

namespace scorpio::transfer {

// A variable, one record of it, or what has one index of its first dimension, as it lies in the file.
struct Slab {
  uint64_t begin = 0;
  size_t element_bytes = 1;
  ByteRange whole{};  // of the variable or record: what domains are cut of

  // `record`: of a variable without records the index of its first dimension; 0 or less also for all of it.
  // A variable without an address is read through its library, in a byte space of its own.
  static Slab of(const model::Variable& variable, const format::Placement& placement, int64_t record);
};

// The elements that some rank holds, the same of each slab.
struct Cover {
  std::span<const decomp::Interval> touched;     // sorted, disjoint
  bool exact = true;                             // every element of `touched` is held
  std::span<const decomp::Interval> node_hulls;  // [nodes]; empty: {0, 0}

  static Cover of(const plan::Survey& survey) { return {survey.coverage, survey.exact, survey.node_hulls}; }
};

class SlabFlow {
 public:
  // Slabs that do not overlap, in any order. `parts`: of this rank, with begin and element_bytes set; what
  // they point to outlives this.
  SlabFlow(std::vector<Slab> slabs, const Cover& cover, const plan::DomainRule& rule,
           std::vector<exchange::Part> parts);
  SlabFlow(const SlabFlow&) = delete;
  SlabFlow& operator=(const SlabFlow&) = delete;

  const exchange::Flow& flow() const { return flow_; }

 private:
  std::vector<ByteRange> touched_;
  std::vector<ByteRange> node_hulls_;
  std::vector<exchange::Part> parts_;
  exchange::Flow flow_;
};

}  // namespace scorpio::transfer
