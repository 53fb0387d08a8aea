// Every k-th call on the storage fails: all ranks get the same codes, a failed write is told by a sync or the
// close at the latest, nothing hangs, and files of before are what they were.
#include <algorithm>
#include <filesystem>
#include <string>

#include "program.h"
#include "support/environment_variable.h"

namespace scorpio::pio_test {
namespace {

constexpr int k_elements = 40;

// More than a rank makes.
int most_calls() { return usual_iotype() == PIO_IOTYPE_PNETCDF ? 36 : 60; }

class Faults : public Program {
 protected:
  // All that a program does to a file; the codes of its collective calls.
  std::vector<int> write(int system, const std::string& name, int base) {
    int file = -1, iotype = usual_iotype(), d = -1;
    std::vector<int> codes{PIOc_createfile(system, &file, &iotype, path(name).c_str(), PIO_CLOBBER)};
    if (codes[0] != PIO_NOERR) return codes;
    const int time = dimension(file, "time", PIO_UNLIMITED);
    const int x = dimension(file, "x", k_elements);
    const int v = variable(file, "v", PIO_INT, {time, x});
    const int extent = k_elements;
    const std::vector<PIO_Offset> map = round_robin(k_elements);
    EXPECT_DONE(PIOc_InitDecomp(system, PIO_INT, 1, &extent, static_cast<int>(map.size()), map.data(), &d,
                                nullptr, nullptr, nullptr));
    codes.push_back(PIOc_enddef(file));
    for (const int record : {0, 1}) {
      (void)PIOc_setframe(file, v, record);
      std::vector<int> values;
      for (const PIO_Offset at : map) values.push_back(value(base, record, at - 1));
      (void)PIOc_write_darray(file, v, d, static_cast<PIO_Offset>(map.size()), values.data(), nullptr);
      if (record == 0) codes.push_back(PIOc_sync(file));
    }
    codes.push_back(PIOc_closefile(file));
    EXPECT_DONE(PIOc_freedecomp(system, d));
    return codes;
  }
  static int value(int base, int record, PIO_Offset at) {
    return base + 1000 * record + static_cast<int>(at);
  }

  // What is in the file: those values, in one record or two. 0: it does not exist.
  int base_of(const std::string& name) {
    int file = -1, iotype = usual_iotype(), v = -1;
    if (PIOc_openfile(system_, &file, &iotype, path(name).c_str(), PIO_NOWRITE) != PIO_NOERR) return 0;
    PIO_Offset records = 0;
    EXPECT_DONE(PIOc_inq_dimlen(file, 0, &records));
    EXPECT_DONE(PIOc_inq_varid(file, "v", &v));
    std::vector<int> values(static_cast<size_t>(records) * k_elements);
    EXPECT_DONE(PIOc_get_var_int(file, v, values.data()));
    EXPECT_DONE(PIOc_closefile(file));
    EXPECT_GE(records, 1);
    const int base = values.empty() ? 0 : values[0];
    for (int r = 0; r < records; ++r) {
      for (int i = 0; i < k_elements; ++i)
        EXPECT_EQ(value(base, r, i), values[static_cast<size_t>(r * k_elements + i)]);
    }
    return base;
  }

  // Those of all ranks are equal.
  static bool failed(std::vector<int> codes) {
    std::vector<int> lowest = codes;
    MPI_Bcast(lowest.data(), static_cast<int>(lowest.size()), MPI_INT, 0, MPI_COMM_WORLD);
    EXPECT_EQ(lowest, codes);
    return std::any_of(codes.begin(), codes.end(), [](int code) { return code != PIO_NOERR; });
  }

  // With the k-th call of each rank failing; whether any call said so.
  bool write_with_fault(int k) {
    const test::EnvironmentVariable faults("SCORPIO_STORE_FAULTS", "any:" + std::to_string(k) + "=EIO");
    int system = -1;
    EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, std::min(2, ranks()), 1, 0, PIO_REARR_BOX, &system));
    EXPECT_DONE(PIOc_set_iosystem_error_handling(system, PIO_RETURN_ERROR, nullptr));
    std::vector<int> codes = write(system, "a.nc", 50000);
    codes.push_back(PIOc_finalize(system));
    return failed(codes);
  }
};

TEST_F(Faults, AreToldAndLeaveTheOtherFiles) {
  ASSERT_FALSE(failed(write(system_, "a.nc", 10000)));
  ASSERT_FALSE(failed(write(system_, "b.nc", 20000)));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_RETURN_ERROR, nullptr));
  int told = 0;
  for (int k = 1; k <= most_calls(); ++k) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, "call " + std::to_string(k));
    const bool fails = write_with_fault(k);
    told += fails ? 1 : 0;
    const int found = base_of("a.nc");
    EXPECT_TRUE(found == 50000 || (fails && found == 10000)) << found;
    EXPECT_EQ(20000, base_of("b.nc"));
    if (found != 10000) {
      ASSERT_FALSE(failed(write(system_, "a.nc", 10000)));
    }
  }
  EXPECT_GE(told, 5);
  EXPECT_FALSE(write_with_fault(100 * most_calls()));
}

// That values were clipped on the I/O root does not take the place of what became of the file.
TEST_F(Faults, ACloseThatFailsIsToldAlsoAfterClippedValues) {
  const test::EnvironmentVariable faults("SCORPIO_STORE_FAULTS", "write:1=ENOSPC");
  constexpr int root = 0;
  int system = -1, file = -1, iotype = usual_iotype();
  EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &system));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system, PIO_RETURN_ERROR, nullptr));
  ASSERT_DONE(PIOc_createfile(system, &file, &iotype, path("full.nc").c_str(), PIO_CLOBBER));
  const int v = variable(file, "v", PIO_FLOAT, {dimension(file, "x", 2)});
  EXPECT_DONE(PIOc_enddef(file));
  const double values[] = {1.0, rank() == root ? 1e300 : 2.0};
  EXPECT_EQ(rank() == root ? PIO_ERANGE : PIO_NOERR, PIOc_put_var_double(file, v, values));
  const int closed = PIOc_closefile(file);
  EXPECT_TRUE(failed({closed}));
  EXPECT_NE(PIO_ERANGE, closed);
  EXPECT_FALSE(std::filesystem::exists(path("full.nc")));
  (void)PIOc_finalize(system);
}

}  // namespace
}  // namespace scorpio::pio_test
