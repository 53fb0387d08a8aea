// The arrays of workload netcdf4, how they are divided into chunks, and who holds what. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/arguments.h"
#include "common/workload.h"

namespace bench {

// Numbers as HDF5 registers them; deflate: 1, shuffle: 2, zstd: 32015.
struct ChunkFilter {
  int number;
  int parameter;
};

// All variables have elements of 4 bytes (float32) and the same extents.
struct Chunked {
  std::vector<int64_t> dims;   // of a variable; of one record where there are records
  std::vector<int64_t> chunk;  // [dims]
  int variables = 1;
  int64_t records = 0;  // 0: no dimension is unlimited; else a call and a chunk are of one record at most
  int attributes = 0;   // of each variable
  std::vector<ChunkFilter> filters{};

  int64_t elements() const;  // of a variable, or of one of its records
  int64_t steps() const { return records == 0 ? 1 : records; }
  int64_t bytes() const;                    // of everything
  std::vector<int64_t> file_dims() const;   // with the records
  std::vector<int64_t> file_chunk() const;  // in front of which stands 1 for them
};

// --form, --variables, --steps and --extent where they are not 0:
//   records    40 records (--steps) of 1024 x 1024 elements, one record a call, a chunk is a record
//   whole      the same elements in one call, without a dimension that is unlimited
//   filtered   50 variables of 72 x 96 x 144; a chunk has 18 levels; the filters are --filters
//   index      100,000 chunks (--extent) of 128 elements, divided among --variables (1)
//   variables  5,000 variables (--variables) of one record of 8 x 16, which is a chunk, with 12 attributes
// --chunk `block`: a chunk is what a rank holds. Throws std::invalid_argument for other forms.
Chunked chunked_of(const Arguments& arguments, int ranks);

// What a rank holds of each variable (of each record): a block of all levels of the last two dimensions.
// Those who hold the same rows are neighbours.
Box block_of(const Chunked& job, int rank, int ranks);

// A smooth field with noise, which deflate makes half as large, the same in all records; [elements of `box`].
void fill_field(const Chunked& job, const Box& box, int variable, std::span<float> out);
int64_t count_wrong(const Chunked& job, const Box& box, int variable, std::span<const float> values);

}  // namespace bench
