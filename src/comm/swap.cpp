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

template <typename Value>
std::span<Value> piece_of(std::span<Value> list, size_t at) {
  const size_t begin = std::min(at, list.size());
  return list.subspan(begin, std::min(k_piece_values, list.size() - begin));
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

// Long lists follow the first message in pieces, if there is memory for them where they go.
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
  const Status has_room = guarded([&] {
    list.resize(length);
    std::copy_n(theirs.begin() + 1, std::min(length, k_swap_first), list.begin());
    return Status();
  });
  const size_t longest = std::max(own.size(), length);
  if (longest <= k_swap_first) return has_room.ok() ? Result(std::move(list)) : has_room;
  SCORPIO_ASSIGN(const bool partner_has_room, tell_room(has_room.ok(), partner));
  for (size_t at = k_swap_first; at < longest; at += k_piece_values) {
    const auto leaving = partner_has_room ? piece_of(own, at) : std::span<const int64_t>();
    const auto arriving = piece_of(std::span(list), at);  // empty without room
    SCORPIO_TRY(swap_bytes(std::as_bytes(leaving), std::as_writable_bytes(arriving), partner));
  }
  return has_room.ok() ? Result(std::move(list)) : has_room;
}

// Whether each has memory for the list of the other: a message that is longer than the room for it may end
// the process (Open MPI).
Result<bool> Communicator::tell_room(bool has_room, int partner) const {
  const int64_t mine = has_room ? 1 : 0;
  int64_t theirs = 0;
  SCORPIO_TRY(
      swap_bytes(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(&theirs, 1)), partner));
  return theirs != 0;
}

}  // namespace scorpio::comm
