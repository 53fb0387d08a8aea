// The global elements that one rank holds, and their positions in its buffer: strided runs sorted by global
// index. Pure index arithmetic, 64 bit, in elements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "decomp/run.h"
#include "decomp/segment_store.h"

namespace scorpio::decomp {

// `length` elements, global [global, global+length), buffer local, local + local_stride, ...
struct Row {
  int64_t global;
  int64_t local;
  int64_t length;
  int64_t local_stride;
};

// Half-open range of global element indices.
struct Interval {
  int64_t begin;
  int64_t end;

  friend bool operator==(const Interval&, const Interval&) = default;
};

// Segments sorted by first global index. The global ranges of segments overlap only if an element is held
// twice (which is legal for reading; the survey removes it for writing).
class RunList {
 public:
  RunList() = default;
  // Accepts runs in any order; sorts them, joins runs that are adjacent in global and local indices, and
  // packs equally spaced ones into strided segments.
  explicit RunList(std::vector<Run> runs);
  // The segments are sorted and do not interleave.
  static RunList from_sorted(const std::vector<Segment>& segments);
  explicit RunList(SegmentStore segments) : segments_(std::move(segments)) {}

  bool empty() const { return segments_.empty(); }
  const SegmentStore& segments() const { return segments_; }
  int64_t elements() const { return segments_.elements(); }
  int64_t run_count() const { return segments_.runs(); }
  Interval hull() const;  // {0, 0} when empty

  // Calls visit(const Run&) for each run, cut to [begin, end), with ascending global indices within a segment
  // and, if no element is held twice, throughout. Finds the first segment by bisection.
  template <typename Visit>
  void for_each(int64_t begin, int64_t end, Visit&& visit) const;
  template <typename Visit>
  void for_each(Visit&& visit) const {
    const Interval all = hull();
    for_each(all.begin, all.end, static_cast<Visit&&>(visit));
  }
  // The same with fewer pieces: single elements that are adjacent in the array, and equally spaced in the
  // buffer, are one row.
  template <typename Visit>
  void for_each_row(int64_t begin, int64_t end, Visit&& visit) const;
  // Calls visit(Interval) for the elements of the array only, with as few intervals as possible.
  template <typename Visit>
  void for_each_span(int64_t begin, int64_t end, Visit&& visit) const;
  // The lowest element in [begin, end) that is held.
  std::optional<int64_t> first_in(int64_t begin, int64_t end) const;
  // Whether any run overlaps [begin, end).
  bool any(int64_t begin, int64_t end) const { return first_in(begin, end).has_value(); }
  std::vector<Run> expand() const;

 private:
  // Calls visit(Segment) for each segment that may have elements in [begin, end).
  template <typename Visit>
  void for_each_segment(int64_t begin, int64_t end, Visit&& visit) const;

  SegmentStore segments_;
};

// The runs of a segment, cut to [begin, end).
template <typename Visit>
void for_each_run(const Segment& s, int64_t begin, int64_t end, Visit&& visit) {
  int64_t k = 0;
  if (s.count > 1 && begin > s.global + s.length - 1) {
    k = (begin - s.global - s.length) / s.global_stride + 1;  // the first run that ends after `begin`
  }
  for (; k < s.count; ++k) {
    const int64_t g = s.global + k * s.global_stride;
    if (g >= end) break;
    const int64_t lo = g < begin ? begin : g;
    const int64_t hi = g + s.length > end ? end : g + s.length;
    if (lo < hi) visit(Run{lo, s.local + k * s.local_stride + (lo - g), hi - lo});
  }
}

template <typename Visit>
void RunList::for_each_segment(int64_t begin, int64_t end, Visit&& visit) const {
  std::array<Segment, 16> some;  // few, because walks through a small range are frequent too
  size_t count = 0;
  for (size_t at = segments_.first_reaching(begin); (count = segments_.unpack(at, some)) > 0; at += count) {
    for (size_t i = 0; i < count; ++i) {
      if (some[i].global >= end) return;
      visit(some[i]);
    }
  }
}

template <typename Visit>
void RunList::for_each(int64_t begin, int64_t end, Visit&& visit) const {
  for_each_segment(begin, end, [&](const Segment& s) { for_each_run(s, begin, end, visit); });
}

// The rows of a segment.
template <typename Visit>
void for_each_row_of(const Segment& s, Visit&& visit) {
  if (s.count == 1) return visit(Row{s.global, s.local, s.length, 1});
  if (s.length == 1 && s.global_stride == 1) return visit(Row{s.global, s.local, s.count, s.local_stride});
  int64_t global = s.global, local = s.local;
  for (int64_t left = s.count; left > 0; --left, global += s.global_stride, local += s.local_stride)
    visit(Row{global, local, s.length, 1});
}

// The same, cut to [begin, end), whose first row is found without a walk to it.
template <typename Visit>
void for_each_row_of(const Segment& s, int64_t begin, int64_t end, Visit&& visit) {
  const bool spaced = s.count > 1 && s.length == 1 && s.global_stride == 1;
  if (s.count > 1 && !spaced) {
    for_each_run(s, begin, end, [&](const Run& run) { visit(Row{run.global, run.local, run.length, 1}); });
    return;
  }
  const int64_t length = spaced ? s.count : s.length;
  const int64_t stride = spaced ? s.local_stride : 1;
  const int64_t lo = s.global < begin ? begin : s.global;
  const int64_t hi = s.global + length > end ? end : s.global + length;
  if (lo < hi) visit(Row{lo, s.local + (lo - s.global) * stride, hi - lo, stride});
}

// Rows may be so short that to cut them takes as long as to move them: where several segments lie between
// `begin` and `end`, nothing is cut.
template <typename Visit>
void RunList::for_each_row(int64_t begin, int64_t end, Visit&& visit) const {
  std::array<Segment, 16> some;
  size_t count = 0;
  for (size_t at = segments_.first_reaching(begin); (count = segments_.unpack(at, some)) > 0; at += count) {
    const bool inside =
        !segments_.overlap() && some[0].global >= begin && some[count - 1].global_end() <= end;
    for (size_t i = 0; i < count; ++i) {
      if (inside) {
        for_each_row_of(some[i], visit);
        continue;
      }
      if (some[i].global >= end) return;
      for_each_row_of(some[i], begin, end, visit);
    }
  }
}

template <typename Visit>
void RunList::for_each_span(int64_t begin, int64_t end, Visit&& visit) const {
  Interval span{0, 0};
  const auto add = [&](int64_t from, int64_t to) {
    const int64_t lo = from < begin ? begin : from;
    const int64_t hi = to > end ? end : to;
    if (lo >= hi) return;
    const bool first = span.begin == span.end;
    if (first || lo != span.end) {
      if (!first) visit(span);
      span.begin = lo;
    }
    span.end = hi;
  };
  for_each_segment(begin, end, [&](const Segment& s) {
    if (s.count == 1 || s.global_stride == s.length) {
      add(s.global, s.global_end());
    } else {
      for_each_run(s, begin, end, [&](const Run& run) { add(run.global, run.global + run.length); });
    }
  });
  if (span.begin < span.end) visit(span);
}

}  // namespace scorpio::decomp
