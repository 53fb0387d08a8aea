// The buffers between the filters of a pipeline. Each thread keeps its own from one chunk to the next,
// because memory that is new for every chunk is cleared by the system first. Local.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace scorpio::codec {

class Workspace {
 public:
  static constexpr size_t k_buffers = 2;
  // Longer buffers are released.
  static constexpr size_t k_most_kept_bytes = size_t{8} << 20;

  static Workspace& of_this_thread() {
    thread_local Workspace workspace;
    return workspace;
  }

  // `bytes` bytes of any value, until the next call with this number, or trim().
  std::span<std::byte> buffer(size_t number, size_t bytes) {
    Buffer& buffer = buffers_[number];
    if (buffer.size < bytes) {
      buffer = {};
      buffer = {std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
    }
    return std::span(buffer.memory.get(), bytes);
  }
  void trim() {
    for (Buffer& buffer : buffers_) {
      if (buffer.size > k_most_kept_bytes) buffer = {};
    }
  }

 private:
  struct Buffer {
    std::unique_ptr<std::byte[]> memory{};
    size_t size = 0;
  };
  std::array<Buffer, k_buffers> buffers_;
};

}  // namespace scorpio::codec
