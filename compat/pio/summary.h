// The summary of what was moved for each file, io_perf_summary_<process>.json. It is written if the
// environment variable PIO_ENABLE_IO_STATS is ON. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace scorpio_pio {

class IoSystem;

// Of one file, in this rank's calls.
struct Traffic {
  int64_t written_bytes = 0;
  int64_t read_bytes = 0;
  double write_s = 0;
  double read_s = 0;
};

struct FileTraffic {
  std::string path;
  Traffic traffic;
};

// Adds the time from its construction on.
class Timed {
 public:
  explicit Timed(double& sum_s) : sum_s_(sum_s) {}
  ~Timed() { sum_s_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& sum_s_;
  Clock::time_point begin_ = Clock::now();
};

// What the environment of this rank says; that of rank 0 counts.
bool summary_is_wanted();

// Collective over the I/O system, at its end. The file that the I/O root writes also has the I/O systems of
// which the same process was the root before.
void write_summary(const IoSystem& system);

}  // namespace scorpio_pio
