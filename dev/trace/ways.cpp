// The program that dev/trace-ways follows: creates a file of each format, defines, puts, gets, posts a put
// and waits, closes; each call twice, once with the I/O rank as the last to come and once as the first, so
// that who waits for whom does not depend on chance. ways FOLDER FORMAT...: rank r writes FOLDER/trace.r, a
// sequence of 64-bit addresses: a function that was entered, or, with the highest bit set, left. Collective
// over MPI_COMM_WORLD.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "scorpio/scorpio.h"

namespace {

constexpr uint64_t k_left = uint64_t{1} << 63;
const std::thread::id k_main_thread = std::this_thread::get_id();
bool recording = false;
std::vector<uint64_t> events;

void record(void* function, uint64_t mark) {
  if (!recording || std::this_thread::get_id() != k_main_thread) return;
  events.push_back(reinterpret_cast<uint64_t>(function) | mark);
}

}  // namespace

extern "C" {
void __cyg_profile_func_enter(void* function, void* /*call_site*/) { record(function, 0); }
void __cyg_profile_func_exit(void* function, void* /*call_site*/) { record(function, k_left); }
}

namespace {

constexpr int64_t k_rows = 64;
constexpr int64_t k_columns = 1000;

void check(int code) {
  if (code == SCORPIO_OK) return;
  scorpio_error error{};
  scorpio_error_last(&error);
  std::fprintf(stderr, "ways: %s\n", error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// The I/O rank, which is rank 0, comes to the next call long after the others, or long before.
void come(bool io_rank_last) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if ((rank == 0) == io_rank_last) usleep(300'000);
}

struct Rows {
  scorpio_decomp* decomp = nullptr;
  std::array<int64_t, 2> start{};
  std::array<int64_t, 2> count{};
  std::vector<double> data;
};

Rows make_rows(scorpio_iosystem* iosystem) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Rows rows;
  const std::array<int64_t, 2> dims{k_rows, k_columns};
  rows.start = {rank * k_rows / ranks, 0};
  rows.count = {(rank + 1) * k_rows / ranks - rows.start[0], k_columns};
  rows.data.assign(static_cast<size_t>(rows.count[0] * k_columns), rank);
  check(scorpio_decomp_block(iosystem, 2, dims.data(), rows.start.data(), rows.count.data(), &rows.decomp));
  return rows;
}

void use_file(scorpio_iosystem* iosystem, Rows& rows, const std::string& path, const char* format,
              bool io_rank_closes_last) {
  scorpio_options* options = nullptr;
  scorpio_file* file = nullptr;
  check(scorpio_options_create(&options));
  check(scorpio_options_set(options, "format", format));
  check(scorpio_file_create(iosystem, path.c_str(), SCORPIO_FORMAT_DEFAULT, options, &file));
  check(scorpio_options_free(options));
  const std::array<int64_t, 2> dims{k_rows, k_columns};
  std::array<int, 2> put{};
  std::array<int, 2> posted{};
  for (size_t i = 0; i < 2; ++i) {
    check(scorpio_variable_define(file, ("put" + std::to_string(i)).c_str(), SCORPIO_FLOAT64, 2, dims.data(),
                                  &put[i]));
    check(scorpio_variable_define(file, ("posted" + std::to_string(i)).c_str(), SCORPIO_FLOAT64, 2,
                                  dims.data(), &posted[i]));
  }
  check(scorpio_define_end(file));
  for (size_t i = 0; i < 2; ++i) {
    come(i == 0);
    check(scorpio_put_darray(file, put[i], rows.decomp, 0, SCORPIO_FLOAT64, rows.data.data()));
    come(i == 0);
    check(scorpio_get_darray(file, put[i], rows.decomp, 0, SCORPIO_FLOAT64, rows.data.data()));
    const scorpio_access access =
        scorpio_hyperslab(posted[i], rows.start.data(), rows.count.data(), SCORPIO_FLOAT64, rows.data.data());
    check(scorpio_iput(file, &access, nullptr));
    come(i == 0);
    check(scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  }
  come(io_rank_closes_last);
  check(scorpio_file_close(file));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string folder = argc > 1 ? argv[1] : ".";
  const std::vector<std::string> formats(argv + std::min(argc, 2), argv + argc);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  scorpio_options* options = nullptr;
  scorpio_iosystem* iosystem = nullptr;
  check(scorpio_options_create(&options));
  check(scorpio_options_set(options, "io_ranks", "1"));
  check(scorpio_iosystem_create(MPI_COMM_WORLD, options, &iosystem));
  check(scorpio_options_free(options));
  Rows rows = make_rows(iosystem);
  recording = true;
  for (const bool io_rank_last : {true, false}) {
    const std::string name = folder + (io_rank_last ? "/last" : "/first");
    for (const std::string& format : formats)
      use_file(iosystem, rows, name + "." + format, format.c_str(), io_rank_last);
  }
  recording = false;
  check(scorpio_decomp_free(rows.decomp));
  check(scorpio_iosystem_free(iosystem));
  std::ofstream trace(folder + "/trace." + std::to_string(rank), std::ios::binary);
  trace.write(reinterpret_cast<const char*>(events.data()),
              static_cast<std::streamsize>(events.size() * sizeof(uint64_t)));
  MPI_Finalize();
  return trace.good() ? 0 : 1;
}
