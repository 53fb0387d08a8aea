// A rank's memory for a pattern: all parts filled with what element_value says (the step is the record), and
// compared with it. What lies between the parts must stay as it was. Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/pattern.h"

namespace bench {

class PatternMemory {
 public:
  explicit PatternMemory(const Pattern& pattern);  // touched

  void fill();
  // The part's frame, and the part's first element.
  std::byte* frame(const Part& part) { return store_.data() + part.memory.first_byte; }
  std::byte* data(const Part& part);
  // Elements that differ from what they should be, and bytes beside the parts that were changed. Once only:
  // it uses the memory up.
  int64_t wrong();

 private:
  const Pattern& pattern_;
  std::vector<std::byte> store_;
};

}  // namespace bench
