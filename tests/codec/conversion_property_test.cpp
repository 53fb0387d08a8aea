// All pairs of numeric types and byte orders against a reference that computes in long double.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "codec/conversion.h"

namespace scorpio::codec {
namespace {

using model::ByteOrder;
using model::ElementType;
using model::Kind;
using Bytes = std::vector<std::byte>;

// long double holds every value of every kind.
static_assert(std::numeric_limits<long double>::digits >= 64);

template <typename Use>
auto with_number(Kind kind, Use&& use) {
  switch (kind) {
    case Kind::int8:
      return use(int8_t{});
    case Kind::uint8:
      return use(uint8_t{});
    case Kind::int16:
      return use(int16_t{});
    case Kind::uint16:
      return use(uint16_t{});
    case Kind::int32:
      return use(int32_t{});
    case Kind::uint32:
      return use(uint32_t{});
    case Kind::int64:
      return use(int64_t{});
    case Kind::uint64:
      return use(uint64_t{});
    case Kind::float32:
      return use(float{});
    default:
      return use(double{});
  }
}

void to_order(std::byte* bytes, const ElementType& type) {
  const bool native = (std::endian::native == std::endian::big) == (type.order == ByteOrder::big);
  if (!native) std::reverse(bytes, bytes + type.size_bytes);
}

long double decode(const std::byte* from, const ElementType& type) {
  std::byte bytes[8];
  std::copy_n(from, type.size_bytes, bytes);
  to_order(bytes, type);
  return with_number(type.kind, [&](auto number) -> long double {
    std::memcpy(&number, bytes, sizeof number);
    return static_cast<long double>(number);
  });
}

struct Expected {
  long double value;
  bool fits;
};

Expected expected(long double value, Kind to) {
  return with_number(to, [&](auto number) -> Expected {
    using To = decltype(number);
    if constexpr (std::is_floating_point_v<To>) {
      const auto rounded = static_cast<To>(value);
      return {static_cast<long double>(rounded), !std::isinf(rounded) || std::isinf(value)};
    } else {
      const auto low = static_cast<long double>(std::numeric_limits<To>::min());
      const auto high = static_cast<long double>(std::numeric_limits<To>::max());
      if (std::isnan(value)) return {0, false};
      const long double whole = std::trunc(value);
      return {std::clamp(whole, low, high), low <= whole && whole <= high};
    }
  });
}

ElementType any_number_type() {
  ElementType type = model::native(static_cast<Kind>(*rc::gen::inRange(0, 10)));
  type.order = *rc::gen::arbitrary<bool>() ? ByteOrder::big : ByteOrder::little;
  return type;
}

// Values at, just inside and just outside the bounds of all kinds, and any bits.
std::vector<double> edges() {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> out{0.0,    -0.0, 0.5,  -0.5,         -0.999, 1e300,
                          -1e300, inf,  -inf, std::nan(""), 1e-320, 3.5e38};
  for (int bits : {7, 8, 15, 16, 24, 31, 32, 53, 63, 64, 128}) {
    for (double sign : {1.0, -1.0}) {
      const double edge = sign * std::ldexp(1.0, bits);
      for (double value : {edge, edge - 1, edge + 1, edge - 0.5, edge + 0.5, std::nextafter(edge, inf),
                           std::nextafter(edge, -inf)}) {
        out.push_back(value);
      }
    }
  }
  return out;
}

void put_edge(std::byte* to, const ElementType& type, double edge) {
  with_number(type.kind, [&](auto number) {
    using T = decltype(number);
    const Expected clipped = expected(static_cast<long double>(edge), type.kind);
    number = static_cast<T>(clipped.value);
    std::memcpy(to, &number, sizeof number);
  });
  to_order(to, type);
}

Bytes any_values(const ElementType& type, size_t elements) {
  static const std::vector<double> k_edges = edges();
  Bytes out(elements * type.size_bytes);
  for (size_t i = 0; i < elements; ++i) {
    std::byte* to = out.data() + i * type.size_bytes;
    if (*rc::gen::arbitrary<bool>()) {
      put_edge(to, type, k_edges[*rc::gen::inRange<size_t>(0, k_edges.size())]);
    } else {
      const auto bits = *rc::gen::arbitrary<uint64_t>() * 0x9e3779b97f4a7c15u;
      std::memcpy(to, &bits, type.size_bytes);
    }
  }
  return out;
}

bool same(long double a, long double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

RC_GTEST_PROP(ConvertProperty, NumbersAgreeWithLongDouble, ()) {
  const ElementType from = any_number_type();
  const ElementType to = any_number_type();
  const auto conversion = Conversion::make(from, to);
  RC_ASSERT(conversion.ok());
  const size_t elements = *rc::gen::inRange<size_t>(0, 40);
  const Bytes values = any_values(from, elements);
  // Odd addresses: nothing is aligned.
  Bytes in(values.size() + 1);
  std::copy(values.begin(), values.end(), in.begin() + 1);
  Bytes out(elements * to.size_bytes + 2, std::byte{0x5a});
  const uint64_t misfits = conversion->apply(in.data() + 1, out.data() + 1, elements);
  uint64_t expected_misfits = 0;
  for (size_t i = 0; i < elements; ++i) {
    const Expected want = expected(decode(values.data() + i * from.size_bytes, from), to.kind);
    const long double got = decode(out.data() + 1 + i * to.size_bytes, to);
    if (!same(got, want.value)) {
      RC_FAIL(to_string(from) + " -> " + to_string(to) + ": " + std::to_string(got) + " instead of " +
              std::to_string(want.value));
    }
    expected_misfits += want.fits ? 0 : 1;
  }
  RC_ASSERT(misfits == expected_misfits);
  RC_ASSERT(out.front() == std::byte{0x5a});
  RC_ASSERT(out.back() == std::byte{0x5a});
}

// Every pair at every edge, and enough elements for several passes of the byte-order buffer.
TEST(ConvertExhaustive, EveryPairAtEveryEdge) {
  const std::vector<double> all = edges();
  for (int pair = 0; pair < 400; ++pair) {
    ElementType from = model::native(static_cast<Kind>(pair % 10));
    ElementType to = model::native(static_cast<Kind>(pair / 10 % 10));
    from.order = pair / 100 % 2 ? ByteOrder::big : ByteOrder::little;
    to.order = pair / 200 ? ByteOrder::big : ByteOrder::little;
    const size_t elements = 1500;
    Bytes in(elements * from.size_bytes);
    for (size_t i = 0; i < elements; ++i) put_edge(&in[i * from.size_bytes], from, all[i % all.size()]);
    Bytes out(elements * to.size_bytes);
    const uint64_t misfits = Conversion::make(from, to)->apply(in.data(), out.data(), elements);
    uint64_t expected_misfits = 0;
    for (size_t i = 0; i < elements; ++i) {
      const Expected want = expected(decode(&in[i * from.size_bytes], from), to.kind);
      ASSERT_TRUE(same(decode(&out[i * to.size_bytes], to), want.value))
          << to_string(from) << " -> " << to_string(to) << " of " << all[i % all.size()];
      expected_misfits += want.fits ? 0 : 1;
    }
    ASSERT_EQ(misfits, expected_misfits) << to_string(from) << " -> " << to_string(to);
  }
}

}  // namespace
}  // namespace scorpio::codec
