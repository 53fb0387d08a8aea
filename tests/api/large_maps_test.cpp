// Maps of many elements in no order, with holes and elements that are held more than once: what a file gets,
// and the memory that their decompositions take.
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <fstream>

#include "session.h"

namespace scorpio::api_test {
namespace {

// The numbers below `count` in no order. A shuffled table of all of them would take the most memory and time
// of the test.
class Shuffled {
 public:
  Shuffled(uint64_t count, unsigned seed) : count_(count), bits_(std::bit_width(count)), seed_(seed) {}
  uint64_t operator()(uint64_t i) const {
    do i = mixed(i);
    while (i >= count_);
    return i;
  }

 private:
  // Each step is a bijection of the numbers of so many bits, and so is going on until one is below the count.
  uint64_t mixed(uint64_t i) const {
    const uint64_t mask = (uint64_t{1} << bits_) - 1;
    i = (i + (seed_ + 1) * 0x9e3779b97f4a7c15) & mask;
    for (const uint64_t odd : {0xbf58476d1ce4e5b9U, 0x94d049bb133111ebU}) {
      i = (i * odd) & mask;
      i ^= i >> (bits_ / 2 + 1);
    }
    return i;
  }
  uint64_t count_;
  int bits_;
  uint64_t seed_;
};

// Of one rank: blocks of `run` elements of the array in any order. Of each thousand elements one is missing;
// `doubled`: and one is there twice.
std::vector<int64_t> scattered(int64_t elements, int64_t run, int64_t total, unsigned seed, bool doubled) {
  const Shuffled blocks(static_cast<uint64_t>(total / run), seed);
  std::vector<int64_t> index(static_cast<size_t>(elements));
  int64_t* next = index.data();
  for (int64_t i = 0; i < elements; i += run) {
    const int64_t first = static_cast<int64_t>(blocks(static_cast<uint64_t>(i / run))) * run;
    for (int64_t at = 0; at < std::min(run, elements - i); ++at) *next++ = first + at;
  }
  for (size_t i = 1000; i < index.size(); i += 1000) {
    index[i] = -1;
    if (doubled) index[i - 1] = index[i / 2 + 1];
  }
  return index;
}

scorpio_decomp* decomposition_of(const System& system, int64_t total, const std::vector<int64_t>& index) {
  const int64_t dims[] = {total};
  scorpio_decomp* decomp = nullptr;
  EXPECT_SUCCESS(
      scorpio_decomp_map(system.get(), 1, dims, static_cast<int64_t>(index.size()), index.data(), &decomp));
  return decomp;
}

// The ranks' maps are made from their numbers: each rank can compute what all of them put.
TEST(LargeMaps, OfAnElementTheHighestRankPutsItsLastValue) {
  constexpr int64_t k_elements = 200'000, k_total = 3 * k_elements;
  const System system(Settings{{"io_ranks", std::to_string(std::min(2, ranks_in()))}});
  std::vector<int32_t> expected(k_total, -1);
  std::vector<int64_t> index;
  for (int rank = 0; rank < ranks_in(); ++rank) {
    const auto theirs = scattered(k_elements, 1, k_total, static_cast<unsigned>(rank), true);
    for (size_t i = 0; i < theirs.size(); ++i) {
      if (theirs[i] >= 0) expected[static_cast<size_t>(theirs[i])] = rank * 1'000'000 + static_cast<int>(i);
    }
    if (rank == rank_in()) index = theirs;
  }
  std::vector<int32_t> data(index.size());
  for (size_t i = 0; i < data.size(); ++i) data[i] = rank_in() * 1'000'000 + static_cast<int>(i);
  scorpio_decomp* decomp = decomposition_of(system, k_total, index);
  const TemporaryFolder folder;
  const std::string path = folder / "f";
  const int64_t dims[] = {k_total};
  scorpio_file* file = nullptr;
  int v = -1;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, dims, &v));
  EXPECT_SUCCESS(scorpio_put_darray(file, v, decomp, 0, SCORPIO_INT32, data.data()));
  EXPECT_SUCCESS(scorpio_file_sync(file));
  std::vector<int32_t> got(data.size(), -1);
  EXPECT_SUCCESS(scorpio_get_darray(file, v, decomp, 0, SCORPIO_INT32, got.data()));
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_SUCCESS(scorpio_decomp_free(decomp));
  int64_t wrong = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    const int32_t wanted = index[i] < 0 ? -1 : expected[static_cast<size_t>(index[i])];
    wrong += got[i] != wanted ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0);
}

// In kB; `peak`: the most since forget_peak().
int64_t resident(bool peak) {
  std::ifstream status("/proc/self/status");
  const std::string key = peak ? "VmHWM:" : "VmRSS:";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::stoll(line.substr(key.size()));
  }
  return 0;
}

void forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5";
}

// What the sanitizers keep for each allocation is not counted.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void expect_little_memory(int64_t run, double most_of_map) {
  constexpr int64_t k_elements = 6'000'000;
  const System system;
  const int64_t total = 4 * k_elements * ranks_in();
  const auto index = scattered(k_elements, run, total, static_cast<unsigned>(rank_in()), ranks_in() == 1);
  malloc_trim(0);
  forget_peak();
  const int64_t before = resident(false);
  scorpio_decomp* decomp = decomposition_of(system, total, index);
  const int64_t peak = 1024 * (resident(true) - before);
  malloc_trim(0);
  const int64_t kept = 1024 * (resident(false) - before);
  int64_t runs = 0;
  for (size_t i = 0; i < index.size(); ++i)
    runs += index[i] >= 0 && (i == 0 || index[i] != index[i - 1] + 1) ? 1 : 0;
  const auto map_bytes = static_cast<double>(index.size() * sizeof(int64_t));
  EXPECT_LE(kept, 16 * runs + (1 << 20));
  EXPECT_LE(static_cast<double>(peak), most_of_map * map_bytes);
  if (rank_in() == 0)
    std::printf("runs of %d: kept %.1f bytes each, peak of %.2f maps\n", static_cast<int>(run),
                static_cast<double>(kept) / static_cast<double>(runs), static_cast<double>(peak) / map_bytes);
  EXPECT_SUCCESS(scorpio_decomp_free(decomp));
}

TEST(LargeMaps, TakeLittleMemoryWhereAllElementsAreScattered) { expect_little_memory(1, 2.5); }

TEST(LargeMaps, TakeLessMemoryWhereFourElementsLieTogether) { expect_little_memory(4, 1.5); }
#endif

}  // namespace
}  // namespace scorpio::api_test
