// The filters that a chunk passes when it is written, and the way back. They are numbered as HDF5 registers
// them. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace scorpio::codec {

inline constexpr int k_deflate = 1;
inline constexpr int k_shuffle = 2;

struct Filter {
  int number = 0;
  int parameter = 0;  // deflate: the level

  friend bool operator==(const Filter&, const Filter&) = default;
};

class Pipeline {
 public:
  Pipeline() = default;
  // Code::unsupported for a filter that is not built in, Code::argument for a parameter that it does not
  // take.
  static Result<Pipeline> make(std::vector<Filter> filters, uint32_t element_bytes);

  bool empty() const { return filters_.empty(); }
  const std::vector<Filter>& filters() const { return filters_; }

  // Bit i of `skipped`: filter i was left out, because its result would not be smaller.
  struct Encoded {
    std::vector<std::byte> bytes;
    uint32_t skipped = 0;
  };
  Result<Encoded> encode(std::span<const std::byte> image) const;
  // Code::format where the bytes do not make `image.size()` bytes.
  Status decode(std::span<const std::byte> bytes, uint32_t skipped, std::span<std::byte> image) const;

  friend bool operator==(const Pipeline&, const Pipeline&) = default;

 private:
  Pipeline(std::vector<Filter> filters, uint32_t element_bytes)
      : filters_(std::move(filters)), element_bytes_(element_bytes) {}

  std::vector<Filter> filters_;
  uint32_t element_bytes_ = 1;
};

}  // namespace scorpio::codec
