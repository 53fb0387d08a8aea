// The arrays of workload netcdf4, their chunks, and their distribution over the ranks. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/arguments.h"
#include "common/workload.h"

namespace bench {

// Filter numbers as registered with HDF5: 1 deflate, 2 shuffle, 32015 zstd.
struct ChunkFilter {
  int number;
  int parameter;
};

// All variables have elements of 4 bytes (float32) and the same extents.
struct Chunked {
  std::vector<int64_t> dims;   // of a variable, or of one of its records
  std::vector<int64_t> chunk;  // [dims]
  int variables = 1;
  int64_t records = 0;  // 0: no dimension is unlimited; otherwise a call and a chunk hold at most one record
  int attributes = 0;   // of each variable
  std::vector<ChunkFilter> filters{};
  int keep_bits = 0;  // of the mantissa, rounded to the nearest before the filters; 0: all

  int64_t elements() const;  // of a variable, or of one of its records
  int64_t steps() const { return records == 0 ? 1 : records; }
  int64_t bytes() const;                    // of all variables
  std::vector<int64_t> file_dims() const;   // including the records
  std::vector<int64_t> file_chunk() const;  // with a first extent of 1 for the records
};

// --form, --variables, --steps and --extent where they are not 0:
//   records    40 records (--steps) of 1024 x 1024 elements, one record a call, a chunk is a record
//   whole      the same elements in one call, without a dimension that is unlimited
//   filtered   50 variables of 72 x 96 x 144; a chunk has 18 levels; the filters are --filters
//   index      100,000 chunks (--extent) of 128 elements, divided among --variables (1)
//   variables  5,000 variables (--variables) of one record of 8 x 16, which is a chunk, with 12 attributes
// --chunk `block`: a chunk is what a rank holds. Throws std::invalid_argument for other forms.
Chunked chunked_of(const Arguments& arguments, int ranks);

// The part of each variable (or record) that a rank holds: a block of the last two dimensions with all
// levels. Ranks with the same rows have consecutive numbers.
Box block_of(const Chunked& job, int rank, int ranks);

// A smooth field with noise that deflate compresses to half its size, equal in all records; [elements of
// `box`].
void fill_field(const Chunked& job, const Box& box, int variable, std::span<float> out);
// Where bits are left out, elements may differ by half of the last one that is kept.
int64_t count_wrong(const Chunked& job, const Box& box, int variable, std::span<const float> values);

}  // namespace bench
