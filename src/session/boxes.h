// Parts of a variable that one rank names by start, stride and count: which elements of which records, and
// where they are in the buffer. Local and pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "decomp/local_part.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::session {

struct Box {
  std::span<const int64_t> start, stride, count;  // [ndims]; stride may be empty (= 1)
  std::span<const int64_t> map;  // [ndims] distances in the buffer; empty: row-major over count
  std::optional<int64_t> offset =
      {};  // in the buffer, in elements; none: behind the elements of the box before
};

// One record's part, or all of a variable that has none.
struct Piece {
  const decomp::RunList* runs = nullptr;  // of the slab
  int64_t record = 0;
  int64_t place = 0;  // in the buffer, in elements: what the runs' places count from
};

using SharedRuns = std::shared_ptr<const decomp::RunList>;

// Runs of boxes that were computed lately and are still in use: programs make requests for the same box of
// many variables.
class RecentRuns {
 public:
  struct Listed {
    SharedRuns runs;
    int64_t elements = 0;  // of the box
  };
  // Code::shape for a box that leaves an array of [ndims] `dims`.
  Result<Listed> of(std::span<const int64_t> dims, const Box& box);

 private:
  struct Entry {
    std::vector<int64_t> key;  // all of the array and the box
    std::weak_ptr<const decomp::RunList> runs;
    int64_t elements = 0;
  };
  std::array<Entry, 8> entries_;
  size_t oldest_ = 0;
};

struct Pieces {
  std::vector<SharedRuns> runs;  // that the pieces point to
  std::vector<Piece> pieces;
  int64_t elements = 0;  // of the boxes; of the buffer too if they are packed
  bool packed = true;    // in the buffer they lie one after the other, without gaps
  int64_t records = 0;   // one past the last record
  bool frames = false;   // each is of what has one index of the first dimension

  // One more box, of an array without records.
  void add(const RecentRuns::Listed& listed, const Box& box);
};

struct RecordRange {
  int64_t first, stride, count;
  int64_t end() const { return count == 0 ? 0 : first + (count - 1) * stride + 1; }
};
// Of a box of a record variable. Code::shape for records that there are not, or that no file can have.
Result<RecordRange> records_of(const model::Variable& variable, const Box& box, bool growing);
// The box without its first dimension: its part of each record.
Box of_record(const Box& box);
// An array's box as the part of one rank.
Result<decomp::LocalPart> part_of(std::span<const int64_t> dims, const Box& box);

// Boxes of one variable. Code::shape for one that leaves the variable; puts (`growing`)
// may lie behind the last record.
Result<Pieces> pieces_of(const model::Variable& variable, const format::Placement& placement,
                         std::span<const Box> boxes, bool growing, RecentRuns& recent);

// The elements of the pieces, one after the other. The pieces then refer to their positions in the returned
// buffer.
std::vector<std::byte> pack(Pieces& pieces, const std::byte* from, size_t element_bytes);

}  // namespace scorpio::session
