// Equally spaced elements, and copies past the cache, against conversions of single elements.
#include "codec/spaced.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "codec/stream.h"

namespace scorpio::codec {
namespace {

using Bytes = std::vector<std::byte>;
using model::ElementType;
using model::Kind;

// How many elements of which kinds, and how they lie in memory.
struct Case {
  ElementType user, packed;
  int64_t stride;
  int64_t elements;
  size_t shift;  // of both buffers, so that addresses are of any alignment

  size_t user_bytes() const { return shift + static_cast<size_t>(elements * stride) * user.size_bytes + 64; }
  size_t packed_bytes() const { return shift + static_cast<size_t>(elements) * packed.size_bytes + 64; }
};

Case random_case(std::mt19937& random) {
  const std::vector<std::pair<ElementType, ElementType>> types{
      {model::native(Kind::float64), model::native(Kind::float64)},
      {model::native(Kind::float64), {Kind::float64, 8, model::ByteOrder::big}},
      {model::native(Kind::float32), {Kind::float32, 4, model::ByteOrder::big}},
      {{Kind::int16, 2, model::ByteOrder::big}, model::native(Kind::int16)},
      {model::native(Kind::int8), model::native(Kind::int8)},
      {model::native(Kind::float64), {Kind::int16, 2, model::ByteOrder::big}},
      {model::native(Kind::opaque, 5), model::native(Kind::opaque, 5)},
      {model::native(Kind::opaque, 5000), model::native(Kind::opaque, 5000)}};
  Case c;
  std::tie(c.user, c.packed) = types[random() % types.size()];
  c.stride = 1 + random() % 3;
  c.elements = random() % (c.user.size_bytes > 100 ? 4 : 3000);
  c.shift = random() % 65;
  return c;
}

Bytes random_bytes(size_t size, std::mt19937& random) {
  Bytes bytes(size);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

RC_GTEST_PROP(Spaced, AsElementByElement, ()) {
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  const Case c = random_case(random);
  const auto in = Conversion::make(c.user, c.packed), out = Conversion::make(c.packed, c.user);
  RC_ASSERT(in.ok() && out.ok());
  const auto user_place = [&](int64_t i) {
    return c.shift + static_cast<size_t>(i * c.stride) * c.user.size_bytes;
  };
  const auto packed_place = [&](int64_t i) { return c.shift + static_cast<size_t>(i) * c.packed.size_bytes; };

  const Bytes user = random_bytes(c.user_bytes(), random);
  Bytes packed(c.packed_bytes(), std::byte{0xee}), expected = packed;
  uint64_t misfits = 0;
  for (int64_t i = 0; i < c.elements; ++i)
    misfits += in->apply(user.data() + user_place(i), expected.data() + packed_place(i), 1);
  RC_ASSERT(Gather(*in)(user.data() + c.shift, c.stride, packed.data() + c.shift, c.elements) == misfits);
  RC_ASSERT(packed == expected);

  for (const bool streams : {false, true}) {
    Bytes back(c.user_bytes(), std::byte{0xdd}), wanted = back;
    misfits = 0;
    for (int64_t i = 0; i < c.elements; ++i)
      misfits += out->apply(packed.data() + packed_place(i), wanted.data() + user_place(i), 1);
    const uint64_t clipped =
        Scatter(*out, streams)(packed.data() + c.shift, back.data() + c.shift, c.stride, c.elements);
    end_streams();
    RC_ASSERT(clipped == misfits);
    RC_ASSERT(back == wanted);
  }
}

}  // namespace
}  // namespace scorpio::codec
