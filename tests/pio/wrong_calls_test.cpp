// Wrong arguments of one rank: all ranks learn of it, none hangs, the next call works and the file holds the
// rest.
#include "program.h"

namespace scorpio::pio_test {
namespace {

class WrongCalls : public Program {
 protected:
  // A file with x(4), v(x) and w(x), in data mode.
  int file_with_variables(const std::string& name) {
    const int file = create(name);
    const int x = dimension(file, "x", 4);
    v_ = variable(file, "v", PIO_INT, {x});
    w_ = variable(file, "w", PIO_INT, {x});
    EXPECT_DONE(PIOc_enddef(file));
    return file;
  }
  static bool is_wrong() { return rank() == 0; }

  // The same code on all ranks, and not success.
  void expect_refused(const char* name, int code) {
    int lowest = code, highest = code;
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_EQ(lowest, highest) << name;
    EXPECT_NE(PIO_NOERR, code) << name;
  }
  void expect_values(int file, int variable, const std::vector<int>& expected) {
    std::vector<int> read(4);
    EXPECT_DONE(PIOc_get_var_int(file, variable, read.data()));
    EXPECT_EQ(expected, read);
  }

  int v_ = -1, w_ = -1;
  const std::vector<int> values_{1, 2, 3, 4};
};

TEST_F(WrongCalls, AWrongFileInCallsThatCommunicate) {
  for (const int handler : {PIO_BCAST_ERROR, PIO_REDUCE_ERROR, PIO_RETURN_ERROR}) {
    EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, handler, nullptr));
    EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, handler, nullptr));
    const int file = file_with_variables("a.nc");
    EXPECT_DONE(PIOc_put_var_int(file, v_, values_.data()));
    const int d = decomposition(PIO_INT, {4}, round_robin(4));
    const auto elements = static_cast<PIO_Offset>(round_robin(4).size());
    std::vector<int> read(4);
    const int wrong = is_wrong() ? 99 : file;
    expect_refused("sync", PIOc_sync(wrong));
    expect_refused("redef", PIOc_redef(wrong));
    expect_refused("get_var", PIOc_get_var_int(wrong, v_, read.data()));
    expect_refused("read_darray", PIOc_read_darray(wrong, v_, d, elements, read.data()));
    const std::vector<int> mine(4, 5);
    expect_refused("write_darray_multi",
                   PIOc_write_darray_multi(wrong, &v_, d, 1, elements, mine.data(), nullptr, nullptr, true));
    EXPECT_DONE(PIOc_put_var_int(file, v_, values_.data()));
    EXPECT_DONE(PIOc_sync(file));  // nothing is left of the call that all ranks refused
    expect_refused("closefile", PIOc_closefile(wrong));
    expect_values(file, v_, values_);
    EXPECT_DONE(PIOc_closefile(file));
    const int again = open("a.nc");
    const int wrong_again = is_wrong() ? file : again;  // one that was closed
    expect_refused("get_var", PIOc_get_var_int(wrong_again, v_, read.data()));
    expect_refused("read_darray", PIOc_read_darray(wrong_again, v_, d, elements, read.data()));
    expect_refused("read_darray", PIOc_read_darray(again, v_, is_wrong() ? 1 : d, elements, read.data()));
    expect_refused("read_darray", PIOc_read_darray(again, v_, d, is_wrong() ? -1 : elements, read.data()));
    expect_refused("read_darray", PIOc_read_darray(again, is_wrong() ? 7 : v_, d, elements, read.data()));
    expect_refused("closefile", PIOc_closefile(wrong_again));
    expect_values(again, v_, values_);
    EXPECT_DONE(PIOc_closefile(again));
    EXPECT_DONE(PIOc_freedecomp(system_, d));
  }
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

TEST_F(WrongCalls, AWrongSystem) {
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr));
  const int wrong = is_wrong() ? 7 : system_;
  int id = -1;
  int iotype = PIO_IOTYPE_NETCDF;
  const int extent = 4;
  const long start = 0, count = 0;
  expect_refused("createfile", PIOc_createfile(wrong, &id, &iotype, path("b.nc").c_str(), 0));
  expect_refused("openfile", PIOc_openfile(wrong, &id, &iotype, path("b.nc").c_str(), 0));
  expect_refused("deletefile", PIOc_deletefile(wrong, path("b.nc").c_str()));
  expect_refused("InitDecomp_bc", PIOc_InitDecomp_bc(wrong, PIO_INT, 1, &extent, &start, &count, &id));
  expect_refused("init_decomp",
                 PIOc_init_decomp(wrong, PIO_INT, 1, &extent, 0, nullptr, &id, 0, nullptr, nullptr));
  EXPECT_EQ(-1, id);
  EXPECT_DONE(PIOc_closefile(create("b.nc")));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

