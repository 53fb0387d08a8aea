// Components of arrays of structures moved in turns, against moving one piece after the other.
#include "exchange/copies/tiles.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace scorpio::exchange {
namespace {

using decomp::RunList;
using decomp::Segment;
using model::ElementType;
using model::Kind;

// An array of structures of `components` numbers each; component c is variable c of the file.
struct Structures {
  int64_t components;
  codec::Conversion conversion;
  RunList runs;
  std::vector<std::byte> memory;
  std::vector<Part> parts;

  Structures(int64_t components_in, const ElementType& file, int64_t cells, std::mt19937& random)
      : components(components_in),
        conversion(codec::Conversion::make(model::native(Kind::float64), file).value()),
        memory(static_cast<size_t>(components * cells) * sizeof(double)) {
    for (std::byte& byte : memory) byte = static_cast<std::byte>(random() % 64);
    std::vector<Segment> rows;
    for (int64_t cell = 0; cell < cells;) {
      const int64_t length = std::min<int64_t>(1 + random() % 9, cells - cell);
      rows.push_back({cell, cell * components, 1, length, 1, components});
      cell += length + random() % 3;
    }
    runs = RunList::from_sorted(rows);
    const uint64_t variable_bytes = static_cast<uint64_t>(cells) * file.size_bytes + random() % 50;
    for (int64_t c = 0; c < components; ++c) {
      Part part{.begin = 100 + static_cast<uint64_t>(c) * variable_bytes, .element_bytes = file.size_bytes};
      part.runs = &runs;
      part.conversion = &conversion;
      part.from = memory.data() + static_cast<size_t>(c) * sizeof(double);
      parts.push_back(part);
    }
  }
};

constexpr uint64_t k_unit_bytes = 256;
using Images = std::map<uint64_t, std::vector<std::byte>>;

std::vector<Piece> pieces_of(const std::vector<Part>& parts, Images& images) {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < parts.size(); ++i) {
    const ByteRange hull = parts[i].hull();
    for (uint64_t begin = hull.begin / k_unit_bytes * k_unit_bytes; begin < hull.end; begin += k_unit_bytes) {
      auto& image = images.try_emplace(begin, k_unit_bytes, std::byte{0xee}).first->second;
      pieces.push_back({i, parts[i].frame(begin, {begin, begin + k_unit_bytes}), image.data()});
    }
  }
  return pieces;
}

RC_GTEST_PROP(Tiles, MoveWhatPiecesWould, ()) {
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  const std::vector<ElementType> types{model::native(Kind::float64),
                                       {Kind::float64, 8, model::ByteOrder::big},
                                       {Kind::float32, 4, model::ByteOrder::big}};
  const Structures all(2 + random() % 12, types[random() % types.size()], 1 + random() % 4000, random);
  Images in_turns, one_by_one;
  std::vector<Piece> pieces = pieces_of(all.parts, in_turns), reference = pieces_of(all.parts, one_by_one);
  const auto put = [&](const Piece& piece, const CopyFrame& frame) {
    copy_in(frame, all.runs, all.conversion, all.parts[piece.part].from, piece.image);
  };
  size_t moves = 0;
  for_each_tile(all.parts, pieces, [&](const Piece& piece, const CopyFrame& frame) {
    put(piece, frame);
    ++moves;
  });
  for (const Piece& piece : reference) put(piece, piece.frame);
  RC_ASSERT(in_turns == one_by_one);
  const bool some_take_turns = all.runs.elements() * all.components * 8 > 2 * 128 * 1024;
  RC_ASSERT(!some_take_turns || moves > 2);
}

struct Moved {
  size_t part;
  uint64_t begin, end;
};

std::vector<Moved> moves_of(const Structures& all) {
  Images images;
  std::vector<Moved> moves;
  for_each_tile(all.parts, pieces_of(all.parts, images), [&](const Piece& piece, const CopyFrame& frame) {
    moves.push_back({piece.part, frame.range.begin, frame.range.end});
  });
  return moves;
}

TEST(Tiles, ComponentsTakeTurns) {
  std::mt19937 random(1);
  const Structures two(2, model::native(Kind::float64), 100000, random);
  const std::vector<Moved> moves = moves_of(two);
  const auto half = moves.begin() + static_cast<std::ptrdiff_t>(moves.size() / 2);
  EXPECT_TRUE(std::any_of(moves.begin(), half, [](const Moved& m) { return m.part == 1; }));
  EXPECT_TRUE(std::any_of(half, moves.end(), [](const Moved& m) { return m.part == 0; }));
}

TEST(Tiles, OnlyStructuresAreInterleaved) {
  std::mt19937 random(1);
  Structures all(3, model::native(Kind::float64), 50, random);
  EXPECT_TRUE(interleaved(all.parts));
  EXPECT_FALSE(interleaved(std::span(all.parts).first(1)));

  std::vector<Part> overlapping = all.parts;
  overlapping[2].begin = overlapping[0].begin + 8;
  EXPECT_FALSE(interleaved(overlapping)) << "the later part must win";

  std::vector<Part> apart = all.parts;
  for (size_t i = 0; i < apart.size(); ++i) apart[i].from = all.memory.data() + 8192 * i;
  EXPECT_FALSE(interleaved(apart));

  const RunList dense = RunList::from_sorted({{0, 0, 50}});
  std::vector<Part> whole = all.parts;
  for (Part& part : whole) part.runs = &dense;
  EXPECT_FALSE(interleaved(whole)) << "elements that follow each other";

  const RunList none;
  for (Part& part : whole) part.runs = &none;
  EXPECT_FALSE(interleaved(whole));
}

}  // namespace
}  // namespace scorpio::exchange
