// Shuffle, deflate and zstd by the libraries that SCORPIO is built with, without SCORPIO. Local; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/chunked.h"

namespace bench {

class Codecs {
 public:
  // Throws std::invalid_argument for any other filter, and for one that was not found at configure time.
  Codecs(const std::vector<ChunkFilter>& filters, int keep_bits);
  ~Codecs();
  Codecs(const Codecs&) = delete;
  Codecs& operator=(const Codecs&) = delete;

  // Elements are float32; `image` is rounded in place. The returned bytes are valid until the next call.
  std::span<std::byte> encode(std::span<std::byte> image);
  // Throws std::runtime_error if `bytes` do not decode to an image of this size.
  void decode(std::span<std::byte> bytes, std::span<std::byte> image);

 private:
  struct Libraries;

  std::vector<ChunkFilter> filters_;
  int keep_bits_;
  std::vector<std::byte> encoded_;
  std::vector<std::byte> between_;
  std::unique_ptr<Libraries> libraries_;
};

}  // namespace bench
