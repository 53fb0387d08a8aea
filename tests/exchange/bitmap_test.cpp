// Bitmaps and the messages made of them, against plain vectors of bool.
#include "exchange/images/bitmap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "exchange/images/message.h"

namespace scorpio::exchange {
namespace {

using RunPairs = std::vector<std::pair<uint64_t, uint64_t>>;

class Bits {
 public:
  explicit Bits(uint64_t bits)
      : words_((bits + 63) / 64 + Bitmap::index_bytes(bits) / 8, 0),
        bitmap(bytes(), bits),
        plain(bits, false) {}

  void set(uint64_t begin, uint64_t end) {
    bitmap.set(begin, end);
    std::fill(plain.begin() + static_cast<std::ptrdiff_t>(begin),
              plain.begin() + static_cast<std::ptrdiff_t>(end), true);
  }
  std::byte* bytes() { return reinterpret_cast<std::byte*>(words_.data()); }

 private:
  std::vector<uint64_t> words_;

 public:
  Bitmap bitmap;
  std::vector<bool> plain;
};

RunPairs runs_of(const std::vector<bool>& plain) {
  RunPairs runs;
  for (uint64_t i = 0; i < plain.size(); ++i) {
    if (!plain[i]) continue;
    if (!runs.empty() && runs.back().second == i) {
      ++runs.back().second;
    } else {
      runs.emplace_back(i, i + 1);
    }
  }
  return runs;
}

RunPairs runs_of(const Bitmap& bitmap) {
  RunPairs runs;
  bitmap.for_each([&](uint64_t begin, uint64_t end) { runs.emplace_back(begin, end); });
  return runs;
}

void set_some(Bits& bits, std::mt19937& random, int n, uint64_t longest) {
  const uint64_t size = bits.plain.size();
  for (int i = 0; i < n; ++i) {
    const uint64_t begin = random() % size;
    bits.set(begin, std::min(size, begin + 1 + random() % longest));
  }
}

RC_GTEST_PROP(Bitmaps, RunsAreThoseOfAPlainVector, ()) {
  Bits bits(64 * *rc::gen::inRange<uint64_t>(1, 40));
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  set_some(bits, random, *rc::gen::inRange(0, 40), *rc::gen::element<uint64_t>(1, 3, 64, 500));
  RC_ASSERT(runs_of(bits.bitmap) == runs_of(bits.plain));
  bits.bitmap.clear();
  RC_ASSERT(runs_of(bits.bitmap).empty());
}

// A node with few bytes of a unit looks at few words.
RC_GTEST_PROP(Bitmaps, OnlyWordsWithBitsAreLookedAt, ()) {
  Bits bits(64 * *rc::gen::inRange<uint64_t>(1, 400));
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  set_some(bits, random, *rc::gen::inRange(0, 5), *rc::gen::element<uint64_t>(1, 64, 6000));
  if (*rc::gen::arbitrary<bool>()) bits.bitmap.set_alone(0, 1);
  if (bits.bitmap.word(0) != 0) bits.plain[0] = bits.plain[0] || (bits.bitmap.word(0) & 1) != 0;
  std::vector<uint64_t> expected, visited;
  for (uint64_t w = 0; w < bits.bitmap.words(); ++w) {
    if (bits.bitmap.word(w) != 0) expected.push_back(w);
  }
  bits.bitmap.for_each_word([&](uint64_t w, uint64_t word) {
    RC_ASSERT(word == bits.bitmap.word(w));
    visited.push_back(w);
  });
  RC_ASSERT(visited == expected);
  RC_ASSERT(runs_of(bits.bitmap) == runs_of(bits.plain));
  bits.bitmap.clear();
  for (uint64_t w = 0; w < bits.bitmap.words(); ++w) RC_ASSERT(bits.bitmap.word(w) == 0);
  bits.bitmap.for_each_word([](uint64_t, uint64_t) { RC_FAIL("no word has bits"); });
}

TEST(Bitmaps, EdgesOfWords) {
  for (const auto& [begin, end] : RunPairs{{0, 1}, {63, 64}, {63, 65}, {64, 128}, {0, 256}, {255, 256}}) {
    Bits bits(256);
    bits.set(begin, end);
    EXPECT_EQ((RunPairs{{begin, end}}), runs_of(bits.bitmap));
  }
}

// Ranks set bits of one word at the same time; none may be lost.
TEST(Bitmaps, SetFromTwoSides) {
  Bits bits(64 * 1000);
  const auto set_every_other = [&](uint64_t first) {
    for (uint64_t i = first; i < 64 * 1000; i += 2) bits.bitmap.set(i, i + 1);
  };
  std::thread other([&] { set_every_other(1); });
  set_every_other(0);
  other.join();
  EXPECT_EQ((RunPairs{{0, 64 * 1000}}), runs_of(bits.bitmap));
}

// ---- messages ----

// A message with room for its parts, and what surrounds it.
class Image {
 public:
  static constexpr uint64_t k_unit = 4096, k_bitmap = k_unit / 8;

