// A model that closes its history after each record, opens it again at once, and writes restart files in
// between: the option file_options, by environment, posts the closes of the one and waits for those of the
// other.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "program.h"

namespace scorpio::pio_test {
namespace {

constexpr int k_columns = 11, k_steps = 4;

class Reopen : public Program {
 protected:
  Reopen() : map_(round_robin(k_columns)), decomposition_(decomposition(PIO_DOUBLE, {k_columns}, map_)) {}
  ~Reopen() override { EXPECT_DONE(PIOc_freedecomp(system_, decomposition_)); }

  int define(const std::string& name) {
    const int file = create(name);
    const int time = dimension(file, "time", PIO_UNLIMITED), x = dimension(file, "x", k_columns);
    (void)variable(file, "T", PIO_DOUBLE, {time, x});
    (void)variable(file, "time", PIO_INT, {time});
    EXPECT_DONE(PIOc_enddef(file));
    return file;
  }
  static int find(int file, const char* name) {
    int id = -1;
    EXPECT_DONE(PIOc_inq_varid(file, name, &id));
    return id;
  }
  std::vector<double> values(int step) const {
    std::vector<double> all;
    for (const PIO_Offset position : map_) all.push_back(1000.0 * step + static_cast<double>(position));
    return all;
  }
  void write(int file, int record, int step) {
    const int t = find(file, "T");
    const PIO_Offset at = record;
    EXPECT_DONE(PIOc_put_var1_int(file, find(file, "time"), &at, &step));
    EXPECT_DONE(PIOc_setframe(file, t, record));
    const std::vector<double> mine = values(step);
    EXPECT_DONE(PIOc_write_darray(file, t, decomposition_, static_cast<PIO_Offset>(mine.size()), mine.data(),
                                  nullptr));
  }
  void expect_record(int file, int record, int step) {
    const int t = find(file, "T");
    const PIO_Offset at = record;
    int time = -1;
    EXPECT_DONE(PIOc_get_var1_int(file, find(file, "time"), &at, &time));
    EXPECT_EQ(step, time);
    std::vector<double> mine(map_.size());
    EXPECT_DONE(PIOc_setframe(file, t, record));
    EXPECT_DONE(PIOc_read_darray(file, t, decomposition_, static_cast<PIO_Offset>(mine.size()), mine.data()));
    EXPECT_EQ(values(step), mine);
  }
  static PIO_Offset records(int file) {
    int time = -1;
    PIO_Offset length = -1;
    EXPECT_DONE(PIOc_inq_dimid(file, "time", &time));
    EXPECT_DONE(PIOc_inq_dimlen(file, time, &length));
    return length;
  }

