// The workloads: variables with their extents, and the block of them that each rank holds. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/element_type.h"

namespace bench {

struct Variable {
  std::string name;
  Type type = Type::float64;
};

struct Box {
  std::vector<int64_t> start;
  std::vector<int64_t> count;
  int64_t elements() const;
};

// A contiguous piece of one axis.
struct Share {
  int64_t start = 0;
  int64_t count = 0;
};

struct Workload {
  std::vector<int64_t> dims;  // of all variables
  std::vector<Variable> variables;
  std::vector<Share> windows;  // if not empty: rank r holds windows[r] and nothing else is moved (1-d)
  int64_t bytes() const;       // that all ranks move, all variables
};

// Name, and where 0 the sizes of workloads.md:
//   w1      two 1-d datasets of `extent` elements (480x480x120), int32 cell ids and float64 permeability
//   w2d     `variables` (8) of extent^3 (192) float64
//   memory  `variables` (64) 1-d of `extent` (2^21) float64
//   big     one 1-d dataset of `extent` (2^31 + 17) uint8
//   sparse  one 1-d dataset of `extent` (2.5e9) int32; rank 0 holds its start, rank 1 what lies across 2^31,
//           rank 2 its end, the others nothing
// Throws std::invalid_argument for another name, and for a sparse dataset that does not reach across 2^31.
Workload make_workload(const std::string& name, int64_t extent, int variables);

// This rank's part: near-equal blocks over the process grid that MPI_Dims_create makes, C order; the first
// dims[d] mod grid[d] places of axis d hold one more.
Box part_of(const Workload& workload, int rank, int ranks);

// This share of [0, n): the first n mod parts shares hold one more.
Share share_of(int64_t n, int part, int parts);

}  // namespace bench
