// Hyperslabs that one rank names by start, stride and count: which elements of which records they contain,
// and where these are in the buffer. Local and pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "decomp/chunk_order.h"
#include "decomp/local_part.h"
#include "format/placement.h"
#include "model/variable.h"

namespace scorpio::session {

struct Box {
  std::span<const int64_t> start, stride, count;  // [ndims]; stride may be empty (= 1)
  std::span<const int64_t> map;  // [ndims] distances in the buffer; empty: row-major over count
  std::optional<int64_t> offset =
      {};  // position in the buffer, in elements; none: after the elements of the box before
};

// The part of one record, or of a variable without records.
struct Piece {
  const decomp::RunList* runs = nullptr;  // relative to the start of the record or variable
  int64_t record = 0;
  int64_t place = 0;  // the position in the buffer, in elements, to which the places of the runs are relative
};

using SharedRuns = std::shared_ptr<const decomp::RunList>;

// The runs of boxes that were computed recently and are still in use: programs often request the same box of
// many variables.
class RecentRuns {
 public:
  struct Listed {
    SharedRuns runs;
    int64_t elements = 0;  // the number of elements of the box
  };
  // Code::shape for a box that exceeds an array of the extents `dims` [ndims].
  Result<Listed> of(std::span<const int64_t> dims, const Box& box);

 private:
  struct Entry {
    std::vector<int64_t> key;  // all extents of the array and of the box
    std::weak_ptr<const decomp::RunList> runs;
    int64_t elements = 0;
  };
  std::array<Entry, 8> entries_;
  size_t oldest_ = 0;
};

struct Pieces {
  std::vector<SharedRuns> runs;  // the runs to which the pieces point
  std::vector<Piece> pieces;
  int64_t elements = 0;         // the number of elements of the boxes, and of the buffer if they are packed
  bool packed = true;           // the boxes lie one after the other in the buffer, without gaps
  int64_t records = 0;          // one past the last record
  bool frames = false;          // each piece is the part of one index of the first dimension
  bool in_chunk_order = false;  // the elements are numbered as the chunks hold them
  decomp::Region region{};  // the one that the runs are of, for a variable with unlimited inner dimensions

  // Adds the box of an array without records.
  void add(const RecentRuns::Listed& listed, const Box& box);
};

struct RecordRange {
  int64_t first, stride, count;
  int64_t end() const { return count == 0 ? 0 : first + (count - 1) * stride + 1; }
};
// The records of a box of a record variable. Code::shape for records that do not exist or that no file can
// have.
Result<RecordRange> records_of(const model::Variable& variable, const Box& box, bool growing);
// The box without its first dimension: its part of each record.
Box of_record(const Box& box);
// The box of an array as the part of one rank in a decomposition.
Result<decomp::LocalPart> part_of(std::span<const int64_t> dims, const Box& box);

// The pieces of boxes of one variable. Code::shape for a box that exceeds the variable; boxes of puts
// (`growing`) may lie after the last record.
Result<Pieces> pieces_of(const model::Variable& variable, const format::Placement& placement,
                         std::span<const Box> boxes, bool growing, RecentRuns& recent);

// The pieces of boxes of an array of these extents without records.
Result<Pieces> pieces_in(std::span<const int64_t> dims, std::span<const Box> boxes, RecentRuns& recent);

// The elements of the pieces, one after the other. The pieces then refer to their positions in the returned
// buffer.
std::vector<std::byte> pack(Pieces& pieces, const std::byte* from, size_t element_bytes);

}  // namespace scorpio::session
