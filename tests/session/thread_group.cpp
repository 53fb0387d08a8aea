#include "session/thread_group.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/current_call.h"
#include "comm/node_map.h"

namespace scorpio::test {

namespace {

constexpr std::chrono::seconds k_patience{60};
constexpr std::chrono::milliseconds k_nap{1};

template <typename T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

std::shared_ptr<const MeetingPlace::Brought> MeetingPlace::meet(int rank, std::span<const std::byte> mine,
                                                                const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  const uint64_t meeting = meetings_;
  if (present_ == 0) now_ = std::make_shared<Brought>(static_cast<size_t>(ranks_));
  (*now_)[static_cast<size_t>(rank)].assign(mine.begin(), mine.end());
  if (++present_ == ranks_) {
    present_ = 0;
    ++meetings_;
    last_ = now_;
    arrived_.notify_all();
    return last_;
  }
  const auto given_up = std::chrono::steady_clock::now() + k_patience;
  while (meetings_ == meeting) {
    (void)arrived_.wait_for(lock, k_nap);
    if (work) {
      lock.unlock();
      work();
      lock.lock();
    }
    if (std::chrono::steady_clock::now() > given_up) {
      std::fprintf(stderr, "rank %d waits in %s for %d others\n", rank, current_call(), ranks_ - present_);
      std::abort();
    }
  }
  return last_;
}

std::shared_ptr<const MeetingPlace::Brought> ThreadGroup::meet(std::span<const std::byte> mine) const {
  ++meetings_;
  return place_.meet(rank(), mine, work_);
}

void ThreadGroup::enter(const char* kind, uint64_t file, const std::string& path) const {
  calls_.enter(kind, file, current_call(), path);
}

// The values of all ranks. Ranks in different calls learn it here, as in a Communicator.
Result<std::vector<std::vector<uint64_t>>> ThreadGroup::reduce(std::span<const uint64_t> values,
                                                               size_t sums) const {
  SCORPIO_TRY(parted());
  std::vector<uint64_t> labelled{calls_.begin_reduction(values.size(), sums)};
  labelled.insert(labelled.end(), values.begin(), values.end());
  const auto brought = meet(std::as_bytes(std::span(labelled)));
  std::vector<std::vector<uint64_t>> all;
  for (const auto& bytes : *brought) all.push_back(values_of<uint64_t>(bytes));
  for (auto& theirs : all) {
    if (theirs.front() != all.front().front())
      calls_.part(failure(Code::mismatch, "ranks are in different calls"));
  }
  SCORPIO_TRY(parted());
  for (auto& theirs : all) theirs.erase(theirs.begin());
  return all;
}

Status ThreadGroup::all_max(std::span<uint64_t> values, size_t sums) const {
  SCORPIO_ASSIGN(const auto all, reduce(values, sums));
  const size_t maxima = values.size() - sums;
  std::fill(values.begin(), values.end(), 0);
  for (const auto& theirs : all) {
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = i < maxima ? std::max(values[i], theirs[i]) : values[i] + theirs[i];
    }
  }
  return {};
}

Status ThreadGroup::max_at(std::span<uint64_t> values, int root) const {
  std::vector<uint64_t> most(values.begin(), values.end());
  SCORPIO_TRY(all_max(most, 0));
  if (rank() == root) std::copy(most.begin(), most.end(), values.begin());
  return {};
}

Result<std::vector<int64_t>> ThreadGroup::all_gather(std::span<const int64_t> own) const {
  SCORPIO_TRY(parted());
  std::vector<int64_t> all;
  const auto brought = meet(std::as_bytes(own));
  for (const auto& bytes : *brought) {
    const std::vector<int64_t> theirs = values_of<int64_t>(bytes);
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  return all;
}

Result<std::vector<int64_t>> ThreadGroup::gather_by_node(const comm::NodeMap& nodes,
                                                         std::span<const int64_t> own,
                                                         const Unite& unite) const {
  SCORPIO_TRY(parted());
  const auto brought = meet(std::as_bytes(own));
  std::vector<int64_t> all;
  for (int node = 0; node < nodes.nodes(); ++node) {
    std::vector<int64_t> of_node;
    for (const int r : nodes.ranks_of(node)) {
      const std::vector<int64_t> theirs = values_of<int64_t>((*brought)[static_cast<size_t>(r)]);
      of_node.insert(of_node.end(), theirs.begin(), theirs.end());
    }
    const std::vector<int64_t> united = unite(of_node);
    all.insert(all.end(), united.begin(), united.end());
  }
  return all;
}

Result<std::vector<int64_t>> ThreadGroup::swap(std::span<const int64_t> own, int partner) const {
  SCORPIO_TRY(parted());
  std::vector<int64_t> words{partner};
  words.insert(words.end(), own.begin(), own.end());
  const auto brought = meet(std::as_bytes(std::span(words)));
  if (partner == rank()) return std::vector<int64_t>();
  std::vector<int64_t> theirs = values_of<int64_t>((*brought)[static_cast<size_t>(partner)]);
  if (theirs.front() != rank()) return failure(Code::mpi, "the partner of a swap has another partner");
  theirs.erase(theirs.begin());
  return theirs;
}

Status ThreadGroup::broadcast(std::span<std::byte> bytes, int root) const {
  SCORPIO_TRY(parted());
  const auto brought = meet(bytes);
  const std::vector<std::byte>& theirs = (*brought)[static_cast<size_t>(root)];
  if (theirs.size() != bytes.size()) return failure(Code::mpi, "a broadcast of other lengths");
  std::copy(theirs.begin(), theirs.end(), bytes.begin());
  return {};
}

Result<int64_t> ThreadGroup::exclusive_sum(int64_t own) const {
  SCORPIO_ASSIGN(const auto all, all_gather({&own, 1}));
  int64_t sum = 0;
  for (int r = 0; r < rank(); ++r) sum += all[static_cast<size_t>(r)];
  return sum;
}

Status ThreadGroup::barrier() const { return all_max({}, 0); }

}  // namespace scorpio::test
