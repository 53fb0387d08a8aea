// The filters that are applied to a chunk when it is written, and undone when it is read. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "codec/filters.h"

namespace scorpio::codec {

class Pipeline {
 public:
  Pipeline() = default;
  // Code::unsupported for a filter that is not built in, Code::argument for an invalid parameter.
  static Result<Pipeline> make(std::vector<Filter> filters, uint32_t element_bytes);

  bool empty() const { return filters_.empty(); }
  // Whether the stored bytes are the image itself if these filters were not applied.
  bool skips_all(uint32_t skipped) const {
    return (~uint64_t{skipped} & ((uint64_t{1} << filters_.size()) - 1)) == 0;
  }
  const std::vector<Filter>& filters() const { return filters_; }
  uint32_t element_bytes() const { return element_bytes_; }

  // Bit i of `skipped`: filter i was not applied, because it could not be (filters.h).
  struct Encoded {
    std::vector<std::byte> bytes;
    uint32_t skipped = 0;
    Loss loss{};  // by the filters that were applied
  };
  Result<Encoded> encode(std::span<const std::byte> image, const Exactness& exact = {}) const;
  // The same. The memory of a long image (is_long()) is given back after the first filter, and that of each
  // result after the next one: beside the image, this takes as much memory again and not three times as much.
  Result<Encoded> encode_and_release(std::vector<std::byte> image, const Exactness& exact = {}) const;
  // Longer than the buffers that a thread keeps for its next chunk.
  static bool is_long(uint64_t image_bytes);
  // Whether a filter may change elements.
  bool is_lossy() const { return lossy_ != 0; }
  // Whether a filter that may change elements is among those that were not applied.
  bool skips_lossy(uint32_t skipped) const { return (skipped & lossy_) != 0; }
  // Code::format if the bytes do not decode to `image.size()` bytes.
  Status decode(std::span<const std::byte> bytes, uint32_t skipped, std::span<std::byte> image) const;
  // The same if the encoded bytes are the first ones of the image, `stored` of them. They are copied only if
  // one filter alone was applied. After a failure the image may have any value.
  Status decode_in_place(uint64_t stored, uint32_t skipped, std::span<std::byte> image) const;
  // The largest number of bytes that any writer makes of this number, if all filters are applied.
  uint64_t most_bytes(uint64_t image_bytes) const;

  friend bool operator==(const Pipeline&, const Pipeline&) = default;

 private:
  Pipeline(std::vector<Filter> filters, uint32_t element_bytes);

  template <typename Room>
  Result<std::span<const std::byte>> apply(size_t filter, std::span<const std::byte> from,
                                           const Exactness& exact, Room&& room, Encoded& out) const;
  FilterUse use_of(size_t filter, const Exactness& exact = {}) const {
    return {filters_[filter].parameter, element_bytes_, filters_[filter].values, exact};
  }

  std::vector<Filter> filters_;
  uint32_t element_bytes_ = 1;
  uint32_t lossy_ = 0;  // bit i: filter i may change elements
};

}  // namespace scorpio::codec
