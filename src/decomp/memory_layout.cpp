#include "decomp/memory_layout.h"

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "decomp/array_extents.h"
#include "decomp/run_algebra.h"
#include "decomp/run_packer.h"

namespace scorpio::decomp {
namespace {

Status check_values(const MemoryLayout& layout) {
  for (size_t d = 0; d < layout.extents.size(); ++d) {
    if (layout.start[d] < 0) {
      return failure(Code::argument,
                     "start {} in dimension {} of the local array is negative; give 0 or more",
                     layout.start[d], d);
    }
    if (layout.stride[d] < 1) {
      return failure(Code::argument, "stride {} in dimension {} of the local array must be 1 or more",
                     layout.stride[d], d);
    }
  }
  return {};
}

// `shape` has no extent of 0.
Status check_fit(std::span<const int64_t> shape, const MemoryLayout& layout) {
  for (size_t d = 0; d < shape.size(); ++d) {
    const auto steps = checked_mul(shape[d] - 1, layout.stride[d]);
    const auto last = steps ? checked_add(layout.start[d], *steps) : std::nullopt;
    if (last && *last < layout.extents[d]) continue;
    return failure(Code::shape,
                   "{} elements from start {} with stride {} leave dimension {} of the local array, whose "
                   "extent is {}",
                   shape[d], layout.start[d], layout.stride[d], d, layout.extents[d]);
  }
  return {};
}

// The positions of the elements of a row-major buffer in the array of a layout. A dimension that continues
// the next inner one, also in the array, is joined with it, and dimensions of extent 1 are left out. A row,
// which is the innermost remaining dimension, is therefore as long as possible.
class Places {
 public:
  Places(std::span<const int64_t> shape, const MemoryLayout& layout) {
    int64_t step = 1;  // elements of the array from one index of dimension d to the next
    for (size_t d = shape.size(); d-- > 0;) {
      first_ += layout.start[d] * step;
      if (shape[d] > 1) enclose({shape[d], layout.stride[d] * step});
      step *= layout.extents[d];
    }
    if (levels_.empty()) levels_.push_back({1, 1});
  }

  int64_t row_length() const { return levels_.front().extent; }
  // The distance between neighbours in a row, in elements of the array.
  int64_t spacing() const { return levels_.front().step; }
  int64_t of(int64_t local) const {
    int64_t place = first_;
    for (const Level& level : levels_) {
      place += local % level.extent * level.step;
      local /= level.extent;
    }
    return place;
  }

 private:
  struct Level {
    int64_t extent;
    int64_t step;  // in elements of the array
  };

  void enclose(const Level& level) {
    const bool goes_on = !levels_.empty() && level.step % levels_.back().step == 0 &&
                         level.step / levels_.back().step == levels_.back().extent;
    if (goes_on) {
      levels_.back().extent *= level.extent;
    } else {
      levels_.push_back(level);
    }
  }

  int64_t first_ = 0;
  std::vector<Level> levels_;  // from the innermost to the outermost
};

// Calls add(Segment) for the parts of the segment, in order. Its runs are divided at the ends of rows; runs
// within one row remain one segment.
template <typename Add>
class Mover {
 public:
  Mover(const Places& places, Add add) : places_(places), add_(std::move(add)) {}

  void move(const Segment& s) {
    for (int64_t k = 0; k < s.count;) {
      const Segment rest{s.global + k * s.global_stride,
                         s.local + k * s.local_stride,
                         s.length,
                         s.count - k,
                         s.global_stride,
                         s.local_stride};
      const int64_t n = runs_in_row(rest);
      if (n == 0) {
        cut_run({rest.global, rest.local, rest.length});
      } else {
        move_within_row(rest, n);
      }
      k += std::max<int64_t>(n, 1);
    }
  }

 private:
  // The number of first runs that are in the same row as the first one; 0 if the first one exceeds the row.
  int64_t runs_in_row(const Segment& s) const {
    const int64_t at = s.local % places_.row_length();
    const int64_t room = places_.row_length() - at - s.length;
    if (room < 0) return 0;
    if (s.count == 1) return 1;
    const int64_t more = s.local_stride > 0 ? room / s.local_stride : at / -s.local_stride;
    return std::min(s.count, 1 + more);
  }

  void cut_run(Run run) {
    while (run.length > 0) {
      const int64_t room = places_.row_length() - run.local % places_.row_length();
      const int64_t length = std::min(run.length, room);
      move_within_row({run.global, run.local, length}, 1);
      run = {run.global + length, run.local + length, run.length - length};
    }
  }

  // Adds the first n runs of the segment.
  void move_within_row(const Segment& s, int64_t n) {
    Segment to{s.global, places_.of(s.local), s.length,
               n,        s.global_stride,     s.local_stride * places_.spacing()};
    if (places_.spacing() == 1 || s.length == 1) return add_(to);
    // Elements that are not adjacent are runs of their own, and only a segment can hold many of them.
    for (int64_t k = 0; k < n; ++k) {
      add_(Segment{to.global, to.local, 1, to.length, 1, places_.spacing()});
      to.global += to.global_stride;
      to.local += to.local_stride;
    }
  }

  const Places& places_;
  Add add_;
};

template <typename Add>
void move_all(const RunList& list, const Places& places, Add add) {
  Mover mover(places, std::move(add));
  for (const Segment& segment : list.segments()) mover.move(segment);
}

}  // namespace

RunList placed(const RunList& list, std::span<const int64_t> shape, const MemoryLayout& layout) {
  if (list.empty()) return {};
  const Places places(shape, layout);
  if (!has_duplicates(list)) {
    RunPacker packer;
    move_all(list, places, [&](const Segment& segment) { packer.add(segment); });
    return RunList(packer.take());
  }
  // The pieces of overlapping runs are not in order.
  std::vector<Run> runs;
  move_all(list, places, [&](const Segment& segment) {
    for_each_run(segment, segment.global, segment.global_end(), [&](const Run& run) { runs.push_back(run); });
  });
  return RunList(std::move(runs));
}

Result<LocalPart> placed(const LocalPart& part, const MemoryLayout& layout) {
  const size_t ndims = part.shape.size();
  if (layout.extents.size() != ndims) {
    return failure(Code::shape,
                   "the local array has {} dimensions, the buffer of the decomposition has {} (extents {}); "
                   "give as many as the buffer has",
                   layout.extents.size(), ndims, extents_text(part.shape));
  }
  SCORPIO_ASSIGN(const int64_t elements, product(layout.extents));
  SCORPIO_TRY(check_values(layout));
  if (!part.runs.empty()) SCORPIO_TRY(check_fit(part.shape, layout));
  return LocalPart{part.dims, layout.extents, elements,  placed(part.runs, part.shape, layout),
                   part.box,  part.start,     part.count};
}

}  // namespace scorpio::decomp