TEST_F(WrongCalls, AWrongIdAmongSeveralSystems) {
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_RETURN_ERROR, nullptr));
  int second = -1, third = -1, file = -1, id = -1, iotype = PIO_IOTYPE_PNETCDF;
  EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &second));
  EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &third));
  EXPECT_DONE(PIOc_finalize(third));
  EXPECT_EQ(PIO_EBADID, PIOc_finalize(third));
  EXPECT_DONE(PIOc_createfile(second, &file, &iotype, path("g.nc").c_str(), PIO_CLOBBER));
  const int v = variable(file, "v", PIO_INT, {});
  EXPECT_DONE(PIOc_enddef(file));
  if (ranks() > 1) {
    for (const int other : {7, third, system_}) {
      expect_refused("finalize", PIOc_finalize(is_wrong() ? other : second));
    }
  }
  const int wrong = is_wrong() ? 7 : second;
  expect_refused("createfile", PIOc_createfile(wrong, &id, &iotype, path("h.nc").c_str(), 0));
  expect_refused("deletefile", PIOc_deletefile(wrong, path("g.nc").c_str()));
  expect_refused("sync", PIOc_sync(is_wrong() ? 99 : file));
  const int value = 6;
  int read = 0;
  EXPECT_DONE(PIOc_put_var_int(file, v, &value));
  EXPECT_DONE(PIOc_get_var_int(file, v, &read));
  EXPECT_EQ(value, read);
  EXPECT_DONE(PIOc_finalize(second));  // closes the file
  EXPECT_EQ(0, PIOc_File_is_Open(file));
  EXPECT_EQ(PIO_EBADID, PIOc_finalize(7));
  EXPECT_DONE(PIOc_closefile(create("i.nc")));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

// The first files of two I/O systems, whose definitions wait for the ranks to agree on them.
TEST_F(WrongCalls, AFileOfAnotherSystem) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  std::vector<int> systems(2, -1), files(2, -1);
  for (size_t i = 0; i < systems.size(); ++i) {
    const int iotype = usual_iotype();
    EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &systems[i]));
    EXPECT_DONE(PIOc_set_iosystem_error_handling(systems[i], PIO_RETURN_ERROR, nullptr));
    const std::string name = i == 0 ? "i.nc" : "j.nc";
    EXPECT_DONE(PIOc_createfile(systems[i], &files[i], &iotype, path(name).c_str(), PIO_CLOBBER));
    variable(files[i], i == 0 ? "v" : "w", PIO_INT, {});
  }
  const int mine = files[is_wrong() ? 1 : 0], system = systems[is_wrong() ? 1 : 0];
  int id = -1, iotype = usual_iotype();
  const int extent = 4;
  expect_refused("createfile", PIOc_createfile(system, &id, &iotype, path("k.nc").c_str(), 0));
  expect_refused("openfile", PIOc_openfile(system, &id, &iotype, path("i.nc").c_str(), 0));
  expect_refused("deletefile", PIOc_deletefile(system, path("k.nc").c_str()));
  expect_refused("init_decomp",
                 PIOc_init_decomp(system, PIO_INT, 1, &extent, 0, nullptr, &id, 0, nullptr, nullptr));
  expect_refused("enddef", PIOc_enddef(mine));
  for (const int file : files) EXPECT_DONE(PIOc_enddef(file));
  const int value = 6;
  int read = 0;
  for (const int file : files) EXPECT_DONE(PIOc_put_var_int(file, 0, &value));
  expect_refused("sync", PIOc_sync(mine));
  expect_refused("get_var", PIOc_get_var_int(mine, 0, &read));
  expect_refused("closefile", PIOc_closefile(mine));
  for (const int file : files) {
    EXPECT_DONE(PIOc_get_var_int(file, 0, &read));
    EXPECT_EQ(6, read);
    EXPECT_DONE(PIOc_closefile(file));
  }
  for (const int one : systems) EXPECT_DONE(PIOc_finalize(one));
}

