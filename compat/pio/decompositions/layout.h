// A native decomposition, which decompositions of several types share. Collective over the I/O system where
// stated; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "pio/system/io_system.h"
#include "scorpio/decomposition.h"

namespace scorpio_pio {

struct Layout {
  Layout() = default;
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  ~Layout() {
    (void)scorpio_decomp_free(native);
    for (const auto& one : in_arrays) (void)scorpio_decomp_free(one.second);
  }

  // The map of this rank, from 0; -1 is a hole.
  std::vector<int64_t> index() const;

  scorpio_decomp* native = nullptr;
  int number = 0;                // number in its I/O system
  std::vector<int64_t> extents;  // as they were given
  int64_t elements = 0;          // number of elements of this rank
  int64_t most_elements = 0;     // largest number of elements of a rank
  uint64_t fingerprint = 0;      // hash of this rank's arguments
  // The same elements in larger arrays, by their extents (part_of_array.h); the same on all ranks.
  std::map<std::vector<int64_t>, scorpio_decomp*> in_arrays;
};

// The arguments of a rank: a map, or a block.
struct LayoutArguments {
  std::vector<int64_t> extents;
  int64_t elements = 0;  // of the map
  const PIO_Offset* map = nullptr;
  int first = 0;                      // the index of the first element in the map: 0 or 1
  std::vector<int64_t> start, count;  // of a block
};

// Collective. `code`: the failure of this rank's other arguments, or 0.
int make_layout(IoSystem& system, int code, const LayoutArguments& arguments, std::shared_ptr<Layout>& made);

}  // namespace scorpio_pio
