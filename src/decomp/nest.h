// Nested repetitions of a run of elements. Local; pure.
#pragma once

#include <utility>
#include <vector>

#include "decomp/runs.h"

namespace scorpio::decomp {

// The levels from the innermost to the outermost. A level with one repetition is left out, and a level that
// continues the next inner one, in the array and in the buffer, extends it.
class Nest {
 public:
  // `count` repetitions at these distances in elements.
  void enclose(int64_t count, int64_t global_step, int64_t local_step) {
    if (count == 1) return;
    if (levels_.empty() && global_step == length_ && local_step == length_) {
      length_ *= count;
    } else if (!levels_.empty() && levels_.back().continued_by(global_step, local_step)) {
      levels_.back().count *= count;
    } else {
      levels_.push_back({count, global_step, local_step});
    }
  }

  // One segment for each repetition of the levels after the first, in ascending order.
  RunList runs_from(int64_t global) const {
    if (levels_.empty()) return RunList::from_sorted({{global, 0, length_}});
    const Level& first = levels_.front();
    Segment segment{global, 0, length_, first.count, first.global_step, first.local_step};
    SegmentPacker segments;
    std::vector<int64_t> at(levels_.size(), 0);  // [levels] repetition of each; the first is not used
    for (size_t level = 0; level < levels_.size();) {
      segments.add(segment);
      for (level = 1; level < levels_.size(); ++level) {
        segment.global += levels_[level].global_step;
        segment.local += levels_[level].local_step;
        if (++at[level] < levels_[level].count) break;
        segment.global -= levels_[level].count * levels_[level].global_step;
        segment.local -= levels_[level].count * levels_[level].local_step;
        at[level] = 0;
      }
    }
    return RunList(segments.take());
  }

 private:
  struct Level {
    int64_t count;
    int64_t global_step;
    int64_t local_step;

    bool continued_by(int64_t global, int64_t local) const {
      return global == count * global_step && local == count * local_step;
    }
  };

  int64_t length_ = 1;
  std::vector<Level> levels_;
};

}  // namespace scorpio::decomp
