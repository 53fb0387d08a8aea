#include "exchange/copy.h"

#include <algorithm>
#include <cstring>

#include "codec/spaced.h"
#include "codec/stream.h"

namespace scorpio::exchange {

using codec::Conversion;
using decomp::Row;

namespace {

uint64_t begin_of(const CopyFrame& frame, const Row& row, size_t element_bytes) {
  return frame.variable_begin + static_cast<uint64_t>(row.global) * element_bytes;
}

// A row that is cut to a range: whole elements in the middle and, at each end, at most one element of which a
// part is inside the range.
struct CutRow {
  Row row;
  uint64_t begin;  // the first byte of the row in the file
  bool head;       // only a part of the first element is inside
  bool tail;       // only a part of the last element is inside, and it is not the first

  CutRow(const CopyFrame& frame, const Row& whole, size_t size)
      : row(whole), begin(begin_of(frame, whole, size)), head(begin < frame.range.begin) {
    const uint64_t end = begin + static_cast<uint64_t>(whole.length) * size;
    if (whole.length == 1) head = head || end > frame.range.end;
    tail = whole.length > 1 && end > frame.range.end;
  }
  int64_t middle_first() const { return head ? 1 : 0; }
  int64_t middle_length() const { return row.length - (head ? 1 : 0) - (tail ? 1 : 0); }
};

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

}  // namespace

decomp::Interval elements_in(const CopyFrame& frame, size_t element_bytes) {
  const uint64_t begin = std::max(frame.range.begin, frame.variable_begin) - frame.variable_begin;
  const uint64_t end = std::max(frame.range.end, frame.variable_begin) - frame.variable_begin;
  return {static_cast<int64_t>(begin / element_bytes),
          static_cast<int64_t>((end + element_bytes - 1) / element_bytes)};
}

uint64_t copy_in(const CopyFrame& frame, const decomp::RunList& runs, const Conversion& conversion,
                 const std::byte* data, std::byte* image) {
  const size_t size = conversion.to_size;
  const decomp::Interval span = elements_in(frame, size);
  std::vector<std::byte> scratch(size);
  const codec::Gather gather(conversion);
  uint64_t misfits = 0;
  runs.for_each_row(span.begin, span.end, [&](const Row& row) {
    const CutRow cut(frame, row, size);
    const auto element = [&](int64_t i) {
      return data + (row.local + i * row.local_stride) * static_cast<int64_t>(conversion.from_size);
    };
    const auto byte_of = [&](int64_t i) { return cut.begin + static_cast<uint64_t>(i) * size; };
    if (cut.head) misfits += put_straddling(frame, conversion, element(0), byte_of(0), image, scratch.data());
    if (cut.middle_length() > 0) {
      const int64_t i = cut.middle_first();
      misfits +=
          gather(element(i), row.local_stride, image + (byte_of(i) - frame.unit_begin), cut.middle_length());
    }
    if (cut.tail) {
      const int64_t i = row.length - 1;
      misfits += put_straddling(frame, conversion, element(i), byte_of(i), image, scratch.data());
    }
  });
  return misfits;
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

uint64_t CopyOut::take(const CopyFrame& frame, const decomp::RunList& runs, const std::byte* image) {
  const size_t size = conversion_.from_size;
  const decomp::Interval span = elements_in(frame, size);
  const codec::Scatter scatter(conversion_, streams_);
  uint64_t misfits = 0;
  runs.for_each_row(span.begin, span.end, [&](const Row& row) {
    const CutRow cut(frame, row, size);
    const auto byte_of = [&](int64_t i) { return cut.begin + static_cast<uint64_t>(i) * size; };
    const auto place_of = [&](int64_t i) { return row.local + i * row.local_stride; };
    if (cut.head) misfits += take_straddling(frame, byte_of(0), row.local, image);
    if (cut.middle_length() > 0) {
      const int64_t i = cut.middle_first();
      misfits += scatter(image + (byte_of(i) - frame.unit_begin),
                         data_ + place_of(i) * static_cast<int64_t>(conversion_.to_size), row.local_stride,
                         cut.middle_length());
    }
    if (cut.tail) misfits += take_straddling(frame, byte_of(row.length - 1), place_of(row.length - 1), image);
  });
  if (streams_) codec::end_streams();
  return misfits;
}

}  // namespace scorpio::exchange
