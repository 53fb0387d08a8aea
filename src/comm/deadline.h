// A time limit for waiting on other ranks. MPI does not report that a rank or a connection was lost, so that
// without a limit the other ranks would wait forever. Local; one thread.
#pragma once

#include <chrono>

namespace scorpio::comm {

// The limit of one wait, which begins with the construction of this object.
class Deadline {
 public:
  // 0 means that there is no limit.
  explicit Deadline(std::chrono::seconds longest) : longest_(longest) {
    if (longest_.count() > 0) end_ = Clock::now() + longest_;
  }
  // After the limit has passed, prints a message on standard error and aborts the job.
  void check() const {
    if (longest_.count() > 0 && Clock::now() >= end_) end_job();
  }

 private:
  using Clock = std::chrono::steady_clock;
  [[noreturn]] void end_job() const;

  std::chrono::seconds longest_;
  Clock::time_point end_{};
};

}  // namespace scorpio::comm
