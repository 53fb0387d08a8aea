// Maps of many elements in no order, with holes and elements that are held more than once: what a file gets,
// and the memory that their decompositions take.
#include <algorithm>
#include <bit>
#include <cstdio>

#include "session.h"
#include "support/resident_memory.h"

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

// The bytes that all ranks have read from files in the call.
uint64_t read_by_get(const System& system, scorpio_file* file, int variable, scorpio_decomp* decomp,
                     scorpio_type type, void* data) {
  const uint64_t before = from_rank_zero(system.sum("bytes_read"));
  EXPECT_SUCCESS(scorpio_get_darray(file, variable, decomp, 0, type, data));
  return from_rank_zero(system.sum("bytes_read")) - before;
}

// More elements than each rank knows intervals of, each in a unit of its own: of the others, an I/O rank
// reads the element and what is in its cell (plan::cell_elements), which is a small part of a unit.
TEST(LargeMaps, OfManyElementsFarFromEachOtherOnlyTheyAreRead) {
  constexpr int64_t k_elements = 70'000, k_stride = 16 << 10, k_put = 1000;
  const System system({{"io_ranks", "1"}, {"staging_bytes", "1m"}, {"block_bytes", "64k"}});
  const auto mine = [](int64_t step) {
    std::vector<int64_t> index;
    for (int64_t i = rank_in() * step; i < k_elements; i += ranks_in() * step)
      index.push_back(i * k_stride + i * i % 97);
    return index;
  };
  const int64_t dims[] = {k_elements * k_stride};
  const TemporaryFolder folder;
  const std::string path = folder / "f";
  scorpio_file* file = nullptr;
  int v = -1;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_CDF5, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 1, dims, &v));
  const std::vector<int64_t> few = mine(k_put);
  std::vector<double> data;
  for (const int64_t e : few) data.push_back(static_cast<double>(e));
  scorpio_decomp* put_by = decomposition_of(system, dims[0], few);
  EXPECT_SUCCESS(scorpio_put_darray(file, v, put_by, 0, SCORPIO_FLOAT64, data.data()));
  EXPECT_SUCCESS(scorpio_decomp_free(put_by));
  EXPECT_SUCCESS(scorpio_file_sync(file));
  const std::vector<int64_t> many = mine(1);
  scorpio_decomp* get_by = decomposition_of(system, dims[0], many);
  std::vector<double> got(many.size(), -1);
  const uint64_t read = read_by_get(system, file, v, get_by, SCORPIO_FLOAT64, got.data());
  EXPECT_SUCCESS(scorpio_decomp_free(get_by));
  EXPECT_SUCCESS(scorpio_file_close(file));
  for (size_t i = 0; i < many.size(); ++i) {
    const bool put = many[i] / k_stride % k_put == 0;
    ASSERT_EQ(put ? static_cast<double>(many[i]) : 0.0, got[i]) << many[i];
  }
  constexpr uint64_t k_units = 64 << 10, k_others = k_elements - k_units, k_cell_bytes = 137 * 8;
  EXPECT_LE(read, uint64_t{k_elements} * 8 + (k_others + 2) * k_cell_bytes);
}

// Half of the columns of every other row of an array: more pieces of chunks than each rank knows. A row of
// chunks has two units.
TEST(LargeMaps, OfHalfOfTheChunksNoOtherIsRead) {
  const int64_t dims[] = {512, 16384}, chunk[] = {32, 8}, columns = dims[1] / 2;
  const System system(Settings{{"io_ranks", "1"}});
  const int64_t from = dims[0] * rank_in() / ranks_in(), to = dims[0] * (rank_in() + 1) / ranks_in();
  const TemporaryFolder folder;
  scorpio_file* file = nullptr;
  int v = -1;
  const std::string path = folder / "f";
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_HDF5, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT32, 2, dims, &v));
  EXPECT_SUCCESS(scorpio_variable_define_chunks(file, v, chunk));
  std::vector<float> data(static_cast<size_t>((to - from) * dims[1]));
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i % 4097);
  const int64_t start[] = {from, 0}, count[] = {to - from, dims[1]};
  scorpio_decomp* all = nullptr;
  EXPECT_SUCCESS(scorpio_decomp_block(system.get(), 2, dims, start, count, &all));
  EXPECT_SUCCESS(scorpio_put_darray(file, v, all, 0, SCORPIO_FLOAT32, data.data()));
  EXPECT_SUCCESS(scorpio_decomp_free(all));
  EXPECT_SUCCESS(scorpio_file_sync(file));
  std::vector<int64_t> index;
  for (int64_t row = from + from % 2; row < to; row += 2) {
    for (int64_t column = 0; column < columns; ++column) index.push_back(row * dims[1] + column);
  }
  scorpio_decomp* half = nullptr;
  EXPECT_SUCCESS(scorpio_decomp_map(system.get(), 2, dims, std::ssize(index), index.data(), &half));
  std::vector<float> got(index.size(), -1);
  const uint64_t read = read_by_get(system, file, v, half, SCORPIO_FLOAT32, got.data());
  EXPECT_SUCCESS(scorpio_decomp_free(half));
  EXPECT_SUCCESS(scorpio_file_close(file));
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(data[static_cast<size_t>(index[i] - from * dims[1])], got[i]) << index[i];
  EXPECT_LE(read, static_cast<uint64_t>(dims[0] * columns) * sizeof(float));
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

void expect_little_memory(int64_t run, double most_of_map) {
  if (!test::k_memory_is_comparable) GTEST_SKIP();
  constexpr int64_t k_elements = 6'000'000;
  const System system;
  const int64_t total = 4 * k_elements * ranks_in();
  const auto index = scattered(k_elements, run, total, static_cast<unsigned>(rank_in()), ranks_in() == 1);
  const test::ResidentMemory memory;
  scorpio_decomp* decomp = decomposition_of(system, total, index);
  const int64_t peak = memory.peak(), kept = memory.more();
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

}  // namespace
}  // namespace scorpio::api_test
