// A filter of chunks: its number and stored form, which are registered with HDF5, and its functions. Local;
// pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "codec/loss.h"

namespace scorpio::codec {

inline constexpr int k_deflate = 1;
inline constexpr int k_shuffle = 2;
inline constexpr int k_fletcher32 = 3;
inline constexpr int k_blosc = 32001;
inline constexpr int k_zfp = 32013;
inline constexpr int k_zstd = 32015;

struct Filter {
  int number = 0;
  int parameter = 0;  // for deflate, the level
  // For zfp, which needs the type and the extents of a chunk: the values that a file stores (zfp.h).
  std::vector<unsigned> values{};

  friend bool operator==(const Filter&, const Filter&) = default;
};

// What a lossy filter must not change.
struct Exactness {
  bool all = false;                     // no element
  std::span<const std::byte> values{};  // elements that equal one of these byte by byte
};

// The properties of the variable that a filter needs.
struct FilterUse {
  int parameter = 0;
  uint32_t element_bytes = 1;
  std::span<const unsigned> values{};
  Exactness exact{};     // when encoding
  Loss* loss = nullptr;  // when encoding: receives what a lossy filter changed
};

// The functions of a filter.
struct FilterCode {
  int number;
  const char* name;
  int least_parameter;
  int most_parameter;
  // Returns the number of bytes in `to`, which has at least most_bytes() of them; 0 if the filter is not
  // applied because it cannot be. Lossless filters are applied also where the result is longer: HDF5 does not
  // change the mark of a chunk when it changes the chunk to one of the same size, and such a chunk would be
  // lost.
  Result<size_t> (*encode)(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse& use);
  // Returns the number of bytes in `to`; Code::format if they do not fit, or if `from` is not a result of the
  // filter.
  Result<size_t> (*decode)(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse& use);
  // The largest number of bytes that any writer makes of this number.
  size_t (*most_bytes)(size_t bytes, const FilterUse& use);
  // The values that a file stores for its readers; `bytes`: the size of a chunk.
  std::vector<unsigned> (*client_values)(const FilterUse& use, size_t bytes);
  const char* library = "";  // the one that it uses, with its version; empty: none
};

}  // namespace scorpio::codec
