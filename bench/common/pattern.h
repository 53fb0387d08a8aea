// Patterns: what each rank moves in each step of a workload of many arrays, as a list of parts. A part is a
// block of one array in the file and a block of a frame in this rank's memory (ghost cells and interleaved
// variables lie around it). Every side moves the same parts. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/element_type.h"

namespace bench {

struct Axis {
  std::string name;
  int64_t extent = 0;      // an unlimited one: records at the end
  bool unlimited = false;  // only as an array's first
};

struct Array {
  std::string name;
  Type type = Type::float64;
  std::vector<size_t> axes;  // places in Pattern::axes, slowest first
};

// The block [start, start + count) of a row-major array `dims` that begins at `first_byte` of the rank's
// memory. Its elements, in order, are those of the part; it may have more dimensions of count 1 than the
// part.
struct Frame {
  size_t first_byte = 0;
  std::vector<int64_t> dims;
  std::vector<int64_t> start;
  std::vector<int64_t> count;
};

struct Part {
  size_t array = 0;
  std::vector<int64_t> start;
  std::vector<int64_t> count;  // all zero: this rank has nothing
  Frame memory;
  int64_t elements() const;
  // True if the elements follow each other in memory.
  bool dense() const { return memory.dims == memory.count; }
  // First element of the frame's block, counted from first_byte.
  int64_t first_element() const;
  // Distance in memory, in elements, along each dimension of the part.
  std::vector<int64_t> map() const;
};

struct Pattern {
  int classic_version = 5;  // of netCDF: 2 or 5
  std::vector<Axis> axes;
  std::vector<Array> arrays;
  // Per step the parts: of the same arrays in the same order on every rank.
  std::vector<std::vector<Part>> steps;
  size_t memory_bytes = 0;

  bool has_records(size_t array) const;
  std::vector<int64_t> dims_of(size_t array) const;
  int64_t bytes() const;  // of all ranks and steps
  // Room for a frame of `dims` elements; where it begins.
  size_t reserve(Type type, const std::vector<int64_t>& dims);
  // A part whose elements are contiguous in memory of their own.
  Part dense_part(size_t array, std::vector<int64_t> start, std::vector<int64_t> count);
};

struct PatternSizes {
  std::string workload;
  std::string form;    // empty: the workload's first
  int64_t extent = 0;  // 0: the workload's; so also below
  int variables = 0;
  int steps = 0;
};

bool is_pattern(const std::string& workload);

// Name, its forms, and where 0 the sizes of workloads.md:
//   w2   fixed, record: `variables` (10) int32 arrays, extent^3 (32) per rank; the records are along z
//   w2v  `variables` (40) float64 arrays of extent^3 (32), divided among the ranks
//   w3   NAS BT-IO, diagonal multi-partitioning of extent^3 (64) points, `steps` (40) dumps; ranks = q^2
//   w4   checkpoint, centred, corner: the files of FLASH-IO, `extent` (80) + rank mod 3 blocks per rank
//   w7   WRF-IO, the form is <south-north>x<west-east> (100x100), `steps` (2) records
//   w8   contiguous, strided, hard: IOR, `steps` (1, 16, 200) segments per rank of `extent` (16 MiB, 1 MiB,
//        47,008) bytes
// Throws std::invalid_argument for another name or form, and for a number of ranks that w3 cannot use.
Pattern make_pattern(const PatternSizes& sizes, int rank, int ranks);

// Calls visit(element in memory counted from the frame's first_byte, distance in memory, index in the record,
// record, elements) for each row of a part: along its last dimension, and on where memory and array both go
// on. Arrays without records have record 0.
template <class Visit>
void for_each_row(const Pattern& pattern, const Part& part, Visit&& visit) {
  if (part.elements() == 0) return;
  const std::vector<int64_t> dims = pattern.dims_of(part.array);
  const std::vector<int64_t> map = part.map();
  const bool records = pattern.has_records(part.array);
  const size_t ndims = dims.size();
  size_t outer = records && ndims == 1 ? 1 : ndims - 1;  // a row does not cross records
  int64_t row = outer == ndims ? 1 : part.count[ndims - 1];
  while (outer > (records ? 1U : 0U) && outer < ndims && part.count[outer] == dims[outer] &&
         map[outer - 1] == map[outer] * part.count[outer]) {
    row *= part.count[--outer];
  }
  std::vector<int64_t> at(ndims, 0);
  for (int64_t done = 0; done < part.elements(); done += row) {
    int64_t index = 0;
    int64_t place = part.first_element();
    for (size_t d = 0; d < ndims; ++d) {
      if (d > 0 || !records) index = index * dims[d] + part.start[d] + at[d];
      place += at[d] * map[d];
    }
    visit(place, outer == ndims ? 1 : map[ndims - 1], index, records ? part.start[0] + at[0] : 0, row);
    for (size_t d = outer; d-- > 0;) {
      if (++at[d] < part.count[d]) break;
      at[d] = 0;
    }
  }
}

}  // namespace bench
