// comm::Group of ranks that are threads of one process. Collective operations go through one place where all
// of them meet; messages go through memory.
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
#include "exchange/memory_messages.h"

namespace scorpio::test {

// From any thread. A rank that waits longer than a minute ends the process: the others are somewhere else.
class MeetingPlace {
 public:
  explicit MeetingPlace(int ranks) : ranks_(ranks) {}

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
  ThreadGroup(MeetingPlace& place, Post& post, int rank) : place_(place), messages_(post, rank) {}

  // From now on `work` is called again and again while this rank waits for others.
  void while_waiting(std::function<void()> work) { work_ = std::move(work); }
  const comm::CallLog& calls() const { return calls_; }
  MemoryMessages& messages() { return messages_; }
  // Reductions, gathers and broadcasts that this rank has taken part in.
  uint64_t meetings() const { return meetings_; }

  int rank() const override { return messages_.rank(); }
  int size() const override { return messages_.size(); }
  comm::Transfer send(std::span<const std::byte> bytes, int to, int tag) override;
  comm::Transfer receive(std::span<std::byte> bytes, int from, int tag) override;
  Result<bool> test(comm::Transfer& transfer, size_t* length) override;
  void wait(comm::Transfer& transfer) override;
  bool cancel(comm::Transfer& transfer) override;
  Status receive_now(std::span<std::byte> bytes, int from, int tag) override;
  std::optional<Envelope> probe(int tag) override;
  Result<std::vector<std::vector<int64_t>>> all_to_all(
      const std::vector<std::vector<int64_t>>& parts) const override;

  using Group::all_max;
  using Group::broadcast;
  using Group::enter;
  void enter(const char* kind, uint64_t file, const std::string& path) const override;
  Status parted() const override { return calls_.parted(); }
  Status all_max(std::span<uint64_t> values, size_t sums) const override;
  Status max_at(std::span<uint64_t> values, int root) const override;
  Result<std::vector<int64_t>> all_gather(std::span<const int64_t> own) const override;
  Result<std::vector<int64_t>> all_gather_parts(std::span<const int64_t> own) const override;
  Status broadcast(std::span<std::byte> bytes, int root) const override;
  Result<int64_t> exclusive_sum(int64_t own) const override;
  Status barrier() const override;

 private:
  void release(uint64_t request) override;
  std::shared_ptr<const MeetingPlace::Brought> meet(std::span<const std::byte> mine) const;
  Result<std::vector<std::vector<uint64_t>>> reduce(std::span<const uint64_t> values, size_t sums) const;

  MeetingPlace& place_;
  MemoryMessages messages_;
  std::function<void()> work_;
  mutable comm::CallLog calls_;
  mutable uint64_t meetings_ = 0;
};

}  // namespace scorpio::test
