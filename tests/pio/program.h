// What the tests of the PIO interface share: an I/O system, files in a folder that is gone afterwards, and a
// map of each rank. Collective over MPI_COMM_WORLD.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <pio.h>

#include <string>
#include <vector>

#include "support/shared_folder.h"

namespace scorpio::pio_test {

#define EXPECT_DONE(call) EXPECT_EQ(PIO_NOERR, (call))
#define ASSERT_DONE(call) ASSERT_EQ(PIO_NOERR, (call))

int rank();
int ranks();
// PIO_IOTYPE_PNETCDF, or what the environment variable PIO_TEST_IOTYPE says.
int usual_iotype();
bool makes_netcdf4();  // the files of this type

// The last rank is the I/O root, so that rank 0 is not by accident. Failures are returned.
class Program : public ::testing::Test {
 protected:
  Program();
  ~Program() override;

  std::string path(const std::string& name) const { return folder_ / name; }
  int create(const std::string& name, int mode = PIO_64BIT_DATA, int iotype = usual_iotype());
  int open(const std::string& name, int mode = PIO_NOWRITE);
  static int dimension(int file, const char* name, PIO_Offset length);
  static int variable(int file, const char* name, nc_type type, const std::vector<int>& dimensions);
  // Elements rank, rank + ranks, ... of an array; from 1, as PIOc_InitDecomp takes them.
  static std::vector<PIO_Offset> round_robin(PIO_Offset elements);
  int decomposition(nc_type type, const std::vector<int>& extents, const std::vector<PIO_Offset>& map);

  int system_ = -1;
  int root_ = 0;

 private:
  test::SharedFolder folder_;
};

}  // namespace scorpio::pio_test
