// Decompositions twice: as the library is told them, and element by element, by loops too simple to be wrong.
// Every rank knows the parts of all ranks, so that each can compute what a file must hold. Local, except
// Decomp, whose constructor is Collective.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "session.h"

namespace scorpio::api_test {

using Extents = std::vector<int64_t>;

int64_t elements_of(const Extents& dims);

struct Layout {
  std::string name;
  Extents dims;
  std::vector<std::vector<int64_t>> index;  // [ranks][elements of the buffer] global element; -1: a hole
  std::function<int(scorpio_iosystem*, int rank, scorpio_decomp**)> make;
  std::vector<Extents> shape{};  // [ranks] of the buffer

  const std::vector<int64_t>& of(int rank) const { return index[static_cast<size_t>(rank)]; }
};

struct Slab {
  Extents start, stride, count, block;
};

// The global elements of a hyperslab, row-major.
std::vector<int64_t> slab_elements(const Extents& dims, const Slab& slab);

Layout block_layout(const Extents& dims, const std::vector<Extents>& start,
                    const std::vector<Extents>& count);
// A grid of ranks as MPI_Dims_create cuts it; `order` [ranks]: which block a rank gets.
Layout grid_layout(const Extents& dims, const std::vector<int>& order);
Layout uniform_layout(const Extents& dims, int ranks);
Layout rows_layout(const Extents& dims, const std::vector<int64_t>& rows);
Layout strided_layout(const Extents& dims, const std::vector<Slab>& slabs);
Layout map_layout(const Extents& dims, std::vector<std::vector<int64_t>> index);

// Of one rank: where the buffer lies in a larger local array.
struct Memory {
  Extents extents, start, stride;
};

// Each rank's buffer in a local array, whose other elements are holes. memory [ranks].
Layout placed_layout(const Layout& origin, const std::vector<Memory>& memory);
// The same for all ranks: so many ghost cells on each side of each dimension.
Layout with_ghosts(const Layout& origin, int64_t ghosts);

std::vector<int> in_order(int ranks);
std::vector<int> shuffled(int ranks, std::mt19937_64& random);
// Any of the above, perhaps with holes, ranks without data, duplicates and overlaps, in any place of memory.
Layout random_layout(const Extents& dims, int ranks, std::mt19937_64& random);
// Whether some element is held more than once: which of the requests for it is carried out last is not said.
bool has_overlaps(const Layout& layout);

class Decomp {
 public:
  Decomp(const System& system, const Layout& layout, MPI_Comm comm = MPI_COMM_WORLD);
  ~Decomp();
  Decomp(const Decomp&) = delete;
  Decomp& operator=(const Decomp&) = delete;
  scorpio_decomp* get() const { return decomp_; }

 private:
  scorpio_decomp* decomp_ = nullptr;
};

}  // namespace scorpio::api_test
