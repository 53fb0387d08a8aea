// Which global elements one rank holds, and where in its buffer: strided runs sorted by global index.
// Pure index arithmetic, 64 bit, in elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace scorpio::decomp {

// `length` consecutive elements, global [global, global+length), buffer [local, local+length).
struct Run {
  int64_t global;
  int64_t local;
  int64_t length;

  friend bool operator==(const Run&, const Run&) = default;
};

// `length` elements, global [global, global+length), buffer local, local + local_stride, ...
struct Row {
  int64_t global;
  int64_t local;
  int64_t length;
  int64_t local_stride;
};

// `count` runs of `length` elements, each `global_stride` and `local_stride` elements behind the one before.
// length <= global_stride whenever count > 1, so the runs of a segment ascend without touching each other
// twice.
struct Segment {
  int64_t global;
  int64_t local;
  int64_t length;
  int64_t count = 1;
  int64_t global_stride = 0;
  int64_t local_stride = 0;

  int64_t global_end() const { return global + (count - 1) * global_stride + length; }
  int64_t elements() const { return length * count; }
};

// Half-open range of global element indices.
struct Interval {
  int64_t begin;
  int64_t end;

  friend bool operator==(const Interval&, const Interval&) = default;
};

// Segments sorted by first global index. Segments overlap in global range only when the same element is held
// twice (legal for reading; the survey removes it for writing).
class RunList {
 public:
  RunList() = default;
  // Takes runs in any order; sorts, merges neighbours that continue each other in global and local, and packs
  // equal spacing into strided segments.
  explicit RunList(std::vector<Run> runs);
  // Segments that are already sorted and do not interleave.
  static RunList from_sorted(std::vector<Segment> segments);

  bool empty() const { return segments_.empty(); }
  const std::vector<Segment>& segments() const { return segments_; }
  int64_t elements() const { return elements_; }
  int64_t run_count() const { return run_count_; }
  Interval hull() const;  // {0, 0} when empty

  // Calls visit(const Run&) for each run cut to [begin, end), ascending in global index within a segment;
  // when no element is held twice, ascending throughout. Finds the first segment by bisection.
  template <typename Visit>
  void for_each(int64_t begin, int64_t end, Visit&& visit) const;
  template <typename Visit>
  void for_each(Visit&& visit) const {
    const Interval all = hull();
    for_each(all.begin, all.end, static_cast<Visit&&>(visit));
  }
  // The same in fewer pieces: single elements that lie side by side in the array, and equally spaced in the
  // buffer, are one row.
  template <typename Visit>
  void for_each_row(int64_t begin, int64_t end, Visit&& visit) const;
  // The array's part of them only, in as few pieces as come one behind the other: visit(Interval).
  template <typename Visit>
  void for_each_span(int64_t begin, int64_t end, Visit&& visit) const;
  // The least element of [begin, end) that is held.
  std::optional<int64_t> first_in(int64_t begin, int64_t end) const;
  // Whether any run reaches into [begin, end).
  bool any(int64_t begin, int64_t end) const { return first_in(begin, end).has_value(); }
  std::vector<Run> expand() const;

 private:
  // Index of the first segment that may reach beyond `begin`.
  size_t first_reaching(int64_t begin) const;
  void finish();

  std::vector<Segment> segments_;
  std::vector<int64_t>
      reach_;  // [segments] largest global_end() of segments 0..i: ascending, so it can be bisected
  int64_t elements_ = 0;
  int64_t run_count_ = 0;
};

// The runs of a segment, cut to [begin, end).
template <typename Visit>
void for_each_run(const Segment& s, int64_t begin, int64_t end, Visit&& visit) {
  int64_t k = 0;
  if (s.count > 1 && begin > s.global + s.length - 1) {
    k = (begin - s.global - s.length) / s.global_stride + 1;  // first run whose end lies beyond `begin`
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
void RunList::for_each(int64_t begin, int64_t end, Visit&& visit) const {
  for (size_t i = first_reaching(begin); i < segments_.size() && segments_[i].global < end; ++i) {
    for_each_run(segments_[i], begin, end, visit);
  }
}

template <typename Visit>
void RunList::for_each_row(int64_t begin, int64_t end, Visit&& visit) const {
  for (size_t i = first_reaching(begin); i < segments_.size() && segments_[i].global < end; ++i) {
    const Segment& s = segments_[i];
    if (s.length != 1 || s.global_stride != 1) {
      for_each_run(s, begin, end, [&](const Run& run) { visit(Row{run.global, run.local, run.length, 1}); });
      continue;
    }
    const int64_t lo = s.global < begin ? begin : s.global;
    const int64_t hi = s.global + s.count > end ? end : s.global + s.count;
    if (lo < hi) visit(Row{lo, s.local + (lo - s.global) * s.local_stride, hi - lo, s.local_stride});
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
  for (size_t i = first_reaching(begin); i < segments_.size() && segments_[i].global < end; ++i) {
    const Segment& s = segments_[i];
    if (s.count == 1 || s.global_stride == s.length) {
      add(s.global, s.global_end());
    } else {
      for_each_run(s, begin, end, [&](const Run& run) { add(run.global, run.global + run.length); });
    }
  }
  if (span.begin < span.end) visit(span);
}

}  // namespace scorpio::decomp
