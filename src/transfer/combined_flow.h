// Parts of any variables, from any ranks, as one operation: ranks tell each other which bytes of the file all
// of them touch, unit by unit. Collective where said.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "comm/group.h"
#include "comm/node_map.h"
#include "exchange/flow.h"
#include "plan/domains.h"

namespace scorpio::transfer {

// Bytes that the parts of one rank, or of several, lie in; none at all when begin >= end.
struct Reach {
  uint64_t begin = ~uint64_t{0};
  uint64_t end = 0;
  // Sum, modulo 2^64, over the ranges that the parts consist of: mixed(end) - mixed(begin).
  uint64_t edges = 0;

  void add(ByteRange range);
  bool empty() const { return begin >= end; }
};
// Where maxima over ranks are to give the least begin: larger for earlier bytes, 0 for none. Its own inverse.
inline uint64_t earliness(uint64_t begin) { return ~begin; }

// Costs a few nanoseconds for each range.
Reach reach_of(std::span<const exchange::Part> parts);

// Whether the parts that have this reach hold every byte of `ranges` (disjoint) once, and nothing else. How
// many begin and how many end at a byte says how many more lie behind it than before it: so parts that cover
// the ranges once have the edges of the ranges, and no others have. That others have the same sum is as
// likely as 2^-64.
bool covers_once(const Reach& reach, std::span<const ByteRange> ranges);

// What is known of the file, on all ranks the same.
struct Stored {
  std::optional<std::vector<ByteRange>> slabs;  // stored_slabs() of the reach
  // Not 0: parts lie between each other in some rank's memory, and so many units can be moved together.
  uint64_t units_at_once = 0;
};

class CombinedFlow {
 public:
  // `all`: the reach of all ranks' parts, `nodes` [nodes]: those of each node's; the same on all ranks.
  // `interleaved`: of `parts`, as in exchange::Flow.
  CombinedFlow(const plan::DomainRule& rule, Reach all, std::vector<Reach> nodes, const Stored& stored,
               std::vector<exchange::Part> parts, bool interleaved);
  CombinedFlow(const CombinedFlow&) = delete;
  CombinedFlow& operator=(const CombinedFlow&) = delete;

  // The operation goes window by window, so that what ranks tell each other stays small, or what lies
  // together in memory is moved together; what nobody touches between two windows is skipped. False at the
  // end. Collective: one reduction of 16 bytes per unit of the window; none where the parts cover what is
  // stored, once.
  Result<bool> next_window(const comm::Group& comm);
  const exchange::Flow& flow() const { return flow_; }

 private:
  std::vector<uint64_t> own_bounds(ByteRange window) const;
  uint64_t own_next(uint64_t begin) const;
  void touch(ByteRange window, std::span<const uint64_t> bounds);

  Reach all_;
  std::vector<ByteRange> node_hulls_;
  std::vector<exchange::Part> parts_;
  std::vector<ByteRange> touched_;              // of the window
  std::vector<std::vector<ByteRange>> strips_;  // of an exact flow: of each window
  size_t next_strip_ = 0;
  bool moved_ = false;  // at least one window
  exchange::Flow flow_;
  uint64_t next_ = 0;  // unit that the next window begins with
  uint64_t end_ = 0;
};

}  // namespace scorpio::transfer
