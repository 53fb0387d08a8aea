// What a file moved, for the performance summary.
#pragma once

#include <cstdint>
#include <string>

namespace scorpio_pio {

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

}  // namespace scorpio_pio
