// The filters of chunks, one by one, numbered and stored as HDF5 registers them. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace scorpio::codec {

inline constexpr int k_deflate = 1;
inline constexpr int k_shuffle = 2;
inline constexpr int k_fletcher32 = 3;
inline constexpr int k_blosc = 32001;
inline constexpr int k_zstd = 32015;

struct Filter {
  int number = 0;
  int parameter = 0;  // deflate: the level

  friend bool operator==(const Filter&, const Filter&) = default;
};

// What a filter needs to know of its use.
struct FilterUse {
  int parameter = 0;
  uint32_t element_bytes = 1;
};

// What a filter does to bytes.
struct FilterCode {
  int number;
  const char* name;
  int least_parameter;
  int most_parameter;
  // The result has no bytes where it would not be smaller: the filter is to be left out then.
  Result<std::vector<std::byte>> (*encode)(std::span<const std::byte> from, const FilterUse& use);
  // How many bytes were made in `to`; Code::format where they do not fit, or `from` is no result of the
  // filter.
  Result<size_t> (*decode)(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse& use);
  // The most bytes that any writer makes of so many.
  size_t (*most_bytes)(size_t bytes);
  // What a file keeps for its readers; `bytes`: of a chunk.
  std::vector<unsigned> (*client_values)(const FilterUse& use, size_t bytes);
};

// Null where it is not built in.
const FilterCode* find_filter(int number);
// "1 (deflate), 2 (shuffle)": those that are built in.
std::string names_of_filters();

// The checksum of HDF5's filter fletcher32.
uint32_t fletcher32(std::span<const std::byte> bytes);

}  // namespace scorpio::codec
