// Elements to and from the images of units, which cut them anywhere, against an element-wise reference.
#include "exchange/copies/copy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace scorpio::exchange {
namespace {

using Bytes = std::vector<std::byte>;
using decomp::RunList;
using model::ElementType;
using model::Kind;

struct Case {
  ElementType memory, file;
  uint64_t unit_bytes;
  uint64_t variable_begin;
  int64_t elements;
  std::vector<int64_t> index;  // [elements of the buffer] global element; each once at most
};

Case random_case(std::mt19937& random) {
  const std::vector<std::pair<ElementType, ElementType>> types{
      {model::native(Kind::text, 13), model::native(Kind::text, 13)},
      {model::native(Kind::opaque, 3), model::native(Kind::opaque, 3)},
      {model::native(Kind::opaque, 700), model::native(Kind::opaque, 700)},
      {model::native(Kind::text, 5), model::native(Kind::text, 9)},
      {model::native(Kind::float64), model::native(Kind::float64)},
      {model::native(Kind::int32), ElementType{Kind::int32, 4, model::ByteOrder::big}},
      {model::native(Kind::float64), ElementType{Kind::float64, 8, model::ByteOrder::big}},
      {model::native(Kind::int16), ElementType{Kind::int16, 2, model::ByteOrder::big}},
      {model::native(Kind::int8), model::native(Kind::int64)},
      {model::native(Kind::uint16), model::native(Kind::float32)}};
  Case c;
  std::tie(c.memory, c.file) = types[random() % types.size()];
  c.unit_bytes = uint64_t{64} << random() % 4;
  c.variable_begin = random() % 300;
  c.elements = 1 + random() % 120;
  for (int64_t g = 0; g < c.elements; ++g) {
    if (random() % 4 != 0) c.index.push_back(g);
  }
  if (random() % 2 == 0) std::shuffle(c.index.begin(), c.index.end(), random);
  return c;
}

RunList run_list(const std::vector<int64_t>& index) {
  std::vector<decomp::Run> runs;
  for (size_t i = 0; i < index.size(); ++i) runs.push_back({index[i], static_cast<int64_t>(i), 1});
  return RunList(std::move(runs));
}

// Values that convert both ways without loss.
Bytes random_data(const Case& c, std::mt19937& random) {
  Bytes data(c.index.size() * c.memory.size_bytes);
  for (std::byte& b : data) b = static_cast<std::byte>(1 + random() % 120);
  return data;
}

// The file's bytes around the variable, made element by element.
Bytes reference_file(const Case& c, const codec::Conversion& conversion, const Bytes& data, uint64_t bytes) {
  Bytes file(bytes, std::byte{0xee});
  for (size_t i = 0; i < c.index.size(); ++i) {
    const uint64_t at = c.variable_begin + static_cast<uint64_t>(c.index[i]) * c.file.size_bytes;
    conversion.apply(data.data() + i * c.memory.size_bytes, file.data() + at, 1);
  }
  return file;
}

template <typename Visit>
void for_each_unit(const Case& c, Visit&& visit) {
  const uint64_t end = c.variable_begin + static_cast<uint64_t>(c.elements) * c.file.size_bytes;
  for (uint64_t begin = c.variable_begin / c.unit_bytes * c.unit_bytes; begin < end; begin += c.unit_bytes) {
    visit(CopyFrame{
        c.variable_begin, begin, {std::max(begin, c.variable_begin), std::min(begin + c.unit_bytes, end)}});
  }
}

RC_GTEST_PROP(Copy, InAndOutUnitByUnit, ()) {
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  const Case c = random_case(random);
  const auto in = codec::Conversion::make(c.memory, c.file), out = codec::Conversion::make(c.file, c.memory);
  RC_ASSERT(in.ok() && out.ok());
  const RunList runs = run_list(c.index);
  const Bytes data = random_data(c, random);
  std::vector<CopyFrame> frames;
  for_each_unit(c, [&](const CopyFrame& frame) { frames.push_back(frame); });
  const uint64_t bytes = frames.back().unit_begin + c.unit_bytes;
  const Bytes expected = reference_file(c, *in, data, bytes);

  Bytes file(bytes, std::byte{0xee});
  for (const CopyFrame& frame : frames) {
    RC_ASSERT(copy_in(frame, runs, *in, data.data(), file.data() + frame.unit_begin) == 0u);
  }
  RC_ASSERT(file == expected);

  std::vector<bool> covered(bytes, false);
  for (const CopyFrame& frame : frames) {
    for_each_image_span(frame, runs, c.file.size_bytes, [&](uint64_t begin, uint64_t end) {
      for (uint64_t b = begin; b < end; ++b) covered[frame.unit_begin + b] = true;
    });
  }
  std::vector<bool> held(bytes, false);
  for (const int64_t g : c.index) {
    const uint64_t at = c.variable_begin + static_cast<uint64_t>(g) * c.file.size_bytes;
    std::fill_n(held.begin() + static_cast<std::ptrdiff_t>(at), c.file.size_bytes, true);
  }
  RC_ASSERT(covered == held);

  std::shuffle(frames.begin(), frames.end(), random);
  Bytes back(data.size(), std::byte{0});
  CopyOut copy_out(*out, back.data(), random() % 2 == 0);
  for (const CopyFrame& frame : frames) {
    RC_ASSERT(copy_out.take(frame, runs, file.data() + frame.unit_begin) == 0u);
  }
  RC_ASSERT(back == data);
}

TEST(Copy, OnlyBytesInsideTheRangeAreTouched) {
  const auto same = codec::Conversion::make(model::native(Kind::int32), model::native(Kind::int32)).value();
  const RunList runs = run_list({0, 1, 2, 3});
  Bytes data(16, std::byte{7}), image(64, std::byte{0});
  copy_in({8, 0, {14, 18}}, runs, same, data.data(), image.data());
  for (size_t i = 0; i < image.size(); ++i) {
    EXPECT_EQ(i >= 14 && i < 18 ? std::byte{7} : std::byte{0}, image[i]) << i;
  }
}

TEST(Copy, ValuesThatDoNotFitAreCounted) {
  const auto narrow = codec::Conversion::make(model::native(Kind::int32), model::native(Kind::int8)).value();
  const int32_t values[4] = {1, 1000, -1000, 4};
  int8_t image[4] = {};
  EXPECT_EQ(2u, copy_in({0, 0, {0, 4}}, run_list({0, 1, 2, 3}), narrow,
                        reinterpret_cast<const std::byte*>(values), reinterpret_cast<std::byte*>(image)));
  EXPECT_EQ(127, image[1]);
  EXPECT_EQ(-128, image[2]);
}

}  // namespace
}  // namespace scorpio::exchange
