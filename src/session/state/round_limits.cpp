#include "session/state/round_limits.h"

#include <algorithm>

namespace scorpio::session {

namespace {

// The puts after whose bytes a round ends, of each I/O rank: several blocks, so that the writes are long, and
// few bytes are unused between those of the I/O ranks.
constexpr uint64_t k_round_bytes = uint64_t{4} << 20;
constexpr uint64_t k_rounds_in_memory = 4;

}  // namespace

RoundLimits round_limits(uint64_t chunk_bytes, uint64_t unit_bytes, size_t io_ranks) {
  const uint64_t bytes = std::min(k_round_bytes, chunk_bytes / k_rounds_in_memory);
  const uint64_t units = std::max<uint64_t>(1, bytes / unit_bytes);
  return {units * io_ranks, chunk_bytes, chunk_bytes / (units * unit_bytes)};
}

}  // namespace scorpio::session
