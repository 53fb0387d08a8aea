// The performance summary io_perf_summary_<process>.json, which lists the bytes and the time of each file. It
// is written if the environment variable PIO_ENABLE_IO_STATS is ON. One thread.
#pragma once

#include "pio/system/io_system.h"

namespace scorpio_pio {

// Collective over the I/O system; called when it ends. The file that the I/O root writes also covers the
// earlier I/O systems with the same root process.
void write_summary(const IoSystem& system);

}  // namespace scorpio_pio
