// Many I/O systems, files and decompositions one after the other: no descriptor is left, and little memory.
#include <malloc.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "program.h"

namespace scorpio::pio_test {
namespace {

class Many : public Program {
 protected:
  static int64_t descriptors() {
    int64_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
      count += entry.path().empty() ? 0 : 1;
    return count;
  }
  static int64_t bytes_in_use() { return static_cast<int64_t>(mallinfo2().uordblks + mallinfo2().hblkhd); }
  // After some rounds that are not counted: no descriptor is left by the others, and of each at most `bytes`.
  // MPI libraries allocate blocks for many requests at once, now and then, more often where ranks wait for
  // each other long: what is lost in each round is lost in all of up to eight times as many rounds, too.
  template <typename Round>
  static void expect_little_left(int rounds, int64_t bytes, Round&& round) {
    constexpr int k_first = 20, k_times = 8;
    int made = 0;
    const auto make = [&](int count) {
      for (const int end = made + count; made < end; ++made) round(made);
    };
    make(k_first);
    const int64_t descriptors_before = descriptors(), most = rounds * bytes + k_slack;
    int64_t least = std::numeric_limits<int64_t>::max();
    for (int times = 0, good = 0; times < k_times && good == 0; ++times) {
      const int64_t bytes_before = bytes_in_use();
      make(rounds);
      least = std::min(least, bytes_in_use() - bytes_before);
      good = least <= most ? 1 : 0;
      MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
    EXPECT_EQ(descriptors_before, descriptors());
    EXPECT_LE(least, most);
  }

  void decompose(int i) {
    auto map = round_robin(8);
    if (i % 2 == 1) std::reverse(map.begin(), map.end());
    EXPECT_DONE(PIOc_freedecomp(system_, decomposition(PIO_INT, {8}, map)));
  }
  void write_file(int i) {
    const int file = create("a.nc");
    const int x = dimension(file, "x", 8);
    const int v = variable(file, "v", PIO_INT, {x});
    const auto map = round_robin(8);
    const int d = decomposition(PIO_INT, {8}, map);
    const std::vector<int> values(map.size(), i);
    EXPECT_DONE(
        PIOc_write_darray(file, v, d, static_cast<PIO_Offset>(values.size()), values.data(), nullptr));
    EXPECT_DONE(PIOc_freedecomp(system_, d));
    EXPECT_DONE(PIOc_closefile(file));
  }
  static void make_system() {
    int system = -1;
    EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &system));
    EXPECT_DONE(PIOc_finalize(system));
  }

  // Of a file, that of the I/O system to which it belonged.
  static constexpr int64_t k_bytes_of_a_file = 16;
  static constexpr int64_t k_bytes_of_a_decomposition = 16;
  static constexpr int64_t k_bytes_of_a_system = 16;
  // What MPI and the C library keep once in a while.
  static constexpr int64_t k_slack = 8 * 1024;
};

TEST_F(Many, Files) {
  expect_little_left(200, k_bytes_of_a_file, [&](int i) { write_file(i); });
}
TEST_F(Many, Decompositions) {
  expect_little_left(1000, k_bytes_of_a_decomposition, [&](int i) { decompose(i); });
}
TEST_F(Many, Systems) {
  expect_little_left(100, k_bytes_of_a_system, [](int) { make_system(); });
}

// As many as in a long run of a model.
TEST_F(Many, FilesOfALongRun) {
  expect_little_left(1000, k_bytes_of_a_file, [&](int i) { write_file(i); });
}
TEST_F(Many, DecompositionsOfALongRun) {
  expect_little_left(10000, k_bytes_of_a_decomposition, [&](int i) { decompose(i); });
}
TEST_F(Many, SystemsOfALongRun) {
  expect_little_left(1000, k_bytes_of_a_system, [](int) { make_system(); });
}

// Beside the descriptions of its dimensions, variables and attributes.
TEST_F(Many, AnOpenFileTakesLittleMemory) {
  constexpr int k_files = 16;
  write_file(0);
  const int64_t before = bytes_in_use();
  std::vector<int> files;
  for (int i = 0; i < k_files; ++i) {
    files.push_back(create("open_" + std::to_string(i) + ".nc"));
    const int x = dimension(files.back(), "x", 8);
    (void)variable(files.back(), "v", PIO_INT, {x});
    EXPECT_DONE(PIOc_enddef(files.back()));
  }
  EXPECT_LE(bytes_in_use() - before, k_files * 64 * 1024);
  for (const int file : files) EXPECT_DONE(PIOc_closefile(file));
}

// Arrays that are written one after the other do not pile up: neither in the queue, nor among the buffers
// that are kept for later writes, of whatever sizes they were.
TEST_F(Many, BufferedWritesTakeLittleMemory) {
  constexpr int k_arrays = 32, k_elements = 64 * 1024;
  constexpr int64_t k_most = int64_t{3} << 20;
  const int file = create("a.nc");
  std::vector<int> variables, decompositions;
  for (int i = 0; i < k_arrays; ++i) {
    const int elements = (k_elements + 1024 * i) * ranks();
    const std::string name = std::to_string(i);
    variables.push_back(
        variable(file, ("v" + name).c_str(), PIO_DOUBLE, {dimension(file, ("x" + name).c_str(), elements)}));
    decompositions.push_back(decomposition(PIO_DOUBLE, {elements}, round_robin(elements)));
  }
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<double> values(k_elements + 1024 * k_arrays, 1.5);
  const int64_t before = bytes_in_use();
  int64_t most = 0;
  for (int times = 0; times < 2; ++times) {
    for (int i = 0; i < k_arrays; ++i) {
      const auto n = static_cast<size_t>(i);
      EXPECT_DONE(PIOc_write_darray(file, variables[n], decompositions[n], k_elements + 1024 * i,
                                    values.data(), nullptr));
      most = std::max(most, bytes_in_use() - before);
    }
  }
  EXPECT_LE(most, k_most);
  EXPECT_DONE(PIOc_sync(file));
  const PIO_Offset limit = PIOc_set_buffer_size_limit(0);
  EXPECT_LE(bytes_in_use() - before, int64_t{3} << 20) << "nothing is kept";
  PIOc_set_buffer_size_limit(limit);
  EXPECT_DONE(PIOc_closefile(file));
  for (const int d : decompositions) EXPECT_DONE(PIOc_freedecomp(system_, d));
}

}  // namespace
}  // namespace scorpio::pio_test
