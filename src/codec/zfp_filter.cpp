// zfp, if its library was found.
#include "codec/zfp.h"

#include <bit>
#include <cmath>

#include "codec/filters.h"
#include "codec/freed.h"
#include "codec/library_filters.h"
#include "codec/lossy_check.h"

namespace scorpio::codec {

Result<int> zfp_parameter_for(double bound) {
  if (!std::isfinite(bound) || bound <= 0) {
    return failure(Code::argument, "the error bound {} is not a positive finite number", bound);
  }
  return k_zfp_accuracy + std::ilogb(bound);
}

double zfp_tolerance(int parameter) {
  const int exponent = parameter - k_zfp_accuracy;
  const bool known = exponent >= k_zfp_least_exponent && exponent <= k_zfp_most_exponent;
  return known ? std::ldexp(1.0, exponent) : 0;
}

}  // namespace scorpio::codec

#ifdef SCORPIO_HAVE_ZFP

#include <zfp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace scorpio::codec {

namespace {

using Kind = model::Kind;

constexpr size_t k_word_bytes = sizeof(uint32_t);
constexpr size_t k_header_words = (ZFP_HEADER_MAX_BITS + 31) / 32;
// The version of HDF5's filter whose form the values have.
constexpr unsigned k_filter_version = 0x111;
constexpr unsigned k_version_word = unsigned{ZFP_VERSION_MAJOR} << 28 | unsigned{ZFP_VERSION_MINOR} << 24 |
                                    unsigned{ZFP_VERSION_PATCH} << 20 | unsigned{ZFP_CODEC} << 12 |
                                    k_filter_version;
// A decoder may read as many bytes after the last one that it needs.
constexpr size_t k_slack_bytes = 16;

using Stream = std::unique_ptr<zfp_stream, Freed<zfp_stream_close>>;
using Field = std::unique_ptr<zfp_field, Freed<zfp_field_free>>;
using Bits = std::unique_ptr<bitstream, Freed<stream_close>>;

// The largest extents of an array of 1 to 4 dimensions that a header can hold.
constexpr std::array<uint64_t, 4> k_most_extent{uint64_t{1} << 48, 1 << 24, 1 << 16, 1 << 12};

std::optional<zfp_type> type_of(Kind kind) {
  if (kind == Kind::float32) return zfp_type_float;
  if (kind == Kind::float64) return zfp_type_double;
  if (kind == Kind::int32) return zfp_type_int32;
  if (kind == Kind::int64) return zfp_type_int64;
  return std::nullopt;
}

Kind kind_of(zfp_type type) {
  if (type == zfp_type_float) return Kind::float32;
  if (type == zfp_type_double) return Kind::float64;
  return type == zfp_type_int32 ? Kind::int32 : Kind::int64;
}

// The state of one call: a header, and the array that it describes.
struct Coder {
  Stream stream{zfp_stream_open(nullptr)};
  Field field{zfp_field_alloc()};
  Bits bits{};  // the stream refers to it

