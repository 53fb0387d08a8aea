// Move-only owner of a duplicated MPI communicator, and the few collective calls the library needs on it.
// Collective where said; one thread. MPI errors come back as Code::mpi.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace scorpio::comm {

// Code::mpi with MPI's own text, or OK.
Status mpi_status(int mpi_code, const char* call);

class NodeMeeting;

class Communicator {
 public:
  Communicator() = default;
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&& other) noexcept;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() = default;  // never communicates: call free()

  static Result<Communicator> duplicate(MPI_Comm comm);  // Collective over comm
  Result<Communicator> split(int color, int key) const;  // Collective
  Result<Communicator> split_by_shared_memory() const;   // Collective
  Status free();                                         // Collective

  // From now on maxima of few values and barriers go through `meeting`, which must be of the same ranks and
  // outlive this, or (null) by messages again. Collective in order.
  void meet_through(NodeMeeting* meeting) { meeting_ = meeting; }

  // From now on each maximum over the ranks counts one more in `field`, which outlives this.
  void count_in(uint64_t& field) { reductions_ = &field; }

  int rank() const { return rank_; }
  int size() const { return size_; }
  MPI_Comm raw() const { return comm_; }

  // All Collective. Element-wise maximum over ranks, in place; of the last `sums` values the sum modulo 2^64
  // instead.
  Status all_max(std::span<uint64_t> values, size_t sums = 0) const;
  // The maxima reach rank `root` only; elsewhere `values` are unchanged.
  Status max_at(std::span<uint64_t> values, int root) const;
  // values [size * n] from each rank's own [n], in rank order.
  Result<std::vector<int64_t>> all_gather(std::span<const int64_t> own) const;
  // Concatenation of every rank's part (lengths may differ), in rank order.
  Result<std::vector<int64_t>> all_gather_parts(std::span<const int64_t> own) const;
  // parts[r] goes to rank r; returns what each rank sent here.
  Result<std::vector<std::vector<int64_t>>> all_to_all(const std::vector<std::vector<int64_t>>& parts) const;
  // Any number of bytes; `bytes` is resized on the other ranks.
  Status broadcast(std::vector<std::byte>& bytes, int root) const;
  Status broadcast(std::span<int64_t> values, int root) const;
  // Of a length that all ranks know.
  Status broadcast(std::span<std::byte> bytes, int root) const;
  // Sum of the values of all lower ranks.
  Result<int64_t> exclusive_sum(int64_t own) const;
  Status barrier() const;

 private:
  explicit Communicator(MPI_Comm comm);
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  NodeMeeting* meeting_ = nullptr;
  uint64_t* reductions_ = nullptr;
};

}  // namespace scorpio::comm
