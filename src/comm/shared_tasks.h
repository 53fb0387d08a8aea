// Tasks on bytes in the memory that the ranks of a node share: an owner offers them, and any rank of the node
// that waits carries them out, so that the processors of waiting ranks are used. What a task does is defined
// above this layer. Local; any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "comm/shared_word.h"

namespace scorpio::comm {

class SharedTasks {
 public:
  // The longest description of what a task does.
  static constexpr size_t k_recipe_bytes = 200;
  // The most bytes of a result for which the task has no room.
  static constexpr size_t k_tail_bytes = k_recipe_bytes;
  // The tasks that an owner can offer at a time.
  static constexpr int k_tasks = 32;

  struct Outcome {
    uint64_t bytes = 0;  // of the result, which has taken the place of the first bytes of the task
    uint32_t flags = 0;
    std::array<double, 2> figures{};
    std::vector<std::byte> tail{};  // of the result, after `bytes`; at most k_tail_bytes
  };
  // Carries out a task. After a failure the owner does the work itself: `bytes` must be as they were, unless
  // it does not need them.
  using Body = std::function<Result<Outcome>(std::span<const std::byte> recipe, std::span<std::byte> bytes)>;

  // The size of the memory that the ranks of a node share, zeroed and aligned to a cache line.
  static size_t bytes(int owners);

  struct Place {
    std::byte* memory;            // of bytes(owners) bytes; outlives this object
    std::span<std::byte> shared;  // has the bytes of tasks, and is the same memory for all ranks of the node
    int owners;
    int mine;          // the number of this rank among the owners; -1: it is none
    uint32_t helpers;  // the most ranks of the node that carry out tasks at a time, if these are short
    std::chrono::seconds longest_wait{0};  // for another rank, before the job ends; 0: without a limit
  };
  SharedTasks(const Place& place, Body body) : place_(place), body_(std::move(body)) {}

  // ---- on an owner ----
  // Returns the number of the task; none if too many are on offer, the recipe is too long, or the bytes are
  // not in the shared memory. They may change until the task is taken back, or its outcome is taken.
  std::optional<int> offer(std::span<const std::byte> recipe, std::span<std::byte> bytes);
  // Whether no rank has begun the task, which then ends: its bytes are as they were.
  bool take_back(int task);
  enum class Progress { under_way, done, failed };
  // Of a task that take_back() did not end; `outcome` is set if it is done. It ends, unless it is under way.
  Progress progress(int task, Outcome& outcome);
  // Sleeps until the rank that carries out the task has ended it, or a short time has passed.
  void nap(int task) const;
  // The most ranks of the node that carry out tasks of so many bytes at a time, beside the owners. Each takes
  // as much memory as two tasks have, and with the owners they take no more than the shared memory has.
  uint32_t helpers_with(uint64_t bytes) const;
  // With those that were on offer.
  uint32_t helpers() const;
  std::chrono::seconds longest_wait() const { return place_.longest_wait; }

  // ---- on any rank of the node ----
  // Carries out one task that is on offer. False if there was none.
  bool help();

 private:
  struct Task;
  struct Board;
  struct NodeBoard;
  NodeBoard& node() const;
  void note_length(uint64_t bytes);
  Board& board(int owner) const;
  Task& task(int owner, int number) const;
  bool has_offers() const;           // of other ranks
  bool has_offers(int owner) const;  // of this one, if it is another rank
  bool help_any();
  bool help(int owner);

  Place place_;
  Body body_;
};

}  // namespace scorpio::comm
