// Preloaded into a program: the files of each process take writes at a fixed rate, BENCH_WRITE_RATE bytes a
// second, one after another, as a share of a parallel file system does. Nothing else is changed. Any thread.
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

double rate() {
  static const double value = [] {
    const char* text = std::getenv("BENCH_WRITE_RATE");
    return text != nullptr ? std::atof(text) : 0.0;
  }();
  return value;
}

// The store is busy from now, or from the end of what it has, for as long as these bytes take.
void take_time(size_t bytes) {
  if (rate() <= 0) return;
  static std::mutex mutex;
  static Clock::time_point free_at = Clock::now();
  Clock::time_point done;
  {
    const std::lock_guard lock(mutex);
    const std::chrono::duration<double> lasts(static_cast<double>(bytes) / rate());
    done = std::max(free_at, Clock::now()) + std::chrono::duration_cast<Clock::duration>(lasts);
    free_at = done;
  }
  std::this_thread::sleep_until(done);
}

using Write = ssize_t (*)(int, const void*, size_t, off_t);

Write next(const char* name) { return reinterpret_cast<Write>(dlsym(RTLD_NEXT, name)); }

}  // namespace

extern "C" ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  static const Write written = next("pwrite");
  take_time(count);
  return written(descriptor, bytes, count, offset);
}

extern "C" ssize_t pwrite64(int descriptor, const void* bytes, size_t count, off_t offset) {
  static const Write written = next("pwrite64");
  take_time(count);
  return written(descriptor, bytes, count, offset);
}
