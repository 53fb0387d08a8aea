#include "async/own_thread.h"

#include <csignal>
#include <system_error>
#include <utility>

#include "base/affinity.h"
#include "base/time_slice.h"

namespace scorpio::async {

// A thread inherits the blocked signals of the thread that creates it.
Status start_thread(std::thread& thread, const OwnThread& own, std::function<void()> body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Status status;
  try {
    thread = std::thread([body = std::move(body)] {
      ask_for_short_turns();
      body();
    });
    if (own.cpus.any()) status = run_on(thread, own.cpus);
  } catch (const std::system_error& e) {
    status = failure(Code::memory,
                     "no thread can be started for {} ({}); raise the limit on processes (ulimit -u) or set "
                     "the option {} to false",
                     own.purpose, e.what(), own.option);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return status;
}

}  // namespace scorpio::async
