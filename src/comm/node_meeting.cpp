#include "comm/node_meeting.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "comm/deadline.h"
#include "comm/futex.h"
#include "comm/node_map.h"

namespace scorpio::comm {

namespace {

constexpr size_t k_line_bytes = 64;
// A rank yields its core this many times before it sleeps.
constexpr int k_yields = 50;
constexpr std::chrono::microseconds k_longest_nap{1000};
constexpr std::chrono::microseconds k_first_nap_between_messages{100}, k_longest_nap_between_messages{800};
// Takes the place of a hash: the reduction between the leaders failed.
constexpr uint64_t k_failed = ~uint64_t{0};

}  // namespace

// The counters only grow, and wrap around.
struct alignas(k_line_bytes) NodeMeeting::Board {
  Shared<uint32_t> arrivals;  // number of arrivals of all ranks of the node, in all reductions
  Shared<uint32_t> leader_sleeps;
  Shared<uint32_t> concluded;  // number of completed reductions
  Shared<uint32_t> sleepers;
  Brought reduced;  // results of the last completed reduction
};

// Another rank reads it before the reduction is complete, and its own rank writes it again after that.
struct alignas(k_line_bytes) NodeMeeting::Place {
  Brought brought;
  Shared<uint32_t> entered;  // number of reductions that the rank has entered
};

size_t NodeMeeting::bytes(int local_ranks) {
  return sizeof(Board) + static_cast<size_t>(local_ranks) * sizeof(Place);
}

NodeMeeting::NodeMeeting(const NodeMap& nodes, std::unique_ptr<Leaders> leaders, std::byte* memory)
    : memory_(memory),
      local_ranks_(nodes.local_size()),
      my_local_rank_(nodes.my_local_rank),
      leaders_(std::move(leaders)) {}

Result<NodeMeeting> NodeMeeting::create(const Communicator& comm, NodeMap& nodes, std::byte* memory) {
  std::unique_ptr<Leaders> leaders;
  if (nodes.nodes() > 1) leaders = make_leaders(nodes);
  NodeMeeting meeting(nodes, std::move(leaders), memory);
  meeting.longest_wait_ = comm.longest_wait();
  return meeting;
}

Status NodeMeeting::free() { return leaders_ == nullptr ? Status() : leaders_->free(); }

NodeMeeting::Board& NodeMeeting::board() const { return *reinterpret_cast<Board*>(memory_); }

NodeMeeting::Place& NodeMeeting::place(int local_rank) const {
  return reinterpret_cast<Place*>(memory_ + sizeof(Board))[local_rank];
}

// Waits until `word` has the value `until`. Messages of this rank that are in transit need calls of MPI,
// often at first: the longer the wait lasts, the less likely it is that such messages are its cause.
void NodeMeeting::wait(Shared<uint32_t>& word, uint32_t until, Shared<uint32_t>& sleepers) const {
  const bool messages = leaders_ != nullptr;
  auto nap = messages ? k_first_nap_between_messages : k_longest_nap;
  const Deadline deadline(longest_wait_);
  for (int tries = 0; word.load(std::memory_order_acquire) != until; ++tries) {
    deadline.check();
    if (leaders_ != nullptr) leaders_->progress();
    if (work_ != nullptr) (*work_)();
    if (tasks_ != nullptr && tasks_->help()) continue;
    if (tries < k_yields) {
      sched_yield();
      continue;
    }
    sleepers.fetch_add(1);
    const uint32_t seen = word.load();
    if (seen != until) futex_wait(word, seen, nap);
    nap = std::min(2 * nap, messages ? k_longest_nap_between_messages : k_longest_nap);
    sleepers.fetch_sub(1);
  }
}

// Is called by one rank when all ranks of its node have arrived.
Status NodeMeeting::conclude(size_t values, size_t sums) {
  Brought& all = board().reduced;
  const size_t end = 2 + values, maxima = end - sums;
  std::copy_n(place(0).brought.begin(), end, all.begin());
  for (int rank = 1; rank < local_ranks_; ++rank) {
    const Brought& other = place(rank).brought;
    for (size_t i = 0; i < maxima; ++i) all[i] = std::max(all[i], other[i]);
    for (size_t i = maxima; i < end; ++i) all[i] += other[i];
  }
  if (leaders_ == nullptr) return {};
  return conclude_among_leaders(std::span(all).subspan(maxima, sums));
}

// All leaders reduce all values of their node by maximum first: if they are in different calls, they must not
// wait for each other in a second reduction. `sums`: those of this node.
Status NodeMeeting::conclude_among_leaders(std::span<uint64_t> sums) {
  Brought& all = board().reduced;
  std::array<uint64_t, k_values> of_node;
  std::ranges::copy(sums, of_node.begin());
  Status met = leaders_->all_max(all, 0);
  if (met.ok() && !sums.empty() && same_calls(all)) {
    std::copy_n(of_node.begin(), sums.size(), sums.begin());
    met = leaders_->all_max(sums, sums.size());
  }
  if (!met.ok()) all[0] = k_failed;
  return met;
}

bool NodeMeeting::is_ahead(int local_rank) const {
  return place(local_rank).entered.load(std::memory_order_acquire) == meetings_ + 1;
}

void NodeMeeting::while_waiting(const std::function<void()>* work) {
  if (leaders_ == nullptr) return;
  work_ = work;
  leaders_->while_waiting(work);
}

// The hash has 63 bits, so that it differs from k_failed.
Status NodeMeeting::all_max(std::span<uint64_t> values, size_t sums, uint64_t label) {
  do {
    const size_t now = std::min(values.size(), k_values), later = values.size() - now;
    const size_t sums_now = sums - std::min(sums, later);
    const std::array<uint64_t, 3> what{label, values.size(), sums};
    SCORPIO_TRY(meet(values.first(now), sums_now, hash_of_numbers(what) >> 1));
    values = values.subspan(now);
    sums -= sums_now;
  } while (!values.empty());
  return {};
}

Status NodeMeeting::meet(std::span<uint64_t> values, size_t sums, uint64_t label) {
  Board& all = board();
  Brought& mine = place(my_local_rank_).brought;
  mine[0] = label;
  mine[1] = ~label;
  std::copy(values.begin(), values.end(), mine.begin() + 2);

  ++meetings_;
  place(my_local_rank_).entered.store(meetings_, std::memory_order_release);
  const uint32_t complete = meetings_ * static_cast<uint32_t>(local_ranks_);
  const bool last = all.arrivals.fetch_add(1) + 1 == complete;
  // The last rank to arrive completes the reduction without waking the leader, unless the leader has to send
  // messages.
  if (leaders_ != nullptr ? my_local_rank_ == 0 : last) {
    wait(all.arrivals, complete, all.leader_sleeps);
    const Status met = conclude(values.size(), sums);
    all.concluded.store(meetings_);
    if (all.sleepers.load() > 0) futex_wake_all(all.concluded);
    SCORPIO_TRY(met);
  } else {
    if (last && all.leader_sleeps.load() > 0) futex_wake_all(all.arrivals);
    wait(all.concluded, meetings_, all.sleepers);
  }
  if (all.reduced[0] == k_failed)
    return failure(Code::mpi, "the leaders of the nodes could not reduce values: MPI_Allreduce failed");
  if (!same_calls(all.reduced)) {
    return failure(Code::mismatch,
                   "the ranks are in different calls; all ranks must make the same calls with the same "
                   "arguments in the same order");
  }
  std::copy_n(all.reduced.begin() + 2, values.size(), values.begin());
  return {};
}

}  // namespace scorpio::comm
