// Gives variables that are stored in chunks their places in the raw space of chunks (plan/domains.h), so that
// all bytes of a chunk have one owner. Local; pure: every rank gets the same answers.
#pragma once

#include <array>
#include <cstdint>

#include "base/byte_range.h"
#include "base/result.h"
#include "decomp/chunk_grid.h"
#include "model/schema.h"
#include "plan/domains.h"

namespace scorpio::format {

// What HDF5 can store as one chunk.
inline constexpr uint64_t k_largest_chunk_bytes = (uint64_t{1} << 32) - 1;

// Code::shape, argument or limit: why the variable cannot have chunks of these extents.
Status check_chunk(const model::Variable& variable, const std::vector<int64_t>& chunk);

class ChunkPlaces {
 public:
  // The bytes that the variable has for itself. One that grows has a share of what is left, far more than it
  // needs at first. Code::limit where the space is used up.
  Result<ByteRange> place(const decomp::ChunkGrid& grid);

 private:
  std::array<uint64_t, plan::k_chunk_ranges> used_{};  // bytes of each range
};

}  // namespace scorpio::format
