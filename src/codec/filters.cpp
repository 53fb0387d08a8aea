#include "codec/filters.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "codec/library_filters.h"
#include "codec/shuffle.h"

namespace scorpio::codec {

namespace {

constexpr size_t k_checksum_bytes = 4;
// The sum of this number of 16-bit words does not overflow 32 bits.
constexpr size_t k_words_before_carry = 360;

size_t same_bytes(size_t bytes, const FilterUse&) { return bytes; }

Status too_many(const char* filter, size_t room) {
  return failure(Code::format, "{} makes more than {} bytes", filter, room);
}

Result<size_t> shuffle(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse& use) {
  shuffle_bytes(from, to, use.element_bytes);
  return from.size();
}

Result<size_t> unshuffle(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse& use) {
  if (from.size() > to.size()) return too_many("shuffle", to.size());
  unshuffle_bytes(from, to, use.element_bytes);
  return from.size();
}

Result<size_t> add_checksum(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse&) {
  std::ranges::copy(from, to.begin());
  const uint32_t sum = fletcher32(from);
  for (size_t i = 0; i < k_checksum_bytes; ++i) {
    to[from.size() + i] = static_cast<std::byte>(sum >> 8 * i & 0xff);
  }
  return from.size() + k_checksum_bytes;
}

// HDF5 before 1.6.3 wrote the bytes of each half in the opposite order.
Result<size_t> check_checksum(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse&) {
  if (from.size() < k_checksum_bytes) {
    return failure(Code::format, "{} bytes are too few for a checksum", from.size());
  }
  const std::span<const std::byte> content = from.first(from.size() - k_checksum_bytes);
  if (content.size() > to.size()) return too_many("fletcher32", to.size());
  uint32_t stored = 0;
  for (size_t i = 0; i < k_checksum_bytes; ++i) {
    stored |= std::to_integer<uint32_t>(from[content.size() + i]) << 8 * i;
  }
  const uint32_t sum = fletcher32(content);
  const uint32_t old_form = (sum & 0x00ff00ff) << 8 | (sum >> 8 & 0x00ff00ff);
  if (stored != sum && stored != old_form) {
    return failure(Code::format, "its checksum is {:08x} instead of {:08x}", sum, stored);
  }
  std::ranges::copy(content, to.begin());
  return content.size();
}

size_t with_checksum(size_t bytes, const FilterUse&) { return bytes + k_checksum_bytes; }

std::vector<unsigned> element_size(const FilterUse& use, size_t) { return {use.element_bytes}; }
std::vector<unsigned> nothing(const FilterUse&, size_t) { return {}; }

constexpr FilterCode k_shuffle_code{k_shuffle, "shuffle", 0, 0, shuffle, unshuffle, same_bytes, element_size};
constexpr FilterCode k_fletcher32_code{k_fletcher32,   "fletcher32",  0,      0, add_checksum,
                                       check_checksum, with_checksum, nothing};

// A filter that is known by its number.
struct Known {
  int number;
  const FilterCode* code;  // null: not built in
  const char* needs;       // the library that it needs, and its package
};

std::array<Known, 6> known_filters() {
  return {{{k_deflate, deflate_filter(), ""},
           {k_shuffle, &k_shuffle_code, ""},
           {k_fletcher32, &k_fletcher32_code, ""},
           {k_blosc, blosc_filter(), "blosc, which needs c-blosc (Debian package libblosc-dev)"},
           {k_zfp, zfp_filter(), "zfp, which needs libzfp (Debian package libzfp-dev)"},
           {k_zstd, zstd_filter(), "zstd, which needs libzstd (Debian package libzstd-dev)"}}};
}

}  // namespace

// The words are big-endian on all machines, as in HDF5.
uint32_t fletcher32(std::span<const std::byte> bytes) {
  uint32_t low = 0, high = 0;
  const auto carry = [&] {
    low = (low & 0xffff) + (low >> 16);
    high = (high & 0xffff) + (high >> 16);
  };
  const size_t even = bytes.size() / 2 * 2;
  for (size_t i = 0; i < even;) {
    const size_t end = std::min(even, i + 2 * k_words_before_carry);
    for (; i < end; i += 2) {
      low += std::to_integer<uint32_t>(bytes[i]) << 8 | std::to_integer<uint32_t>(bytes[i + 1]);
      high += low;
    }
    carry();
  }
  if (even < bytes.size()) {
    low += std::to_integer<uint32_t>(bytes[even]) << 8;
    high += low;
    carry();
  }
  carry();
  return high << 16 | low;
}

const FilterCode* find_filter(int number) {
  for (const Known& known : known_filters()) {
    if (known.number == number) return known.code;
  }
  return nullptr;
}

namespace {

std::string list_of_filters(bool with_libraries) {
  std::string names;
  for (const Known& known : known_filters()) {
    if (known.code == nullptr) continue;
    const std::string_view library = with_libraries ? known.code->library : "";
    names += fmt::format("{}{} ({}{}{})", names.empty() ? "" : ", ", known.number, known.code->name,
                         library.empty() ? "" : ": ", library);
  }
  return names;
}

}  // namespace

std::string names_of_filters() { return list_of_filters(false); }
std::string libraries_of_filters() { return list_of_filters(true); }

Status check_built_in(int number) {
  if (find_filter(number) != nullptr) return {};
  for (const Known& known : known_filters()) {
    if (known.number != number) continue;
    return failure(Code::unsupported,
                   "filter {} is {}: it was not found when SCORPIO was built; install it and build again",
                   number, known.needs);
  }
  return failure(Code::unsupported, "filter {} is not built in; these are: {}", number, names_of_filters());
}

}  // namespace scorpio::codec
