// Memory for the data of buffered writes. Released memory is kept for the next writes, because models write
// arrays of the same sizes repeatedly, and allocating memory takes longer than the copy. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace scorpio_pio {

struct Buffer {
  std::unique_ptr<std::byte[]> bytes;
  size_t capacity = 0;

  std::byte* get() const { return bytes.get(); }
};

class Buffers {
 public:
  // Returns a buffer of at least `bytes` bytes, and of at least one. Where it is a new one, others are freed
  // until those that are kept and this one have at most `most_bytes` together.
  Buffer take(size_t bytes, int64_t most_bytes);
  // Keeps it unless more than `most_bytes` would be kept.
  void give_back(Buffer buffer, int64_t most_bytes);
  // Frees those that were released first.
  void keep_at_most(int64_t bytes);

 private:
  std::vector<Buffer> kept_;  // the buffer that was released last is at the end
  int64_t kept_bytes_ = 0;
};

}  // namespace scorpio_pio
