#include "exchange/copies/copy.h"

#include <algorithm>
#include <cstring>

#include "codec/spaced.h"
#include "codec/stream.h"

namespace scorpio::exchange {

using codec::Conversion;
using decomp::Row;

namespace {

ByteRange part_inside(const CopyFrame& frame, uint64_t at, size_t size) {
  return {std::max(at, frame.range.begin), std::min(at + size, frame.range.end)};
}

// Converts the element in a buffer and copies the part of it that is inside the range.
uint64_t put_straddling(const CopyFrame& frame, const Conversion& conversion, const std::byte* from,
                        uint64_t at, std::byte* image, std::byte* scratch) {
  const uint64_t misfits = conversion.apply(from, scratch, 1);
  const ByteRange part = part_inside(frame, at, conversion.to_size);
  std::memcpy(image + (part.begin - frame.unit_begin), scratch + (part.begin - at), part.end - part.begin);
  return misfits;
}

// The range in bytes from the beginning of the variable.
ByteRange range_of_variable(const CopyFrame& frame) {
  return {std::max(frame.range.begin, frame.variable_begin) - frame.variable_begin,
          std::max(frame.range.end, frame.variable_begin) - frame.variable_begin};
}

uint64_t begin_of(const CopyFrame& frame, int64_t element, size_t element_bytes) {
  return frame.variable_begin + static_cast<uint64_t>(element) * element_bytes;
}

// Calls visit(place in the buffer, first byte in the file) for the elements of which only a part is inside
// the range: at most one at each of its ends.
template <typename Visit>
void for_each_straddling(const CopyFrame& frame, const decomp::RunList& runs, size_t element_bytes,
                         Visit&& visit) {
  const decomp::Interval span = elements_in(frame, element_bytes);
  const decomp::Interval whole = whole_elements_in(frame, element_bytes);
  const auto visit_at = [&](int64_t element) {
    runs.for_each(element, element + 1,
                  [&](const decomp::Run& run) { visit(run.local, begin_of(frame, element, element_bytes)); });
  };
  if (span.begin < whole.begin) visit_at(span.begin);
  // Both ends of the range may be in one element.
  if (whole.end < span.end && whole.end >= whole.begin) visit_at(whole.end);
}

// Rows of at most this number of elements are moved in the loop over the rows, longer ones by a call.
constexpr int64_t k_short_row = 8;

// Calls, for each row of whole elements, short_row(row, its place in the image, WordMove) if it has few
// elements that are not converted, else long_row(row, its place in the image).
template <typename ShortRow, typename LongRow>
void for_each_whole_row(const CopyFrame& frame, const decomp::RunList& runs, const Conversion& conversion,
                        size_t element_bytes, ShortRow&& short_row, LongRow&& long_row) {
  const decomp::Interval whole = whole_elements_in(frame, element_bytes);
  // Modulo 2^64: the sum with the bytes before a whole element is not negative.
  const uint64_t shift = frame.variable_begin - frame.unit_begin;
  const auto place_of = [&](const Row& row, size_t bytes) {
    return shift + static_cast<uint64_t>(row.global) * bytes;
  };
  const auto by_words = [&](auto move) {
    runs.for_each_row(whole.begin, whole.end, [&](const Row& row) {
      const uint64_t place = place_of(row, move.k_bytes);
      row.length <= k_short_row ? short_row(row, place, move) : long_row(row, place);
    });
  };
  if (codec::with_word_move(conversion, by_words)) return;
  runs.for_each_row(whole.begin, whole.end,
                    [&](const Row& row) { long_row(row, place_of(row, element_bytes)); });
}

}  // namespace

decomp::Interval elements_in(const CopyFrame& frame, size_t element_bytes) {
  const ByteRange range = range_of_variable(frame);
  return {static_cast<int64_t>(range.begin / element_bytes),
          static_cast<int64_t>((range.end + element_bytes - 1) / element_bytes)};
}

decomp::Interval whole_elements_in(const CopyFrame& frame, size_t element_bytes) {
  const ByteRange range = range_of_variable(frame);
  return {static_cast<int64_t>((range.begin + element_bytes - 1) / element_bytes),
          static_cast<int64_t>(range.end / element_bytes)};
}

uint64_t copy_in_ends(const CopyFrame& frame, const decomp::RunList& runs, const Conversion& conversion,
                      const std::byte* data, std::byte* image) {
  uint64_t misfits = 0;
  std::vector<std::byte> scratch;
  for_each_straddling(frame, runs, conversion.to_size, [&](int64_t local, uint64_t at) {
    scratch.resize(conversion.to_size);
    const std::byte* from = data + local * static_cast<int64_t>(conversion.from_size);
    misfits += put_straddling(frame, conversion, from, at, image, scratch.data());
  });
  return misfits;
}

uint64_t copy_in(const CopyFrame& frame, const decomp::RunList& runs, const Conversion& conversion,
                 const std::byte* data, std::byte* image) {
  const auto from_bytes = static_cast<int64_t>(conversion.from_size);
  const codec::Gather gather(conversion);
  uint64_t misfits = 0;
  const auto short_row = [&](const Row& row, uint64_t place, auto move) {
    constexpr auto k_bytes = static_cast<int64_t>(decltype(move)::k_bytes);
    move(data + row.local * k_bytes, row.local_stride * k_bytes, image + place, k_bytes, row.length);
  };
  const auto long_row = [&](const Row& row, uint64_t place) {
    misfits += gather(data + row.local * from_bytes, row.local_stride, image + place, row.length);
  };
  for_each_whole_row(frame, runs, conversion, conversion.to_size, short_row, long_row);
  return misfits + copy_in_ends(frame, runs, conversion, data, image);
}

uint64_t CopyOut::take_straddling(const CopyFrame& frame, uint64_t at, int64_t local,
                                  const std::byte* image) {
  const size_t size = conversion_.from_size;
  Partial& partial = partial_[local];
  partial.bytes.resize(size);
  const ByteRange part = part_inside(frame, at, size);
  std::memcpy(partial.bytes.data() + (part.begin - at), image + (part.begin - frame.unit_begin),
              part.end - part.begin);
  partial.present += part.end - part.begin;
  if (partial.present < size) return 0;
  const uint64_t misfits =
      conversion_.apply(partial.bytes.data(), data_ + local * static_cast<int64_t>(conversion_.to_size), 1);
  partial_.erase(local);
  return misfits;
}

uint64_t CopyOut::take_ends(const CopyFrame& frame, const decomp::RunList& runs, const std::byte* image) {
  uint64_t misfits = 0;
  for_each_straddling(frame, runs, conversion_.from_size, [&](int64_t local, uint64_t at) {
    misfits += take_straddling(frame, at, local, image);
  });
  return misfits;
}

uint64_t CopyOut::take(const CopyFrame& frame, const decomp::RunList& runs, const std::byte* image) {
  const auto to_bytes = static_cast<int64_t>(conversion_.to_size);
  const codec::Scatter scatter(conversion_, streams_);
  uint64_t misfits = 0;
  const auto short_row = [&](const Row& row, uint64_t place, auto move) {
    constexpr auto k_bytes = static_cast<int64_t>(decltype(move)::k_bytes);
    move(image + place, k_bytes, data_ + row.local * k_bytes, row.local_stride * k_bytes, row.length);
  };
  const auto long_row = [&](const Row& row, uint64_t place) {
    misfits += scatter(image + place, data_ + row.local * to_bytes, row.local_stride, row.length);
  };
  for_each_whole_row(frame, runs, conversion_, conversion_.from_size, short_row, long_row);
  misfits += take_ends(frame, runs, image);
  if (streams_) codec::end_streams();
  return misfits;
}

}  // namespace scorpio::exchange
