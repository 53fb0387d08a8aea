// The settings of the process. Local; one thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "pio.h"

namespace scorpio_pio {

struct Settings {
  int handler = PIO_INTERNAL_ERROR;  // of I/O systems that are created later
  int64_t buffer_bytes = int64_t{64} << 20;
  int block_bytes = 1024;
  int log_level = 0;
  bool fortran_order = false;  // of the extents in text files of decompositions
};

Settings& settings();

// Buffered writes are carried out when they have this number of bytes.
inline int64_t buffer_size_limit() { return settings().buffer_bytes; }
// Those that need not wait for the end of define mode are carried out earlier. More of them take memory and
// time: first accesses to new pages, and copies that have left the caches of the processor
// (docs/decisions/pio-writes.md).
inline int64_t early_limit() { return std::min(settings().buffer_bytes, int64_t{512} << 10); }

}  // namespace scorpio_pio
