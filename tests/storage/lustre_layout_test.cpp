// Layouts of Lustre, as its extended attribute "lustre.lov" holds them: plain and composite ones, and damaged
// ones, which are refused with the values in question.
#include "storage/lustre_layout.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace scorpio::storage {
namespace {

using Bytes = std::vector<std::byte>;

constexpr uint32_t k_v1 = 0x0BD10BD0, k_v3 = 0x0BD30BD0, k_comp = 0x0BD60BD0;
constexpr uint32_t k_raid0 = 1, k_mdt = 0x100;

template <typename T>
void set(Bytes& bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// What a file of `count` stripes of `size` bytes has: version 3 also names a pool; then the objects follow.
Bytes plain(uint32_t magic, uint32_t size, uint16_t count, uint32_t pattern = k_raid0) {
  const size_t objects = count == 0xFFFF ? 0 : count;
  Bytes bytes(32 + (magic == k_v3 ? 16 : 0) + objects * 24);
  set(bytes, 0, magic);
  set(bytes, 4, pattern);
  set(bytes, 24, size);
  set(bytes, 28, count);
  return bytes;
}

Bytes composite(const std::vector<Bytes>& parts) {
  Bytes bytes(32 + parts.size() * 48);
  for (size_t i = 0; i < parts.size(); ++i) {
    set(bytes, 32 + i * 48 + 24, static_cast<uint32_t>(bytes.size()));
    set(bytes, 32 + i * 48 + 28, static_cast<uint32_t>(parts[i].size()));
    bytes.insert(bytes.end(), parts[i].begin(), parts[i].end());
  }
  set(bytes, 0, k_comp);
  set(bytes, 4, static_cast<uint32_t>(bytes.size()));
  set(bytes, 14, static_cast<uint16_t>(parts.size()));
  return bytes;
}

void expect(const Bytes& attribute, uint64_t stripe_bytes, uint64_t stripes) {
  const Result<LustreLayout> layout = lustre_layout(attribute);
  ASSERT_TRUE(layout.ok()) << layout.status().text();
  EXPECT_EQ(layout->stripe_bytes, stripe_bytes);
  EXPECT_EQ(layout->stripes, stripes);
}

void expect_refusal(const Bytes& attribute, const std::string& part) {
  const Result<LustreLayout> layout = lustre_layout(attribute);
  ASSERT_FALSE(layout.ok());
  EXPECT_EQ(layout.status().code(), Code::format);
  EXPECT_NE(layout.status().text().find(part), std::string::npos) << layout.status().text();
}

TEST(LustreLayout, OfPlainFiles) {
  expect(plain(k_v1, 4 << 20, 8), 4 << 20, 8);
  expect(plain(k_v3, 1 << 16, 1), 1 << 16, 1);
  expect(plain(k_v3, 3 << 20, 160), 3 << 20, 160);
  expect(plain(k_v1, 1 << 20, 0xFFFF), 1 << 20, 0);  // on all servers
}

TEST(LustreLayout, OfCompositeFilesIsThatOfTheLargestComponent) {
  expect(composite({plain(k_v1, 1 << 20, 1), plain(k_v3, 4 << 20, 4), plain(k_v1, 4 << 20, 32)}), 4 << 20,
         32);
  // The first bytes are on the metadata server, where no I/O rank competes for stripes.
  expect(composite({plain(k_v1, 1 << 20, 0, k_mdt), plain(k_v1, 2 << 20, 6)}), 2 << 20, 6);
  expect(composite({plain(k_v1, 1 << 20, 4), plain(k_v1, 1 << 20, 0xFFFF)}), 1 << 20, 0);
}

TEST(LustreLayout, StripesThatLustreDoesNotHaveAreRefused) {
  expect_refusal(plain(k_v1, 0, 8), "stripes of 0 bytes");
  expect_refusal(plain(k_v3, 1000, 8), "stripes of 1000 bytes, which are no multiple of 65536");
  expect_refusal(composite({plain(k_v1, 1 << 20, 1), plain(k_v1, 0, 4)}), "stripes of 0 bytes");
  expect_refusal(composite({plain(k_v1, 1 << 20, 0, k_mdt)}), "no stripes on servers of data");
  expect_refusal(composite({}), "no stripes on servers of data");
}

TEST(LustreLayout, DamagedAttributesAreRefused) {
  expect_refusal({}, "0 bytes is cut off");
  expect_refusal(Bytes(64), "unknown kind 0x00000000");
  for (const Bytes& whole :
       {plain(k_v1, 1 << 20, 2), composite({plain(k_v1, 1 << 20, 2), plain(k_v3, 1 << 20, 3)})}) {
    for (size_t length = 0; length < whole.size(); ++length) {
      const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
      const Result<LustreLayout> layout = lustre_layout(cut);  // the objects are not read
      if (!layout.ok()) {
        EXPECT_NE(layout.status().text().find("cut off"), std::string::npos) << length;
      }
      EXPECT_EQ(layout.ok(), whole.size() == 80 && length >= 32) << length;
    }
  }
  Bytes outside = composite({plain(k_v1, 1 << 20, 2)});
  set(outside, 32 + 24, uint32_t{0xFFFFFFF0});
  expect_refusal(outside, "cut off");
}

// What is asked of Lustre is a layout in its own form.
TEST(LustreLayout, OfANewFile) {
  const auto wish = [](const Striping& striping) {
    const auto bytes = lustre_wish(striping);
    return Bytes(bytes.begin(), bytes.end());
  };
  Bytes expected = plain(k_v1, uint32_t{4} << 20, 7);
  expected.resize(32);
  set(expected, 30, uint16_t{0xFFFF});  // on any servers
  EXPECT_EQ(expected, wish({uint64_t{4} << 20, 7}));
  expect(wish({65536, k_all_servers}), 65536, 0);
  expect(wish({65536, 2000}), 65536, 2000);
  expected = plain(k_v1, 0, 0);  // as the file system does it
  set(expected, 30, uint16_t{0xFFFF});
  EXPECT_EQ(expected, wish({}));
}

}  // namespace
}  // namespace scorpio::storage
