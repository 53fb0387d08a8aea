// Rules that make calls on a store fail, for tests. Local; any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "storage/operation.h"

namespace scorpio::storage {

enum class Effect {
  error,      // the call fails with an errno and does nothing
  shortened,  // half of the bytes are transferred: a short count from a system call, a failure from a store
  kill,       // the process dies before the call (SIGKILL)
  torn,       // half of the bytes are transferred, then the process dies
  delay,      // the call is delayed
};

struct Fault {
  Effect effect = Effect::error;
  int error = 0;  // errno
  std::chrono::milliseconds delay{0};
};

// Calls are numbered from 1 over all files and threads that share the plan, for each operation and in total.
class FaultPlan {
 public:
  // Rules "<operation or any>:<when>=<effect>" separated by ';'. when: "3" the third call, "*5" each fifth,
  // "3+" the third and all after it. effect: the name of an errno ("ENOSPC"), "short", "kill", "torn", or a
  // delay in milliseconds ("20ms"). The first rule that matches is used. Code::argument for a rule that does
  // not parse.
  static Result<std::shared_ptr<FaultPlan>> parse(std::string_view text);

  // Counts the next call, and waits if it is to be delayed.
  std::optional<Fault> next(Operation operation);
  uint64_t calls(Operation operation) const;
  uint64_t all_calls() const;

 private:
  struct Rule {
    std::optional<Operation> operation;  // none: any
    uint64_t from = 1;
    enum class Repeat { once, each, onwards } repeat = Repeat::once;
    Fault fault;

    bool applies(uint64_t call) const;
  };
  static Result<Rule> parse_rule(std::string_view text);
  std::optional<Fault> planned(Operation operation);

  std::vector<Rule> rules_;
  mutable Mutex mutex_;
  std::array<uint64_t, k_operation_names.size()> calls_ GUARDED_BY(mutex_) = {};
  uint64_t all_calls_ GUARDED_BY(mutex_) = 0;
};

// Ends this process as a crash would: no data are flushed, no destructor runs.
[[noreturn]] void kill_this_process();

}  // namespace scorpio::storage
