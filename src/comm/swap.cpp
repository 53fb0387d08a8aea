// Two ranks exchange lists whose lengths the other rank does not know.
#include <algorithm>
#include <array>
#include <new>

#include "base/guarded.h"
#include "comm/communicator.h"

namespace scorpio::comm {

namespace {

// Not that of the questions which ranks ask while they wait (exchange/link/stall_watch.h). Messages of one
// pair of ranks do not overtake each other, so all lists can have the same tag.
constexpr int k_swap_tag = 1;
// The first message has the length and so many values; short lists need no other one.
constexpr size_t k_swap_first = 511;
constexpr size_t k_piece_values = size_t{1} << 20;

std::span<const int64_t> piece_of(std::span<const int64_t> list, size_t at) {
  return list.subspan(std::min(at, list.size()),
                      std::min(k_piece_values, list.size() - std::min(at, list.size())));
}

}  // namespace

// Either may be empty: then it is not sent, and the partner does not receive it.
Status Communicator::swap_bytes(std::span<const std::byte> own, std::span<std::byte> theirs,
                                int partner) const {
  MPI_Request sent = MPI_REQUEST_NULL, received = MPI_REQUEST_NULL;
  int receiving = MPI_SUCCESS, sending = MPI_SUCCESS;
  if (!theirs.empty()) {
    receiving = MPI_Irecv(theirs.data(), static_cast<int>(theirs.size()), MPI_BYTE, partner, k_swap_tag,
                          comm_, &received);
  }
  if (!own.empty())
    sending =
        MPI_Isend(own.data(), static_cast<int>(own.size()), MPI_BYTE, partner, k_swap_tag, comm_, &sent);
  const Status status = finish(receiving, &received, "MPI_Irecv");
  return first_failure(finish(sending, &sent, "MPI_Isend"), status);
}

// If there is no memory for the list of the partner, it is received in pieces and dropped, because the
// partner waits until it is.
Result<std::vector<int64_t>> Communicator::swap(std::span<const int64_t> own, int partner) const {
  SCORPIO_TRY(parted());
  if (partner == rank_) return std::vector<int64_t>();
  std::array<int64_t, 1 + k_swap_first> first{static_cast<int64_t>(own.size())}, theirs{};
  const size_t sent = std::min(own.size(), k_swap_first);
  std::copy_n(own.begin(), sent, first.begin() + 1);
  SCORPIO_TRY(swap_bytes(std::as_bytes(std::span(first).first(1 + sent)),
                         std::as_writable_bytes(std::span(theirs)), partner));
  const auto length = static_cast<size_t>(theirs.front());
  std::vector<int64_t> list;
  Status status = guarded([&] {
    list.resize(length);
    std::copy_n(theirs.begin() + 1, std::min(length, k_swap_first), list.begin());
    return Status();
  });
  const bool keeps = status.ok();
  for (size_t at = k_swap_first; at < std::max(own.size(), length); at += k_piece_values) {
    const size_t arriving = at < length ? std::min(k_piece_values, length - at) : 0;
    const std::span<int64_t> room = keeps
                                        ? std::span(list).subspan(std::min(at, length), arriving)
                                        : std::span<int64_t>(theirs).first(std::min(arriving, theirs.size()));
    // A piece that is dropped is longer than the room for it, which MPI reports.
    const Status swapped =
        swap_bytes(std::as_bytes(piece_of(own, at)), std::as_writable_bytes(room), partner);
    if (keeps) status = first_failure(status, swapped);
  }
  if (!status.ok()) return status;
  return list;
}

}  // namespace scorpio::comm
