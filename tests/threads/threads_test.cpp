// Two threads, each with an I/O system: HDF5 files made, read back by address and through HDF5, looked into
// through their live ids' owner, and classic files, all at the same time.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "scorpio/scorpio.h"

namespace {

constexpr int k_threads = 2;
constexpr int k_rounds = 25;
constexpr int k_variables = 6;
constexpr std::array<int64_t, 2> k_dims{24, 50};
constexpr int64_t k_elements = k_dims[0] * k_dims[1];

std::string why() {
  scorpio_error error{};
  scorpio_error_last(&error);
  return error.text == nullptr ? "" : error.text;
}

// What one thread does; all it calls is collective over its own communicator.
class Worker {
 public:
  Worker(MPI_Comm comm, std::string folder, int number)
      : comm_(comm), folder_(std::move(folder)), number_(number) {}

  void run() {
    MPI_Comm_rank(comm_, &rank_);
    if (!good(scorpio_options_create(&options_))) return;
    if (!good(scorpio_iosystem_create(comm_, nullptr, &system_))) return;
    if (good(scorpio_decomp_uniform(system_, 2, k_dims.data(), &rows_)) &&
        good(scorpio_decomp_local_elements(rows_, &mine_))) {
      for (int round = 0; round < k_rounds && ok_; ++round) {
        write_and_read("hdf5", "false", round);
        if (round % 3 == 0) write_and_read("hdf5", "true", round);
        if (round % 2 == 0) write_and_read("cdf5", "false", round);
        read_chunks();
      }
    }
    good(scorpio_decomp_free(rows_));
    good(scorpio_iosystem_free(system_));
    good(scorpio_options_free(options_));
  }

  bool ok() const { return ok_; }

 private:
  bool good(int code) {
    EXPECT_EQ(code, SCORPIO_OK) << "thread " << number_ << ": " << why();
    ok_ = ok_ && code == SCORPIO_OK;
    return code == SCORPIO_OK;
  }

  std::vector<double> values(int variable, int round) const {
    return std::vector<double>(static_cast<size_t>(mine_),
                               1000.0 * number_ + 100.0 * variable + round + rank_);
  }

  void define(scorpio_file* file, int round, std::array<int, k_variables>& ids) {
    std::array<int, 2> dims{};
    good(scorpio_dimension_define(file, "y", k_dims[0], &dims[0]));
    good(scorpio_dimension_define(file, "x", k_dims[1], &dims[1]));
    for (int i = 0; i < k_variables; ++i) {
      const std::string name = "v" + std::to_string(i);
      good(scorpio_variable_define_on(file, name.c_str(), SCORPIO_FLOAT64, 2, dims.data(), &ids[size_t(i)]));
      good(scorpio_attribute_put(file, ids[size_t(i)], "round", SCORPIO_INT32, 0, 0, nullptr, SCORPIO_INT32,
                                 &round));
    }
    good(scorpio_define_end(file));
  }

  void check(scorpio_file* file, int round) {
    for (int i = 0; i < k_variables && ok_; ++i) {
      int id = -1;
      int32_t stored = -1;
      const std::string name = "v" + std::to_string(i);
      std::vector<double> got(static_cast<size_t>(mine_), -1);
      good(scorpio_variable_find(file, name.c_str(), &id));
      good(scorpio_attribute_get(file, id, "round", SCORPIO_INT32, &stored, sizeof stored));
      good(scorpio_get_darray(file, id, rows_, 0, SCORPIO_FLOAT64, got.data()));
      EXPECT_EQ(stored, round);
      EXPECT_EQ(got, values(i, round)) << "thread " << number_ << ", " << name;
    }
  }

  void write_and_read(const char* format, const char* eager, int round) {
    const std::string path = folder_ + "/" + format + "_" + eager + "_" + std::to_string(number_);
    good(scorpio_options_set(options_, "format", format));
    good(scorpio_options_set(options_, "eager", eager));
    scorpio_file* file = nullptr;
    if (!good(scorpio_file_create(system_, path.c_str(), SCORPIO_FORMAT_DEFAULT, options_, &file))) return;
    std::array<int, k_variables> ids{};
    define(file, round, ids);
    for (int i = 0; i < k_variables && ok_; ++i) {
      const auto data = values(i, round);
      good(scorpio_put_darray(file, ids[size_t(i)], rows_, 0, SCORPIO_FLOAT64, data.data()));
      if (i == 2) good(scorpio_file_sync(file));
    }
    check(file, round);
    good(scorpio_file_close(file));
    if (!good(scorpio_file_open(system_, path.c_str(), SCORPIO_READ, nullptr, &file))) return;
    check(file, round);
    good(scorpio_file_close(file));
  }

  // Through HDF5, on each I/O rank.
  void read_chunks() {
    scorpio_file* file = nullptr;
    int id = -1;
    std::vector<double> got(static_cast<size_t>(mine_), -1);
    if (!good(scorpio_file_open(system_, (folder_ + "/chunks").c_str(), SCORPIO_READ, nullptr, &file)))
      return;
    good(scorpio_variable_find(file, "chunked", &id));
    good(scorpio_get_darray(file, id, rows_, 0, SCORPIO_FLOAT64, got.data()));
    for (size_t i = 1; i < got.size(); ++i) EXPECT_EQ(got[i], got[i - 1] + 1);
    good(scorpio_file_close(file));
  }

  MPI_Comm comm_;
  std::string folder_;
  int number_;
  int rank_ = 0;
  bool ok_ = true;
  scorpio_options* options_ = nullptr;
  scorpio_iosystem* system_ = nullptr;
  scorpio_decomp* rows_ = nullptr;
  int64_t mine_ = 0;
};

void make_chunks(const std::string& path) {
  std::vector<double> values;
  for (int64_t i = 0; i < k_elements; ++i) values.push_back(static_cast<double>(i));
  const std::array<hsize_t, 2> dims{k_dims[0], k_dims[1]};
  const std::array<hsize_t, 2> chunk{5, 7};
  const hid_t form = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(form, 2, chunk.data());
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(2, dims.data(), nullptr);
  const hid_t set = H5Dcreate2(file, "chunked", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, form, H5P_DEFAULT);
  ASSERT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
  H5Pclose(form);
}

TEST(Threads, EachUsesAnIoSystemOfItsOwn) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::array<char, 64> name{};
  if (rank == 0) std::snprintf(name.data(), name.size(), "/tmp/scorpio-threads-%d", getpid());
  MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  const std::string folder = name.data();
  if (rank == 0) std::filesystem::create_directory(folder);
  if (rank == 0) make_chunks(folder + "/chunks");
  MPI_Barrier(MPI_COMM_WORLD);

  std::vector<MPI_Comm> comms(k_threads);
  std::vector<Worker> workers;
  for (int t = 0; t < k_threads; ++t) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[size_t(t)]);
    workers.emplace_back(comms[size_t(t)], folder, t);
  }
  {
    std::vector<std::jthread> threads;
    for (Worker& worker : workers) threads.emplace_back([&worker] { worker.run(); });
  }
  for (const Worker& worker : workers) EXPECT_TRUE(worker.ok());
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::filesystem::remove_all(folder);
}

}  // namespace
