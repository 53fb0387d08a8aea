// A text of one rank on all ranks, as the reason of a failure; for the compatibility libraries. Collective;
// one thread.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <string>

#include "common/limited_waits.h"

namespace scorpio_compat {

// Makes `text` that of rank `teller`. It goes in pieces for which every rank has memory. Returns whether this
// rank has memory for the whole of it; else `text` is empty.
inline bool take_text_of(int teller, std::string& text, MPI_Comm comm) {
  constexpr int64_t k_piece = 512;
  std::array<char, k_piece> piece{};
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  auto length = static_cast<int64_t>(text.size());
  broadcast(&length, 1, MPI_INT64_T, teller, comm);
  if (rank != teller) text.clear();
  bool fits = true;
  for (int64_t at = 0; at < length; at += k_piece) {
    const auto n = static_cast<size_t>(std::min(k_piece, length - at));
    if (rank == teller) text.copy(piece.data(), n, static_cast<size_t>(at));
    broadcast(piece.data(), static_cast<int>(n), MPI_CHAR, teller, comm);
    if (rank == teller || !fits) continue;
    try {
      text.append(piece.data(), n);
    } catch (const std::bad_alloc&) {
      fits = false;
      text.clear();
    }
  }
  return fits;
}

}  // namespace scorpio_compat
