// The size of placement rounds (chunk_rounds.h). Pure.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scorpio::session {

struct RoundLimits {
  uint64_t closes = 0;       // the number of closed units, of all I/O ranks, after which a round ends
  uint64_t most_bytes = 0;   // of encoded chunks of an I/O rank that wait for the other I/O ranks
  uint64_t most_rounds = 0;  // whose chunks have at most as many bytes
};
// `chunk_bytes`: the option. `unit_bytes`: of the units of the file.
RoundLimits round_limits(uint64_t chunk_bytes, uint64_t unit_bytes, size_t io_ranks);

}  // namespace scorpio::session
