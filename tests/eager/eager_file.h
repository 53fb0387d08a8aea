// A file in eager mode on all ranks, with one decomposition and ascending values; Collective.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>
#include <mpi.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "scorpio/scorpio.h"

namespace scorpio::testing_eager {

inline int rank() {
  int r = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  return r;
}

inline std::string last_error() {
  scorpio_error error;
  scorpio_error_last(&error);
  return error.text;
}

#define SCORPIO_OK_OR_FAIL(call) ASSERT_EQ(call, SCORPIO_OK) << last_error()

class EagerFile : public testing::Test {
 protected:
  explicit EagerFile(const char* io_ranks = "0") : io_ranks_(io_ranks) {}

  void SetUp() override {
    long pid = getpid();
    MPI_Bcast(&pid, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    path_ = testing::TempDir() + "eager-" + std::to_string(pid) + ".h5";
    scorpio_options* options = nullptr;
    SCORPIO_OK_OR_FAIL(scorpio_options_create(&options));
    SCORPIO_OK_OR_FAIL(scorpio_options_set(options, "eager", "true"));
    SCORPIO_OK_OR_FAIL(scorpio_options_set(options, "staging_bytes", "1MiB"));
    SCORPIO_OK_OR_FAIL(scorpio_options_set(options, "io_ranks", io_ranks_));
    SCORPIO_OK_OR_FAIL(scorpio_iosystem_create(MPI_COMM_WORLD, options, &system_));
    scorpio_options_free(options);
    SCORPIO_OK_OR_FAIL(scorpio_file_create(system_, path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    SCORPIO_OK_OR_FAIL(scorpio_decomp_uniform(system_, 1, &k_elements, &decomp_));
    int64_t local = 0;
    SCORPIO_OK_OR_FAIL(scorpio_decomp_local_elements(decomp_, &local));
    MPI_Exscan(&local, &first_, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank() == 0) first_ = 0;
    values_.resize(static_cast<size_t>(local));
    for (size_t i = 0; i < values_.size(); ++i) values_[i] = static_cast<int>(first_) + static_cast<int>(i);
  }

  void TearDown() override {
    if (file_ != nullptr) {
      EXPECT_EQ(scorpio_file_close(file_), SCORPIO_OK) << last_error();
    }
    scorpio_decomp_free(decomp_);
    EXPECT_EQ(scorpio_iosystem_free(system_), SCORPIO_OK) << last_error();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) unlink(path_.c_str());
  }

  // The client's id: real on the metadata rank, -1 elsewhere.
  hid_t id() {
    int64_t value = 0;
    EXPECT_EQ(scorpio_file_hdf5_id(file_, &value), SCORPIO_OK) << last_error();
    return static_cast<hid_t>(value);
  }

  int object(const char* path) {
    int found = 1000;  // no object's
    EXPECT_EQ(scorpio_object_find(file_, path, nullptr, &found), SCORPIO_OK) << last_error();
    return found;
  }

  int put(const char* name) {
    int variable = -1;
    EXPECT_EQ(scorpio_variable_define(file_, name, SCORPIO_INT32, 1, &k_elements, &variable), SCORPIO_OK)
        << last_error();
    EXPECT_EQ(scorpio_put_darray(file_, variable, decomp_, 0, SCORPIO_INT32, values_.data()), SCORPIO_OK)
        << last_error();
    return variable;
  }

  void expect_values(int variable) {
    std::vector<int> read(values_.size(), -1);
    SCORPIO_OK_OR_FAIL(scorpio_get_darray(file_, variable, decomp_, 0, SCORPIO_INT32, read.data()));
    EXPECT_EQ(read, values_);
  }

  static constexpr int64_t k_elements = 1000;
  const char* io_ranks_;
  std::string path_;
  scorpio_iosystem* system_ = nullptr;
  scorpio_file* file_ = nullptr;
  scorpio_decomp* decomp_ = nullptr;
  int64_t first_ = 0;
  std::vector<int> values_;
};

inline std::vector<int> read_all(hid_t file, const char* name, size_t n) {
  std::vector<int> all(n, -1);
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  EXPECT_GE(set, 0);
  EXPECT_GE(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
  H5Dclose(set);
  return all;
}

inline void expect_ascending(const std::vector<int>& all) {
  for (size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<int>(i));
}

}  // namespace scorpio::testing_eager
