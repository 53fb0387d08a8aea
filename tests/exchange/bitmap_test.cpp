// Bitmaps and the messages made of them, against plain vectors of bool.
#include "exchange/bitmap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "exchange/message.h"

namespace scorpio::exchange {
namespace {

using RunPairs = std::vector<std::pair<uint64_t, uint64_t>>;

class Bits {
 public:
  explicit Bits(uint64_t bits) : words_((bits + 63) / 64, 0), bitmap(bytes(), bits), plain(bits, false) {}

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

RC_GTEST_PROP(Messages, CarryTheBytesTheyName, ()) {
  constexpr uint64_t k_unit = 4096, k_bitmap = k_unit / 8;
  Bits bits(k_unit);
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  // Up to so many and so short that the bitmap itself is the shorter list.
  set_some(bits, random, *rc::gen::element(0, 1, 5, 60, 2000), *rc::gen::element<uint64_t>(1, 2, 50));
  std::vector<std::byte> image(k_unit), message(k_unit + k_bitmap + 64), back(k_unit, std::byte{0});
  for (std::byte& b : image) b = static_cast<std::byte>(random());

  const size_t head = pack_runs(bits.bitmap, k_bitmap, message.data());
  RC_ASSERT(head <= k_bitmap + 8);
  const size_t length = append_bytes(message.data(), head, k_bitmap, image.data());
  RC_ASSERT(length <= message.size());
  const auto read = head_length({message.data(), length}, k_bitmap);
  RC_ASSERT(read.ok() && *read == head);
  size_t at = head;
  RunPairs runs;
  for_each_run(message.data(), k_bitmap, [&](uint64_t begin, uint64_t end) {
    runs.emplace_back(begin, end);
    std::copy_n(message.begin() + static_cast<std::ptrdiff_t>(at), end - begin,
                back.begin() + static_cast<std::ptrdiff_t>(begin));
    at += end - begin;
  });
  RC_ASSERT(at == length);
  RC_ASSERT(runs == runs_of(bits.plain));
  for (size_t i = 0; i < k_unit; ++i) RC_ASSERT(back[i] == (bits.plain[i] ? image[i] : std::byte{0}));
}

// The same message as with a copy of its bytes; of what lies around these only
// the head's place is written.
RC_GTEST_PROP(Messages, OfOneRunAreMadeInPlace, ()) {
  constexpr uint64_t k_unit = 4096, k_bitmap = k_unit / 8;
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  const uint64_t begin = *rc::gen::element<uint64_t>(0, 1, 8, 17, 18, 640, 4095);
  const uint64_t end = begin + 1 + random() % (k_unit - begin);
  std::vector<std::byte> memory(k_head_of_run + k_unit), copied(k_unit + k_bitmap + 64);
  for (std::byte& b : memory) b = static_cast<std::byte>(random());
  const std::vector<std::byte> before = memory;
  std::byte* const image = memory.data() + k_head_of_run;
  Bits bits(k_unit);
  RC_ASSERT(!bits.bitmap.only_run());
  bits.set(begin, end);
  RC_ASSERT(bits.bitmap.only_run() == (ByteRange{begin, end}));
  copied.resize(
      append_bytes(copied.data(), pack_runs(bits.bitmap, k_bitmap, copied.data()), k_bitmap, image));
  const auto message = message_in_place({begin, end}, image);
  RC_ASSERT(std::ranges::equal(message, copied));
  RC_ASSERT(message.data() + message.size() == image + end);
  RC_ASSERT(message.data() >= image + begin - k_head_of_run);
  const auto first = static_cast<size_t>(message.data() - memory.data());
  const size_t data = k_head_of_run + begin;
  for (size_t i = 0; i < memory.size(); ++i) RC_ASSERT(memory[i] == before[i] || (i >= first && i < data));
  if (end + 1 < k_unit) {
    bits.set(end + 1, k_unit);
    RC_ASSERT(!bits.bitmap.only_run());
  }
}

// Every other element of a unit costs one bit per element, a run anywhere a few bytes.
TEST(Messages, TheListIsShort) {
  constexpr uint64_t k_unit = 65536, k_bitmap = k_unit / 8;
  std::vector<std::byte> message(k_unit + k_bitmap + 64);
  for (const uint64_t element : {1, 2, 4, 8}) {
    Bits scattered(k_unit);
    for (uint64_t at = 0; at < k_unit; at += 2 * element) scattered.set(at, at + element);
    EXPECT_EQ(8 + k_unit / element / 8, pack_runs(scattered.bitmap, k_bitmap, message.data())) << element;
    Bits runs(k_unit);
    for (uint64_t at = 0; at + 40 * element < k_unit; at += 100 * element) runs.set(at, at + 40 * element);
    EXPECT_LE(pack_runs(runs.bitmap, k_bitmap, message.data()), 8 + 2 * (k_unit / (100 * element) + 1))
        << element;
  }
  Bits one(k_unit);
  one.set(60000, 65000);
  EXPECT_LE(pack_runs(one.bitmap, k_bitmap, message.data()), 8u + 6);
}

// Elements of any size: all positions are multiples of it.
RC_GTEST_PROP(Messages, NameTheRunsOfElements, ()) {
  constexpr uint64_t k_unit = 4096, k_bitmap = k_unit / 8;
  const auto element = *rc::gen::element<uint64_t>(1, 2, 3, 4, 8, 12, 16, 64);
  Bits bits(k_unit);
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  for (int i = *rc::gen::inRange(0, 300); i > 0; --i) {
    const uint64_t at = random() % (k_unit / element) * element;
    bits.set(at, std::min(k_unit, at + element * (1 + random() % 5)) / element * element);
  }
  std::vector<std::byte> message(k_unit + k_bitmap + 64);
  const size_t head = pack_runs(bits.bitmap, k_bitmap, message.data());
  RC_ASSERT(head <= k_bitmap + 8);
  RunPairs runs;
  for_each_run(message.data(), k_bitmap,
               [&](uint64_t begin, uint64_t end) { runs.emplace_back(begin, end); });
  RC_ASSERT(runs == runs_of(bits.plain));
}

// An invalid list has no bytes after the end of the unit, and no empty runs.
RC_GTEST_PROP(Messages, GarbageNamesBytesOfTheUnit, ()) {
  constexpr uint64_t k_unit = 4096, k_bitmap = k_unit / 8;
  std::vector<std::byte> message(2 * k_unit);
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  for (std::byte& b : message) b = static_cast<std::byte>(random());
  const MessageHead head{random() % k_bitmap, false, static_cast<unsigned>(random() % 5)};
  const uint64_t word = head.word();
  std::memcpy(message.data(), &word, sizeof word);
  if (!head_length(message, k_bitmap).ok()) return;
  uint64_t last = 0;
  for_each_run(message.data(), k_bitmap, [&](uint64_t begin, uint64_t end) {
    RC_ASSERT(last <= begin && begin < end && end <= k_unit);
    last = end;
  });
}

TEST(Messages, CutShortIsAnError) {
  Bits bits(4096);
  bits.set(0, 10);
  bits.set(20, 30);
  std::vector<std::byte> message(8192);
  const size_t head = pack_runs(bits.bitmap, 512, message.data());
  EXPECT_TRUE(head_length({message.data(), head}, 512).ok());
  for (const size_t length : {size_t{0}, size_t{7}, head - 1}) {
    EXPECT_EQ(Code::internal, head_length({message.data(), length}, 512).status().code()) << length;
  }
  const uint64_t huge = ~uint64_t{0} / 8 + 3;  // times the length of a run it wraps round
  std::memcpy(message.data(), &huge, sizeof huge);
  EXPECT_FALSE(head_length({message.data(), 100}, 512).ok());
}

}  // namespace
}  // namespace scorpio::exchange
