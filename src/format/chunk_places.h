// Assigns ranges in the raw space of chunks (plan/domains.h) to variables that are stored in chunks, so that
// all bytes of a chunk have one owner. Local; pure: every rank gets the same results.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/byte_range.h"
#include "base/result.h"
#include "decomp/chunk_grid.h"
#include "model/variable.h"
#include "plan/domains.h"

namespace scorpio::format {

// The largest chunk that HDF5 can store.
inline constexpr uint64_t k_largest_chunk_bytes = (uint64_t{1} << 32) - 1;

// Code::shape, argument or limit if the variable cannot have chunks of these extents.
Status check_chunk(const model::Variable& variable, const std::vector<int64_t>& chunk);

// The extents of the variable, for its chunk grid: unlimited dimensions grow.
std::vector<int64_t> grid_extents(const model::Variable& variable);

class ChunkPlaces {
 public:
  // The range of the variable. A variable with an unlimited dimension gets a share of the remaining space,
  // much more than it needs at first. Code::limit if the space is used up.
  Result<ByteRange> place(const decomp::ChunkGrid& grid);

  struct Cell {
    decomp::ChunkGrid grid;
    ByteRange window;
    uint64_t begin = 0;  // in the window
  };
  // The same for a new variable, which may share its units with others: the layers of small chunks of an
  // unlimited dimension then are in cells of units, in which other variables have the same layers.
  Result<Cell> place_new(decomp::ChunkGrid grid);

  // ---- variables that get other places ----
  // The number of changes so far, which undo() takes; a variable makes two at most.
  size_t changes() const { return changes_.size(); }
  // Undoes the changes after the first `kept`: the next variables are placed as those were after them.
  void undo(size_t kept);
  // They are not undone any more.
  void keep() { changes_.clear(); }

 private:
  // A window with room for further cells in its units, which hold so many frames of each variable.
  struct Open {
    ByteRange window;
    int64_t frames = 0;
    uint64_t used = 0;  // bytes of each unit
  };
  static constexpr size_t k_most_open = 4;

  // What a member had before.
  struct Change {
    size_t range = plan::k_chunk_ranges;  // of used_; the number of ranges: none
    uint64_t used = 0;
    size_t open = k_most_open;  // of open_; the number of entries: none
    Open entry{};
    size_t next_open = 0;
  };

  std::array<uint64_t, plan::k_chunk_ranges> used_{};  // bytes in use in each range of sizes
  std::array<Open, k_most_open> open_{};
  size_t next_open_ = 0;  // the entry of open_ that is replaced next
  std::vector<Change> changes_;
};

}  // namespace scorpio::format
