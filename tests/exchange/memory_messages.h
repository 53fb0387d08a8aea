// comm::Messages between the threads of a process. As with MPI, small messages are sent at once and large
// ones may wait for their receiver; messages arrive late, and overtake each other only where source or tag
// differ. Here both are drawn.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "comm/leaders.h"
#include "comm/messages.h"

namespace scorpio::test {

// The messages that are under way between all ranks. From any thread.
class Post {
 public:
  enum class Sending { at_once, drawn, when_received };
  Post(int ranks, Sending sending, uint64_t seed);

  int ranks() const { return static_cast<int>(boxes_.size()); }
  // Every message that was sent has been received.
  bool empty();
  // The number of messages that this rank has not received.
  size_t waiting(int rank);

 private:
  friend class MemoryMessages;
  struct Receipt {
    std::atomic<bool> given{false};
  };
  struct Letter {
    int from = 0;
    int tag = 0;
    std::vector<std::byte> copy;  // of what was sent at once
    std::span<const std::byte> bytes;
    std::shared_ptr<Receipt> receipt;  // of what waits for its receiver
    uint64_t looks_left = 0;           // until it has arrived
  };
  struct Box {
    std::mutex mutex;
    std::deque<Letter> letters;  // in order of sending
    uint64_t random = 0;
  };

  Sending sending_;
  std::vector<std::unique_ptr<Box>> boxes_;  // [ranks]
};

// One rank's access to them.
class MemoryMessages final : public comm::Messages {
 public:
  MemoryMessages(Post& post, int rank) : post_(post), rank_(rank) {}

  // From now on `work` is called again and again while this rank waits in all_to_all().
  void while_waiting(std::function<void()> work) { work_ = std::move(work); }
  // The number of receives that were started and have no message yet.
  size_t receives() const;
  // How often it was asked for something that had not come.
  size_t looks() const { return looks_; }

  int rank() const override { return rank_; }
  int size() const override { return post_.ranks(); }
  comm::Transfer send(std::span<const std::byte> bytes, int to, int tag) override;
  comm::Transfer receive(std::span<std::byte> bytes, int from, int tag) override;
  Result<bool> test(comm::Transfer& transfer, size_t* length = nullptr) override;
  void wait(comm::Transfer& transfer) override;
  bool cancel(comm::Transfer& transfer) override;
  Status receive_now(std::span<std::byte> bytes, int from, int tag) override;
  std::optional<Envelope> probe(int tag) override;
  Result<std::vector<std::vector<int64_t>>> all_to_all(
      const std::vector<std::vector<int64_t>>& parts) const override;

 private:
  struct Operation {
    std::shared_ptr<Post::Receipt> receipt;  // of a send; null: it was sent at once
    bool receiving = false;
    std::span<std::byte> bytes;
    int from = 0;
    int tag = 0;
  };
  using Operations = std::map<uint64_t, Operation>;
  void release(uint64_t request) override;
  bool is_first(Operations::const_iterator of) const;
  comm::Transfer begin(Operation operation);
  std::optional<size_t> take(std::span<std::byte> bytes, int from, int tag) const;
  void put_into(int to, int tag, std::span<const std::byte> bytes, bool at_once,
                std::shared_ptr<Post::Receipt>& receipt) const;

  Post& post_;
  int rank_;
  std::function<void()> work_;
  uint64_t begun_ = 0;
  size_t looks_ = 0;
  Operations under_way_;
};

// The leaders of nodes, which are the ranks of `post`. On other ranks nothing is called but progress(),
// while_waiting() and free().
class MemoryLeaders : public comm::Leaders {
 public:
  MemoryLeaders(Post& post, int node) : messages_(post, node) {}

  Status all_max(std::span<uint64_t> values, size_t sums) override;
  void while_waiting(const std::function<void()>* work) override { messages_.while_waiting(*work); }
  void progress() override {}
  Status free() override { return {}; }

 private:
  MemoryMessages messages_;
};

}  // namespace scorpio::test
