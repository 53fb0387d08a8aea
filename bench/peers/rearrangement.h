// Rearranges the data of all ranks onto a few I/O ranks and back with one MPI_Alltoallv, as libraries with
// the PIO interface do. Each I/O rank has a range of the slowest dimension, in whole chunks where there are
// enough. Collective over MPI_COMM_WORLD.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "common/chunked.h"

namespace bench {

class Rearrangement {
 public:
  Rearrangement(const Chunked& job, int io_ranks);
  ~Rearrangement();
  Rearrangement(const Rearrangement&) = delete;
  Rearrangement& operator=(const Rearrangement&) = delete;

  bool is_io_rank() const { return mine_ >= 0; }
  MPI_Comm io_comm() const { return io_comm_; }
  const Box& part() const { return parts_[static_cast<size_t>(mine_)]; }
  // [elements of part()]; null on other ranks.
  float* part_of(int variable);

  // `values`: [variables][elements of the block of this rank]
  void to_io_ranks(std::span<const float> values);
  void from_io_ranks(std::span<float> values);

 private:
  struct Exchange {
    std::vector<int> counts;   // [ranks] elements
    std::vector<int> offsets;  // [ranks]
  };
  void pack(std::span<const float> values);
  void unpack(std::span<float> values);
  void between_parts(bool to_parts);

  const Chunked& job_;
  std::vector<Box> blocks_;  // [ranks]
  std::vector<Box> parts_;   // [I/O ranks]
  int rank_ = 0;
  int mine_ = -1;   // the number of this I/O rank
  int stride_ = 1;  // distance between consecutive I/O ranks
  MPI_Comm io_comm_ = MPI_COMM_NULL;
  Exchange block_;             // this rank's block, by destination rank
  Exchange part_;              // this I/O rank's part, by source rank
  std::vector<float> packed_;  // by I/O rank, then variable
  std::vector<float> arrived_;
  std::vector<float> image_;  // [variables][elements of part()]
};

}  // namespace bench
