// The public function that this thread is in, its file, and who is told that it fails. The first two precede
// the texts of failures, which occur in code that does not know them. Local; each thread has its own.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/failure_teller.h"
#include "base/guarded.h"

namespace scorpio {

namespace detail {

struct CurrentCall {
  const char* name = "";
  std::string path;
  FailureTeller* teller = nullptr;
  std::shared_ptr<FailureTeller> kept;
};

inline CurrentCall& current_call() {
  thread_local CurrentCall call;
  return call;
}

}  // namespace detail

// "" outside of public functions.
inline const char* current_call() { return detail::current_call().name; }

// The call concerns this file.
inline void set_current_path(const std::string& path) noexcept {
  assign_if_possible(path, detail::current_call().path);
}

// The call concerns an I/O system that tells failures in this way; null: it does not.
inline void set_current_teller(FailureTeller* teller) noexcept { detail::current_call().teller = teller; }
// The same of an I/O system that may end before the call does.
inline void keep_current_teller(std::shared_ptr<FailureTeller> teller) noexcept {
  detail::CurrentCall& call = detail::current_call();
  call.teller = teller.get();
  call.kept = std::move(teller);  // until the next one of this thread
}
inline FailureTeller* current_teller() { return detail::current_call().teller; }

// The failure for the user: its text begins with the call and, if the text does not name it, the file.
// Unchanged if the text begins so already, or if there is no memory for it.
inline Status in_call(const Status& status) noexcept {
  const detail::CurrentCall& call = detail::current_call();
  if (status.ok() || status.complete() || *call.name == '\0') return status;
  Status complete = status;
  (void)guarded([&] {
    const bool named = call.path.empty() || status.text().find(call.path) != std::string::npos;
    complete = status.completed(named ? fmt::format("{}: ", call.name)
                                      : fmt::format("{} of {}: ", call.name, call.path));
    return Status();
  });
  return complete;
}

class InCall {
 public:
  explicit InCall(const char* name)
      : before_(std::exchange(detail::current_call().name, name)),
        teller_before_(std::exchange(detail::current_call().teller, nullptr)) {
    detail::current_call().path.clear();
  }
  ~InCall() {
    detail::current_call().name = before_;
    detail::current_call().teller = teller_before_;
  }
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;

 private:
  const char* before_;
  FailureTeller* teller_before_;
};

// While an object exists, failures belong to an earlier call that was posted.
class InEarlierCall {
 public:
  InEarlierCall(const char* name, const std::string& path)
      : before_(std::exchange(detail::current_call(), {name, {}, nullptr, {}})) {
    set_current_path(path);
  }
  ~InEarlierCall() { detail::current_call() = std::move(before_); }
  InEarlierCall(const InEarlierCall&) = delete;
  InEarlierCall& operator=(const InEarlierCall&) = delete;

 private:
  detail::CurrentCall before_;
};

}  // namespace scorpio
