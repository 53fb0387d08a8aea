#include "exchange/message.h"

namespace scorpio::exchange {

namespace {

constexpr size_t k_run_bytes = 2 * sizeof(uint32_t);

size_t pack_bitmap(const Bitmap& bitmap, uint64_t bitmap_bytes, std::byte* out) {
  std::memcpy(out, &k_as_bitmap, sizeof k_as_bitmap);
  std::memcpy(out + sizeof k_as_bitmap, bitmap.words(), bitmap_bytes);
  return sizeof k_as_bitmap + bitmap_bytes;
}

}  // namespace

size_t pack_runs(const Bitmap& bitmap, uint64_t bitmap_bytes, std::byte* out) {
  uint64_t count = 0;
  const uint64_t most = bitmap_bytes / k_run_bytes;  // beyond, the bitmap itself is shorter
  std::byte* list = out + sizeof count;
  bitmap.for_each([&](uint64_t begin, uint64_t end) {
    if (count < most) {
      const uint32_t run[2] = {static_cast<uint32_t>(begin), static_cast<uint32_t>(end - begin)};
      std::memcpy(list + count * k_run_bytes, run, sizeof run);
    }
    ++count;
  });
  if (count > most) return pack_bitmap(bitmap, bitmap_bytes, out);
  std::memcpy(out, &count, sizeof count);
  return sizeof count + count * k_run_bytes;
}

size_t append_bytes(std::byte* message, size_t head_bytes, uint64_t bitmap_bytes, const std::byte* image) {
  size_t at = head_bytes;
  for_each_run(message, bitmap_bytes, [&](uint64_t begin, uint64_t end) {
    std::memcpy(message + at, image + begin, end - begin);
    at += end - begin;
  });
  return at;
}

Result<size_t> head_length(std::span<const std::byte> message, uint64_t bitmap_bytes) {
  uint64_t count = 0;
  if (message.size() >= sizeof count) {
    std::memcpy(&count, message.data(), sizeof count);
    const bool runs =
        count <= bitmap_bytes / k_run_bytes;  // more are never sent; the product cannot overflow
    const uint64_t list = runs ? count * k_run_bytes : bitmap_bytes;
    if ((runs || count == k_as_bitmap) && list <= message.size() - sizeof count) return sizeof count + list;
  }
  return failure(Code::internal, "a staging message of {} bytes is cut short", message.size());
}

}  // namespace scorpio::exchange
