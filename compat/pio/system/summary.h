// The performance summary io_perf_summary_<process>.json, which lists the bytes and the time of each file. It
// is written if the environment variable PIO_ENABLE_IO_STATS is ON. One thread.
#pragma once

#include <cstdint>
#include <string>

namespace scorpio_pio {

class IoSystem;

// Statistics of one file, from the calls of this rank.
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

// The setting in the environment of this rank. Rank 0's setting is used.
bool summary_is_wanted();

// Collective over the I/O system; called when it ends. The file that the I/O root writes also covers the
// earlier I/O systems with the same root process.
void write_summary(const IoSystem& system);

}  // namespace scorpio_pio
