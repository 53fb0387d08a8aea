// Packs sorted runs into segments: joins adjacent runs, and combines equally spaced ones. Local;
// thread-compatible. Amortised constant time for each run; single runs are not stored.
#pragma once

#include <utility>
#include <vector>

#include "decomp/runs.h"

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

  // Segments must be added with ascending `global`, too.
  void add(const Segment& segment) {
    if (segment.count == 1) return add(Run{segment.global, segment.local, segment.length});
    flush();
    if (!continues_last(segment)) return segments_.push_back(segment);
    segments_.back().count += segment.count;
  }

  std::vector<Segment> take() {
    flush();
    return std::move(segments_);
  }

 private:
  void flush() {
    if (pending_.length > 0 && !extend_last()) {
      segments_.push_back({pending_.global, pending_.local, pending_.length});
    }
    pending_.length = 0;
  }

  bool continues_last(const Segment& next) const {
    if (segments_.empty()) return false;
    const Segment& last = segments_.back();
    return last.length == next.length && last.global_stride == next.global_stride &&
           last.local_stride == next.local_stride &&
           next.global == last.global + last.count * last.global_stride &&
           next.local == last.local + last.count * last.local_stride;
  }

  // Makes the pending run one more repetition of the last segment, if it is one.
  bool extend_last() {
    if (segments_.empty() || segments_.back().length != pending_.length) return false;
    Segment& last = segments_.back();
    const int64_t global_stride = pending_.global - (last.global + (last.count - 1) * last.global_stride);
    const int64_t local_stride = pending_.local - (last.local + (last.count - 1) * last.local_stride);
    if (last.count == 1) {
      if (global_stride < last.length)
        return false;  // an element occurs twice, which is not possible in a segment
      last.global_stride = global_stride;
      last.local_stride = local_stride;
    } else if (global_stride != last.global_stride || local_stride != last.local_stride) {
      return false;
    }
    ++last.count;
    return true;
  }

  std::vector<Segment> segments_;
  Run pending_{0, 0, 0};
};

}  // namespace scorpio::decomp
