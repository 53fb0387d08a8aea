// How a new file is to be divided among the servers of data of its file system, as on Lustre. Pure.
#pragma once

#include <cstdint>

namespace scorpio::storage {

inline constexpr int64_t k_all_servers = -1;

struct Striping {
  uint64_t stripe_bytes = 0;  // a multiple of 64 KiB; 0: as the file system does it
  int64_t stripes = 0;        // servers, or k_all_servers; 0: as the file system does it

  bool asked() const { return stripe_bytes != 0 || stripes != 0; }
};

}  // namespace scorpio::storage
