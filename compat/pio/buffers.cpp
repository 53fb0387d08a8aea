#include "buffers.h"

#include <algorithm>
#include <utility>

namespace scorpio_pio {

// A kept buffer is used if it is at most twice as large as needed.
Buffer Buffers::take(size_t bytes) {
  bytes = std::max<size_t>(bytes, 1);
  const auto at = std::find_if(kept_.rbegin(), kept_.rend(), [bytes](const Buffer& buffer) {
    return buffer.capacity >= bytes && buffer.capacity / 2 <= bytes;
  });
  if (at == kept_.rend()) return {std::unique_ptr<std::byte[]>(new std::byte[bytes]), bytes};
  Buffer found = std::move(*at);
  kept_.erase(std::next(at).base());
  kept_bytes_ -= static_cast<int64_t>(found.capacity);
  return found;
}

void Buffers::give_back(Buffer buffer, int64_t most_bytes) {
  const auto bytes = static_cast<int64_t>(buffer.capacity);
  if (buffer.bytes == nullptr || kept_bytes_ + bytes > most_bytes) return;
  kept_bytes_ += bytes;
  kept_.push_back(std::move(buffer));
}

}  // namespace scorpio_pio
