// The caches of chunks that a program has set for variables of a file: it gets back what it set, and there
// are none. Local; one thread.
#pragma once

#include <map>

#include "pio/system/io_system.h"

namespace scorpio_pio {

class ChunkCaches {
 public:
  void set(int varid, const ChunkCache& cache) { of_variables_[varid] = cache; }
  // `preset`: that of a variable for which none was set.
  const ChunkCache& of(int varid, const ChunkCache& preset) const {
    const auto own = of_variables_.find(varid);
    return own == of_variables_.end() ? preset : own->second;
  }

 private:
  std::map<int, ChunkCache> of_variables_;
};

}  // namespace scorpio_pio
