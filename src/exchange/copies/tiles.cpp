#include "exchange/copies/tiles.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>

namespace scorpio::exchange {

namespace {

// The bytes of the user's memory from the first element of a tile to its last: half of a small second-level
// cache.
constexpr int64_t k_tile_bytes = 128 * 1024;
constexpr int64_t k_least_elements = 16;  // in a tile
// The longest structure: components that are further apart share neither cache lines nor pages.
constexpr uintptr_t k_structure_bytes = 4096;

const std::byte* memory_of(const Part& part) { return part.from != nullptr ? part.from : part.to; }

size_t memory_bytes(const Part& part) {
  return part.from != nullptr ? part.conversion->from_size : part.conversion->to_size;
}

// The distance, in elements of the user's memory, between elements that are neighbours in the file; taken
// from the first segment with several elements.
int64_t spacing(const Part& part) {
  constexpr size_t k_looked_at = 8;
  const decomp::SegmentStore& segments = part.runs->segments();
  for (size_t i = 0; i < std::min(segments.size(), k_looked_at); ++i) {
    const decomp::Segment segment = segments[i];
    if (segment.elements() > 1) return segment.length == 1 ? std::abs(segment.local_stride) : 1;
  }
  return 1;
}

bool of_one_structure(const Part& a, const Part& b) {
  if (a.runs != b.runs || a.element_bytes != b.element_bytes || a.runs->empty() || spacing(a) == 1)
    return false;
  const auto at = reinterpret_cast<uintptr_t>(memory_of(a)),
             other = reinterpret_cast<uintptr_t>(memory_of(b));
  return std::max(at, other) - std::min(at, other) <= k_structure_bytes;
}

bool lie_apart(std::span<const Part> parts) {
  std::vector<ByteRange> hulls;
  for (const Part& part : parts) {
    if (!part.runs->empty()) hulls.push_back(part.hull());
  }
  std::sort(hulls.begin(), hulls.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  const auto meet = [](const ByteRange& a, const ByteRange& b) { return b.begin < a.end; };
  return std::adjacent_find(hulls.begin(), hulls.end(), meet) == hulls.end();
}

int64_t tile_elements(const Part& part) {
  const int64_t bytes = spacing(part) * static_cast<int64_t>(memory_bytes(part));
  return std::max(k_least_elements, k_tile_bytes / std::max<int64_t>(1, bytes));
}

// The frame for `elements` of the part, within the frame of the unit.
CopyFrame cut_to(const CopyFrame& frame, decomp::Interval elements, size_t element_bytes) {
  const auto byte_of = [&](int64_t element) {
    return frame.variable_begin + static_cast<uint64_t>(element) * element_bytes;
  };
  return {frame.variable_begin,
          frame.unit_begin,
          {std::max(frame.range.begin, byte_of(elements.begin)),
           std::min(frame.range.end, byte_of(elements.end))}};
}

// Moves pieces of parts of one structure in turns.
void take_turns(std::span<const Part> parts, std::span<const Piece> pieces, const MoveTile& move) {
  struct Turn {
    const Piece* piece;
    decomp::Interval elements;
  };
  std::vector<Turn> turns;
  decomp::Interval all{INT64_MAX, INT64_MIN};
  for (const Piece& piece : pieces) {
    const Part& part = parts[piece.part];
    const decomp::Interval held = part.runs->hull();
    const decomp::Interval cut = elements_in(piece.frame, part.element_bytes);
    turns.push_back({&piece, {std::max(held.begin, cut.begin), std::min(held.end, cut.end)}});
    all.begin = std::min(all.begin, turns.back().elements.begin);
    all.end = std::max(all.end, turns.back().elements.end);
  }
  const Part& first = parts[pieces.front().part];
  const int64_t step = tile_elements(first);
  for (int64_t begin = all.begin; begin < all.end; begin += step) {
    const decomp::Interval tile{begin, std::min(begin + step, all.end)};
    for (const Turn& turn : turns) {
      if (turn.elements.begin >= tile.end || turn.elements.end <= tile.begin) continue;
      move(*turn.piece, cut_to(turn.piece->frame, tile, first.element_bytes));
    }
  }
}

}  // namespace

bool interleaved(std::span<const Part> parts) {
  const auto some = std::adjacent_find(parts.begin(), parts.end(), of_one_structure);
  return some != parts.end() && lie_apart(parts);
}

void for_each_tile(std::span<const Part> parts, std::vector<Piece> pieces, const MoveTile& move) {
  const auto key = [&](const Piece& piece) {
    const Part& part = parts[piece.part];
    return std::tuple(reinterpret_cast<uintptr_t>(part.runs), part.element_bytes,
                      reinterpret_cast<uintptr_t>(memory_of(part)), piece.frame.unit_begin);
  };
  std::sort(pieces.begin(), pieces.end(), [&](const Piece& a, const Piece& b) { return key(a) < key(b); });
  for (auto first = pieces.begin(); first != pieces.end();) {
    const auto behind = std::find_if(first, pieces.end(), [&](const Piece& piece) {
      return !of_one_structure(parts[first->part], parts[piece.part]);
    });
    if (behind - first > 1) {
      take_turns(parts, {first, behind}, move);
      first = behind;
    } else {
      move(*first, first->frame);
      ++first;
    }
  }
}

}  // namespace scorpio::exchange
