// Chunks whose parts are written to their place in the file.
#include "format/growing_chunks.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "format/memory_data.h"

namespace scorpio::format {
namespace {

std::span<const std::byte> letters(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string content_of(const MemoryData& file) {
  return {reinterpret_cast<const char*>(file.content.data()), file.content.size()};
}

TEST(GrowingChunks, AreCompleteWithTheLastByteInAnyOrder) {
  MemoryData file;
  GrowingChunks chunks;
  EXPECT_TRUE(chunks.empty());
  chunks.add(700, 2, 6);
  chunks.add(500, 8, 4);
  EXPECT_TRUE(chunks.has(700));
  EXPECT_FALSE(chunks.has(701));
  EXPECT_EQ(500u, chunks.first());
  EXPECT_FALSE(chunks.write(file, 700, 4, letters("ef")).value());
  EXPECT_FALSE(chunks.write(file, 700, 0, letters("xb")).value());
  EXPECT_FALSE(chunks.write(file, 700, 0, letters("a")).value()) << "once more";
  EXPECT_TRUE(chunks.write(file, 500, 0, letters("ABCD")).value());
  EXPECT_TRUE(chunks.write(file, 700, 2, letters("cd")).value());
  EXPECT_EQ((ByteRange{2, 8}), chunks.remove(700));
  EXPECT_EQ((ByteRange{8, 12}), chunks.remove(500));
  EXPECT_TRUE(chunks.empty());
  EXPECT_EQ("abcdefABCD", content_of(file).substr(2));
}

// Also where a part ends inside an element.
TEST(GrowingChunks, HaveTheFillValueWhereNothingWasWritten) {
  MemoryData file;
  GrowingChunks chunks;
  chunks.add(0, 1, 12);
  ASSERT_TRUE(chunks.write(file, 0, 1, letters("b")).ok());
  ASSERT_TRUE(chunks.write(file, 0, 5, letters("fg")).ok());
  ASSERT_TRUE(chunks.fill(file, 0, letters("123")).ok());
  EXPECT_EQ("1b312fg23123", content_of(file).substr(1));
}

TEST(GrowingChunks, LongGapsAreFilledInPieces) {
  constexpr uint64_t k_bytes = (uint64_t{5} << 19) + 3;
  MemoryData file;
  GrowingChunks chunks;
  chunks.add(0, 0, k_bytes);
  ASSERT_TRUE(chunks.fill(file, 0, letters("123")).ok());
  EXPECT_EQ(3u, file.writes.size());
  std::string expected;
  while (expected.size() < k_bytes) expected += "123";
  EXPECT_TRUE(expected.substr(0, k_bytes) == content_of(file));
}

TEST(GrowingChunks, HaveABoundedNumber) {
  GrowingChunks chunks;
  uint64_t count = 0;
  for (; !chunks.is_full(); ++count) chunks.add(count, count, 1);
  EXPECT_EQ(64u, count);
  chunks.remove(7);
  EXPECT_FALSE(chunks.is_full());
  chunks.clear();
  EXPECT_TRUE(chunks.empty());
}

TEST(GrowingChunks, AFailedWriteIsNoPartOfTheChunk) {
  MemoryData file;
  GrowingChunks chunks;
  chunks.add(0, 0, 2);
  ASSERT_TRUE(chunks.write(file, 0, 0, letters("a")).ok());
  file.fails = true;
  EXPECT_EQ(Code::io, chunks.write(file, 0, 1, letters("b")).status().code());
  EXPECT_EQ(Code::io, chunks.fill(file, 0, letters("-")).code());
  file.fails = false;
  ASSERT_TRUE(chunks.fill(file, 0, letters("-")).ok());
  EXPECT_EQ("a-", content_of(file));
}

}  // namespace
}  // namespace scorpio::format
