// Parts of any variables, from any ranks, as one operation: a reduction determines, for each unit, which
// bytes of the file the ranks access together. Collective where stated.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "comm/node_map.h"
#include "comm/range_phase.h"
#include "exchange/copies/flow.h"
#include "plan/domains.h"

namespace scorpio::transfer {

// The range of bytes that the parts of one rank, or of several ranks, access; empty if begin >= end.
struct Reach {
  uint64_t begin = ~uint64_t{0};
  uint64_t end = 0;
  // The sum, modulo 2^64, of mixed(end) - mixed(begin) over the ranges of the parts.
  uint64_t edges = 0;

  void add(ByteRange range);
  bool empty() const { return begin >= end; }
};
// Maps an offset so that a maximum over ranks determines the smallest one: larger values for smaller offsets,
// 0 for none. It is its own inverse.
inline uint64_t earliness(uint64_t begin) { return ~begin; }

// Takes a few nanoseconds for each range.
Reach reach_of(std::span<const exchange::Part> parts);

// Whether the parts with this reach cover every byte of `ranges` (disjoint) once, and no other byte. The
// number of parts that begin and end at a byte determines the change of the number of parts there; parts that
// cover the ranges once therefore have the same edges as the ranges, and only such parts have. Other parts
// have the same sum with a probability of 2^-64.
bool covers_once(const Reach& reach, std::span<const ByteRange> ranges);

// Properties of the file and of the operation; the same on all ranks.
struct Stored {
  std::optional<std::vector<ByteRange>> slabs;  // stored_slabs() of the reach
  // Not 0: parts of several variables alternate in the memory of some rank, and this number of units can be
  // copied together.
  uint64_t units_at_once = 0;
};

class CombinedFlow {
 public:
  // `all`: the reach of the parts of all ranks; `nodes` [nodes]: the reach of those of each node; the same on
  // all ranks. `interleaved`: a property of `parts`, as in exchange::Flow.
  CombinedFlow(const plan::DomainRule& rule, Reach all, std::vector<Reach> nodes, const Stored& stored,
               std::vector<exchange::Part> parts, bool interleaved);
  CombinedFlow(const CombinedFlow&) = delete;
  CombinedFlow& operator=(const CombinedFlow&) = delete;

  // Advances to the next window of units. Windows bound the size of the reduction, or group units whose
  // elements are neighbours in memory. Ranges that no rank accesses between two windows are skipped. False
  // after the last window. Collective: one reduction of 16 bytes for each unit of the window; none if the
  // parts cover the stored bytes exactly once.
  Result<bool> next_window(const comm::RangePhase& ranges);
  const exchange::Flow& flow() const { return flow_; }

 private:
  std::vector<uint64_t> own_bounds(ByteRange window) const;
  uint64_t own_next(uint64_t begin) const;
  void touch(ByteRange window, std::span<const uint64_t> bounds);

  Reach all_;
  std::vector<ByteRange> node_hulls_;
  std::vector<exchange::Part> parts_;
  std::vector<ByteRange> touched_;              // those of the window
  std::vector<std::vector<ByteRange>> strips_;  // of an exact flow, for each window
  size_t next_strip_ = 0;
  bool moved_ = false;  // true after the first window
  exchange::Flow flow_;
  uint64_t next_ = 0;  // the first unit of the next window
  uint64_t end_ = 0;
};

}  // namespace scorpio::transfer
