// Element-wise reference of run lists for the property tests: slow, and too simple to be wrong.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "decomp/runs.h"

namespace scorpio::decomp {

// Inside a gtest case `Run` names testing::Test::Run.
using Runs = std::vector<Run>;

// (global, local) of each element.
using Elements = std::vector<std::pair<int64_t, int64_t>>;

inline Elements elements_of(const std::vector<Run>& runs) {
  Elements out;
  for (const Run& run : runs) {
    for (int64_t i = 0; i < run.length; ++i) out.push_back({run.global + i, run.local + i});
  }
  std::sort(out.begin(), out.end());
  return out;
}

inline Elements elements_of(const RunList& list) { return elements_of(list.expand()); }

inline Elements elements_of(const RunList& list, int64_t begin, int64_t end) {
  std::vector<Run> runs;
  list.for_each(begin, end, [&](const Run& run) { runs.push_back(run); });
  return elements_of(runs);
}

inline std::set<int64_t> elements_of(const std::vector<Interval>& intervals) {
  std::set<int64_t> out;
  for (const Interval& interval : intervals) {
    for (int64_t i = interval.begin; i < interval.end; ++i) out.insert(i);
  }
  return out;
}

// Where the small numbers of a test case begin: also beyond 32 bit, and beyond 40.
inline int64_t any_origin() {
  return *rc::gen::element<int64_t>(0, (int64_t{1} << 31) - 5, int64_t{1} << 33, (int64_t{1} << 40) + 12345);
}

// Runs in any order; half of the cases hold some elements twice.
inline std::vector<Run> any_runs(int64_t origin) {
  const bool apart = *rc::gen::arbitrary<bool>();
  const auto sizes = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(apart ? 0 : -6, 5), rc::gen::inRange(1, 5)));
  std::vector<Run> runs;
  int64_t global = origin + 1000;
  int64_t local = 0;
  for (const auto& [gap, length] : sizes) {
    global += gap;
    runs.push_back({global, local, length});
    global += length;
    local += length + (gap == 3 ? 1 : 0);
  }
  if (*rc::gen::arbitrary<bool>()) std::reverse(runs.begin(), runs.end());
  return runs;
}

// The promises that the header makes about every list.
inline void check_promises(const RunList& list) {
  int64_t elements = 0;
  int64_t runs = 0;
  int64_t last = INT64_MIN;
  for (const Segment& s : list.segments()) {
    RC_ASSERT(s.length > 0);
    RC_ASSERT(s.count > 0);
    RC_ASSERT(s.count == 1 || s.length <= s.global_stride);
    RC_ASSERT(s.global >= last);
    last = s.global;
    elements += s.elements();
    runs += s.count;
  }
  RC_ASSERT(list.elements() == elements);
  RC_ASSERT(list.run_count() == runs);
}

}  // namespace scorpio::decomp
