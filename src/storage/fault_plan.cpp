#include "storage/fault_plan.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <thread>
#include <utility>

namespace scorpio::storage {
namespace {

struct NamedError {
  std::string_view name;
  int error;
};
constexpr auto k_errors = std::to_array<NamedError>({{"EINTR", EINTR},
                                                     {"EIO", EIO},
                                                     {"ENOSPC", ENOSPC},
                                                     {"EDQUOT", EDQUOT},
                                                     {"EACCES", EACCES},
                                                     {"EPERM", EPERM},
                                                     {"EROFS", EROFS},
                                                     {"ENOENT", ENOENT},
                                                     {"EEXIST", EEXIST},
                                                     {"ENAMETOOLONG", ENAMETOOLONG},
                                                     {"EMFILE", EMFILE},
                                                     {"EAGAIN", EAGAIN},
                                                     {"ENOLCK", ENOLCK},
                                                     {"ENOTSUP", ENOTSUP},
                                                     {"EINVAL", EINVAL},
                                                     {"ESTALE", ESTALE}});

// A delay, for example "20ms".
std::optional<Fault> delay_named(std::string_view name) {
  if (!name.ends_with("ms")) return std::nullopt;
  name.remove_suffix(2);
  int64_t milliseconds = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), milliseconds);
  if (error != std::errc() || end != name.data() + name.size() || milliseconds < 0) return std::nullopt;
  return Fault{Effect::delay, 0, std::chrono::milliseconds(milliseconds)};
}

std::optional<Fault> fault_named(std::string_view name) {
  if (const auto delay = delay_named(name)) return delay;
  if (name == "short") return Fault{Effect::shortened};
  if (name == "kill") return Fault{Effect::kill};
  if (name == "torn") return Fault{Effect::torn};
  const auto found =
      std::find_if(k_errors.begin(), k_errors.end(), [name](const auto& e) { return e.name == name; });
  if (found == k_errors.end()) return std::nullopt;
  return Fault{Effect::error, found->error, {}};
}

std::optional<Operation> operation_named(std::string_view name) {
  const auto found = std::find(k_operation_names.begin(), k_operation_names.end(), name);
  if (found == k_operation_names.end()) return std::nullopt;
  return static_cast<Operation>(found - k_operation_names.begin());
}

}  // namespace

bool FaultPlan::Rule::applies(uint64_t call) const {
  switch (repeat) {
    case Repeat::once:
      return call == from;
    case Repeat::each:
      return call % from == 0;
    case Repeat::onwards:
      return call >= from;
  }
  return false;
}

Result<FaultPlan::Rule> FaultPlan::parse_rule(std::string_view text) {
  const Status bad =
      failure(Code::argument,
              "fault \"{}\": expected <operation>:<when>=<effect>, as write:3=ENOSPC, write:*5=EINTR or "
              "any:7+=kill; operations: any, {}; effects: an errno's name, short, kill, torn, "
              "or a delay, as 20ms",
              text, fmt::join(k_operation_names, ", "));
  const size_t colon = text.find(':');
  const size_t equals = text.find('=');
  if (colon == std::string_view::npos || equals == std::string_view::npos || equals < colon) return bad;
  const std::string_view operation_name = text.substr(0, colon);
  const auto operation = operation_named(operation_name);
  const auto fault = fault_named(text.substr(equals + 1));
  if ((!operation && operation_name != "any") || !fault) return bad;

  Rule rule{.operation = operation, .fault = *fault};
  std::string_view when = text.substr(colon + 1, equals - colon - 1);
  if (when.starts_with('*')) {
    rule.repeat = Rule::Repeat::each;
    when.remove_prefix(1);
  } else if (when.ends_with('+')) {
    rule.repeat = Rule::Repeat::onwards;
    when.remove_suffix(1);
  }
  const auto [end, error] = std::from_chars(when.data(), when.data() + when.size(), rule.from);
  if (error != std::errc() || end != when.data() + when.size() || rule.from == 0) return bad;
  return rule;
}

Result<std::shared_ptr<FaultPlan>> FaultPlan::parse(std::string_view text) {
  auto plan = std::make_shared<FaultPlan>();
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    if (end != 0) {
      SCORPIO_ASSIGN(Rule rule, parse_rule(text.substr(0, end)));
      plan->rules_.push_back(rule);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return plan;
}

// Other threads can continue during a delay.
std::optional<Fault> FaultPlan::next(Operation operation) {
  const std::optional<Fault> fault = planned(operation);
  if (!fault || fault->effect != Effect::delay) return fault;
  std::this_thread::sleep_for(fault->delay);
  return std::nullopt;
}

std::optional<Fault> FaultPlan::planned(Operation operation) {
  const MutexLock lock(mutex_);
  const uint64_t call = ++calls_[static_cast<size_t>(operation)];
  const uint64_t any_call = ++all_calls_;
  for (const Rule& rule : rules_) {
    if (rule.operation && *rule.operation != operation) continue;
    if (rule.applies(rule.operation ? call : any_call)) return rule.fault;
  }
  return std::nullopt;
}

uint64_t FaultPlan::calls(Operation operation) const {
  const MutexLock lock(mutex_);
  return calls_[static_cast<size_t>(operation)];
}

uint64_t FaultPlan::all_calls() const {
  const MutexLock lock(mutex_);
  return all_calls_;
}

void kill_this_process() {
  std::raise(SIGKILL);
  _exit(128 + SIGKILL);
}

}  // namespace scorpio::storage
