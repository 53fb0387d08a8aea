// Gathers by node: the ranks of a node send their lists to its leader, the leaders exchange the lists of
// their nodes and pass them on to the ranks of their node.
#include "base/attempt.h"
#include "comm/communicator.h"
#include "comm/node_map.h"

namespace scorpio::comm {

namespace {

// A list that goes from rank to rank. A rank that has failed goes on with an empty list: the others wait for
// it.
class Carried {
 public:
  explicit Carried(std::span<const int64_t> own) {
    keep([&] { list_.assign(own.begin(), own.end()); });
  }

  // Of all ranks, in their order, to rank 0 of `comm`.
  void collect(const Communicator& comm) {
    if (comm.rank() > 0) return give(comm, 0);
    for (int rank = 1; rank < comm.size(); ++rank) append_from(comm, rank);
  }
  // The same along a binomial tree, which needs fewer steps where lists are alike in length.
  void collect_by_tree(const Communicator& comm) {
    const int rank = comm.rank(), size = comm.size();
    for (int step = 1; step < size; step *= 2) {
      if (rank % (2 * step) != 0) return give(comm, rank - step);
      if (rank + step < size) append_from(comm, rank + step);
    }
  }
  // That of rank 0 to all.
  void spread(const Communicator& comm) {
    const int rank = comm.rank(), size = comm.size();
    int step = 1;
    while (step < size) step *= 2;
    for (step /= 2; step >= 1; step /= 2) {
      if (rank % (2 * step) == step) {
        list_.clear();
        append_from(comm, rank - step);
      } else if (rank % (2 * step) == 0 && rank + step < size) {
        give(comm, rank + step);
      }
    }
  }
  void replace(const Group::Unite& unite) {
    keep([&] { list_ = unite(list_); });
  }
  Result<std::vector<int64_t>> take() && {
    if (!so_far_.ok()) return so_far_;
    if (list_.empty()) return failure_without_text(Code::aborted);  // another rank has failed
    return std::move(list_);
  }

 private:
  template <typename Body>
  void keep(Body&& body) {
    attempt(so_far_, body);
    if (!so_far_.ok()) list_.clear();
  }
  void give(const Communicator& comm, int rank) {
    so_far_ = first_failure(so_far_, comm.swap(list_, rank).status());
  }
  void append_from(const Communicator& comm, int rank) {
    const Result<std::vector<int64_t>> theirs = comm.swap({}, rank);
    so_far_ = first_failure(so_far_, theirs.status());
    keep([&] {
      if (theirs.ok()) list_.insert(list_.end(), theirs->begin(), theirs->end());
    });
  }

  std::vector<int64_t> list_;
  Status so_far_;
};

}  // namespace

Result<std::vector<int64_t>> Communicator::gather_by_node(const NodeMap& nodes, std::span<const int64_t> own,
                                                          const Unite& unite) const {
  SCORPIO_TRY(parted());
  Carried list(own);
  list.collect(nodes.node);
  if (nodes.my_local_rank == 0) {
    list.replace(unite);
    if (nodes.nodes() > 1) {
      list.collect_by_tree(nodes.leaders);
      list.spread(nodes.leaders);
    }
  }
  list.spread(nodes.node);
  return std::move(list).take();
}

}  // namespace scorpio::comm
