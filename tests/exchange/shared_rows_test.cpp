// Pieces with the same runs copied in one walk, against copying one piece after the other.
#include "exchange/copies/shared_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <vector>

namespace scorpio::exchange {
namespace {

using decomp::RunList;
using decomp::Segment;
using model::ElementType;
using model::Kind;

constexpr uint64_t k_image_bytes = 1024;
using UnitImages = std::map<uint64_t, std::vector<std::byte>>;

codec::Conversion conversion(const ElementType& memory, const ElementType& file) {
  return codec::Conversion::make(memory, file).value();
}

ElementType big(Kind kind) {
  ElementType type = model::native(kind);
  type.order = model::ByteOrder::big;
  return type;
}

// Variables of one decomposition, or of two, some of them with another conversion or over the one before.
struct Variables {
  std::deque<RunList> runs;
  std::deque<codec::Conversion> conversions;
  std::vector<std::byte> memory;
  std::vector<Part> parts;

  explicit Variables(std::mt19937& random, bool reading = false) {
    const int64_t elements = 1 + random() % (random() % 2 == 0 ? 120 : 600);
    for (int i = 0; i < 2; ++i) runs.push_back(any_runs(elements, random));
    conversions.push_back(conversion(model::native(Kind::float32), big(Kind::float32)));
    conversions.push_back(conversion(model::native(Kind::float32), model::native(Kind::float32)));
    conversions.push_back(reading ? conversion(model::native(Kind::int32), model::native(Kind::int16))
                                  : conversion(model::native(Kind::int16), model::native(Kind::int32)));
    conversions.push_back(conversion(model::native(Kind::float64), big(Kind::float64)));
    memory.resize(1024 + 3 * 8 * 600);
    for (std::byte& byte : memory) byte = static_cast<std::byte>(random() % 64);
    const size_t usual = random() % conversions.size();
    uint64_t begin = random() % 100;
    for (unsigned left = 1 + random() % 30; left > 0; --left) {
      const codec::Conversion& next = conversions[random() % 8 == 0 ? random() % conversions.size() : usual];
      Part part{.begin = begin, .element_bytes = reading ? next.from_size : next.to_size};
      part.runs = &runs[random() % 8 == 0 ? 1 : 0];
      part.conversion = &next;
      part.from = memory.data() + random() % 1024;
      parts.push_back(part);
      if (random() % 8 != 0) begin += static_cast<uint64_t>(elements) * part.element_bytes + random() % 3;
    }
  }

  static RunList any_runs(int64_t elements, std::mt19937& random) {
    const unsigned most = random() % 4 == 0 ? 40 : 4;
    std::vector<Segment> rows;
    for (int64_t at = random() % 5; at < elements;) {
      const int64_t length = std::min<int64_t>(1 + random() % most, elements - at);
      rows.push_back({at, at * 3, 1, length, 1, 3});
      at += length + random() % 3;
    }
    return RunList::from_sorted(rows);
  }
};

// Unit by unit, the parts of a unit in their order. The units of two I/O ranks can take turns.
std::vector<Piece> unit_pieces(const std::vector<Part>& parts, bool in_turns, UnitImages& images) {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < parts.size(); ++i) {
    const ByteRange hull = parts[i].hull();
    for (uint64_t begin = hull.begin / k_image_bytes * k_image_bytes; begin < hull.end;
         begin += k_image_bytes) {
      auto& image = images.try_emplace(begin, k_image_bytes, std::byte{0xee}).first->second;
      pieces.push_back({i, parts[i].frame(begin, {begin, begin + k_image_bytes}), image.data()});
    }
  }
  const uint64_t half = pieces.empty() ? 0 : pieces.back().frame.unit_begin / (2 * k_image_bytes);
  std::ranges::stable_sort(pieces, {}, [&](const Piece& piece) {
    const uint64_t number = piece.frame.unit_begin / k_image_bytes;
    return in_turns ? std::pair(number % (half + 1), number) : std::pair(number, number);
  });
  return pieces;
}

void copy_one(const std::vector<Part>& parts, const Piece& piece) {
  const Part& part = parts[piece.part];
  copy_in(piece.frame, *part.runs, *part.conversion, part.from, piece.image);
}

RC_GTEST_PROP(SharedRows, CopyWhatPiecesWould, ()) {
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  const Variables all(random);
  UnitImages together, one_by_one;
  const bool in_turns = random() % 2 == 0;
  const std::vector<Piece> pieces = unit_pieces(all.parts, in_turns, together);
  for (size_t i = 0, n = 0; i < pieces.size(); i += n) {
    const auto left = std::span(pieces).subspan(i);
    n = sharing_rows(all.parts, left);
    RC_ASSERT(n >= 1u && n <= left.size());
    if (n > 1) {
      copy_in_together(all.parts, left.first(n));
    } else {
      copy_one(all.parts, left.front());
    }
  }
  for (const Piece& piece : unit_pieces(all.parts, in_turns, one_by_one)) copy_one(all.parts, piece);
  RC_ASSERT(together == one_by_one);
}

RC_GTEST_PROP(SharedRows, CopyBackWhatPiecesWould, ()) {
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  Variables all(random, true);
  const bool in_turns = random() % 2 == 0;
  UnitImages images;
  std::vector<Piece> pieces = unit_pieces(all.parts, in_turns, images);
  for (auto& [begin, image] : images) {
    for (std::byte& byte : image) byte = static_cast<std::byte>(random() % 64);
  }
  // Each variable has memory of its own, as the order of pieces is not kept.
  const auto read = [&](bool together) {
    std::vector<std::vector<std::byte>> memory(all.parts.size(), std::vector<std::byte>(3 * 8 * 600));
    std::vector<CopyOut> outs;
    for (size_t i = 0; i < memory.size(); ++i) {
      all.parts[i].to = memory[i].data();
      outs.emplace_back(*all.parts[i].conversion, memory[i].data(), false);
    }
    const auto runs_of = [&](const Piece& piece) -> const RunList& { return *all.parts[piece.part].runs; };
    for (size_t i = 0, n = 0; i < pieces.size(); i += n) {
      const auto some = std::span(pieces).subspan(i);
      n = together ? sharing_rows(all.parts, some) : 1;
      if (n > 1) copy_out_together(all.parts, some.first(n));
      for (const Piece& piece : some.first(n)) {
        CopyOut& out = outs[piece.part];
        n > 1 ? out.take_ends(piece.frame, runs_of(piece), piece.image)
              : out.take(piece.frame, runs_of(piece), piece.image);
      }
    }
    return memory;
  };
  RC_ASSERT(read(true) == read(false));
}

// Four variables of 100 bytes each, of which a rank has 10 elements.
struct Four {
  RunList runs =
      RunList::from_sorted({{0, 0, 1, 5, 5, 1}, {25, 5, 1}, {27, 6, 1}, {30, 7, 1}, {33, 8, 1, 2, 1, 9}});
  codec::Conversion swapped = conversion(model::native(Kind::float32), big(Kind::float32));
  std::vector<std::byte> memory = std::vector<std::byte>(256);
  std::vector<Part> parts;
  std::vector<std::byte> image = std::vector<std::byte>(k_image_bytes);
  std::vector<Piece> pieces;

