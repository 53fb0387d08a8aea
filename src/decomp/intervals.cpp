#include "decomp/intervals.h"

namespace scorpio::decomp {

void join(std::vector<Interval>& intervals) {
  std::erase_if(intervals, [](const Interval& i) { return i.begin >= i.end; });
  const auto before = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
  if (!std::is_sorted(intervals.begin(), intervals.end(), before)) {
    std::sort(intervals.begin(), intervals.end(), before);
  }
  close_gaps(intervals, 0);
}

void close_gaps(std::vector<Interval>& intervals, int64_t longest) {
  if (intervals.empty()) return;
  size_t last = 0;
  for (size_t i = 1; i < intervals.size(); ++i) {
    if (intervals[i].begin - intervals[last].end <= longest) {
      intervals[last].end = std::max(intervals[last].end, intervals[i].end);
    } else {
      intervals[++last] = intervals[i];
    }
  }
  intervals.resize(last + 1);
}

}  // namespace scorpio::decomp
