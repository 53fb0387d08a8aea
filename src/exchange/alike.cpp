#include "exchange/alike.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "codec/spaced.h"

namespace scorpio::exchange {

namespace {

// As many places in the user's memory and in images are written to in turn.
constexpr size_t k_most_alike = 8;
// In longer rows the elements of one variable are found fast enough, and are neighbours in memory.
constexpr int64_t k_few_elements = 8;

bool has_short_rows(const decomp::RunList& runs) {
  return runs.elements() < k_few_elements * static_cast<int64_t>(runs.segments().size());
}

bool moves_words(const codec::Conversion& conversion) {
  return codec::with_word_move(conversion, [](auto) {});
}

bool same_conversion(const codec::Conversion& a, const codec::Conversion& b) {
  return a.to_size == b.to_size && a.trivial() == b.trivial() && moves_words(a) && moves_words(b);
}

bool is_whole(const ByteRange& hull, const Piece& piece) {
  return piece.frame.range.begin <= hull.begin && hull.end <= piece.frame.range.end;
}

}  // namespace

size_t alike(std::span<const Part> parts, std::span<const Piece> pieces) {
  const Part& first = parts[pieces.front().part];
  ByteRange last = first.hull();
  if (pieces.size() < 2 || !has_short_rows(*first.runs) || !is_whole(last, pieces.front()) ||
      !moves_words(*first.conversion))
    return 1;
  size_t n = 1;
  for (; n < std::min(pieces.size(), k_most_alike); ++n) {
    const Part& next = parts[pieces[n].part];
    if (next.runs != first.runs || next.element_bytes != first.element_bytes ||
        !same_conversion(*next.conversion, *first.conversion))
      break;
    const ByteRange hull = next.hull();
    if (hull.begin < last.end || !is_whole(hull, pieces[n])) break;
    last = hull;
  }
  return n;
}

void copy_in_alike(std::span<const Part> parts, std::span<const Piece> pieces) {
  struct Ends {
    const std::byte* from;
    std::byte* to;  // the place of the first element that is held
  };
  std::array<Ends, k_most_alike> ends{};
  const Part& first = parts[pieces.front().part];
  const decomp::Interval hull = first.runs->hull();
  const uint64_t before = static_cast<uint64_t>(hull.begin) * first.element_bytes;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const CopyFrame& frame = pieces[i].frame;
    ends[i] = {parts[pieces[i].part].from,
               pieces[i].image + (frame.variable_begin + before - frame.unit_begin)};
  }
  (void)codec::with_word_move(*first.conversion, [&](auto move) {
    constexpr auto k_bytes = static_cast<int64_t>(decltype(move)::k_bytes);
    first.runs->for_each_row(hull.begin, hull.end, [&](const decomp::Row& row) {
      const int64_t from = row.local * k_bytes, step = row.local_stride * k_bytes;
      const int64_t to = (row.global - hull.begin) * k_bytes;
      for (size_t i = 0; i < pieces.size(); ++i)
        move(ends[i].from + from, step, ends[i].to + to, k_bytes, row.length);
    });
  });
}

}  // namespace scorpio::exchange