  Four() {
    for (size_t i = 0; i < 4; ++i) {
      Part part{.begin = 200 * i, .element_bytes = 4};
      part.runs = &runs;
      part.conversion = &swapped;
      part.from = memory.data();
      parts.push_back(part);
      pieces.push_back({i, part.frame(0, {0, k_image_bytes}), image.data()});
    }
  }
};

TEST(SharedRows, VariablesOfOneDecomposition) {
  const Four four;
  EXPECT_EQ(sharing_rows(four.parts, four.pieces), 4u);
  EXPECT_EQ(sharing_rows(four.parts, std::span(four.pieces).first(1)), 1u);
}

TEST(SharedRows, NotThoseThatOverlap) {
  Four four;
  four.parts[2].begin = four.parts[1].begin + 40;
  EXPECT_EQ(sharing_rows(four.parts, four.pieces), 2u) << "the later part must win";
}

TEST(SharedRows, PartsThatAreCut) {
  Four four;
  const Piece& last = four.pieces.emplace_back(four.pieces.back());
  four.pieces[3].frame.range.end = last.frame.variable_begin + 50;
  four.pieces[4].frame.range.begin = last.frame.variable_begin + 50;
  EXPECT_EQ(sharing_rows(four.parts, four.pieces), 5u);
  EXPECT_EQ(sharing_rows(four.parts, std::span(four.pieces).subspan(3)), 1u) << "no other part";
}

TEST(SharedRows, AtMostAsManyAsAreWorthIt) {
  Four four;
  std::vector<Part> parts;
  std::vector<Piece> pieces;
  for (size_t i = 0; i < 30; ++i) {
    parts.push_back(four.parts.front());
    parts.back().begin = 200 * i;
    for (int half = 0; half < 2; ++half) pieces.push_back({i, parts.back().frame(0, {}), four.image.data()});
  }
  EXPECT_EQ(sharing_rows(parts, pieces), k_pieces_together);
  EXPECT_TRUE(share_rows(parts));
  EXPECT_FALSE(share_rows(std::span(parts).first(1)));
}

TEST(SharedRows, NotThoseOfOtherRunsOrConversions) {
  Four four;
  const RunList long_row = RunList::from_sorted({{0, 0, 20}});
  const auto clipped = conversion(model::native(Kind::int64), model::native(Kind::int32));
  four.parts[3].conversion = &clipped;
  EXPECT_EQ(sharing_rows(four.parts, four.pieces), 3u);
  four.parts[1].runs = &long_row;
  EXPECT_EQ(sharing_rows(four.parts, four.pieces), 1u);
  EXPECT_FALSE(share_rows(four.parts)) << "none follows one with the same runs";
  for (Part& part : four.parts) part.runs = &long_row;
  EXPECT_EQ(sharing_rows(four.parts, four.pieces), 1u) << "elements that follow each other";
  EXPECT_FALSE(share_rows(four.parts));
}

}  // namespace
}  // namespace scorpio::exchange
