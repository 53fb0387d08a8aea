// A native decomposition, which decompositions of several types share, with the map in a compact form for
// inquiries. Collective over the I/O system where stated; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "pio/system/io_system.h"
#include "scorpio/decomposition.h"

namespace scorpio_pio {

// A map as runs of consecutive indices, each encoded as two differences in as few bytes as possible.
class PackedMap {
 public:
  // `index`: from 0, -1 is a hole; `length` elements that follow one another, or as many holes.
  void append(int64_t index, int64_t length = 1);
  void finish();
  // Returns one past each index, 0 for a hole.
  std::vector<PIO_Offset> unpacked(int64_t elements) const;

 private:
  void put(uint64_t number);
  void close_run();

  std::vector<uint8_t> bytes_;
  int64_t begin_ = -1;
  int64_t length_ = 0;
  int64_t end_of_last_ = 0;
};

struct Layout {
  Layout() = default;
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  ~Layout() {
    (void)scorpio_decomp_free(native);
    for (const auto& one : in_arrays) (void)scorpio_decomp_free(one.second);
  }

  scorpio_decomp* native = nullptr;
  int number = 0;                // number in its I/O system
  std::vector<int64_t> extents;  // as they were given
  int64_t elements = 0;          // number of elements of this rank
  int64_t most_elements = 0;     // largest number of elements of a rank
  uint64_t fingerprint = 0;      // hash of this rank's arguments
  std::shared_ptr<const PackedMap> map;
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