TEST_F(WrongCalls, AWrongFileInAWrite) {
  if (ranks() == 1) GTEST_SKIP();
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr));
  const int file = file_with_variables("c.nc");
  EXPECT_DONE(PIOc_put_var_int(file, w_, values_.data()));
  const int code = PIOc_put_var_int(is_wrong() ? 99 : file, v_, values_.data());
  EXPECT_EQ(is_wrong() ? PIO_EBADID : PIO_NOERR, code);
  expect_refused("sync", PIOc_sync(file));
  EXPECT_DONE(PIOc_sync(file));
  expect_values(file, v_, values_);
  expect_values(file, w_, values_);
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

// One that this program is still defining gets its name first.
TEST_F(WrongCalls, ThePathsOfFilesThatAreOpenedDiffer) {
  if (ranks() == 1) GTEST_SKIP();
  EXPECT_DONE(PIOc_closefile(file_with_variables("old.nc")));
  const int file = create("new.nc");
  int opened = -1, iotype = PIO_IOTYPE_NETCDF;
  expect_refused("openfile", PIOc_openfile(system_, &opened, &iotype,
                                           path(is_wrong() ? "old.nc" : "new.nc").c_str(), PIO_NOWRITE));
  const int v = variable(file, "v", PIO_INT, {});
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_put_var_int(file, v, values_.data()));
  EXPECT_DONE(PIOc_closefile(file));
}

// The others reach the buffer size limit earlier than the rank that left out a write.
TEST_F(WrongCalls, AWriteThatFillsTheBufferOfSomeRanks) {
  if (ranks() == 1) GTEST_SKIP();
  const PIO_Offset limit = PIOc_set_buffer_size_limit(40);
  for (const bool defining : {false, true}) {
    for (const std::string next : {"sync", "get_var", "InitDecomp", "closefile"}) {
      if (defining && next == "get_var") continue;  // define mode of classic files refuses it
      const int file = file_with_variables("full.nc");
      if (defining) {
        EXPECT_DONE(PIOc_redef(file));
      }
      EXPECT_DONE(PIOc_put_var_int(file, w_, values_.data()));
      EXPECT_EQ(is_wrong() ? PIO_ENOTVAR : PIO_NOERR,
                PIOc_put_var_int(file, is_wrong() ? 99 : v_, values_.data()));
      EXPECT_EQ(is_wrong() ? PIO_NOERR : PIO_EINVAL, PIOc_put_var_int(file, w_, values_.data()));
      if (next == "InitDecomp") {
        EXPECT_DONE(PIOc_freedecomp(system_, decomposition(PIO_INT, {4}, {})));
      }
      if (next == "get_var") {
        std::vector<int> read(4);
        expect_refused("get_var", PIOc_get_var_int(file, v_, read.data()));
        EXPECT_EQ(values_, read);
      }
      if (next == "sync") {
        expect_refused("sync", PIOc_sync(file));
      }
      const int closed = PIOc_closefile(file);
      EXPECT_EQ(next == "sync" || next == "get_var", closed == PIO_NOERR) << next;
      const int again = open("full.nc");
      expect_values(again, v_, values_);
      expect_values(again, w_, values_);
      EXPECT_DONE(PIOc_closefile(again));
    }
  }
  EXPECT_EQ(40, PIOc_set_buffer_size_limit(limit));
}

// Those of the I/O root count, which is the last rank.
TEST_F(WrongCalls, DefinitionsOfANewFileDiffer) {
  if (ranks() == 1) GTEST_SKIP();
  const int file = create("d.nc");
  const int x = dimension(file, "x", is_wrong() ? 5 : 4);
  int v = -1, w = -1;
  EXPECT_EQ(is_wrong() ? PIO_EBADTYPE : PIO_NOERR,
            PIOc_def_var(file, "v", is_wrong() ? 99 : PIO_INT, 1, &x, &v));
  EXPECT_DONE(PIOc_def_var(file, "w", PIO_INT, 1, &x, &w));
  EXPECT_DONE(PIOc_put_att_text(file, PIO_GLOBAL, "title", is_wrong() ? 2 : 3, "abc"));
  expect_refused("enddef", PIOc_enddef(file));
  EXPECT_DONE(PIOc_inq_varid(file, "v", &v));
  EXPECT_DONE(PIOc_inq_varid(file, "w", &w));
  PIO_Offset length = 0;
  EXPECT_DONE(PIOc_inq_dimlen(file, x, &length));
  EXPECT_EQ(4, length);
  EXPECT_DONE(PIOc_put_var_int(file, w, values_.data()));
  EXPECT_DONE(PIOc_sync(file));
  expect_values(file, w, values_);
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("d.nc");
  EXPECT_DONE(PIOc_inq_attlen(again, PIO_GLOBAL, "title", &length));
  EXPECT_EQ(3, length);
  EXPECT_DONE(PIOc_closefile(again));
}

