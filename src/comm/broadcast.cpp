// Broadcasts to ranks that may lack memory for what they receive.
#include <algorithm>
#include <array>

#include "base/guarded.h"
#include "comm/group.h"

namespace scorpio::comm {

namespace {

constexpr size_t k_unread_bytes = size_t{1} << 20;

// Takes the pieces for which a rank has no other memory; it is never read.
std::array<std::byte, k_unread_bytes> unread;

}  // namespace

Status Group::broadcast(std::vector<std::byte>& bytes, int root) const {
  auto length = static_cast<int64_t>(bytes.size());
  SCORPIO_TRY(broadcast(std::span<int64_t>(&length, 1), root));
  return broadcast(bytes, static_cast<uint64_t>(length), root);
}

Status Group::broadcast(std::vector<std::byte>& bytes, uint64_t length, int root) const {
  const Status has_room = guarded([&] {
    bytes.resize(length);
    return Status();
  });
  for (uint64_t at = 0; at < length; at += k_unread_bytes) {
    const size_t n = std::min<uint64_t>(k_unread_bytes, length - at);
    const std::span<std::byte> room = has_room.ok() ? std::span(bytes).subspan(at) : std::span(unread);
    SCORPIO_TRY(broadcast(room.first(n), root));
  }
  return has_room;
}

}  // namespace scorpio::comm
