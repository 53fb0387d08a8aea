// Pieces of parts with the same runs, as several variables of one decomposition have them: to find a short
// row takes longer than to move it, so each row is found once for all of them. Local and pure.
#pragma once

#include <cstddef>
#include <span>

#include "exchange/flow.h"
#include "exchange/tiles.h"

namespace scorpio::exchange {

// The number of pieces of a put, from the first one on, that can be copied together: those of parts with the
// same runs of few elements, which ascend in the file without common bytes, lie in their units wholly, and
// are converted alike, by their byte order at most. At least 1.
size_t alike(std::span<const Part> parts, std::span<const Piece> pieces);

// Copies the elements of that many pieces, 2 or more, to their images.
void copy_in_alike(std::span<const Part> parts, std::span<const Piece> pieces);

}  // namespace scorpio::exchange
