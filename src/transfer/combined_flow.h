// Parts of any variables, from any ranks, as one operation: ranks tell each other which bytes of the file all
// of them touch, region by region. Collective where said.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "comm/communicator.h"
#include "comm/node_map.h"
#include "exchange/flow.h"
#include "plan/domains.h"

namespace scorpio::transfer {

// Bytes that the parts of one rank, or of several, lie in; none at all when begin >= end.
struct Reach {
  uint64_t begin = ~uint64_t{0};
  uint64_t end = 0;

  void add(plan::ByteRange range);
  bool empty() const { return begin >= end; }
};
// Where maxima over ranks are to give the least begin: larger for earlier bytes, 0 for none. Below 2^63,
// because not every MPI compares 64 bits without sign.
inline constexpr uint64_t k_far = uint64_t{1} << 62;
inline uint64_t earliness(uint64_t begin) { return begin < k_far ? k_far - begin : 0; }

Reach reach_of(std::span<const exchange::Part> parts);

class CombinedFlow {
 public:
  // `all`: the reach of all ranks' parts, `nodes` [nodes]: those of each node's; the same on all ranks.
  CombinedFlow(const plan::DomainRule& rule, Reach all, std::vector<Reach> nodes,
               std::vector<exchange::Part> parts);
  CombinedFlow(const CombinedFlow&) = delete;
  CombinedFlow& operator=(const CombinedFlow&) = delete;

  // The operation goes window by window, so that what ranks tell each other stays small. False at the end.
  // Collective: one reduction of 16 bytes per region of the window.
  Result<bool> next_window(const comm::Communicator& comm);
  const exchange::Flow& flow() const { return flow_; }

 private:
  void touch(const std::vector<uint64_t>& bounds, uint64_t first_region);

  Reach all_;
  std::vector<plan::ByteRange> node_hulls_;
  std::vector<exchange::Part> parts_;
  std::vector<plan::ByteRange> touched_;
  exchange::Flow flow_;
  uint64_t next_ = 0;  // region that the next window begins with
  uint64_t end_ = 0;
};

}  // namespace scorpio::transfer
