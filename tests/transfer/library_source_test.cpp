// A variable that the format's library reads, as bytes of a space of its own: any range of them, against the
// bytes of all elements one after the other.
#include "transfer/library_source.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

namespace scorpio::transfer {
namespace {

constexpr int64_t k_elements = 12;

class CountingReader final : public format::LibraryReader {
 public:
  Status read(const model::Variable& variable, int64_t first, int64_t count, std::byte* out) override {
    reads.emplace_back(first, count);
    if (fails) return failure(Code::io, "a chunk is damaged");
    const size_t size = variable.type.size_bytes;
    for (size_t i = 0; i < static_cast<size_t>(count) * size; ++i)
      out[i] = byte(static_cast<size_t>(first) * size + i);
    return {};
  }
  Status close() override { return {}; }
  static std::byte byte(size_t place) { return static_cast<std::byte>(place * 7 + 1); }

  std::vector<std::pair<int64_t, int64_t>> reads;  // first, count
  bool fails = false;
};

struct LibrarySourceTest : testing::Test {
  LibrarySourceTest() { variable.type = model::native(model::Kind::float64, 8); }
  CountingReader reader;
  model::Variable variable;
  LibrarySource source{reader, variable};
};

TEST_F(LibrarySourceTest, GivesAnyRangeOfBytes) {
  const size_t all = static_cast<size_t>(k_elements) * variable.type.size_bytes;
  for (size_t begin = 0; begin < all; ++begin) {
    for (size_t end = begin + 1; end <= all; ++end) {
      std::vector<std::byte> bytes(end - begin), expected;
      for (size_t at = begin; at < end; ++at) expected.push_back(CountingReader::byte(at));
      ASSERT_TRUE(source.read(begin, bytes).ok());
      ASSERT_EQ(expected, bytes) << begin << " to " << end;
    }
  }
}

// Elements that a range cuts are read whole, and no others.
TEST_F(LibrarySourceTest, ReadsTheElementsOfTheRangeOnce) {
  std::vector<std::byte> bytes(16);
  ASSERT_TRUE(source.read(8, bytes).ok());
  ASSERT_TRUE(source.read(12, bytes).ok());
  ASSERT_TRUE(source.read(12, std::span(bytes).first(4)).ok());
  ASSERT_TRUE(source.read(12, std::span(bytes).first(5)).ok());
  EXPECT_EQ((std::vector<std::pair<int64_t, int64_t>>{{1, 2}, {1, 3}, {1, 1}, {1, 2}}), reader.reads);
}

TEST_F(LibrarySourceTest, AFailureIsPassedOn) {
  reader.fails = true;
  std::vector<std::byte> bytes(16);
  EXPECT_EQ(Code::io, source.read(8, bytes).code());
  EXPECT_EQ(Code::io, source.read(9, bytes).code());
}

}  // namespace
}  // namespace scorpio::transfer
