#include "codec/pipeline.h"

#include <zlib.h>

#include <algorithm>
#include <utility>

namespace scorpio::codec {

namespace {

using Bytes = std::vector<std::byte>;

constexpr size_t k_most_filters = 32;  // bits of the mask

// First bytes of all elements, then the second ones, ...; what is no whole element stays behind them.
void shuffle(std::span<const std::byte> from, size_t element_bytes, std::byte* to) {
  const size_t elements = from.size() / element_bytes;
  for (size_t b = 0; b < element_bytes; ++b) {
    for (size_t i = 0; i < elements; ++i) *to++ = from[i * element_bytes + b];
  }
  std::copy(from.begin() + static_cast<std::ptrdiff_t>(elements * element_bytes), from.end(), to);
}

void unshuffle(std::span<const std::byte> from, size_t element_bytes, std::byte* to) {
  const size_t elements = from.size() / element_bytes;
  const std::byte* source = from.data();
  for (size_t b = 0; b < element_bytes; ++b) {
    for (size_t i = 0; i < elements; ++i) to[i * element_bytes + b] = *source++;
  }
  std::copy(from.begin() + static_cast<std::ptrdiff_t>(elements * element_bytes), from.end(),
            to + elements * element_bytes);
}

const Bytef* in_zlib(const std::byte* bytes) { return reinterpret_cast<const Bytef*>(bytes); }
Bytef* in_zlib(std::byte* bytes) { return reinterpret_cast<Bytef*>(bytes); }

// Empty where the result would be no smaller.
Result<Bytes> deflate(std::span<const std::byte> from, int level) {
  Bytes out(compressBound(from.size()));
  uLongf size = out.size();
  const int code = compress2(in_zlib(out.data()), &size, in_zlib(from.data()), from.size(), level);
  if (code != Z_OK) return failure(Code::memory, "deflate fails with code {} of zlib", code);
  out.resize(size < from.size() ? size : 0);
  return out;
}

Status check(const Filter& filter) {
  if (filter.number == k_shuffle) return {};
  if (filter.number != k_deflate) {
    return failure(Code::unsupported, "filter {} is not built in; 1 (deflate) and 2 (shuffle) are",
                   filter.number);
  }
  if (filter.parameter >= 0 && filter.parameter <= 9) return {};
  return failure(Code::argument, "deflate has levels 0 to 9, not {}", filter.parameter);
}

}  // namespace

Result<Pipeline> Pipeline::make(std::vector<Filter> filters, uint32_t element_bytes) {
  if (filters.size() > k_most_filters) {
    return failure(Code::argument, "{} filters are more than {}", filters.size(), k_most_filters);
  }
  for (const Filter& filter : filters) SCORPIO_TRY(check(filter));
  return Pipeline(std::move(filters), element_bytes);
}

Result<Pipeline::Encoded> Pipeline::encode(std::span<const std::byte> image) const {
  Encoded out{Bytes(image.begin(), image.end())};
  for (size_t i = 0; i < filters_.size(); ++i) {
    if (filters_[i].number == k_shuffle) {
      Bytes shuffled(out.bytes.size());
      shuffle(out.bytes, element_bytes_, shuffled.data());
      out.bytes = std::move(shuffled);
      continue;
    }
    SCORPIO_ASSIGN(Bytes smaller, deflate(out.bytes, filters_[i].parameter));
    if (smaller.empty()) {
      out.skipped |= uint32_t{1} << i;
    } else {
      out.bytes = std::move(smaller);
    }
  }
  return out;
}

Status Pipeline::decode(std::span<const std::byte> bytes, uint32_t skipped,
                        std::span<std::byte> image) const {
  Bytes now(bytes.begin(), bytes.end());
  for (size_t i = filters_.size(); i-- > 0;) {
    if ((skipped >> i & 1) != 0) continue;
    const bool shuffled = filters_[i].number == k_shuffle;
    Bytes before(shuffled ? now.size() : image.size());  // no filter makes more of it
    if (shuffled) {
      unshuffle(now, element_bytes_, before.data());
    } else {
      uLongf size = before.size();
      const int code = uncompress(in_zlib(before.data()), &size, in_zlib(now.data()), now.size());
      if (code != Z_OK) return failure(Code::format, "a chunk cannot be inflated (code {} of zlib)", code);
      before.resize(size);
    }
    now = std::move(before);
  }
  if (now.size() != image.size()) {
    return failure(Code::format, "a chunk has {} bytes instead of {}", now.size(), image.size());
  }
  std::copy(now.begin(), now.end(), image.begin());
  return {};
}

}  // namespace scorpio::codec
