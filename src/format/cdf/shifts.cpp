#include "format/cdf/shifts.h"

#include <algorithm>

namespace scorpio::format::cdf {
namespace {

bool is_moved(const Shift& shift) {
  return shift.from != shift.to || (shift.count > 1 && shift.from_stride != shift.to_stride);
}

Shift of_fixed(const Extent& was, const Extent& is) {
  return {.from = was.begin, .to = is.begin, .bytes = was.bytes};
}

Shift of_records(const Geometry& old, const Extent& was, const Geometry& now, const Extent& is,
                 uint64_t records) {
  Shift out{.from = was.begin, .to = is.begin, .bytes = was.bytes, .count = records};
  if (records == 1) return out;
  out.from_stride = old.record_bytes();
  out.to_stride = now.record_bytes();
  return out;
}

// The number of bytes to a following piece, if there is only padding between them; none otherwise.
bool adjoins(const Shift& first, const Shift& second) {
  const auto end = round_up(first.from + first.bytes, k_padding_bytes);
  return second.from >= first.from + first.bytes && end.has_value() && second.from <= *end;
}

bool in_step(const Shift& a, const Shift& b) {
  return a.count == b.count && a.from_stride == b.from_stride && a.to_stride == b.to_stride &&
         a.to - a.from == b.to - b.from;
}

// Joins pieces that are adjacent in both files. They are in order of `from`.
void join_neighbours(std::vector<Shift>& shifts) {
  std::vector<Shift> out;
  for (const Shift& shift : shifts) {
    if (!out.empty() && in_step(out.back(), shift) && adjoins(out.back(), shift)) {
      out.back().bytes = shift.from + shift.bytes - out.back().from;
    } else {
      out.push_back(shift);
    }
  }
  shifts = std::move(out);
}

// Joins records with only padding between them to one piece.
void join_records(Shift& shift) {
  const auto padded = round_up(shift.bytes, k_padding_bytes);
  if (shift.count == 1 || shift.from_stride != shift.to_stride || !padded || *padded < shift.from_stride)
    return;
  shift = {.from = shift.from, .to = shift.to, .bytes = (shift.count - 1) * shift.from_stride + shift.bytes};
}

bool by_place(const Shift& a, const Shift& b) { return a.from < b.from; }

}  // namespace

Rearrangement rearrangement(const Geometry& old, const Geometry& now,
                            const std::vector<std::optional<size_t>>& now_index, uint64_t records) {
  std::vector<Shift> shifts;
  for (size_t i = 0; i < now_index.size(); ++i) {
    if (!now_index[i].has_value()) continue;
    const Extent& was = old.variables()[i];
    const Extent& is = now.variables()[*now_index[i]];
    if (!was.record) shifts.push_back(of_fixed(was, is));
    if (was.record && records > 0) shifts.push_back(of_records(old, was, now, is, records));
  }
  Rearrangement out;
  out.needed = std::any_of(shifts.begin(), shifts.end(), is_moved);
  if (!out.needed) return out;
  std::sort(shifts.begin(), shifts.end(), by_place);
  join_neighbours(shifts);
  for (Shift& shift : shifts) join_records(shift);
  join_neighbours(shifts);
  out.shifts = std::move(shifts);
  return out;
}

}  // namespace scorpio::format::cdf
