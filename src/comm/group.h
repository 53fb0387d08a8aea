// The interface of the ranks of a job, or of a part of it, with their collective operations. Code that makes
// agreements or computes a survey uses only this interface, so that tests can run it on threads without MPI.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace scorpio::comm {

struct NodeMap;

class Group {
 public:
  virtual ~Group() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  // This rank enters a collective call; Call (comm/call.h) describes the arguments. `file`: its number, 0 for
  // none. Local.
  virtual void enter(const char* kind, uint64_t file, const std::string& path) const = 0;
  void enter(const char* kind) const { enter(kind, 0, {}); }
  // Not OK after ranks were in different calls. Local.
  virtual Status parted() const = 0;

  // All Collective. Element-wise maximum over ranks, in place; of the last `sums` values the sum modulo 2^64
  // instead.
  virtual Status all_max(std::span<uint64_t> values, size_t sums) const = 0;
  Status all_max(std::span<uint64_t> values) const { return all_max(values, 0); }
  // Only rank `root` gets the maxima; on other ranks `values` are unchanged.
  virtual Status max_at(std::span<uint64_t> values, int root) const = 0;
  // values [size * n] from each rank's own [n], in rank order.
  virtual Result<std::vector<int64_t>> all_gather(std::span<const int64_t> own) const = 0;
  // Makes one list of the lists of the ranks of each node, `unite` of their concatenation in rank order, and
  // returns the concatenation of those of all nodes, in their order. None of the lists of nodes may be empty.
  // Only the first rank of each node communicates with other nodes. A rank without memory fails, possibly
  // alone, but takes part to the end: the ranks agree later.
  using Unite = std::function<std::vector<int64_t>(std::span<const int64_t>)>;
  virtual Result<std::vector<int64_t>> gather_by_node(const NodeMap& nodes, std::span<const int64_t> own,
                                                      const Unite& unite) const = 0;
  // Pairs of ranks name each other as `partner`, and each gets the list of the other one. A rank that names
  // itself gets an empty list. A reduction of the same call precedes it.
  virtual Result<std::vector<int64_t>> swap(std::span<const int64_t> own, int partner) const = 0;
  // Broadcasts any number of bytes; `bytes` is resized on the other ranks. A rank without memory for them
  // fails, possibly alone, but takes part to the end: the ranks agree later.
  Status broadcast(std::vector<std::byte>& bytes, int root) const;
  // The same if all ranks know the number of bytes.
  Status broadcast(std::vector<std::byte>& bytes, uint64_t length, int root) const;
  // Broadcasts a number of bytes that all ranks know.
  virtual Status broadcast(std::span<std::byte> bytes, int root) const = 0;
  Status broadcast(std::span<int64_t> values, int root) const {
    return broadcast(std::as_writable_bytes(values), root);
  }
  // The sum of the values of all lower ranks. If it is the first operation of a call, a reduction precedes
  // it.
  virtual Result<int64_t> exclusive_sum(int64_t own) const = 0;
  virtual Status barrier() const = 0;

 protected:
  Group() = default;
  Group(const Group&) = default;
  Group& operator=(const Group&) = default;
};

}  // namespace scorpio::comm
