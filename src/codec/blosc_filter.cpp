// Blosc, if its library was found. Its parameter is level + 10 * shuffle + 100 * compressor, with the numbers
// of HDF5's filter.
#include "codec/library_filters.h"

#ifdef SCORPIO_HAVE_BLOSC

#include <blosc.h>

#include <algorithm>

namespace scorpio::codec {

namespace {

// The revision that the present version of HDF5's filter records.
constexpr unsigned k_filter_revision = 2;
constexpr int k_one_thread = 1;

int level_of(int parameter) { return parameter % 10; }
int shuffle_of(int parameter) { return parameter / 10 % 10; }
int compressor_of(int parameter) { return parameter / 100; }

uint32_t type_size(const FilterUse& use) {
  return use.element_bytes > BLOSC_MAX_TYPESIZE ? 1 : use.element_bytes;
}

// Is not applied if the input is too large for Blosc.
Result<size_t> blosc_encode(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse& use) {
  const char* name = nullptr;
  if (blosc_compcode_to_compname(compressor_of(use.parameter), &name) < 0) {
    return failure(Code::unsupported, "blosc has no compressor {} here", compressor_of(use.parameter));
  }
  if (from.size() > BLOSC_MAX_BUFFERSIZE) return size_t{0};
  const int size = blosc_compress_ctx(level_of(use.parameter), shuffle_of(use.parameter), type_size(use),
                                      from.size(), from.data(), to.data(), to.size(), name, 0, k_one_thread);
  if (size <= 0) return failure(Code::memory, "blosc fails with code {}", size);
  return static_cast<size_t>(size);
}

Result<size_t> blosc_decode(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse&) {
  size_t size = 0;
  if (blosc_cbuffer_validate(from.data(), from.size(), &size) < 0 || size > to.size()) {
    return failure(Code::format, "it is not the blosc encoding of {} bytes", to.size());
  }
  const int made = blosc_decompress_ctx(from.data(), to.data(), to.size(), k_one_thread);
  if (made < 0 || static_cast<size_t>(made) != size) {
    return failure(Code::format, "blosc cannot decode it (code {})", made);
  }
  return size;
}

size_t most_of_blosc(size_t bytes, const FilterUse&) { return bytes + BLOSC_MAX_OVERHEAD; }

std::vector<unsigned> blosc_values(const FilterUse& use, size_t bytes) {
  return {k_filter_revision,
          BLOSC_VERSION_FORMAT,
          type_size(use),
          static_cast<unsigned>(bytes),
          static_cast<unsigned>(level_of(use.parameter)),
          static_cast<unsigned>(shuffle_of(use.parameter)),
          static_cast<unsigned>(compressor_of(use.parameter))};
}

}  // namespace

const FilterCode* blosc_filter() {
  static constexpr FilterCode k_code{k_blosc,       "blosc",      0,
                                     599,           blosc_encode, blosc_decode,
                                     most_of_blosc, blosc_values, "blosc " BLOSC_VERSION_STRING};
  return &k_code;
}

Status check_blosc(int parameter) {
  const char* name = nullptr;
  const bool good = parameter >= 0 && shuffle_of(parameter) <= BLOSC_BITSHUFFLE &&
                    blosc_compcode_to_compname(compressor_of(parameter), &name) >= 0;
  if (good) return {};
  return failure(
      Code::argument,
      "{} is not a parameter of blosc here; it is level (0 to 9) + 10 * shuffle (0 none, 1 bytes, 2 bits) "
      "+ 100 * compressor (0 blosclz, 1 lz4, 2 lz4hc, 4 zlib, 5 zstd)",
      parameter);
}

}  // namespace scorpio::codec

#else

namespace scorpio::codec {

const FilterCode* blosc_filter() { return nullptr; }

Status check_blosc(int) { return {}; }

}  // namespace scorpio::codec

#endif
