// The elements of an array that no rank holds. In a variable that is stored in chunks a native put gives them
// no value; here they are a decomposition of their own. Collective over the I/O system; one thread.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "layout.h"
#include "scorpio/access.h"

namespace scorpio_pio {

struct Write;

// Finds them once for each layout. 0 or a code, the same on all ranks.
int find_holes(IoSystem& system, Layout& layout);

// Puts of fill values that belong to the next puts of data.
class Fills {
 public:
  // Whether the fill value of the write needs a put of its own: its variable is stored in chunks.
  static bool concern(scorpio_file* file, const Write& write);
  // For such a write and its access, which is then without a fill value.
  int add(IoSystem& system, const Write& write, scorpio_access& access);
  std::vector<scorpio_access>& accesses() { return accesses_; }
  bool empty() const { return accesses_.empty(); }
  void clear();

 private:
  std::deque<std::vector<std::byte>> values_;
  std::vector<scorpio_access> accesses_;
};

}  // namespace scorpio_pio
