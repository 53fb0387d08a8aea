// comm::Group of ranks that are threads of one process: collective operations go through one place where all
// of them meet.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "comm/call.h"
#include "comm/group.h"

namespace scorpio::test {

// From any thread. A rank that waits longer than a minute ends the process: the others are somewhere else.
class MeetingPlace {
 public:
  explicit MeetingPlace(int ranks) : ranks_(ranks) {}

  int ranks() const { return ranks_; }

  using Brought = std::vector<std::vector<std::byte>>;  // [ranks]
  // Returns when all ranks have come, with what each of them brought. `work` is called while it waits.
  std::shared_ptr<const Brought> meet(int rank, std::span<const std::byte> mine,
                                      const std::function<void()>& work);

 private:
  const int ranks_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  uint64_t meetings_ = 0;
  int present_ = 0;
  std::shared_ptr<Brought> now_;
  std::shared_ptr<const Brought> last_;
};

class ThreadGroup final : public comm::Group {
 public:
  ThreadGroup(MeetingPlace& place, int rank) : place_(place), rank_(rank) {}

  // From now on `work` is called again and again while this rank waits for others.
  void while_waiting(std::function<void()> work) { work_ = std::move(work); }
  const comm::CallLog& calls() const { return calls_; }
  // Reductions, gathers and broadcasts that this rank has taken part in.
  uint64_t meetings() const { return meetings_; }

  int rank() const override { return rank_; }
  int size() const override { return place_.ranks(); }

  using Group::all_max;
  using Group::broadcast;
  using Group::enter;
  void enter(const char* kind, uint64_t file, const std::string& path) const override;
  Status parted() const override { return calls_.parted(); }
  Status all_max(std::span<uint64_t> values, size_t sums) const override;
  Status max_at(std::span<uint64_t> values, int root) const override;
  Result<std::vector<int64_t>> all_gather(std::span<const int64_t> own) const override;
  Result<std::vector<int64_t>> gather_by_node(const comm::NodeMap& nodes, std::span<const int64_t> own,
                                              const Unite& unite) const override;
  Result<std::vector<int64_t>> swap(std::span<const int64_t> own, int partner) const override;
  Status broadcast(std::span<std::byte> bytes, int root) const override;
  Result<int64_t> exclusive_sum(int64_t own) const override;
  Status barrier() const override;

 private:
  std::shared_ptr<const MeetingPlace::Brought> meet(std::span<const std::byte> mine) const;
  Result<std::vector<std::vector<uint64_t>>> reduce(std::span<const uint64_t> values, size_t sums) const;

  MeetingPlace& place_;
  int rank_;
  std::function<void()> work_;
  mutable comm::CallLog calls_;
  mutable uint64_t meetings_ = 0;
};

}  // namespace scorpio::test
