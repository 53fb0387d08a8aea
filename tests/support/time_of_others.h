// The processor time of the other threads of a process: of those that the library has. Any thread.
#pragma once

#include <sys/resource.h>

namespace scorpio::test {

// Seconds that all threads of this process but the calling one have used.
inline double seconds_of_others() {
  rusage all{}, own{};
  getrusage(RUSAGE_SELF, &all);
  getrusage(RUSAGE_THREAD, &own);
  const auto seconds = [](const rusage& usage) {
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  };
  return seconds(all) - seconds(own);
}

}  // namespace scorpio::test
