// What an I/O rank has of chunks before they are in the file: parts of them, and encoded ones.
#include "format/chunk_assembly.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "format/encoded_chunks.h"

namespace scorpio::format {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

TEST(PartialChunk, IsCompleteWithItsPadding) {
  PartialChunk chunk(100, 8, {{6, 8}});
  chunk.put(3, bytes_of("def"));
  EXPECT_FALSE(chunk.is_complete());
  EXPECT_EQ(bytes_of("123def"), [&] {
    auto image = PartialChunk(chunk).take_over(bytes_of("12345678"));
    image.resize(6);
    return image;
  }());
  const std::span<std::byte> there = chunk.put(0, bytes_of("abcD"));
  EXPECT_EQ(bytes_of("abcD"), std::vector(there.begin(), there.end()));
  EXPECT_TRUE(chunk.is_complete());
  std::vector<std::byte> image = chunk.take();
  ASSERT_EQ(8u, image.size());
  image.resize(6);
  EXPECT_EQ(bytes_of("abcDef"), image);
}

TEST(ChunkAssembly, TheOldestIsTheOneThatBeganFirst) {
  ChunkAssembly assembly;
  for (const uint64_t begin : {300, 100, 200}) assembly.add(PartialChunk(begin, begin / 10, {}));
  EXPECT_EQ(60u, assembly.bytes());
  EXPECT_EQ(300u, assembly.oldest());
  EXPECT_EQ(nullptr, assembly.find(150));
  assembly.find(100)->put(0, bytes_of("x"));
  EXPECT_EQ(300u, assembly.remove(300).begin());
  EXPECT_EQ(100u, assembly.oldest());
  EXPECT_EQ(30u, assembly.bytes());
  assembly.clear();
  EXPECT_TRUE(assembly.empty());
  EXPECT_EQ(0u, assembly.bytes());
}

// A file in memory that remembers its writes.
class Memory final : public storage::Sink {
 public:
  Status write(uint64_t offset, std::span<const std::byte> bytes) override {
    if (writes == fails_at) return failure(Code::io, "no");
    ++writes;
    for (size_t i = 0; i < bytes.size(); ++i) file[offset + i] = bytes[i];
    return {};
  }

  int writes = 0, fails_at = -1;
  std::map<uint64_t, std::byte> file;
};

using Places = std::map<uint64_t, FoundChunk>;

EncodedChunks three_chunks() {
  EncodedChunks chunks;
  chunks.add(30, {bytes_of("ccc"), 4});
  chunks.add(10, {bytes_of("old"), 0});
  chunks.add(20, {bytes_of("bbbbb"), 2});
  chunks.add(10, {bytes_of("aa"), 1});
  return chunks;
}

TEST(EncodedChunks, GoToTheFileInTheOrderOfRawSpace) {
  EncodedChunks chunks = three_chunks();
  EXPECT_EQ(10u, chunks.bytes());
  EXPECT_EQ(bytes_of("aa"), chunks.find(10)->bytes);
  EXPECT_EQ(nullptr, chunks.find(11));
  Memory file;
  Places places;
  const auto end = chunks.write(file, 1000, chunks.bytes(),
                                [&](uint64_t begin, const FoundChunk& place) { places[begin] = place; });
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(1010u, *end);
  EXPECT_EQ((Places{{10, {1000, 2, 1}}, {20, {1002, 5, 2}}, {30, {1007, 3, 4}}}), places);
  EXPECT_EQ(1, file.writes) << "short chunks are written together";
  EXPECT_EQ(std::byte{'b'}, file.file[1006]);
  EXPECT_TRUE(chunks.empty());
  EXPECT_EQ(0u, chunks.bytes());
}

TEST(EncodedChunks, FillRegionsOfTheArenaAndKeepWhatIsTooLong) {
  EncodedChunks chunks = three_chunks();
  EXPECT_FALSE(chunks.fill_region()) << "there is no arena";
  chunks.use_arena({.begin = 4096, .region_bytes = 4, .stride_bytes = 100, .most_held_bytes = 4});
  Memory file;
  Places places;
  const auto placed = [&](uint64_t begin, const FoundChunk& place) { places[begin] = place; };
  EXPECT_TRUE(chunks.fill_region());
  ASSERT_TRUE(chunks.empty_into_arena(file, placed).ok());
  EXPECT_EQ(4098u, chunks.arena_end());
  ASSERT_TRUE(chunks.empty_into_arena(file, placed).ok());
  EXPECT_EQ(4199u, chunks.arena_end());
  ASSERT_TRUE(chunks.empty_into_arena(file, placed).ok()) << "nothing fits";
  EXPECT_EQ(4199u, chunks.arena_end());
  EXPECT_EQ((Places{{10, {4096, 2, 1}}, {30, {4196, 3, 4}}}), places);
  EXPECT_EQ(1u, chunks.count());
  chunks.use_arena({});
  EXPECT_EQ(0u, chunks.arena_end());
}

// Regions of one chunk: what is in memory stays there, and further chunks are written at once.
TEST(EncodedChunks, FillRegionsOfTheirSize) {
  EncodedChunks chunks;
  chunks.use_arena({.begin = 4096, .region_bytes = 3, .stride_bytes = 100, .most_held_bytes = 6});
  EXPECT_FALSE(chunks.is_region(3));
  chunks.add(50, {bytes_of("aaa"), 0});
  EXPECT_FALSE(chunks.fill_region());
  EXPECT_TRUE(chunks.is_region(3));
  EXPECT_FALSE(chunks.is_region(4)) << "it does not fit";
  Memory file;
  Places places;
  const auto placed = [&](uint64_t begin, const FoundChunk& place) { places[begin] = place; };
  ASSERT_TRUE(chunks.write_to_region(file, 10, bytes_of("bbb"), placed).ok());
  ASSERT_TRUE(chunks.write_to_region(file, 90, bytes_of("ccc"), placed).ok());
  EXPECT_EQ(4199u, chunks.arena_end());
  ASSERT_TRUE(chunks.empty_into_arena(file, placed).ok());
  EXPECT_EQ((Places{{10, {4096, 3, 0}}, {90, {4196, 3, 0}}, {50, {4296, 3, 0}}}), places);
  EXPECT_EQ(std::byte{'a'}, file.file[4296]);
  EXPECT_TRUE(chunks.empty());
}

TEST(EncodedChunks, LongOnesAreWrittenAlone) {
  EncodedChunks chunks;
  chunks.add(1, {std::vector<std::byte>(100), 0});
  chunks.add(2, {std::vector<std::byte>(300 << 10), 0});
  chunks.add(3, {std::vector<std::byte>(100), 0});
  Memory file;
  ASSERT_TRUE(chunks.write(file, 0, chunks.bytes(), [](uint64_t, const FoundChunk&) {}).ok());
  EXPECT_EQ(3, file.writes);
}

TEST(EncodedChunks, AFailedWriteIsReturned) {
  EncodedChunks chunks = three_chunks();
  Memory file;
  file.fails_at = 0;
  EXPECT_EQ(Code::io, chunks.write(file, 0, 100, [](uint64_t, const FoundChunk&) {}).status().code());
}

}  // namespace
}  // namespace scorpio::format
