#include "exchange/copies/shared_rows.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "codec/spaced.h"

namespace scorpio::exchange {

namespace {

// As many places in the user's memory and in images are written to in turn.
constexpr size_t k_most_together = 8;
// In longer rows the elements of one variable are found fast enough, and are neighbours in memory.
constexpr int64_t k_few_elements = 8;

bool has_short_rows(const decomp::RunList& runs) {
  return runs.elements() < k_few_elements * static_cast<int64_t>(runs.segments().size());
}

bool moves_words(const codec::Conversion& conversion) {
  return codec::with_word_move(conversion, [](auto) {});
}

// Whether rows of the one part are found for the other one too. Both have rows that can be moved by words.
bool same_rows(const Part& a, const Part& b) {
  return a.runs == b.runs && a.element_bytes == b.element_bytes &&
         a.conversion->to_size == b.conversion->to_size &&
         a.conversion->trivial() == b.conversion->trivial() && moves_words(*b.conversion);
}

// The parts of the pieces that are copied together.
class Group {
 public:
  // Returns false if there are too many, or if the order of copying matters: the bytes of the part may be
  // those of another one.
  bool takes(const Part& part) {
    const auto taken = std::span(parts_).first(size_);
    if (std::ranges::find(taken, &part) != taken.end()) return true;
    const ByteRange hull = part.hull();
    const auto disjoint = [&](const Part* other) {
      const ByteRange others = other->hull();
      return others.end <= hull.begin || hull.end <= others.begin;
    };
    if (size_ == parts_.size() || !std::ranges::all_of(taken, disjoint)) return false;
    parts_[size_++] = &part;
    return true;
  }
  size_t size() const { return size_; }

 private:
  std::array<const Part*, k_most_together> parts_{};
  size_t size_ = 0;
};

// Where the whole elements of a piece are.
struct Reach {
  decomp::Interval elements;
  const Part* part;
  std::byte* image;
  uint64_t shift;  // of element 0 in the image, modulo 2^64
};

Reach reach_of(const Part& part, const Piece& piece) {
  const decomp::Interval whole = whole_elements_in(piece.frame, part.element_bytes);
  const decomp::Interval held = part.runs->hull();
  return {{std::max(whole.begin, held.begin), std::min(whole.end, held.end)},
          &part,
          piece.image,
          piece.frame.variable_begin - piece.frame.unit_begin};
}

// Calls visit(pieces that have the row, the row, WordMove) for all rows. Between the ends of the pieces, the
// pieces that have a row are the same ones for many rows.
template <typename Visit>
void for_each_shared_row(std::span<const Part> parts, std::span<const Piece> pieces, Visit&& visit) {
  const Part& first = parts[pieces.front().part];
  std::vector<Reach> all;
  std::vector<int64_t> ends;
  for (const Piece& piece : pieces) {
    const Reach& reach = all.emplace_back(reach_of(parts[piece.part], piece));
    if (reach.elements.begin < reach.elements.end)
      ends.insert(ends.end(), {reach.elements.begin, reach.elements.end});
  }
  std::ranges::sort(ends);
  for (size_t i = 1; i < ends.size(); ++i) {
    const decomp::Interval between{ends[i - 1], ends[i]};
    if (between.begin == between.end) continue;
    std::array<Reach, k_pieces_together> some;
    const auto has_all = [&](const Reach& reach) {
      return reach.elements.begin <= between.begin && between.end <= reach.elements.end;
    };
    const std::span active(some.begin(), std::ranges::copy_if(all, some.begin(), has_all).out);
    if (active.empty()) continue;
    (void)codec::with_word_move(*first.conversion, [&](auto move) {
      first.runs->for_each_row(between.begin, between.end,
                               [&](const decomp::Row& row) { visit(active, row, move); });
    });
  }
}

}  // namespace

bool share_rows(std::span<const Part> parts) {
  const auto shared = [](const Part& a, const Part& b) {
    return has_short_rows(*a.runs) && moves_words(*a.conversion) && same_rows(a, b);
  };
  return std::ranges::adjacent_find(parts, shared) != parts.end();
}

size_t sharing_rows(std::span<const Part> parts, std::span<const Piece> pieces) {
  const Part& first = parts[pieces.front().part];
  if (pieces.size() < 2 || !has_short_rows(*first.runs) || !moves_words(*first.conversion)) return 1;
  Group group;
  size_t n = 0;
  for (; n < std::min(pieces.size(), k_pieces_together); ++n) {
    const Part& next = parts[pieces[n].part];
    if (!same_rows(first, next) || !group.takes(next)) break;
  }
  return group.size() > 1 ? n : 1;
}

void copy_in_together(std::span<const Part> parts, std::span<const Piece> pieces) {
  for_each_shared_row(parts, pieces, [](std::span<const Reach> active, const decomp::Row& row, auto move) {
    constexpr auto k_bytes = static_cast<int64_t>(decltype(move)::k_bytes);
    const int64_t from = row.local * k_bytes, step = row.local_stride * k_bytes;
    const auto to = static_cast<uint64_t>(row.global * k_bytes);
    for (const Reach& reach : active)
      move(reach.part->from + from, step, reach.image + (reach.shift + to), k_bytes, row.length);
  });
  for (const Piece& piece : pieces) {
    const Part& part = parts[piece.part];
    (void)copy_in_ends(piece.frame, *part.runs, *part.conversion, part.from, piece.image);
  }
}

void copy_out_together(std::span<const Part> parts, std::span<const Piece> pieces) {
  for_each_shared_row(parts, pieces, [](std::span<const Reach> active, const decomp::Row& row, auto move) {
    constexpr auto k_bytes = static_cast<int64_t>(decltype(move)::k_bytes);
    const int64_t to = row.local * k_bytes, step = row.local_stride * k_bytes;
    const auto from = static_cast<uint64_t>(row.global * k_bytes);
    for (const Reach& reach : active)
      move(reach.image + (reach.shift + from), k_bytes, reach.part->to + to, step, row.length);
  });
}

void move_pieces(std::span<const Part> parts, std::span<const Piece> pieces, bool interleaved,
                 const MoveTile& move, const MoveTogether& move_together) {
  if (interleaved) return for_each_tile(parts, {pieces.begin(), pieces.end()}, move);
  for (size_t n = 0; !pieces.empty(); pieces = pieces.subspan(n)) {
    n = sharing_rows(parts, pieces);
    if (n > 1) {
      move_together(pieces.first(n));
    } else {
      move(pieces.front(), pieces.front().frame);
    }
  }
}

}  // namespace scorpio::exchange
