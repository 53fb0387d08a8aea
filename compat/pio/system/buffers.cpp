#include "pio/system/buffers.h"

#include <algorithm>
#include <utility>

namespace scorpio_pio {

namespace {

// The C library keeps small pieces of memory itself.
constexpr size_t k_smallest_kept = 4096;

// A buffer that is much larger than needed would take more memory than its write is counted with.
bool fits(const Buffer& buffer, size_t bytes) {
  return buffer.capacity >= bytes && buffer.capacity - bytes <= bytes / 8;
}

}  // namespace

Buffer Buffers::take(size_t bytes, int64_t most_bytes) {
  bytes = std::max<size_t>(bytes, 1);
  const auto at = std::find_if(kept_.rbegin(), kept_.rend(),
                               [bytes](const Buffer& buffer) { return fits(buffer, bytes); });
  if (at == kept_.rend()) {
    keep_at_most(most_bytes - static_cast<int64_t>(bytes));
    return {std::unique_ptr<std::byte[]>(new std::byte[bytes]), bytes};
  }
  Buffer found = std::move(*at);
  kept_.erase(std::next(at).base());
  kept_bytes_ -= static_cast<int64_t>(found.capacity);
  return found;
}

void Buffers::give_back(Buffer buffer, int64_t most_bytes) {
  const auto bytes = static_cast<int64_t>(buffer.capacity);
  if (buffer.capacity < k_smallest_kept || kept_bytes_ + bytes > most_bytes) return;
  kept_bytes_ += bytes;
  kept_.push_back(std::move(buffer));
}

void Buffers::keep_at_most(int64_t bytes) {
  auto end = kept_.begin();
  for (; end != kept_.end() && kept_bytes_ > bytes; ++end) kept_bytes_ -= static_cast<int64_t>(end->capacity);
  kept_.erase(kept_.begin(), end);
}

}  // namespace scorpio_pio
