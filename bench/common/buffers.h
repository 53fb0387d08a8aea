// A rank's elements in memory: filled with what element_value says, and compared with it. Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/workload.h"

namespace bench {

class Buffers {
 public:
  // One buffer per variable, or one for all (`reuse`), touched.
  Buffers(const Workload& workload, const Box& box, bool reuse);

  void* data(size_t variable) { return store_[reuse_ ? 0 : variable].data(); }
  void fill(size_t variable);
  void fill_all();
  // Makes sure that a read which does nothing is noticed.
  void clear(size_t variable);
  // Elements that differ from what they should be.
  int64_t wrong(size_t variable) const;
  int64_t wrong_all() const;
  bool reused() const { return reuse_; }

 private:
  const Workload& workload_;
  const Box& box_;
  bool reuse_;
  std::vector<std::vector<std::byte>> store_;
};

// Calls visit(offset in the box, global index, elements) for each contiguous run of `box` in an array `dims`.
template <class Visit>
void for_each_run(const std::vector<int64_t>& dims, const Box& box, Visit&& visit) {
  const size_t last = dims.size() - 1;
  const int64_t run = box.count[last];
  if (box.elements() == 0) return;
  std::vector<int64_t> at(dims.size(), 0);
  for (int64_t offset = 0; offset < box.elements(); offset += run) {
    int64_t global = 0;
    for (size_t d = 0; d < dims.size(); ++d) global = global * dims[d] + box.start[d] + at[d];
    visit(offset, global, run);
    for (size_t d = last; d-- > 0;) {
      if (++at[d] < box.count[d]) break;
      at[d] = 0;
    }
  }
}

}  // namespace bench