  bool valid() const { return stream != nullptr && field != nullptr; }
  bool open(void* bytes, size_t size) {
    bits.reset(stream_open(bytes, size));
    zfp_stream_set_bit_stream(stream.get(), bits.get());
    return bits != nullptr;
  }
  size_t array_bytes() const { return zfp_field_size(field.get(), nullptr) * zfp_type_size(field->type); }
  size_t most_bytes() const { return zfp_stream_maximum_size(stream.get(), field.get()) + k_slack_bytes; }
};

// The streams of zfp are little-endian here.
using HeaderBytes = std::array<std::byte, k_header_words * k_word_bytes + k_slack_bytes>;

HeaderBytes bytes_of(std::span<const unsigned> words, bool reversed) {
  HeaderBytes bytes{};
  for (size_t i = 0; i < std::min(words.size(), k_header_words); ++i) {
    for (size_t b = 0; b < k_word_bytes; ++b) {
      const size_t place = reversed ? k_word_bytes - 1 - b : b;
      bytes[i * k_word_bytes + place] = static_cast<std::byte>(words[i] >> 8 * b & 0xff);
    }
  }
  return bytes;
}

Status no_memory() { return failure(Code::memory, "there is no memory for zfp"); }

// A program on a big-endian machine stores the words with their bytes reversed.
Result<Coder> coder_of(std::span<const unsigned> values) {
  for (const bool reversed : {false, true}) {
    Coder coder;
    if (!coder.valid()) return no_memory();
    HeaderBytes bytes = bytes_of(values.subspan(std::min<size_t>(values.size(), 1)), reversed);
    if (!coder.open(bytes.data(), bytes.size())) return no_memory();
    if (zfp_read_header(coder.stream.get(), coder.field.get(), ZFP_HEADER_FULL) != 0) {
      zfp_stream_set_bit_stream(coder.stream.get(), nullptr);
      coder.bits.reset();
      return coder;
    }
  }
  return failure(Code::format, "the values of the filter are not those of zfp");
}

// [at most 4] slowest first
std::vector<uint64_t> extents_of(std::span<const int64_t> chunk) {
  std::vector<uint64_t> extents;
  for (const int64_t extent : chunk) {
    if (extent != 1) extents.push_back(static_cast<uint64_t>(extent));
  }
  if (extents.empty()) extents.push_back(1);
  const auto fits = [&] {
    return extents.size() <= k_most_extent.size() && std::ranges::all_of(extents, [&](uint64_t extent) {
             return extent <= k_most_extent[extents.size() - 1];
           });
  };
  while (extents.size() > 1 && !fits()) {
    extents[1] *= extents[0];
    extents.erase(extents.begin());
  }
  return extents;
}

void set_shape(zfp_field* field, const std::vector<uint64_t>& extents) {
  const auto from_fastest = [&](size_t i) {
    return i < extents.size() ? extents[extents.size() - 1 - i] : 0;
  };
  field->nx = from_fastest(0);
  field->ny = from_fastest(1);
  field->nz = from_fastest(2);
  field->nw = from_fastest(3);
}

Status set_mode(zfp_stream* stream, int parameter) {
  if (parameter == k_zfp_reversible) {
    zfp_stream_set_reversible(stream);
  } else if (parameter >= 1 && parameter <= k_zfp_most_precision) {
    zfp_stream_set_precision(stream, static_cast<unsigned>(parameter));
  } else if (const double tolerance = zfp_tolerance(parameter); tolerance > 0) {
    zfp_stream_set_accuracy(stream, tolerance);
  } else {
    return failure(
        Code::argument,
        "{} is not a parameter of zfp; it is a precision of 1 to {} bits, {} for the reversible mode, or "
        "{} + e for the tolerance 2^e",
        parameter, k_zfp_most_precision, k_zfp_reversible, k_zfp_accuracy);
  }
  return {};
}

// zfp does not check the end of its input: it gets as many bytes as it can ever read for the chunk.
Result<size_t> zfp_decode(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse& use) {
  SCORPIO_ASSIGN(Coder coder, coder_of(use.values));
  const size_t bytes = coder.array_bytes();
  if (bytes != to.size()) {
    return failure(Code::format, "zfp makes {} bytes of it instead of {}", bytes, to.size());
  }
  std::vector<std::byte> padded(std::max(coder.most_bytes(), from.size() + k_slack_bytes));
  std::ranges::copy(from, padded.begin());
  if (!coder.open(padded.data(), padded.size())) return no_memory();
  zfp_field_set_pointer(coder.field.get(), to.data());
  const size_t used = zfp_decompress(coder.stream.get(), coder.field.get());
  // The last word of a stream may be longer than what a writer with shorter words has stored.
  if (used == 0 || used >= from.size() + sizeof(uint64_t)) {
    return failure(Code::format, "zfp cannot decode it: it needs {} bytes, and there are {}", used,
                   from.size());
  }
  return bytes;
}

bool is_reversible(const Coder& coder) {
  return zfp_stream_compression_mode(coder.stream.get()) == zfp_mode_reversible;
}

// The largest change of an element if a chunk is stored as `encoded`; none if it must not be. The bound of
// mode accuracy does not hold for elements that are much smaller than others of their block of 4^dimensions
// elements, such as those beside a large fill value.
Result<std::optional<double>> change_by(const Coder& coder, std::span<const std::byte> from,
                                        std::span<const std::byte> encoded, const FilterUse& use) {
  std::vector<std::byte> decoded(from.size());
  SCORPIO_TRY(zfp_decode(encoded, decoded, use).status());
  return largest_change(zfp_stream_accuracy(coder.stream.get()), from, decoded, kind_of(coder.field->type),
                        use.exact);
}

// Is not applied if the result is not smaller, or changes what must not change.
Result<size_t> zfp_encode(std::span<const std::byte> from, std::span<std::byte> to, const FilterUse& use) {
  SCORPIO_ASSIGN(Coder coder, coder_of(use.values));
  if (coder.array_bytes() != from.size()) {
    return failure(Code::internal, "zfp gets {} bytes for a chunk of {}", from.size(), coder.array_bytes());
  }
  const bool lossy = !is_reversible(coder);
  if (lossy && use.exact.all) return size_t{0};
  if (!coder.open(to.data(), to.size())) return no_memory();
  // zfp only reads from it.
  zfp_field_set_pointer(coder.field.get(), const_cast<std::byte*>(from.data()));
  const size_t size = zfp_compress(coder.stream.get(), coder.field.get());
  if (size == 0) return failure(Code::memory, "zfp fails");
  if (size >= from.size()) return size_t{0};
  if (!lossy) return size;
  SCORPIO_ASSIGN(const std::optional<double> change, change_by(coder, from, to.first(size), use));
  if (!change) return size_t{0};
  if (use.loss != nullptr) use.loss->raise({.absolute = *change});
  return size;
}

// The values may be damaged: no chunk decodes to an array of another size.
size_t most_of_zfp(size_t bytes, const FilterUse& use) {
  const Result<Coder> coder = coder_of(use.values);
  return coder.ok() && coder->array_bytes() == bytes ? std::max(bytes, coder->most_bytes()) : bytes;
}

std::vector<unsigned> zfp_values(const FilterUse& use, size_t) {
  return {use.values.begin(), use.values.end()};
}

}  // namespace

