#include "peers/codecs.h"

#include <zlib.h>

#include <cstring>
#include <stdexcept>
#include <utility>

#ifdef BENCH_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif
#ifdef BENCH_HAVE_ZSTD
#include <zstd.h>
#endif

namespace bench {

namespace {

constexpr int k_deflate = 1, k_shuffle = 2, k_zstd = 32015;
constexpr size_t k_element_bytes = 4;

void shuffle(std::span<const std::byte> from, std::vector<std::byte>& to) {
  to.resize(from.size());
  const size_t elements = from.size() / k_element_bytes;
  for (size_t i = 0; i < elements; ++i) {
    for (size_t b = 0; b < k_element_bytes; ++b) to[b * elements + i] = from[i * k_element_bytes + b];
  }
}

void unshuffle(std::span<const std::byte> from, std::span<std::byte> to) {
  const size_t elements = from.size() / k_element_bytes;
  for (size_t i = 0; i < elements; ++i) {
    for (size_t b = 0; b < k_element_bytes; ++b) to[i * k_element_bytes + b] = from[b * elements + i];
  }
}

// To the nearest number whose mantissa has so many bits, of two the even one. All numbers are normal ones.
void round_bits(std::span<std::byte> image, int bits) {
  const int left_out = 23 - bits;
  if (left_out == 0) return;
  const uint32_t half = (uint32_t{1} << (left_out - 1)) - 1;
  for (size_t at = 0; at < image.size(); at += k_element_bytes) {
    uint32_t number = 0;
    std::memcpy(&number, image.data() + at, k_element_bytes);
    number += half + ((number >> left_out) & 1);
    number = number >> left_out << left_out;
    std::memcpy(image.data() + at, &number, k_element_bytes);
  }
}

[[noreturn]] void throw_wrong(const char* codec) {
  throw std::runtime_error(std::string(codec) + " fails on a chunk");
}

}  // namespace

#ifdef BENCH_HAVE_LIBDEFLATE

struct Codecs::Libraries {
  explicit Libraries(int level)
      : compressor(libdeflate_alloc_compressor(level)), decompressor(libdeflate_alloc_decompressor()) {}
  ~Libraries() {
    libdeflate_free_compressor(compressor);
    libdeflate_free_decompressor(decompressor);
  }
  Libraries(const Libraries&) = delete;
  Libraries& operator=(const Libraries&) = delete;

  size_t deflate(std::span<const std::byte> from, std::span<std::byte> to, int) const {
    return libdeflate_zlib_compress(compressor, from.data(), from.size(), to.data(), to.size());
  }
  bool inflate(std::span<const std::byte> from, std::span<std::byte> to) const {
    return libdeflate_zlib_decompress(decompressor, from.data(), from.size(), to.data(), to.size(),
                                      nullptr) == LIBDEFLATE_SUCCESS;
  }

  libdeflate_compressor* compressor;
  libdeflate_decompressor* decompressor;
};

#else

struct Codecs::Libraries {
  explicit Libraries(int) {}

  static size_t deflate(std::span<const std::byte> from, std::span<std::byte> to, int level) {
    uLongf size = to.size();
    const int code = compress2(reinterpret_cast<Bytef*>(to.data()), &size,
                               reinterpret_cast<const Bytef*>(from.data()), from.size(), level);
    return code == Z_OK ? size : 0;
  }
  static bool inflate(std::span<const std::byte> from, std::span<std::byte> to) {
    uLongf size = to.size();
    return uncompress(reinterpret_cast<Bytef*>(to.data()), &size, reinterpret_cast<const Bytef*>(from.data()),
                      from.size()) == Z_OK &&
           size == to.size();
  }
};

#endif

Codecs::Codecs(const std::vector<ChunkFilter>& filters, int keep_bits)
    : filters_(filters), keep_bits_(keep_bits) {
  int level = 1;
  for (const ChunkFilter& filter : filters_) {
    if (filter.number == k_deflate) level = filter.parameter;
#ifdef BENCH_HAVE_ZSTD
    if (filter.number == k_zstd) continue;
#endif
    if (filter.number == k_deflate || filter.number == k_shuffle) continue;
    throw std::invalid_argument("filter " + std::to_string(filter.number) + " is not built in");
  }
  libraries_ = std::make_unique<Libraries>(level);
}

Codecs::~Codecs() = default;

std::span<std::byte> Codecs::encode(std::span<std::byte> image) {
  if (keep_bits_ > 0) round_bits(image, keep_bits_);
  std::span<std::byte> now = image;
  for (const ChunkFilter& filter : filters_) {
    if (filter.number == k_shuffle) {
      shuffle(now, between_);
      now = between_;
      continue;
    }
    size_t size = 0;
    if (filter.number == k_deflate) {
      encoded_.resize(compressBound(now.size()));
      size = libraries_->deflate(now, encoded_, filter.parameter);
    }
#ifdef BENCH_HAVE_ZSTD
    if (filter.number == k_zstd) {
      encoded_.resize(ZSTD_compressBound(now.size()));
      size = ZSTD_compress(encoded_.data(), encoded_.size(), now.data(), now.size(), filter.parameter);
      if (ZSTD_isError(size) != 0) size = 0;
    }
#endif
    if (size == 0) throw_wrong("encoding");
    now = std::span(encoded_).first(size);
  }
  return now;
}

void Codecs::decode(std::span<std::byte> bytes, std::span<std::byte> image) {
  bool decoded = false;
  between_.resize(image.size());
  for (size_t i = filters_.size(); i-- > 0;) {
    const int number = filters_[i].number;
    const std::span<std::byte> to = i == 0 ? image : std::span(between_);
    if (number == k_shuffle) unshuffle(decoded ? std::span(between_) : bytes, to);
    if (number == k_deflate && !libraries_->inflate(bytes, to)) throw_wrong("decoding");
#ifdef BENCH_HAVE_ZSTD
    if (number == k_zstd && ZSTD_decompress(to.data(), to.size(), bytes.data(), bytes.size()) != to.size())
      throw_wrong("decoding");
#endif
    decoded = true;
  }
  if (!decoded) std::copy(bytes.begin(), bytes.end(), image.begin());
}

}  // namespace bench