  explicit Image(std::mt19937& random) : memory_(k_head_bytes + k_unit + k_bitmap) {
    for (std::byte& b : memory_) b = static_cast<std::byte>(random());
    before = {bytes(), bytes() + k_unit};
  }
  std::byte* bytes() { return memory_.data() + k_head_bytes; }
  bool contains(std::span<const std::byte> message) const {
    return message.data() >= memory_.data() && message.data() + message.size() <= &memory_.back() + 1;
  }

 private:
  std::vector<std::byte> memory_;

 public:
  std::vector<std::byte> before;
};

RunPairs runs_of(const MessageParts& parts) {
  RunPairs runs;
  for_each_run(parts, Image::k_bitmap, [&](uint64_t begin, uint64_t end) { runs.emplace_back(begin, end); });
  return runs;
}

// What a sanitizer sees must be no longer than the message.
RunPairs runs_of(std::span<const std::byte> message) {
  const std::vector<std::byte> copy(message.begin(), message.end());
  const auto parts = parts_of(copy, Image::k_bitmap);
  RC_ASSERT(parts.ok());
  return runs_of(*parts);
}

std::vector<std::byte> bytes_in(const RunPairs& runs, const std::vector<std::byte>& image) {
  std::vector<std::byte> bytes;
  for (const auto& [begin, end] : runs) {
    bytes.insert(bytes.end(), image.begin() + static_cast<std::ptrdiff_t>(begin),
                 image.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return bytes;
}

// Few runs and many, short and long, at multiples of elements, and nearly all of the unit.
void set_like_elements(Bits& bits, std::mt19937& random) {
  const auto element = *rc::gen::element<uint64_t>(1, 2, 3, 4, 8, 12, 16, 64);
  const auto longest = *rc::gen::element<uint64_t>(1, 5, 50);
  const uint64_t elements = bits.plain.size() / element;
  const auto set = [&](uint64_t first, uint64_t last) {
    if (first < last) bits.set(first * element, last * element);
  };
  uint64_t behind = 0;
  for (int i = *rc::gen::element(0, 1, 2, 5, 60, 500); i > 0 && behind < elements; --i) {
    const uint64_t length = std::min(elements - behind, 1 + random() % longest);
    set(behind, behind + length);
    behind += length + 1 + random() % longest;
  }
  if (random() % 2 == 0) set(behind, elements);
}

// An image with random bytes, and random runs of it.
struct DrawnRuns {
  DrawnRuns() { set_like_elements(bits, random); }

  std::mt19937 random{*rc::gen::arbitrary<unsigned>()};
  Image image{random};
  Bits bits{Image::k_unit};
};

RC_GTEST_PROP(Messages, AreMadeInTheImage, ()) {
  DrawnRuns drawn;
  auto& [random, image, bits] = drawn;
  const RunPairs expected = runs_of(bits.plain);
  uint64_t moved = 0;
  const auto message =
      pack_in_place(bits.bitmap, bits.bitmap.outline(), Image::k_bitmap, image.bytes(), moved);
  RC_ASSERT(image.contains(message));
  RC_ASSERT(runs_of(message) == expected);
  const auto parts = parts_of(message, Image::k_bitmap);
  RC_ASSERT(std::ranges::equal(parts->bytes, bytes_in(expected, image.before)));
  const uint64_t first = expected.empty() ? 0 : expected.front().second - expected.front().first;
  RC_ASSERT(moved == parts->bytes.size() - first);
}

RC_GTEST_PROP(Messages, RepliesAreTakenApartInTheImage, ()) {
  DrawnRuns drawn;
  auto& [random, image, bits] = drawn;
  const RunPairs expected = runs_of(bits.plain);
  std::vector<std::byte> request(k_head_bytes + Image::k_bitmap);
  request.resize(pack_request(bits.bitmap, bits.bitmap.outline(), Image::k_bitmap, request.data()));
  RC_ASSERT(runs_of(request) == expected);
  RC_ASSERT(parts_of(request, Image::k_bitmap)->bytes.empty());

  std::vector<std::byte> wanted(Image::k_unit);
  for (std::byte& b : wanted) b = static_cast<std::byte>(random());
  const Bitmap::Outline outline = bits.bitmap.outline();
  const std::span<std::byte> room = room_for_reply(outline, image.bytes());
  const std::vector<std::byte> reply = bytes_in(expected, wanted);
  RC_ASSERT(room.size() == reply.size() && room.data() >= image.bytes());
  RC_ASSERT(room.data() + room.size() <= image.bytes() + Image::k_unit);
  std::ranges::copy(reply, room.begin());
  uint64_t moved = 0;
  unpack_reply(bits.bitmap, outline, image.bytes(), moved);
  for (size_t i = 0; i < Image::k_unit; ++i) RC_ASSERT(!bits.plain[i] || image.bytes()[i] == wanted[i]);
  const uint64_t last = expected.empty() ? 0 : expected.back().second - expected.back().first;
  RC_ASSERT(moved == reply.size() - last);
}

RC_GTEST_PROP(Bitmaps, AnOutlineIsThatOfTheRuns, ()) {
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  Bits bits(64 * *rc::gen::inRange<uint64_t>(1, 40));
  set_like_elements(bits, random);
  const RunPairs runs = runs_of(bits.plain);
  Bitmap::Outline expected;
  expected.runs = runs.size();
  for (const auto& [begin, end] : runs) {
    expected.bytes += end - begin;
    expected.edges |= uint64_t{1} << begin % 64 | uint64_t{1} << end % 64;
  }
  if (!runs.empty()) {
    expected.begin = runs.front().first;
    expected.end = runs.back().second;
  }
  const Bitmap::Outline found = bits.bitmap.outline();
  RC_ASSERT(found.bytes == expected.bytes && found.runs == expected.runs);
  RC_ASSERT(found.begin == expected.begin && found.end == expected.end);
  RC_ASSERT((found.edges | 1) == (expected.edges | 1));  // position 0 divides by every grain
}

// Every other element of a unit costs one bit per element, a run anywhere a few bytes.
TEST(Messages, TheListIsShort) {
  constexpr uint64_t k_unit = 65536, k_bitmap = k_unit / 8;
  std::vector<std::byte> message(k_unit + k_bitmap + 64);
  for (const uint64_t element : {1, 2, 4, 8}) {
    Bits scattered(k_unit);
    for (uint64_t at = 0; at < k_unit; at += 2 * element) scattered.set(at, at + element);
    EXPECT_EQ(8 + k_unit / element / 8,
              pack_request(scattered.bitmap, scattered.bitmap.outline(), k_bitmap, message.data()))
        << element;
    Bits runs(k_unit);
    for (uint64_t at = 0; at + 40 * element < k_unit; at += 100 * element) runs.set(at, at + 40 * element);
    EXPECT_LE(pack_request(runs.bitmap, runs.bitmap.outline(), k_bitmap, message.data()),
              8 + 2 * (k_unit / (100 * element) + 1))
        << element;
  }
  Bits one(k_unit);
  one.set(60000, 65000);
  EXPECT_LE(pack_request(one.bitmap, one.bitmap.outline(), k_bitmap, message.data()), 8u + 6);
}

// An invalid list has no bytes after the end of the unit, and no empty runs.
RC_GTEST_PROP(Messages, GarbageNamesBytesOfTheUnit, ()) {
  std::vector<std::byte> message(2 * Image::k_unit);
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  for (std::byte& b : message) b = static_cast<std::byte>(random());
  const MessageHead head{random() % Image::k_bitmap, false, static_cast<unsigned>(random() % 5)};
  const uint64_t word = head.word();
  std::memcpy(message.data(), &word, sizeof word);
  const auto parts = parts_of(message, Image::k_bitmap);
  if (!parts.ok()) return;
  uint64_t last = 0;
  for (const auto& [begin, end] : runs_of(*parts)) {
    RC_ASSERT(last <= begin && begin < end && end <= Image::k_unit);
    last = end;
  }
}

TEST(Messages, CutShortIsAnError) {
  Bits bits(4096);
  bits.set(0, 10);
  bits.set(20, 30);
  std::vector<std::byte> message(8192);
  const size_t length = pack_request(bits.bitmap, bits.bitmap.outline(), 512, message.data());
  EXPECT_TRUE(parts_of({message.data(), length}, 512).ok());
  for (const size_t cut : {size_t{0}, size_t{7}, length - 1}) {
    EXPECT_EQ(Code::internal, parts_of({message.data(), cut}, 512).status().code()) << cut;
  }
  const uint64_t huge = ~uint64_t{0} / 8 + 3;  // times the length of a run it wraps round
  std::memcpy(message.data(), &huge, sizeof huge);
  EXPECT_FALSE(parts_of({message.data(), 100}, 512).ok());
}

}  // namespace
}  // namespace scorpio::exchange
