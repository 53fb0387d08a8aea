// The collective call that a rank is in. Ranks compare their calls in the first reduction of each call: ranks
// in different calls get a failure instead of waiting for each other in reductions that do not match. Local;
// one thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace scorpio::comm {

struct Call {
  const char* kind = "";  // ranks may mix calls of one kind
  uint64_t file = 0;      // number of the file, the same on all ranks; 0: none
  const char* name = "";  // the public function, for messages
  std::string path;       // of the file
  std::string text() const { return path.empty() ? name : fmt::format("{} of {}", name, path); }
};

// The calls of one rank on a communicator.
class CallLog {
 public:
  // Assigns in place, because this function runs in each collective call. Without memory for the path the
  // call has none.
  void enter(const char* kind, uint64_t file, const char* name, const std::string& path);
  const Call& call() const { return call_; }

  // Begins a reduction of `values` values, of which `sums` are sums. The result is the same on ranks that are
  // at the same point of the same call.
  uint64_t begin_reduction(size_t values, size_t sums);
  uint64_t reductions() const { return reductions_; }
  // Whether the ranks are known to be in the same call; their reductions match then.
  bool compared() const { return compared_; }
  void set_compared() { compared_ = true; }

  // Not OK after ranks were in different calls: no rank waits for another one from then on.
  const Status& parted() const { return parted_; }
  void part(const Status& why) { parted_ = why; }

 private:
  Call call_;
  uint64_t step_ = 0;  // number of reductions in the call
  uint64_t reductions_ = 0;
  bool compared_ = false;
  Status parted_;
};

}  // namespace scorpio::comm
