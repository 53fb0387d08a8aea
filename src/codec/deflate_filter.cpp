// Deflate, by libdeflate if it was found, which takes half the time of zlib; otherwise by zlib.
#include <zlib.h>

#include <algorithm>
#include <memory>

#include "codec/optional_filters.h"

#ifdef SCORPIO_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

namespace scorpio::codec {

namespace {

using Bytes = std::vector<std::byte>;

#ifdef SCORPIO_HAVE_LIBDEFLATE

Result<Bytes> deflate(std::span<const std::byte> from, const FilterUse& use) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(use.parameter), libdeflate_free_compressor);
  if (compressor == nullptr) return failure(Code::memory, "there is no memory for deflate");
  Bytes out(from.size());
  // 0 if the result does not fit into the buffer, and is therefore not smaller.
  const size_t size =
      libdeflate_zlib_compress(compressor.get(), from.data(), from.size(), out.data(), out.size());
  out.resize(size < from.size() ? size : 0);
  return out;
}

Result<size_t> inflate(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse&) {
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (decompressor == nullptr) return failure(Code::memory, "there is no memory for inflate");
  size_t made = 0;
  const libdeflate_result result =
      libdeflate_zlib_decompress(decompressor.get(), from.data(), from.size(), to.data(), to.size(), &made);
  if (result == LIBDEFLATE_SUCCESS) return made;
  return failure(Code::format, "it cannot be inflated (code {} of libdeflate)", static_cast<int>(result));
}

#else

const Bytef* in_zlib(const std::byte* bytes) { return reinterpret_cast<const Bytef*>(bytes); }
Bytef* in_zlib(std::byte* bytes) { return reinterpret_cast<Bytef*>(bytes); }

Result<Bytes> deflate(std::span<const std::byte> from, const FilterUse& use) {
  Bytes out(compressBound(from.size()));
  uLongf size = out.size();
  const int code = compress2(in_zlib(out.data()), &size, in_zlib(from.data()), from.size(), use.parameter);
  if (code != Z_OK) return failure(Code::memory, "deflate fails with code {} of zlib", code);
  out.resize(size < from.size() ? size : 0);
  return out;
}

Result<size_t> inflate(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse&) {
  uLongf size = to.size();
  const int code = uncompress(in_zlib(to.data()), &size, in_zlib(from.data()), from.size());
  if (code != Z_OK) return failure(Code::format, "it cannot be inflated (code {} of zlib)", code);
  return size;
}

#endif

// The limit that HDF5 sets for its own filter.
size_t most_of_deflate(size_t bytes, const FilterUse&) {
  return std::max(compressBound(bytes), bytes + bytes / 500 + 16);
}

std::vector<unsigned> deflate_values(const FilterUse& use, size_t) {
  return {static_cast<unsigned>(use.parameter)};
}

}  // namespace

const FilterCode* deflate_filter() {
  static constexpr FilterCode k_code{k_deflate,       "deflate",     0, 9, deflate, inflate,
                                     most_of_deflate, deflate_values};
  return &k_code;
}

}  // namespace scorpio::codec