TEST_F(WrongCalls, DefinitionsOfAFileWithDataDiffer) {
  if (ranks() == 1) GTEST_SKIP();
  const int file = file_with_variables("e.nc");
  EXPECT_DONE(PIOc_put_var_int(file, v_, values_.data()));
  EXPECT_DONE(PIOc_redef(file));
  EXPECT_DONE(PIOc_put_att_text(file, is_wrong() ? v_ : w_, "units", 1, "m"));
  const int y = dimension(file, is_wrong() ? "z" : "y", 2);
  const int u = variable(file, "u", PIO_INT, {y});
  expect_refused("enddef", PIOc_enddef(file));
  char name[PIO_MAX_NAME + 1];
  EXPECT_DONE(PIOc_inq_dimname(file, y, name));
  EXPECT_STREQ("y", name);
  EXPECT_DONE(PIOc_put_var_int(file, u, values_.data()));
  EXPECT_DONE(PIOc_put_var_int(file, w_, values_.data()));
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("e.nc");
  expect_values(again, v_, values_);
  expect_values(again, w_, values_);
  PIO_Offset length = 0;
  EXPECT_DONE(PIOc_inq_attlen(again, w_, "units", &length));
  EXPECT_EQ(PIO_ENOTATT, PIOc_inq_attlen(again, v_, "units", &length));
  EXPECT_DONE(PIOc_closefile(again));
}

// What all ranks were refused is not written, and what was written before it stays.
TEST_F(WrongCalls, WritesThatFailOnAllRanks) {
  for (const bool at_once : {false, true}) {
    const int file = file_with_variables("g.nc");
    const auto map = round_robin(4);
    const auto length = static_cast<PIO_Offset>(map.size());
    const int d = decomposition(PIO_INT, {4}, map);
    std::vector<int> mine;
    for (const PIO_Offset at : map) mine.push_back(values_[static_cast<size_t>(at - 1)]);
    EXPECT_DONE(PIOc_write_darray(file, v_, d, length, mine.data(), nullptr));
    EXPECT_DONE(PIOc_put_var_int(file, w_, values_.data()));
    EXPECT_EQ(PIO_EINVAL, PIOc_write_darray(file, v_, d, length, nullptr, nullptr));
    EXPECT_EQ(PIO_EINVAL, PIOc_write_darray(file, v_, d, length - 1, mine.data(), nullptr));
    const int both[] = {v_, w_};
    EXPECT_EQ(PIO_EINVAL,
              PIOc_write_darray_multi(file, both, d, 2, length - 1, mine.data(), nullptr, nullptr, at_once));
    EXPECT_EQ(PIO_EINVAL, PIOc_put_var_int(file, w_, nullptr));
    EXPECT_DONE(PIOc_sync(file));
    expect_values(file, v_, values_);
    expect_values(file, w_, values_);
    EXPECT_DONE(PIOc_freedecomp(system_, d));
    EXPECT_DONE(PIOc_closefile(file));
  }
}

// A read that fails for another reason does not tell the ranks that there was a failure before it.
TEST_F(WrongCalls, APutThatFailsOnTheRootBeforeAReadThatFails) {
  const int file = file_with_variables("h.nc");
  EXPECT_DONE(PIOc_put_var_int(file, v_, values_.data()));
  const int code = PIOc_put_var_int(file, w_, rank() == root_ ? nullptr : values_.data());
  EXPECT_EQ(rank() == root_ ? PIO_EINVAL : PIO_NOERR, code);
  char text[8] = "";
  EXPECT_EQ(PIO_ECHAR, PIOc_get_var_text(file, v_, text));
  EXPECT_EQ(ranks() > 1 ? PIO_EINVAL : PIO_NOERR, PIOc_sync(file));
  EXPECT_DONE(PIOc_sync(file));
  expect_values(file, v_, values_);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(WrongCalls, DifferentCalls) {
  if (ranks() == 1) GTEST_SKIP();
  const int file = file_with_variables("f.nc");
  EXPECT_DONE(PIOc_put_var_int(file, v_, values_.data()));
  expect_refused("sync and redef", is_wrong() ? PIOc_sync(file) : PIOc_redef(file));
  EXPECT_DONE(PIOc_sync(file));
  expect_values(file, v_, values_);
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
