// The order in which one rank copies elements between its memory and the images of several units. The
// components of an array of structures alternate in memory and are far from each other in the file: copied
// one after the other, each of them loads the same cache lines and pages again. Local and pure.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "exchange/copies/copy.h"
#include "exchange/copies/flow.h"

namespace scorpio::exchange {

// The elements of one part in the image of one unit.
struct Piece {
  size_t part = 0;  // index in the parts of the flow
  CopyFrame frame{};
  std::byte* image = nullptr;
};

// Whether some parts alternate in the user's memory, and no two have common bytes of the file, so that they
// can be copied in any order.
bool interleaved(std::span<const Part> parts);

// For interleaved parts: calls move(piece, frame) for all elements of all pieces, each once and in any order;
// `frame` is the frame of the piece with a part of its range. The pieces of one structure take turns, with as
// much memory as fits into a cache.
using MoveTile = std::function<void(const Piece&, const CopyFrame&)>;
void for_each_tile(std::span<const Part> parts, std::vector<Piece> pieces, const MoveTile& move);

}  // namespace scorpio::exchange
