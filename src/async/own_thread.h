// Starts a thread of the library: all signals are blocked in it, it runs on given CPUs, and it runs soon
// after it is woken (base/time_slice.h). Local; any thread.
#pragma once

#include <functional>
#include <string_view>
#include <thread>

#include "base/cpu_list.h"
#include "base/status.h"

namespace scorpio::async {

struct OwnThread {
  std::string_view purpose;  // for the text of a failure, with the option that asks for the thread
  std::string_view option;
  const CpuSet& cpus;  // empty: those of the calling thread
};

// Code::memory if no thread can be created, Code::argument if it may not run on these CPUs; then it runs on
// those of the calling thread.
Status start_thread(std::thread& thread, const OwnThread& own, std::function<void()> body);

}  // namespace scorpio::async
