// Removes elements from run lists, and resolves elements that occur twice. Local; thread-safe.
#include "decomp/run_algebra.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "decomp/run_packer.h"

namespace scorpio::decomp {
namespace {

using NextInterval = std::vector<Interval>::const_iterator;

// Divides segments by a sorted list of intervals; the remaining pieces are in order as long as segments are.
class Cutter {
 public:
  explicit Cutter(const std::vector<Interval>& intervals) : intervals_(intervals) {}

  void cut(const Segment& s) {
    NextInterval next = std::upper_bound(intervals_.begin(), intervals_.end(), s.global,
                                         [](int64_t at, const Interval& i) { return at < i.end; });
    int64_t k = 0;
    while (k < s.count) {
      const int64_t hit = first_hit(s, k, next);
      keep_repetitions(s, k, hit);
      if (hit == s.count) return;
      cut_run({s.global + hit * s.global_stride, s.local + hit * s.local_stride, s.length}, next);
      k = hit + 1;
    }
  }

  std::vector<Segment> take() { return std::move(kept_); }

 private:
  // The first repetition from k on that overlaps an interval; advances `next` to that interval. s.count if
  // none does.
  int64_t first_hit(const Segment& s, int64_t k, NextInterval& next) const {
    for (; k < s.count; ++k) {
      const int64_t begin = s.global + k * s.global_stride;
      while (next != intervals_.end() && next->end <= begin) ++next;
      if (next == intervals_.end() || next->begin >= s.global_end()) break;
      if (next->begin < begin + s.length) return k;
      // Skips the repetitions that end before the interval begins.
      if (s.count > 1) k = std::max(k, (next->begin - s.global - s.length) / s.global_stride);
    }
    return s.count;
  }

  void keep_repetitions(const Segment& s, int64_t begin, int64_t end) {
    if (begin >= end) return;
    Segment part = s;
    part.global += begin * s.global_stride;
    part.local += begin * s.local_stride;
    part.count = end - begin;
    kept_.push_back(part);
  }

  void cut_run(const Run& run, NextInterval next) {
    const int64_t run_end = run.global + run.length;
    int64_t at = run.global;
    for (; next != intervals_.end() && next->begin < run_end; ++next) {
      keep_elements(run, at, next->begin);
      at = std::max(at, next->end);
    }
    keep_elements(run, at, run_end);
  }

  void keep_elements(const Run& run, int64_t begin, int64_t end) {
    if (begin < end) kept_.push_back({begin, run.local + (begin - run.global), end - begin});
  }

  const std::vector<Interval>& intervals_;
  std::vector<Segment> kept_;
};

// The difference of buffer position and global index is constant in a run; it decides which run is later.
struct Held {
  int64_t shift;
  int64_t end;
  bool operator<(const Held& other) const { return shift < other.shift; }
};

}  // namespace

RunList without(const RunList& list, const std::vector<Interval>& intervals) {
  Cutter cutter(intervals);
  for (const Segment& segment : list.segments()) cutter.cut(segment);
  std::vector<Segment> kept = cutter.take();
  const auto before = [](const Segment& a, const Segment& b) { return a.global < b.global; };
  // Pieces can be out of order only if segments overlap.
  if (!std::is_sorted(kept.begin(), kept.end(), before)) std::stable_sort(kept.begin(), kept.end(), before);
  RunPacker packer;
  for (const Segment& segment : kept) packer.add(segment);
  return RunList::from_sorted(packer.take());
}

bool has_duplicates(const RunList& list) {
  int64_t reach = std::numeric_limits<int64_t>::min();
  for (const Segment& segment : list.segments()) {
    if (segment.global < reach) return true;
    reach = segment.global_end();
  }
  return false;
}

RunList last_wins(const RunList& list) {
  if (!has_duplicates(list)) return list;
  const std::vector<Run> runs = RunList(list.expand()).expand();  // sorted by global index
  RunPacker packer;
  std::priority_queue<Held>
      open;  // runs that have begun; a run that has ended is removed when it comes to the top
  int64_t at = 0;
  for (size_t next = 0; next < runs.size() || !open.empty();) {
    if (open.empty()) at = runs[next].global;
    for (; next < runs.size() && runs[next].global == at; ++next) {
      open.push({runs[next].local - runs[next].global, runs[next].global + runs[next].length});
    }
    const Held last = open.top();
    const int64_t end = next < runs.size() ? std::min(last.end, runs[next].global) : last.end;
    packer.add(Run{at, at + last.shift, end - at});
    at = end;
    while (!open.empty() && open.top().end <= at) open.pop();
  }
  return RunList::from_sorted(packer.take());
}

}  // namespace scorpio::decomp
