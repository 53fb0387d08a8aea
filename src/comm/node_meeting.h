// Reductions of few values in the shared memory of a node, and between nodes by their leaders only. With many
// ranks on a node, in particular if they share cores, such a reduction takes a tenth of the time of a
// reduction by messages. Collective; one thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/result.h"
#include "comm/leaders.h"
#include "comm/shared_tasks.h"
#include "comm/shared_word.h"

namespace scorpio::comm {

class NodeMeeting {
 public:
  static constexpr size_t k_values =
      20;  // in one step: with the other words of a rank they fill three cache lines
  // Up to this number of values, several steps are faster than a reduction by messages.
  static constexpr size_t k_most_values = 3 * k_values;
  // The size of the memory that the ranks of a node share, zeroed and aligned to a cache line.
  static size_t bytes(int local_ranks);

  NodeMeeting() = default;
  // `memory`, which the ranks of this node share, must outlive this object. `leaders`: null if there is one
  // node only. Local.
  NodeMeeting(const NodeMap& nodes, std::unique_ptr<Leaders> leaders, std::byte* memory);
  // The same, with leaders that use MPI, and the longest wait of `comm`. Collective over `comm`.
  static Result<NodeMeeting> create(const Communicator& comm, NodeMap& nodes, std::byte* memory);
  Status free();  // Collective

  // Element-wise maximum over all ranks, in place, and the sum modulo 2^64 of the last `sums` values; at most
  // k_most_values, none for a barrier. Code::mismatch on all ranks if their numbers of values or their labels
  // differ: the ranks are in different calls.
  Status all_max(std::span<uint64_t> values, size_t sums = 0, uint64_t label = 0);

  // Whether this rank of the node has entered a reduction that the calling rank has not. Local; the stores of
  // the other rank before it are visible then.
  bool is_ahead(int local_rank) const;
  // From now on `work`, which outlives this, is called repeatedly while this rank waits, if there are several
  // nodes.
  void while_waiting(const std::function<void()>* work);
  // From now on this rank carries out tasks of the ranks of its node while it waits. `tasks` outlives this.
  void help_with(SharedTasks* tasks) { tasks_ = tasks; }

 private:
  // A hash of the call (label, the numbers of values and sums), its complement, and the values. The maxima of
  // the first two are complements of each other if all ranks are in the same call.
  using Brought = std::array<uint64_t, k_values + 2>;
  struct Board;
  struct Place;

  Board& board() const;
  Place& place(int local_rank) const;
  Status meet(std::span<uint64_t> values, size_t sums, uint64_t label);
  Status conclude(size_t values, size_t sums);
  Status conclude_among_leaders(std::span<uint64_t> sums);
  static bool same_calls(const Brought& reduced) { return reduced[0] == ~reduced[1]; }
  void wait(Shared<uint32_t>& word, uint32_t until, Shared<uint32_t>& sleepers) const;

  std::byte* memory_ = nullptr;
  int local_ranks_ = 0;
  int my_local_rank_ = 0;
  uint32_t meetings_ = 0;
  const std::function<void()>* work_ = nullptr;
  SharedTasks* tasks_ = nullptr;
  std::chrono::seconds longest_wait_{0};  // for others, before the job ends; 0: for ever
  std::unique_ptr<Leaders> leaders_;      // null: there is one node only
};

}  // namespace scorpio::comm
