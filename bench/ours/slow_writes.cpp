// Preloaded into a program: the files of each process take writes at a fixed rate, BENCH_WRITE_RATE bytes a
// second, one after another, as a share of a parallel file system does. With BENCH_STOP_S they take none for
// so many seconds, once, BENCH_STOP_AFTER_S seconds after the first write. Nothing else is changed. Any
// thread.
#include <dlfcn.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

namespace {

using Clock = std::chrono::steady_clock;

double setting(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atof(text) : 0.0;
}

double rate() {
  static const double value = setting("BENCH_WRITE_RATE");
  return value;
}

Clock::duration seconds(double value) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(value));
}

// The store is busy from now, or from the end of what it has, for as long as these bytes take.
void take_time(size_t bytes) {
  if (rate() <= 0) return;
  static std::mutex mutex;
  static Clock::time_point free_at = Clock::now();
  static const Clock::time_point stops_at = free_at + seconds(setting("BENCH_STOP_AFTER_S"));
  static Clock::duration stop = seconds(setting("BENCH_STOP_S"));
  Clock::time_point done;
  {
    const std::lock_guard lock(mutex);
    const Clock::time_point begins = std::max(free_at, Clock::now());
    done = begins + seconds(static_cast<double>(bytes) / rate());
    if (begins >= stops_at) done += std::exchange(stop, Clock::duration());
    free_at = done;
  }
  std::this_thread::sleep_until(done);
}

using Write = ssize_t (*)(int, const void*, size_t, off_t);

Write next(const char* name) { return reinterpret_cast<Write>(dlsym(RTLD_NEXT, name)); }

using WriteParts = ssize_t (*)(int, const struct iovec*, int, off_t);

ssize_t write_parts(const char* name, int descriptor, const struct iovec* parts, int count, off_t offset) {
  size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  take_time(bytes);
  return reinterpret_cast<WriteParts>(dlsym(RTLD_NEXT, name))(descriptor, parts, count, offset);
}

}  // namespace

extern "C" ssize_t pwritev(int descriptor, const struct iovec* parts, int count, off_t offset) {
  return write_parts("pwritev", descriptor, parts, count, offset);
}

extern "C" ssize_t pwritev64(int descriptor, const struct iovec* parts, int count, off_t offset) {
  return write_parts("pwritev64", descriptor, parts, count, offset);
}

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
