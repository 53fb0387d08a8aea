// Damaged headers: the reader neither crashes nor hangs nor takes much memory, and what it accepts it can
// write.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <new>

#include "format/cdf/header_reader.h"
#include "format/cdf/header_writer.h"
#include "memory_source.h"
#include "samples.h"

namespace {

std::atomic<size_t> live_bytes{0};
std::atomic<size_t> peak_bytes{0};

void* count(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  const size_t now = live_bytes += malloc_usable_size(block);
  peak_bytes = std::max<size_t>(peak_bytes, now);
  return block;
}

void release(void* block) {
  live_bytes -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(size_t size) { return count(std::malloc(size)); }
void operator delete(void* block) noexcept { release(block); }
void operator delete(void* block, size_t) noexcept { release(block); }

namespace scorpio::format::cdf::test {
namespace {

constexpr int k_mutations = 100'000;
constexpr int k_seeds = 200;
constexpr double k_limit_s = 40;  // of CPU
// Beside what is in proportion to the file: texts of failures, empty containers.
constexpr size_t k_free_bytes = 4096;

// Values that make a count, a tag or an offset interesting.
constexpr std::array<uint32_t, 10> k_words{0,          1,          10,         11,         12,
                                           0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFC, 256};

void put_word(std::vector<std::byte>& bytes, size_t at, uint32_t word) {
  for (size_t i = 0; i < 4 && at + i < bytes.size(); ++i)
    bytes[at + i] = static_cast<std::byte>(word >> (24 - 8 * i));
}

void mutate(Random& random, std::vector<std::byte>& bytes) {
  if (bytes.empty()) return;
  const size_t at = between(random, 0, bytes.size() - 1);
  switch (between(random, 0, 4)) {
    case 0:
      bytes[at] ^= static_cast<std::byte>(1U << between(random, 0, 7));
      return;
    case 1:
      return put_word(bytes, at / 4 * 4, k_words[between(random, 0, k_words.size() - 1)]);
    case 2:
      return bytes.resize(at);
    case 3: {
      const size_t part = between(random, 1, std::min<size_t>(16, bytes.size() - at));
      const std::vector<std::byte> copy(bytes.begin() + static_cast<ptrdiff_t>(at),
                                        bytes.begin() + static_cast<ptrdiff_t>(at + part));
      bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(between(random, 0, bytes.size())), copy.begin(),
                   copy.end());
      return;
    }
    default:
      bytes[at] = static_cast<std::byte>(between(random, 0, 255));
  }
}

// Reads, and where that succeeds writes and reads again: the same values.
bool survives(const std::vector<std::byte>& bytes) {
  MemorySource source(bytes);
  const size_t before = live_bytes;
  peak_bytes = before;
  const auto parsed = read_header(source);
  EXPECT_LE(peak_bytes - before, 32 * bytes.size() + k_free_bytes);
  if (!parsed.ok()) {
    EXPECT_EQ(parsed.status().code(), Code::format);
    EXPECT_FALSE(parsed.status().text().empty());
    return false;
  }
  const auto written = write_header(parsed->header);
  if (!written.ok()) {
    EXPECT_EQ(written.status().code(), Code::limit) << written.status().text();
    return true;
  }
  MemorySource again(written.value());
  EXPECT_EQ(read_header(again)->header, parsed->header);
  return true;
}

TEST(CdfGarbage, DamagedHeadersAreReadOrRefused) {
  Random random(20240607);
  std::vector<std::vector<std::byte>> seeds;
  while (seeds.size() < k_seeds) {
    Header header = random_header(random, {.version = random_version(random)});
    if (place_randomly(random, header)) seeds.push_back(write_header(header).value());
  }
  const std::clock_t start = std::clock();
  int accepted = 0;
  for (int i = 0; i < k_mutations && !testing::Test::HasFailure(); ++i) {
    auto bytes = seeds[static_cast<size_t>(i) % seeds.size()];
    const uint64_t mutations = between(random, 1, 4);
    for (uint64_t k = 0; k < mutations; ++k) mutate(random, bytes);
    accepted += survives(bytes) ? 1 : 0;
  }
  const double spent_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("accepted", accepted);
  // Both ways must have been taken.
  EXPECT_GT(accepted, k_mutations / 50);
  EXPECT_LT(accepted, k_mutations * 49 / 50);
  EXPECT_LT(spent_s, k_limit_s);
}

// Many small items: the worst case for memory in proportion to the file.
TEST(CdfGarbage, ManySmallItemsTakeLittleMemory) {
  Header header;
  header.version = Version::cdf1;
  for (int i = 0; i < 20'000; ++i) header.dims.push_back({"d" + std::to_string(i), 1, false});
  for (int i = 0; i < 20'000; ++i) header.attributes.push_back({"a" + std::to_string(i), Type::int8, {}});
  for (int i = 0; i < 20'000; ++i) {
    header.variables.push_back({"v" + std::to_string(i), {}, {}, Type::int8, 4, 0});
  }
  const uint64_t end = header_bytes(header);
  for (Variable& variable : header.variables) variable.begin = end;
  EXPECT_TRUE(survives(write_header(header).value()));
}

}  // namespace
}  // namespace scorpio::format::cdf::test
