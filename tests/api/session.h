// What the tests of the public interface share: an I/O system with settings, a folder that is gone
// afterwards, and sums over ranks. Collective over MPI_COMM_WORLD unless another communicator is given.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scorpio/scorpio.h"
#include "support/environment_variable.h"
#include "support/option_list.h"
#include "support/shared_folder.h"

namespace scorpio::api_test {

using test::EnvironmentVariable;
using test::OptionList;
using test::Settings;
using TemporaryFolder = test::SharedFolder;

// Fails the test with the library's own text.
#define EXPECT_SUCCESS(call) EXPECT_EQ(SCORPIO_OK, (call)) << ::scorpio::api_test::last_text()
#define ASSERT_SUCCESS(call) ASSERT_EQ(SCORPIO_OK, (call)) << ::scorpio::api_test::last_text()

std::string last_text();
int last_origin();

int rank_in(MPI_Comm comm = MPI_COMM_WORLD);
int ranks_in(MPI_Comm comm = MPI_COMM_WORLD);
// Whether the environment divides the ranks into several nodes (SCORPIO_NODES).
bool on_several_nodes();
// True when `mine` is true on every rank.
bool on_all(bool mine, MPI_Comm comm = MPI_COMM_WORLD);
// The same number everywhere: rank 0's.
uint64_t from_rank_zero(uint64_t mine, MPI_Comm comm = MPI_COMM_WORLD);
bool equal_on_all(const std::string& mine, MPI_Comm comm = MPI_COMM_WORLD);

// The id of the group or variable at a path; of nothing where there is none. Collective in an eager file.
int object_of(scorpio_file* file, const std::string& path);

class System {
 public:
  explicit System(const Settings& settings = {}, MPI_Comm comm = MPI_COMM_WORLD);
  ~System();
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  scorpio_iosystem* get() const { return system_; }
  int io_ranks() const;
  uint64_t counter(const std::string& name) const;
  uint64_t sum(const std::string& name) const;  // over ranks
  uint64_t most(const std::string& name) const;
  std::string describe() const;
  void reset();
  // Its ranks have made different calls: each later call returns MISMATCH, and so does the end.
  void expect_ended() { ended_ = true; }

 private:
  MPI_Comm comm_;
  bool ended_ = false;
  scorpio_iosystem* system_ = nullptr;
};

}  // namespace scorpio::api_test
