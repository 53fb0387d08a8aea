// Assigns ranges in the raw space of chunks (plan/domains.h) to variables that are stored in chunks, so that
// all bytes of a chunk have one owner. Local; pure: every rank gets the same results.
#pragma once

#include <array>
#include <cstdint>

#include "base/byte_range.h"
#include "base/result.h"
#include "decomp/chunk_grid.h"
#include "model/schema.h"
#include "plan/domains.h"

namespace scorpio::format {

// The largest chunk that HDF5 can store.
inline constexpr uint64_t k_largest_chunk_bytes = (uint64_t{1} << 32) - 1;

// Code::shape, argument or limit if the variable cannot have chunks of these extents.
Status check_chunk(const model::Variable& variable, const std::vector<int64_t>& chunk);

class ChunkPlaces {
 public:
  // The range of the variable. A variable with an unlimited dimension gets a share of the remaining space,
  // much more than it needs at first. Code::limit if the space is used up.
  Result<ByteRange> place(const decomp::ChunkGrid& grid);

 private:
  std::array<uint64_t, plan::k_chunk_ranges> used_{};  // bytes in use in each range of sizes
};

}  // namespace scorpio::format
