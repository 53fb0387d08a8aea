// Parts of a variable that one rank names by start, stride and count: which elements of which records, and
// where they are in the buffer. Local and pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/result.h"
#include "decomp/runs.h"
#include "model/schema.h"

namespace scorpio::session {

struct Box {
  std::span<const int64_t> start, stride, count;  // [ndims]; stride may be empty (= 1)
  std::span<const int64_t> map;  // [ndims] distances in the buffer; empty: row-major over count
};

// One record's part, or all of a variable that has none.
struct Piece {
  const decomp::RunList* runs = nullptr;  // of the slab
  int64_t record = 0;
  int64_t place = 0;  // in the buffer, in elements: what the runs' places count from
};

struct Pieces {
  std::deque<decomp::RunList> runs;  // that the pieces point into
  std::vector<Piece> pieces;
  int64_t elements = 0;  // of the boxes; of the buffer too if no box has a map
  bool mapped = false;   // some box has a map
  int64_t records = 0;   // one past the last record
};

// Boxes one behind the other in the buffer. Code::shape for one that leaves the variable; puts (`growing`)
// may lie behind the last record.
Result<Pieces> pieces_of(const model::Variable& variable, std::span<const Box> boxes, bool growing);

// The elements of the pieces, one behind the other; the pieces then tell where they are in what is returned.
std::vector<std::byte> pack(Pieces& pieces, const std::byte* from, size_t element_bytes);

}  // namespace scorpio::session
