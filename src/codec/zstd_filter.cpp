// Zstandard, if its library was found.
#include "codec/optional_filters.h"

#ifdef SCORPIO_HAVE_ZSTD

#include <zstd.h>

namespace scorpio::codec {

namespace {

// Returns no bytes if the result is not smaller.
Result<std::vector<std::byte>> zstd_encode(std::span<const std::byte> from, const FilterUse& use) {
  std::vector<std::byte> out(ZSTD_compressBound(from.size()));
  const size_t size = ZSTD_compress(out.data(), out.size(), from.data(), from.size(), use.parameter);
  if (ZSTD_isError(size) != 0) return failure(Code::memory, "zstd fails: {}", ZSTD_getErrorName(size));
  out.resize(size < from.size() ? size : 0);
  return out;
}

Result<size_t> zstd_decode(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse&) {
  const size_t size = ZSTD_decompress(to.data(), to.size(), from.data(), from.size());
  if (ZSTD_isError(size) != 0) {
    return failure(Code::format, "zstd cannot decode it: {}", ZSTD_getErrorName(size));
  }
  return size;
}

size_t most_of_zstd(size_t bytes, const FilterUse&) { return ZSTD_compressBound(bytes); }

std::vector<unsigned> zstd_values(const FilterUse& use, size_t) {
  return {static_cast<unsigned>(use.parameter)};
}

}  // namespace

const FilterCode* zstd_filter() {
  static constexpr FilterCode k_code{k_zstd,      "zstd",       1,          22, zstd_encode,
                                     zstd_decode, most_of_zstd, zstd_values};
  return &k_code;
}

}  // namespace scorpio::codec

#else

namespace scorpio::codec {

const FilterCode* zstd_filter() { return nullptr; }

}  // namespace scorpio::codec

#endif
