// Zstandard, if its library was found.
#include "codec/freed.h"
#include "codec/library_filters.h"

#ifdef SCORPIO_HAVE_ZSTD

#include <zstd.h>

#include <memory>

namespace scorpio::codec {

namespace {

// Each thread keeps a context for the next chunk, unless it is large, as those of high levels are.
constexpr size_t k_most_kept_bytes = size_t{8} << 20;

Result<size_t> zstd_encode(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse& use) {
  thread_local std::unique_ptr<ZSTD_CCtx, Freed<ZSTD_freeCCtx>> context;
  if (context == nullptr) context.reset(ZSTD_createCCtx());
  if (context == nullptr) return failure(Code::memory, "there is no memory for zstd");
  const size_t size =
      ZSTD_compressCCtx(context.get(), to.data(), to.size(), from.data(), from.size(), use.parameter);
  if (ZSTD_sizeof_CCtx(context.get()) > k_most_kept_bytes) context.reset();
  if (ZSTD_isError(size) != 0) return failure(Code::memory, "zstd fails: {}", ZSTD_getErrorName(size));
  return size;
}

Result<size_t> zstd_decode(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse&) {
  thread_local std::unique_ptr<ZSTD_DCtx, Freed<ZSTD_freeDCtx>> context;
  if (context == nullptr) context.reset(ZSTD_createDCtx());
  if (context == nullptr) return failure(Code::memory, "there is no memory for zstd");
  const size_t size = ZSTD_decompressDCtx(context.get(), to.data(), to.size(), from.data(), from.size());
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
  static constexpr FilterCode k_code{k_zstd,       "zstd",      1,
                                     22,           zstd_encode, zstd_decode,
                                     most_of_zstd, zstd_values, "zstd " ZSTD_VERSION_STRING};
  return &k_code;
}

}  // namespace scorpio::codec

#else

namespace scorpio::codec {

const FilterCode* zstd_filter() { return nullptr; }

}  // namespace scorpio::codec

#endif
