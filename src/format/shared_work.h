// Work on chunks of an I/O rank that lie in the memory that the ranks of its node share: it is offered to
// ranks that wait, and the I/O rank does what no other rank has begun. Independent; any thread, one call at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "comm/deadline.h"
#include "comm/shared_tasks.h"

namespace scorpio::format {

// `Job` has:
//   Made                                        the result
//   std::span<std::byte> image                  of the chunk; nobody else uses it until take() or end()
//   static constexpr uint64_t k_least_bytes     of a chunk that is worth passing on
//   std::vector<std::byte> recipe() const       tells another rank what to do
//   Result<Made> carry_out() const              by this rank
//   Result<Made> accept(const Outcome&) const   another rank has done it
//   Result<Made> after_failure() const          another rank could not do it
template <typename Job>
class SharedWork {
 public:
  using Made = typename Job::Made;

  // `tasks`: null if this rank works alone.
  explicit SharedWork(comm::SharedTasks* tasks) : tasks_(tasks) {}
  ~SharedWork() { end(); }
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  // Whether chunks of this size are given to other ranks: the work takes longer than to pass it on.
  bool takes(uint64_t chunk_bytes) const { return tasks_ != nullptr && chunk_bytes >= Job::k_least_bytes; }
  // One chunk alone is left to this rank.
  void add(Job job) {
    const std::byte* const image = job.image.data();
    entries_.insert_or_assign(image, Entry{std::move(job)});
    pending_.push_back(image);
    if (entries_.size() > 1) offer_more();
  }
  bool empty() const { return entries_.empty(); }
  bool has(const std::byte* image) const { return entries_.contains(image); }
  // The result for an image that was added. If another rank is at work on it, this rank works on other ones
  // meanwhile.
  Result<Made> take(const std::byte* image) {
    const auto found = entries_.find(image);
    Result<Made> made = finish(found->second);
    entries_.erase(found);
    offer_more();
    return made;
  }
  // Nobody uses the images afterwards.
  void end() {
    for (auto& [image, entry] : entries_) {
      if (take_back(entry)) continue;
      const comm::Deadline deadline(tasks_->longest_wait());
      for (comm::SharedTasks::Outcome outcome; !take_back(entry); deadline.check()) {
        if (tasks_->progress(*entry.task, outcome) != comm::SharedTasks::Progress::under_way)
          entry.task.reset();
        else
          tasks_->nap(*entry.task);
      }
    }
    entries_.clear();
    pending_.clear();
  }

 private:
  struct Entry {
    Job job;
    std::optional<int> task{};  // while other ranks may work on it
    std::optional<Made> made{};
  };

  void offer_more() {
    for (; !pending_.empty(); pending_.pop_front()) {
      const auto found = entries_.find(pending_.front());
      if (found == entries_.end() || found->second.made || found->second.task) continue;
      Entry& entry = found->second;
      entry.task = tasks_->offer(entry.job.recipe(), entry.job.image);
      if (!entry.task) return;
    }
  }
  // No other rank has begun it, and none will.
  bool take_back(Entry& entry) {
    if (entry.task && !tasks_->take_back(*entry.task)) return false;
    entry.task.reset();
    return true;
  }
  // By this rank; false if other ranks are at work on all other chunks. A failure is found again when the
  // chunk is taken.
  bool work_on_another(const Entry& entry) {
    for (auto& [image, other] : entries_) {
      if (&other == &entry || other.made || !take_back(other)) continue;
      auto made = other.job.carry_out();
      if (!made.ok()) continue;
      other.made = std::move(made).value();
      return true;
    }
    return false;
  }
  Result<Made> finish(Entry& entry) {
    const comm::Deadline deadline(tasks_->longest_wait());
    for (comm::SharedTasks::Outcome outcome; !entry.made;) {
      if (take_back(entry)) return entry.job.carry_out();
      switch (tasks_->progress(*entry.task, outcome)) {
        case comm::SharedTasks::Progress::done:
          entry.task.reset();
          return entry.job.accept(outcome);
        case comm::SharedTasks::Progress::failed:
          entry.task.reset();
          return entry.job.after_failure();
        case comm::SharedTasks::Progress::under_way:
          break;
      }
      if (!work_on_another(entry)) tasks_->nap(*entry.task);
      deadline.check();
    }
    return std::move(*entry.made);
  }

  comm::SharedTasks* tasks_;
  std::map<const std::byte*, Entry> entries_;  // by image
  std::deque<const std::byte*> pending_;       // images that were not on offer yet; some are gone
};

}  // namespace scorpio::format
