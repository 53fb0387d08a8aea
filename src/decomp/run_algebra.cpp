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

// Divides segments by a sorted list of intervals, and calls keep(Segment) for the remaining pieces, in order
// as long as segments do not overlap.
template <typename Keep>
class Cutter {
 public:
  Cutter(const std::vector<Interval>& intervals, Keep keep) : intervals_(intervals), keep_(std::move(keep)) {}

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
    keep_(part);
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
    if (begin < end) keep_(Segment{begin, run.local + (begin - run.global), end - begin});
  }

  const std::vector<Interval>& intervals_;
  Keep keep_;
};

template <typename Keep>
void cut_all(const RunList& list, const std::vector<Interval>& intervals, Keep keep) {
  Cutter<Keep> cutter(intervals, std::move(keep));
  for (const Segment& segment : list.segments()) cutter.cut(segment);
}

// The difference of buffer position and global index is constant in a run; it decides which run is later.
struct Held {
  int64_t shift;
  int64_t end;
  bool operator<(const Held& other) const { return shift < other.shift; }
};

// Goes through the runs of a list.
class RunReader {
 public:
  explicit RunReader(const RunList& list) : next_(list.segments().begin()), end_(list.segments().end()) {
    take();
  }
  bool more() const { return more_; }
  Run run() const {
    return {segment_.global + k_ * segment_.global_stride, segment_.local + k_ * segment_.local_stride,
            segment_.length};
  }
  void next() {
    if (++k_ == segment_.count) take();
  }

 private:
  void take() {
    more_ = next_ != end_;
    if (more_) segment_ = *next_++;
    k_ = 0;
  }

  SegmentStore::Iterator next_, end_;
  Segment segment_{};
  int64_t k_ = 0;
  bool more_ = false;
};

// The same elements in runs that ascend also where segments overlap.
RunList ascending(const RunList& list) {
  int64_t last = std::numeric_limits<int64_t>::min();
  for (const Segment& s : list.segments()) {
    if (s.global < last) return RunList(list.expand());
    last = s.global + (s.count - 1) * s.global_stride;
  }
  return list;
}

}  // namespace

RunList without(const RunList& list, const std::vector<Interval>& intervals) {
  RunPacker packer;
  if (!has_duplicates(list)) {
    cut_all(list, intervals, [&](const Segment& segment) { packer.add(segment); });
    return RunList(packer.take());
  }
  std::vector<Segment> kept;
  cut_all(list, intervals, [&](const Segment& segment) { kept.push_back(segment); });
  std::ranges::stable_sort(kept, {}, &Segment::global);
  for (const Segment& segment : kept) packer.add(segment);
  return RunList(packer.take());
}

RunList within(const RunList& list, const Interval& window) {
  std::vector<Run> runs;
  list.for_each(window.begin, window.end, [&](const Run& run) {
    runs.push_back({run.global - window.begin, run.local, run.length});
  });
  return RunList(std::move(runs));
}

bool has_duplicates(const RunList& list) { return list.segments().overlap(); }

RunList last_wins(const RunList& list) {
  if (!has_duplicates(list)) return list;
  const RunList runs = ascending(list);
  RunReader next(runs);
  RunPacker packer;
  std::priority_queue<Held>
      open;  // runs that have begun; a run that has ended is removed when it comes to the top
  int64_t at = 0;
  while (next.more() || !open.empty()) {
    if (open.empty()) at = next.run().global;
    for (; next.more() && next.run().global == at; next.next()) {
      const Run run = next.run();
      open.push({run.local - run.global, run.global + run.length});
    }
    const Held last = open.top();
    const int64_t end = next.more() ? std::min(last.end, next.run().global) : last.end;
    packer.add(Run{at, at + last.shift, end - at});
    at = end;
    while (!open.empty() && open.top().end <= at) open.pop();
  }
  return RunList(packer.take());
}

}  // namespace scorpio::decomp
