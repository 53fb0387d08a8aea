#include "pio/file/failure_agreement.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <span>

#include "common/limited_waits.h"

namespace scorpio_pio {

namespace {

// Whether a put of the I/O root had values out of range, and that of this rank had not.
bool lacks_one_of_root(const IoSystem& system, const LocalFailures& mine) {
  const std::vector<int64_t>& own = mine.out_of_range();
  auto left = static_cast<int64_t>(own.size());
  scorpio_compat::broadcast(&left, 1, MPI_INT64_T, system.root(), system.comm());
  bool lacks = false;
  std::array<int64_t, 256> piece{};
  for (int64_t at = 0; left > 0;) {
    const auto n = std::min<int64_t>(left, piece.size());
    if (system.rank() == system.root()) std::copy_n(own.begin() + at, n, piece.begin());
    scorpio_compat::broadcast(piece.data(), static_cast<int>(n), MPI_INT64_T, system.root(), system.comm());
    for (const int64_t put : std::span(piece).first(static_cast<size_t>(n)))
      lacks = lacks || !std::ranges::binary_search(own, put);
    at += n;
    left -= n;
  }
  return lacks;
}

}  // namespace

int agree_on_failures(const IoSystem& system, const LocalFailures& mine) {
  const bool lacks = lacks_one_of_root(system, mine);
  return system.agree(mine.fail_with_worst(lacks));
}

}  // namespace scorpio_pio
