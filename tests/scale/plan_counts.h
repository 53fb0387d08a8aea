// What a put of one variable costs at a number of ranks that no test machine has, computed by the library's
// own plan for every rank in one process. Local.
#pragma once

#include <array>
#include <cstdint>

namespace scorpio::scale {

// Extents of the block of one rank.
inline constexpr int64_t k_edge = 32;

// Largest values are those of any one rank.
struct PlanCounts {
  int ranks = 0;
  int io_ranks = 0;
  uint64_t opens = 0;          // of the file, by the metadata rank and the I/O ranks that have units
  uint64_t units = 0;          // of the variable
  uint64_t messages = 0;       // of all ranks
  uint64_t needed = 0;         // the messages that carry elements
  uint64_t pairs = 0;          // of a node and an I/O rank of another one that elements of the node go to
  uint64_t most_sent = 0;      // by one leader
  uint64_t most_received = 0;  // by one I/O rank
  uint64_t bytes = 0;          // of the file
  uint64_t crossing = 0;       // bytes of elements that go to another node
  uint64_t staging = 0;        // bytes of staging memory on a node
  uint64_t survey = 0;         // bytes that a rank receives at most when the decomposition is made
  uint64_t placement = 0;      // bytes on each rank that say which ranks share a node
  uint64_t io_rank_lists = 0;  // bytes on each rank that name the I/O ranks and the leaders of nodes
  uint64_t node_sets = 0;      // bytes on each rank that describe the elements of the nodes

  double per_rank(uint64_t all) const { return static_cast<double>(all) / ranks; }
};

// The numbers of blocks in each dimension.
std::array<int64_t, 3> grid_of(int ranks);

// Each rank holds 32 x 32 x 32 elements of 8 bytes of a three-dimensional array. The numbers of ranks are
// powers of two. The variable begins at byte `begin` of the file.
PlanCounts counts_of_blocks(int ranks, int ranks_per_node, uint64_t begin);
// Each rank holds 3072 elements of 8 bytes, as single elements: those of its node in turn.
PlanCounts counts_of_scattered(int ranks, int ranks_per_node, uint64_t begin);

}  // namespace scorpio::scale
