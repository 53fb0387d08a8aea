// The public function that this thread is in, for messages. Local; each thread has its own.
#pragma once

#include <utility>

namespace scorpio {

namespace detail {

inline const char*& current_call() {
  thread_local const char* name = "";
  return name;
}

}  // namespace detail

// "" outside of public functions.
inline const char* current_call() { return detail::current_call(); }

class InCall {
 public:
  explicit InCall(const char* name) : before_(std::exchange(detail::current_call(), name)) {}
  ~InCall() { detail::current_call() = before_; }
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;

 private:
  const char* before_;
};

}  // namespace scorpio
