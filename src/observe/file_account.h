// The cost of each file of an I/O system: the increase of the I/O system's counters in calls for that file.
// Local; one thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "observe/counters.h"
#include "observe/meanwhile.h"
#include "observe/trace.h"

namespace scorpio::observe {

enum class FileCall : uint8_t { put, get, post, wait, sync };
inline constexpr std::array k_file_calls = {"put", "get", "post", "wait", "sync"};

// What the program waited for in calls for a file. In puts and waits: the copy, staging memory or other ranks
// (back_pressure), and agreements; in gets: the data (reading); in synchronisation points all (end).
enum class FileWait : uint8_t { copy, back_pressure, agreement, reading, end };
inline constexpr std::array k_file_waits = {"copy", "back_pressure", "agreement", "reading", "end"};

struct FileAccount {
  std::string path;
  uint64_t number = Event::k_no_file;  // the same on all ranks
  Track* track = nullptr;              // where calls are recorded; null: they are not
  std::string format;
  std::string mode;           // "create", "write" or "read"
  uint64_t block_bytes = 0;   // unit in which the file is divided among the I/O ranks
  std::string options;        // that the program or a rule sets for files: "durable = true (API)"
  bool shares_slot = false;   // it was opened when the staging memory was used up
  bool asynchronous = false;  // its options asynchronous and close
  bool posts_close = false;
  bool counted = false;  // false: calls, counters and seconds do not change
  std::array<uint64_t, k_file_calls.size()> calls{};
  std::array<uint64_t, k_file_waits.size()> waits_ns{};
  Counters counters;
  Meanwhile meanwhile;  // on an I/O rank
  double seconds = 0;   // from its opening to its close
  std::chrono::steady_clock::time_point opened = std::chrono::steady_clock::now();
  bool busy = false;  // a call is being counted
};

// Adds the increase of `running` during its lifetime to the account, and records the call. Nested calls count
// once.
class AccountScope {
 public:
  AccountScope(FileAccount& account, const Counters& running, std::optional<FileCall> call = std::nullopt)
      : account_(account.counted && !account.busy ? &account : nullptr), call_(call), running_(running) {
    if (account_ != nullptr) begin();
  }
  ~AccountScope() {
    if (account_ != nullptr) end();
  }
  AccountScope(const AccountScope&) = delete;
  AccountScope& operator=(const AccountScope&) = delete;

 private:
  void begin();
  void end();
  void add_waits(const Counters& gain);

  FileAccount* account_;  // null: nothing is counted
  const std::optional<FileCall> call_;
  const Counters& running_;
  std::optional<Counters> before_;
  TraceClock::time_point began_;
  std::optional<TraceHere> recorded_;
};

// The accounts of the files of an I/O system, in the order in which they were opened.
class FileAccounts {
 public:
  // The number of closed files with an entry of their own; the others are summed up.
  static constexpr size_t k_most_closed = 1000;

  // From now on files are counted, and their accounts kept when they are closed.
  void keep() { kept_ = true; }
  // From now on calls are recorded. `trace` outlives them.
  void record(Trace& trace) { trace_ = &trace; }
  // The account of a file that is not open yet. opened() then needs no memory for it.
  std::shared_ptr<FileAccount> make(const char* mode);
  void opened(std::shared_ptr<FileAccount> account) {
    if (trace_ != nullptr) trace_->name_file(account->number, account->path);
    open_.push_back(std::move(account));
  }
  void closed(const std::shared_ptr<FileAccount>& account);

  const std::vector<std::shared_ptr<FileAccount>>& open() const { return open_; }
  const std::vector<std::shared_ptr<FileAccount>>& closed() const { return closed_; }
  // The number of closed files that are summed up.
  size_t others() const { return others_; }
  const FileAccount& sum_of_others() const { return sum_; }

 private:
  void add_to_others(const FileAccount& account);

  bool kept_ = false;
  Trace* trace_ = nullptr;
  std::vector<std::shared_ptr<FileAccount>> open_, closed_;
  size_t others_ = 0;
  FileAccount sum_;
};

}  // namespace scorpio::observe
