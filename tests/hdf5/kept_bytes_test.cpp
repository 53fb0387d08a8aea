// The bytes of a file that are in memory, and the ranges of them that are to be written.
#include "format/hdf5/kept_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace scorpio::format::hdf5 {
namespace {

constexpr ByteRange k_all{0, uint64_t{1} << 40};

std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

std::string text_at(const KeptBytes& kept, uint64_t address, size_t length) {
  std::vector<std::byte> out(length, std::byte{'.'});
  kept.overlay(address, out);
  std::string text;
  for (const std::byte one : out) text += static_cast<char>(one);
  return text;
}

// "10-12 20-24"
std::string ranges(const std::vector<ByteRange>& all) {
  std::string text;
  for (const ByteRange& one : all)
    text += (text.empty() ? "" : " ") + std::to_string(one.begin) + "-" + std::to_string(one.end);
  return text;
}

TEST(KeptBytes, ReplaceThoseOfTheFile) {
  KeptBytes kept;
  EXPECT_TRUE(kept.all_written());
  kept.keep(10, bytes_of("abcd"));
  kept.keep(12, bytes_of("XY"));
  EXPECT_EQ("..abXY..", text_at(kept, 8, 8));
  EXPECT_TRUE(kept.covers({10, 14}));
  EXPECT_FALSE(kept.covers({10, 15}));
  EXPECT_EQ(4u, kept.bytes());
  EXPECT_FALSE(kept.all_written());
}

TEST(KeptBytes, AreWrittenOnce) {
  KeptBytes kept;
  kept.keep(10, bytes_of("abcd"));
  kept.set_written();
  EXPECT_EQ("", ranges(kept.to_write(k_all, {})));
  kept.keep(10, bytes_of("abcd"));  // the same
  EXPECT_TRUE(kept.all_written());
  kept.keep(11, bytes_of("B"));
  EXPECT_EQ("11-12", ranges(kept.to_write(k_all, {})));
  EXPECT_EQ("aBcd", text_at(kept, 10, 4));
}

TEST(KeptBytes, AreForgottenInPart) {
  KeptBytes kept;
  kept.keep(10, bytes_of("abcdef"));
  kept.forget({12, 14});
  EXPECT_EQ("ab..ef", text_at(kept, 10, 6));
  EXPECT_EQ("10-12 14-16", ranges(kept.to_write(k_all, {})));
  EXPECT_EQ("11-12 14-15", ranges(kept.to_write({11, 15}, {})));
  kept.forget(k_all);
  EXPECT_TRUE(kept.all_written());
  EXPECT_EQ(0u, kept.bytes());
}

// Bytes in between are written too if they are known, or nothing is there.
TEST(KeptBytes, AreJoinedOverWhatMayBeWritten) {
  KeptBytes kept;
  kept.keep(14, bytes_of("known"));  // 14 to 19
  kept.set_written();
  kept.keep(10, bytes_of("ab"));  // 10 to 12
  kept.keep(20, bytes_of("cd"));  // 20 to 22
  EXPECT_EQ("10-12 20-22", ranges(kept.to_write(k_all, {})));
  IntervalSet unused;
  unused.add({12, 14});
  EXPECT_EQ("10-12 20-22", ranges(kept.to_write(k_all, unused)));  // byte 19 is another's
  unused.add({19, 20});
  EXPECT_EQ("10-22", ranges(kept.to_write(k_all, unused)));
}

TEST(KeptBytes, AreNotJoinedOverALongGap) {
  constexpr uint64_t k_mib = uint64_t{1} << 20;
  for (const uint64_t gap : {k_mib, k_mib + 1}) {
    KeptBytes kept;
    kept.keep(0, bytes_of("a"));
    kept.keep(1 + gap, bytes_of("b"));
    IntervalSet unused;
    unused.add({1, 1 + gap});
    EXPECT_EQ(gap == k_mib ? 1u : 2u, kept.to_write(k_all, unused).size()) << gap;
  }
}

}  // namespace
}  // namespace scorpio::format::hdf5
