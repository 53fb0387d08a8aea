// Deflate, by libdeflate if it was found, which takes half the time of zlib; otherwise by zlib.
#include <zlib.h>

#include <algorithm>
#include <memory>

#include "codec/freed.h"
#include "codec/library_filters.h"

#ifdef SCORPIO_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

namespace scorpio::codec {

namespace {

#ifdef SCORPIO_HAVE_LIBDEFLATE

constexpr const char* k_library = "libdeflate " LIBDEFLATE_VERSION_STRING;

using Inflater = std::unique_ptr<libdeflate_decompressor, Freed<libdeflate_free_decompressor>>;

// Each thread keeps its compressor, which has several hundred KiB, for the next chunk.
struct Deflater {
  int level = -1;
  std::unique_ptr<libdeflate_compressor, Freed<libdeflate_free_compressor>> library;
};

libdeflate_compressor* deflater_of(int level) {
  thread_local Deflater last;
  if (last.library == nullptr || last.level != level) {
    last.library.reset();
    last.library.reset(libdeflate_alloc_compressor(level));
    last.level = level;
  }
  return last.library.get();
}

Result<size_t> deflate(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse& use) {
  libdeflate_compressor* const compressor = deflater_of(use.parameter);
  if (compressor == nullptr) return failure(Code::memory, "there is no memory for deflate");
  const size_t size = libdeflate_zlib_compress(compressor, from.data(), from.size(), to.data(), to.size());
  if (size == 0) return failure(Code::internal, "deflate makes more than {} bytes", to.size());
  return size;
}

Result<size_t> inflate(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse&) {
  const Inflater decompressor(libdeflate_alloc_decompressor());
  if (decompressor == nullptr) return failure(Code::memory, "there is no memory for inflate");
  size_t made = 0;
  const libdeflate_result result =
      libdeflate_zlib_decompress(decompressor.get(), from.data(), from.size(), to.data(), to.size(), &made);
  if (result == LIBDEFLATE_SUCCESS) return made;
  return failure(Code::format, "it cannot be inflated (code {} of libdeflate)", static_cast<int>(result));
}

#else

constexpr const char* k_library = "zlib " ZLIB_VERSION;

const Bytef* in_zlib(const std::byte* bytes) { return reinterpret_cast<const Bytef*>(bytes); }
Bytef* in_zlib(std::byte* bytes) { return reinterpret_cast<Bytef*>(bytes); }

Result<size_t> deflate(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse& use) {
  uLongf size = to.size();
  const int code = compress2(in_zlib(to.data()), &size, in_zlib(from.data()), from.size(), use.parameter);
  if (code != Z_OK) return failure(Code::memory, "deflate fails with code {} of zlib", code);
  return size;
}

Result<size_t> inflate(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse&) {
  uLongf size = to.size();
  const int code = uncompress(in_zlib(to.data()), &size, in_zlib(from.data()), from.size());
  if (code != Z_OK) return failure(Code::format, "it cannot be inflated (code {} of zlib)", code);
  return size;
}

#endif

#ifdef SCORPIO_HAVE_LIBDEFLATE
size_t most_of_library(size_t bytes) { return libdeflate_zlib_compress_bound(nullptr, bytes); }
#else
size_t most_of_library(size_t bytes) { return compressBound(bytes); }
#endif

// At least the limit that HDF5 sets for its own filter.
size_t most_of_deflate(size_t bytes, const FilterUse&) {
  return std::max({size_t{compressBound(bytes)}, most_of_library(bytes), bytes + bytes / 500 + 16});
}

std::vector<unsigned> deflate_values(const FilterUse& use, size_t) {
  return {static_cast<unsigned>(use.parameter)};
}

}  // namespace

const FilterCode* deflate_filter() {
  static constexpr FilterCode k_code{k_deflate,       "deflate",      0,        9, deflate, inflate,
                                     most_of_deflate, deflate_values, k_library};
  return &k_code;
}

}  // namespace scorpio::codec
