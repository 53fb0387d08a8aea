// Pieces of parts with the same runs, as several variables of one decomposition have them: to find a short
// row takes longer than to move it, so each row is found once for all of them. Local and pure.
#pragma once

#include <cstddef>
#include <span>

#include "exchange/flow.h"
#include "exchange/tiles.h"

namespace scorpio::exchange {

// As many pieces, of several units, are worth to be copied together.
inline constexpr size_t k_pieces_together = 16;

// Whether some parts that follow each other have the same runs of few elements, and are converted alike, by
// their byte order at most.
bool share_rows(std::span<const Part> parts);

// The number of pieces of a put, from the first one on, that can be copied together: those of parts that
// share rows and have no bytes of the file in common. At least 1.
size_t alike(std::span<const Part> parts, std::span<const Piece> pieces);

// Copies the elements of that many pieces, 2 or more, to their images.
void copy_in_alike(std::span<const Part> parts, std::span<const Piece> pieces);

}  // namespace scorpio::exchange
