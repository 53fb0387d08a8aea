// Moves runs of elements between a user's buffer and the image of a unit, with conversion. Local.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "codec/conversion.h"
#include "decomp/runs.h"
#include "plan/domains.h"

namespace scorpio::exchange {

// `variable_begin` is the byte of the file at which element 0 begins, `unit_begin` that of image[0].
struct CopyFrame {
  uint64_t variable_begin;
  uint64_t unit_begin;
  ByteRange range;  // of the file; only bytes inside are copied, also of elements that are partly inside
};

// The elements of the variable that are at least partly inside `range`.
decomp::Interval elements_in(const CopyFrame& frame, size_t element_bytes);

// Those that are wholly inside; begin > end if `range` lies within one element.
decomp::Interval whole_elements_in(const CopyFrame& frame, size_t element_bytes);

// Returns the number of elements that did not fit the type.
uint64_t copy_in(const CopyFrame& frame, const decomp::RunList& runs, const codec::Conversion& conversion,
                 const std::byte* data, std::byte* image);

// The same for the elements of which only a part is inside `range`: at most one at each of its ends.
uint64_t copy_in_ends(const CopyFrame& frame, const decomp::RunList& runs,
                      const codec::Conversion& conversion, const std::byte* data, std::byte* image);

// Copies from images to the user's buffer, unit by unit in any order. An element that is in two units is
// assembled from its parts.
class CopyOut {
 public:
  // `streams`: the whole copy is larger than the cache.
  CopyOut(const codec::Conversion& conversion, std::byte* data, bool streams)
      : conversion_(conversion), data_(data), streams_(streams) {}
  // Returns the number of elements that did not fit the type.
  uint64_t take(const CopyFrame& frame, const decomp::RunList& runs, const std::byte* image);
  // The same for the elements of which only a part is inside the range of the frame.
  uint64_t take_ends(const CopyFrame& frame, const decomp::RunList& runs, const std::byte* image);

 private:
  struct Partial {
    std::vector<std::byte> bytes;
    uint64_t present = 0;
  };
  uint64_t take_straddling(const CopyFrame& frame, uint64_t at, int64_t local, const std::byte* image);

  const codec::Conversion& conversion_;
  std::byte* data_;
  bool streams_;
  std::map<int64_t, Partial> partial_;  // by their place in `data`
};

// Calls visit(begin, end) with the ranges of the image that the runs cover.
template <typename Visit>
void for_each_image_span(const CopyFrame& frame, const decomp::RunList& runs, size_t element_bytes,
                         Visit&& visit) {
  const decomp::Interval within = elements_in(frame, element_bytes);
  runs.for_each_span(within.begin, within.end, [&](const decomp::Interval& span) {
    uint64_t begin = frame.variable_begin + static_cast<uint64_t>(span.begin) * element_bytes;
    uint64_t end = frame.variable_begin + static_cast<uint64_t>(span.end) * element_bytes;
    begin = begin < frame.range.begin ? frame.range.begin : begin;
    end = end > frame.range.end ? frame.range.end : end;
    visit(begin - frame.unit_begin, end - frame.unit_begin);
  });
}

}  // namespace scorpio::exchange