const FilterCode* zfp_filter() {
  static constexpr FilterCode k_code{k_zfp,
                                     "zfp",
                                     k_zfp_other,
                                     k_zfp_accuracy + k_zfp_most_exponent,
                                     zfp_encode,
                                     zfp_decode,
                                     most_of_zfp,
                                     zfp_values,
                                     "zfp " ZFP_VERSION_STRING};
  return &k_code;
}

Result<std::vector<unsigned>> zfp_header(int parameter, const model::ElementType& type,
                                         std::span<const int64_t> chunk) {
  const std::optional<zfp_type> element = type_of(type.kind);
  if (!element || type.order != model::native(type.kind).order) {
    return failure(Code::type,
                   "zfp encodes float32, float64, int32 and int64 in the byte order of this machine, not {}",
                   model::to_string(type));
  }
  Coder coder;
  HeaderBytes bytes{};
  if (!coder.valid() || !coder.open(bytes.data(), bytes.size())) return no_memory();
  coder.field->type = *element;
  set_shape(coder.field.get(), extents_of(chunk));
  SCORPIO_TRY(set_mode(coder.stream.get(), parameter));
  const size_t bits = zfp_write_header(coder.stream.get(), coder.field.get(), ZFP_HEADER_FULL);
  zfp_stream_flush(coder.stream.get());
  if (bits == 0) return failure(Code::limit, "zfp cannot describe chunks of this shape");
  std::vector<unsigned> values{k_version_word};
  for (size_t word = 0; word < (bits + 31) / 32; ++word) {
    unsigned value = 0;
    for (size_t b = k_word_bytes; b-- > 0;)
      value = value << 8 | std::to_integer<unsigned>(bytes[word * k_word_bytes + b]);
    values.push_back(value);
  }
  return values;
}

Status check_zfp_header(std::span<const unsigned> values, uint32_t element_bytes) {
  SCORPIO_ASSIGN(const Coder coder, coder_of(values));
  const size_t bytes = zfp_type_size(coder.field->type);
  if (bytes != element_bytes) {
    return failure(Code::format, "zfp makes elements of {} bytes instead of {}", bytes, element_bytes);
  }
  // A block has 4^dimensions elements. With more bits than they have, the memory for a chunk would be
  // many times its size.
  constexpr size_t k_block_overhead_bits = 64;
  const size_t elements = size_t{1} << 2 * zfp_field_dimensionality(coder.field.get());
  const size_t most_bits = elements * (8 * bytes + 1) + k_block_overhead_bits;
  unsigned bits = 0;
  zfp_stream_params(coder.stream.get(), &bits, nullptr, nullptr, nullptr);
  if (bits <= most_bits) return {};
  return failure(Code::format, "zfp has at least {} bits for a block that needs no more than {}", bits,
                 most_bits);
}

int zfp_parameter(std::span<const unsigned> values) {
  const Result<Coder> coder = coder_of(values);
  if (!coder.ok()) return k_zfp_other;
  switch (zfp_stream_compression_mode(coder->stream.get())) {
    case zfp_mode_reversible:
      return k_zfp_reversible;
    case zfp_mode_fixed_precision:
      return static_cast<int>(zfp_stream_precision(coder->stream.get()));
    case zfp_mode_fixed_accuracy:
      return k_zfp_accuracy + std::ilogb(zfp_stream_accuracy(coder->stream.get()));
    default:
      return k_zfp_other;
  }
}

}  // namespace scorpio::codec

#else

namespace scorpio::codec {

const FilterCode* zfp_filter() { return nullptr; }

Result<std::vector<unsigned>> zfp_header(int, const model::ElementType&, std::span<const int64_t>) {
  return check_built_in(k_zfp);
}

Status check_zfp_header(std::span<const unsigned>, uint32_t) { return check_built_in(k_zfp); }

int zfp_parameter(std::span<const unsigned>) { return k_zfp_other; }

}  // namespace scorpio::codec

#endif
