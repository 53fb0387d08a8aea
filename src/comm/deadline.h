// The end of a wait for other ranks. A rank or a connection that is lost makes no call of MPI fail: without
// an end the others would wait for ever. Local; one thread.
#pragma once

#include <chrono>

namespace scorpio::comm {

// Of one wait, which begins when this is made.
class Deadline {
 public:
  // 0: none.
  explicit Deadline(std::chrono::seconds longest) : longest_(longest) {
    if (longest_.count() > 0) end_ = Clock::now() + longest_;
  }
  // When it has passed, ends the job with a message on standard error.
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
