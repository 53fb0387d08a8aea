// Packs sorted runs into segments: joins adjacent runs, and combines equally spaced ones. Local;
// thread-compatible. Amortised constant time for each run; single runs are not stored.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "decomp/run.h"
#include "decomp/segment_store.h"

namespace scorpio::decomp {

class RunPacker {
 public:
  // Runs must be added with ascending `global`; empty ones are ignored.
  void add(const Run& run) {
    if (run.length <= 0) return;
    if (pending_.length > 0 && run.global == pending_.global + pending_.length &&
        run.local == pending_.local + pending_.length) {
      pending_.length += run.length;
      return;
    }
    flush();
    pending_ = run;
  }

  // Sorts the runs, which come after all that were added, and adds them.
  void sort_and_add(std::vector<Run>& runs) {
    const auto before = [](const Run& a, const Run& b) {
      return std::tie(a.global, a.local) < std::tie(b.global, b.local);
    };
    if (!std::is_sorted(runs.begin(), runs.end(), before)) std::sort(runs.begin(), runs.end(), before);
    for (const Run& run : runs) add(run);
  }

  // Segments must be added with ascending `global`, too.
  void add(const Segment& segment) {
    if (segment.count == 1) return add(Run{segment.global, segment.local, segment.length});
    flush();
    if (!continues_last(segment)) return begin_segment(segment);
    last_.count += segment.count;
  }

  SegmentStore take() {
    flush();
    begin_segment(k_none);
    return segments_.take();
  }

 private:
  static constexpr Segment k_none{0, 0, 0, 0};

  void begin_segment(const Segment& segment) {
    segments_.add(last_);
    last_ = segment;
  }

  void flush() {
    if (pending_.length > 0 && !extend_last()) {
      begin_segment({pending_.global, pending_.local, pending_.length});
    }
    pending_.length = 0;
  }

  bool continues_last(const Segment& next) const {
    return last_.length == next.length && last_.global_stride == next.global_stride &&
           last_.local_stride == next.local_stride &&
           next.global == last_.global + last_.count * last_.global_stride &&
           next.local == last_.local + last_.count * last_.local_stride;
  }

  // Makes the pending run one more repetition of the last segment, if it is one.
  bool extend_last() {
    if (last_.length != pending_.length) return false;
    const int64_t global_stride = pending_.global - (last_.global + (last_.count - 1) * last_.global_stride);
    const int64_t local_stride = pending_.local - (last_.local + (last_.count - 1) * last_.local_stride);
    if (last_.count == 1) {
      if (global_stride < last_.length)
        return false;  // an element occurs twice, which is not possible in a segment
      last_.global_stride = global_stride;
      last_.local_stride = local_stride;
    } else if (global_stride != last_.global_stride || local_stride != last_.local_stride) {
      return false;
    }
    ++last_.count;
    return true;
  }

  SegmentPacker segments_;
  Segment last_ = k_none;  // not among them yet; its length is 0 if there is none
  Run pending_{0, 0, 0};
};

}  // namespace scorpio::decomp
