// Pieces of parts with the same runs, as several variables of one decomposition have them: to find a short
// row takes longer than to move it, so each row is found once for all of them. Local and pure.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "exchange/copies/flow.h"
#include "exchange/copies/tiles.h"

namespace scorpio::exchange {

// The largest number of pieces, of one unit or of several, that are copied together.
inline constexpr size_t k_pieces_together = 16;

// Whether some parts that follow each other have the same runs of few elements, and are converted alike, by
// their byte order at most.
bool share_rows(std::span<const Part> parts);

// The number of pieces, from the first one on, that can be copied together: those of parts that
// share rows and have no bytes of the file in common. At least 1.
size_t sharing_rows(std::span<const Part> parts, std::span<const Piece> pieces);

// Copies the elements of that many pieces, 2 or more, to their images.
void copy_in_together(std::span<const Part> parts, std::span<const Piece> pieces);
// Copies them to the user's memory, but for those that are only partly inside the range of their piece.
void copy_out_together(std::span<const Part> parts, std::span<const Piece> pieces);

// Moves pieces in order, because the later of overlapping pieces is put: those that share rows by
// `move_together`, others by `move`; with `interleaved`, where no pieces overlap, all of them by
// for_each_tile().
using MoveTogether = std::function<void(std::span<const Piece>)>;
void move_pieces(std::span<const Part> parts, std::span<const Piece> pieces, bool interleaved,
                 const MoveTile& move, const MoveTogether& move_together);

}  // namespace scorpio::exchange