  const std::vector<PIO_Offset> map_;
  const int decomposition_;
};

TEST_F(Reopen, RightAfterTheClose) {
  EXPECT_DONE(PIOc_closefile(define("a.h0.nc")));
  for (int step = 0; step < k_steps; ++step) {
    int file = open("a.h0.nc", PIO_WRITE);
    EXPECT_EQ(step, records(file));
    if (step > 0) expect_record(file, step - 1, step - 1);
    write(file, step, step);
    EXPECT_DONE(PIOc_closefile(file));
    file = open("a.h0.nc");
    EXPECT_EQ(step + 1, records(file));
    for (int record = 0; record <= step; ++record) expect_record(file, record, record);
    EXPECT_DONE(PIOc_closefile(file));
  }
}

// As with netCDF-C, but not with PnetCDF; set_fill in data mode counts from the next define mode on.
TEST_F(Reopen, NewVariablesAreFilledByTheIoType) {
  constexpr int k_as_opened = -1;
  int file = create("f.nc", 0, PIO_IOTYPE_NETCDF);
  const int x = dimension(file, "x", k_columns);
  EXPECT_DONE(PIOc_closefile(file));
  for (int iotype : {PIO_IOTYPE_PNETCDF, PIO_IOTYPE_NETCDF})
    for (const int mode : {k_as_opened, PIO_FILL, PIO_NOFILL}) {
      EXPECT_DONE(PIOc_openfile(system_, &file, &iotype, path("f.nc").c_str(), PIO_WRITE));
      const int as_opened = iotype == PIO_IOTYPE_NETCDF ? PIO_FILL : PIO_NOFILL;
      int old = -1, no_fill = -1;
      if (mode != k_as_opened) {
        EXPECT_DONE(PIOc_set_fill(file, mode, &old));
        EXPECT_EQ(as_opened, old);
      }
      EXPECT_DONE(PIOc_redef(file));
      const std::string name = "v" + std::to_string(iotype) + "_" + std::to_string(mode + 1);
      const int v = variable(file, name.c_str(), PIO_INT, {x});
      EXPECT_DONE(PIOc_enddef(file));
      const bool filled = (mode == k_as_opened ? as_opened : mode) == PIO_FILL;
      EXPECT_DONE(PIOc_inq_var_fill(file, v, &no_fill, nullptr));
      EXPECT_EQ(filled ? 0 : 1, no_fill);
      const PIO_Offset second = 1;
      EXPECT_DONE(PIOc_put_var1_int(file, v, &second, &x));
      std::vector<int> read(k_columns);
      EXPECT_DONE(PIOc_get_var_int(file, v, read.data()));
      EXPECT_EQ(x, read[1]);
      if (filled) {
        EXPECT_EQ(k_columns - 1, std::ranges::count(read, PIO_FILL_INT));
      }
      EXPECT_DONE(PIOc_closefile(file));
    }
}

// The same name is made again while its last contents may still be on their way.
TEST_F(Reopen, RestartFilesAreReplaced) {
  const int history = define("b.h0.nc");
  for (int step = 0; step < k_steps; ++step) {
    write(history, step, step);
    int restart = define("b.r.nc");
    write(restart, 0, 10 + step);
    EXPECT_DONE(PIOc_closefile(restart));
    restart = open("b.r.nc");
    EXPECT_EQ(1, records(restart));
    expect_record(restart, 0, 10 + step);
    EXPECT_DONE(PIOc_closefile(restart));
    EXPECT_DONE(PIOc_sync(history));
  }
  EXPECT_DONE(PIOc_closefile(history));
  const int file = open("b.h0.nc");
  EXPECT_EQ(k_steps, records(file));
  for (int record = 0; record < k_steps; ++record) expect_record(file, record, record);
  EXPECT_DONE(PIOc_closefile(file));
}

// A posted file can be deleted, and a file of its name is missing then.
TEST_F(Reopen, DeletedRightAfterTheClose) {
  const int file = define("c.h0.nc");
  write(file, 0, 1);
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_DONE(PIOc_deletefile(system_, path("c.h0.nc").c_str()));
  int opened = -1, iotype = usual_iotype();
  EXPECT_NE(PIO_NOERR, PIOc_openfile(system_, &opened, &iotype, path("c.h0.nc").c_str(), PIO_NOWRITE));
}

// The second I/O rank opens the file when it writes. A failure of a posted sync or close is that of a later
// call.
TEST_F(Reopen, AFolderThatIsRemovedIsAFailureOfStorage) {
  int system = -1;
  EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, std::min(ranks(), 2), 1, 0, PIO_REARR_BOX, &system));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system, PIO_BCAST_ERROR, nullptr));
  if (rank() == 0) std::filesystem::create_directory(path("gone"));
  MPI_Barrier(MPI_COMM_WORLD);
  int file = -1, next = -1, iotype = usual_iotype();
  EXPECT_DONE(PIOc_createfile(system, &file, &iotype, path("gone/d.h0.nc").c_str(), 0));
  const int v = variable(file, "v", PIO_INT, {dimension(file, "x", 4)});
  EXPECT_DONE(PIOc_enddef(file));
  const int values[] = {1, 2, 3, 4};
  EXPECT_DONE(PIOc_put_var_int(file, v, values));
  if (rank() == 0) std::filesystem::remove_all(path("gone"));
  MPI_Barrier(MPI_COMM_WORLD);
  std::vector<int> codes{PIOc_sync(file), PIOc_closefile(file)};
  codes.push_back(PIOc_createfile(system, &next, &iotype, path("next.nc").c_str(), 0));
  codes.push_back(PIOc_closefile(next));
  codes.push_back(PIOc_deletefile(system, path("next.nc").c_str()));  // waits for posted closes
  EXPECT_GT(std::ranges::count(codes, PIO_EIO), 0);
  EXPECT_EQ(5, std::ranges::count(codes, PIO_EIO) + std::ranges::count(codes, PIO_NOERR));
  EXPECT_DONE(PIOc_finalize(system));
}

}  // namespace
}  // namespace scorpio::pio_test
