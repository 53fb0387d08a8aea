// Files, dimensions, variables and attributes of the PIO interface.
#include <cstring>
#include <filesystem>
#include <fstream>

#include "program.h"

namespace scorpio::pio_test {
namespace {

class Definitions : public Program {};

TEST_F(Definitions, FormatsFollowTheMode) {
  const std::pair<int, int> modes[] = {{0, 1}, {PIO_64BIT_OFFSET, 2}, {PIO_64BIT_DATA, 5}, {PIO_WRITE, 1}};
  for (const auto& [mode, format] : modes) {
    const int file = create("a.nc", mode);
    int found = 0;
    EXPECT_DONE(PIOc_inq_format(file, &found));
    EXPECT_EQ(format, found);
    EXPECT_DONE(PIOc_closefile(file));
  }
}

TEST_F(Definitions, TypesThatAreNotThereLeaveNoFile) {
  for (int iotype = 0; iotype <= 10; ++iotype) {
    if (PIOc_iotype_available(iotype) != 0) continue;
    int file = -7;
    const int code = iotype == PIO_IOTYPE_NETCDF4P_NCZARR ? PIO_ENOTBUILT : PIO_EBADIOTYPE;
    EXPECT_EQ(code, PIOc_createfile(system_, &file, &iotype, path("b.nc").c_str(), 0)) << iotype;
    EXPECT_EQ(-7, file);
  }
  EXPECT_FALSE(std::filesystem::exists(path("b.nc")));
}

TEST_F(Definitions, ExistingAndMissingFiles) {
  EXPECT_DONE(PIOc_closefile(create("c.nc")));
  int file = -7;
  int iotype = PIO_IOTYPE_NETCDF;
  EXPECT_EQ(PIO_EEXIST, PIOc_createfile(system_, &file, &iotype, path("c.nc").c_str(), PIO_NOCLOBBER));
  EXPECT_NE(PIO_NOERR, PIOc_openfile(system_, &file, &iotype, path("none.nc").c_str(), PIO_NOWRITE));
  EXPECT_EQ(-7, file);
  EXPECT_DONE(PIOc_deletefile(system_, path("c.nc").c_str()));
  EXPECT_EQ(-1, PIOc_deletefile(system_, path("c.nc").c_str()));
  EXPECT_FALSE(std::filesystem::exists(path("c.nc")));
}

TEST_F(Definitions, AFileThatIsBeingCreatedExists) {
  const int created = create("new.nc");
  int file = -7;
  int iotype = usual_iotype();
  EXPECT_EQ(PIO_EEXIST, PIOc_createfile(system_, &file, &iotype, path("new.nc").c_str(), PIO_NOCLOBBER));
  EXPECT_EQ(PIO_EPERM, PIOc_createfile(system_, &file, &iotype, path("new.nc").c_str(), PIO_CLOBBER));
  EXPECT_EQ(-7, file);
  EXPECT_DONE(PIOc_closefile(created));
}

TEST_F(Definitions, SymbolicLinksAreFollowed) {
  const auto link = [&](const std::string& name, const std::string& target) {
    if (rank() == 0) std::filesystem::create_symlink(target, path(name));
    MPI_Barrier(MPI_COMM_WORLD);
  };
  EXPECT_DONE(PIOc_closefile(create("there.nc")));
  if (rank() == 0) std::filesystem::create_directory(path("folder"));
  link("link.nc", "there.nc");
  link("folder/chain.nc", "../link.nc");
  link("new_link.nc", path("new.nc"));
  link("circle.nc", "circle.nc");
  link("device.nc", "/dev/null");
  for (const char* name : {"link.nc", "folder/chain.nc", "new_link.nc"}) {
    const int file = create(name);
    dimension(file, name[0] == 'f' ? "chain" : "link", 3);
    EXPECT_DONE(PIOc_closefile(file));
    EXPECT_TRUE(std::filesystem::is_symlink(path(name))) << name;
  }
  for (const auto& [name, dimension_name] : {std::pair("there.nc", "chain"), std::pair("new.nc", "link")}) {
    const int file = open(name);
    int id = -1;
    EXPECT_DONE(PIOc_inq_dimid(file, dimension_name, &id));
    EXPECT_DONE(PIOc_closefile(file));
  }
  int file = -7;
  int iotype = usual_iotype();
  for (const char* name : {"circle.nc", "device.nc"})
    EXPECT_EQ(PIO_EPERM, PIOc_createfile(system_, &file, &iotype, path(name).c_str(), 0)) << name;
  EXPECT_EQ(PIO_EEXIST, PIOc_createfile(system_, &file, &iotype, path("link.nc").c_str(), PIO_NOCLOBBER));
}

TEST_F(Definitions, AFileCanBeDeletedBeforeItsFirstSync) {
  const int file = create("early.nc");
  dimension(file, "x", 3);
  EXPECT_DONE(PIOc_deletefile(system_, path("early.nc").c_str()));
  EXPECT_FALSE(std::filesystem::exists(path("early.nc")));
  dimension(file, "y", 3);
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_FALSE(std::filesystem::exists(path("early.nc")));
}

TEST_F(Definitions, AFileIsFoundByNameBeforeItsFirstSync) {
  const int file = create("early.nc");
  dimension(file, "x", 3);
  EXPECT_DONE(PIOc_enddef(file));
  const int other = open("early.nc");
  PIO_Offset length = 0;
  EXPECT_DONE(PIOc_inq_dimlen(other, 0, &length));
  EXPECT_EQ(3, length);
  EXPECT_DONE(PIOc_closefile(other));
  EXPECT_DONE(PIOc_closefile(file));
  const int defining = create("defining.nc");
  dimension(defining, "x", 3);
  const int again = open("defining.nc");
  EXPECT_DONE(PIOc_inq_dimlen(again, 0, &length));
  EXPECT_EQ(3, length);
  EXPECT_DONE(PIOc_closefile(again));
  dimension(defining, "y", 3);
  EXPECT_DONE(PIOc_closefile(defining));
}

// All names of one file: of a run folder, and links to what is not there yet.
TEST_F(Definitions, AFileIsFoundByOtherNamesBeforeItsFirstSync) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(path("."));
  if (rank() == 0) std::filesystem::create_symlink("linked.nc", path("link.nc"));
  MPI_Barrier(MPI_COMM_WORLD);
  const int iotype = usual_iotype();
  int opening = PIO_IOTYPE_NETCDF;
  const std::pair<const char*, const char*> names[] = {
      {"relative.nc", "relative.nc"}, {"relative2.nc", "./relative2.nc"}, {"link.nc", "link.nc"}};
  for (const auto& [name, other_name] : names) {
    int file = -1, other = -1;
    ASSERT_DONE(PIOc_createfile(system_, &file, &iotype, name, PIO_CLOBBER));
    dimension(file, "x", 3);
    ASSERT_DONE(PIOc_enddef(file));
    ASSERT_DONE(PIOc_openfile(system_, &other, &opening, other_name, PIO_NOWRITE)) << other_name;
    EXPECT_DONE(PIOc_closefile(other));
    EXPECT_DONE(PIOc_closefile(file));
  }
  int file = -1;
  ASSERT_DONE(PIOc_createfile(system_, &file, &iotype, "early.nc", PIO_CLOBBER));
  EXPECT_DONE(PIOc_deletefile(system_, "early.nc"));
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_FALSE(std::filesystem::exists("early.nc"));
  MPI_Barrier(MPI_COMM_WORLD);
  std::filesystem::current_path(before);
}

// It may be that of any file, and is taken as that of none.
TEST_F(Definitions, AFileWhosePathCannotBeResolvedIsNoOther) {
  const auto on_one_rank = [&](auto&& change) {
    if (rank() == 0) change();
    MPI_Barrier(MPI_COMM_WORLD);
  };
  on_one_rank([&] {
    std::filesystem::create_directory(path("folder"));
    std::filesystem::create_symlink("circle", path("circle"));
  });
  const int file = create("folder/early.nc");
  dimension(file, "x", 3);
  on_one_rank([&] {
    std::filesystem::rename(path("folder"), path("moved"));
    std::filesystem::create_symlink("folder", path("folder"));
  });
  int other = -7, iotype = usual_iotype();
  EXPECT_NE(PIO_NOERR, PIOc_openfile(system_, &other, &iotype, path("circle/a.nc").c_str(), PIO_NOWRITE));
  EXPECT_EQ(-7, other);
  on_one_rank([&] {
    std::filesystem::remove(path("folder"));
    std::filesystem::rename(path("moved"), path("folder"));
  });
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_TRUE(std::filesystem::exists(path("folder/early.nc")));
}

TEST_F(Definitions, InquiriesFindWhatWasDefined) {
  const int file = create("d.nc");
  const int time = dimension(file, "time", PIO_UNLIMITED);
  const int x = dimension(file, "x", 4);
  const int v = variable(file, "v", PIO_DOUBLE, {time, x});
  int ndims = 0, nvars = 0, natts = -1, unlimited = -1;
  EXPECT_DONE(PIOc_inq(file, &ndims, &nvars, &natts, &unlimited));
  EXPECT_EQ(2, ndims);
  EXPECT_EQ(1, nvars);
  EXPECT_EQ(0, natts);
  EXPECT_EQ(time, unlimited);
  char name[PIO_MAX_NAME + 1];
  PIO_Offset length = -1;
  EXPECT_DONE(PIOc_inq_dim(file, x, name, &length));
  EXPECT_STREQ("x", name);
  EXPECT_EQ(4, length);
  nc_type type = 0;
  int dimids[2] = {-1, -1};
  EXPECT_DONE(PIOc_inq_var(file, v, name, sizeof name, &type, &ndims, dimids, &natts));
  EXPECT_STREQ("v", name);
  EXPECT_EQ(PIO_DOUBLE, type);
  EXPECT_EQ(time, dimids[0]);
  EXPECT_EQ(x, dimids[1]);
  int id = -1;
  EXPECT_DONE(PIOc_inq_varid(file, "v", &id));
  EXPECT_EQ(v, id);
  EXPECT_EQ(PIO_ENOTVAR, PIOc_inq_varid(file, "w", &id));
  EXPECT_EQ(PIO_EBADDIM, PIOc_inq_dimid(file, "w", &id));
  EXPECT_EQ(PIO_EBADDIM, PIOc_inq_dimlen(file, 9, &length));
  EXPECT_EQ(PIO_ENOTVAR, PIOc_inq_varndims(file, 9, &ndims));
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_EQ(PIO_EBADID, PIOc_inq_ndims(file, &ndims));
}

TEST_F(Definitions, DefineMode) {
  const int file = create("e.nc");
  EXPECT_EQ(PIO_EINDEFINE, PIOc_redef(file));
  const int x = dimension(file, "x", 2);
  EXPECT_EQ(PIO_ENAMEINUSE, PIOc_def_dim(file, "x", 2, nullptr));
  const int time = dimension(file, "time", PIO_UNLIMITED);
  const int wrong[] = {x, time};
  int id = -1;
  EXPECT_EQ(PIO_EINVAL, PIOc_def_var(file, "v", PIO_INT, 2, wrong, &id));
  EXPECT_EQ(PIO_EBADTYPE, PIOc_def_var(file, "v", 99, 1, &x, &id));
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_enddef(file));
  EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_def_dim(file, "y", 2, &id));
  EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_put_att_text(file, PIO_GLOBAL, "late", 2, "no"));
  EXPECT_DONE(PIOc_redef(file));
  EXPECT_DONE(PIOc_put_att_text(file, PIO_GLOBAL, "title", 4, "text"));
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("e.nc");
  EXPECT_EQ(PIO_EPERM, PIOc_redef(again));
  EXPECT_EQ(PIO_EPERM, PIOc_put_att_text(again, PIO_GLOBAL, "a", 1, "b"));
  EXPECT_DONE(PIOc_closefile(again));
}

// Of a damaged file: programs pass arrays of PIO_MAX_VAR_DIMS.
TEST_F(Definitions, AVariableOfTooManyDimensionsIsRefused) {
  constexpr int k_dimensions = PIO_MAX_VAR_DIMS + 1;
  if (rank() == 0) {
    std::string bytes("CDF\1", 4);
    const auto word = [&](uint32_t value) {
      for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xffu);
    };
    const auto words = [&](std::initializer_list<uint32_t> values) {
      for (const uint32_t value : values) word(value);
    };
    words({0, 10, 1, 1});  // no records; one dimension, with a name of one character,
    bytes += std::string("x\0\0\0", 4);
    words({1, 0, 0, 11, 1, 1});  // of length 1; no attributes; one variable
    bytes += std::string("v\0\0\0", 4);
    word(k_dimensions);
    for (int d = 0; d < k_dimensions; ++d) word(0);
    words({0, 0, PIO_INT, 4});  // without attributes
    const auto begin = static_cast<uint32_t>(bytes.size() + 4);
    words({begin, 7});
    std::ofstream(path("many.nc"), std::ios::binary) << bytes;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int file = -1, iotype = PIO_IOTYPE_NETCDF;
  ASSERT_DONE(PIOc_openfile(system_, &file, &iotype, path("many.nc").c_str(), PIO_NOWRITE));
  int ndims = -7, value = -7;
  std::vector<int> ids(k_dimensions, -7);
  EXPECT_EQ(PIO_EMAXDIMS, PIOc_inq_varndims(file, 0, &ndims));
  EXPECT_EQ(PIO_EMAXDIMS, PIOc_inq_vardimid(file, 0, ids.data()));
  EXPECT_EQ(PIO_EMAXDIMS, PIOc_get_var_int(file, 0, &value));
  EXPECT_EQ(-7, ndims);
  EXPECT_EQ(std::vector<int>(k_dimensions, -7), ids);
  EXPECT_DONE(PIOc_closefile(file));
  file = create("many.nc");
  const std::vector<int> dimensions(k_dimensions, dimension(file, "x", 1));
  EXPECT_EQ(PIO_EMAXDIMS, PIOc_def_var(file, "v", PIO_INT, k_dimensions, dimensions.data(), nullptr));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Definitions, AttributesAreConverted) {
  const int file = create("f.nc");
  const int v = variable(file, "v", PIO_INT, {});
  const double values[] = {1.0, 2.0, 3.0};
  EXPECT_DONE(PIOc_put_att_double(file, v, "numbers", PIO_INT, 3, values));
  EXPECT_DONE(PIOc_put_att_text(file, v, "units", 5, "metre"));
  EXPECT_DONE(PIOc_put_att_text(file, v, "empty", 0, ""));
  EXPECT_EQ(PIO_ECHAR, PIOc_put_att_double(file, v, "bad", PIO_CHAR, 3, values));
  const double large = 1e20;
  EXPECT_EQ(PIO_ERANGE, PIOc_put_att_double(file, v, "large", PIO_INT, 1, &large));
  EXPECT_DONE(PIOc_enddef(file));
  nc_type type = 0;
  PIO_Offset length = -1;
  EXPECT_DONE(PIOc_inq_att(file, v, "numbers", &type, &length));
  EXPECT_EQ(PIO_INT, type);
  EXPECT_EQ(3, length);
  float read[3] = {};
  EXPECT_DONE(PIOc_get_att_float(file, v, "numbers", read));
  EXPECT_EQ(3.0f, read[2]);
  char text[6] = "#####";
  EXPECT_DONE(PIOc_get_att_text(file, v, "units", text));
  EXPECT_STREQ("metre", text);
  EXPECT_DONE(PIOc_inq_attlen(file, v, "empty", &length));
  EXPECT_EQ(0, length);
  int id = -1;
  EXPECT_DONE(PIOc_inq_attid(file, v, "units", &id));
  EXPECT_EQ(1, id);
  EXPECT_EQ(PIO_ENOTATT, PIOc_get_att_float(file, v, "none", read));
  EXPECT_EQ(PIO_ENOTATT, PIOc_inq_att(file, PIO_GLOBAL, "units", &type, &length));
  EXPECT_DONE(PIOc_put_att_text(file, v, "units", 1, "m"));  // shorter: possible in data mode
  EXPECT_DONE(PIOc_closefile(file));
}

// One that is empty differs from one NUL, and can get a value.
TEST_F(Definitions, EmptyAttributesStayEmpty) {
  int file = create("empty.nc");
  EXPECT_DONE(PIOc_put_att_text(file, PIO_GLOBAL, "text", 0, ""));
  EXPECT_DONE(PIOc_put_att_text(file, PIO_GLOBAL, "nul", 1, ""));
  EXPECT_DONE(PIOc_put_att_text(file, PIO_GLOBAL, "later", 0, nullptr));
  EXPECT_DONE(PIOc_put_att_int(file, PIO_GLOBAL, "numbers", PIO_INT, 0, nullptr));
  const auto expect_att = [&](const char* name, nc_type type, PIO_Offset length) {
    nc_type found_type = PIO_NAT;
    PIO_Offset found = -1;
    EXPECT_DONE(PIOc_inq_att(file, PIO_GLOBAL, name, &found_type, &found)) << name;
    EXPECT_EQ(type, found_type) << name;
    EXPECT_EQ(length, found) << name;
  };
  for (int times = 0; times < 3; ++times) {
    if (times == 2) {
      EXPECT_DONE(PIOc_redef(file));
      EXPECT_DONE(PIOc_put_att_text(file, PIO_GLOBAL, "later", 3, "now"));
    }
    if (times > 0) {
      EXPECT_DONE(PIOc_closefile(file));
      file = open("empty.nc", PIO_WRITE);
    }
    expect_att("text", PIO_CHAR, 0);
    expect_att("nul", PIO_CHAR, 1);
    expect_att("later", PIO_CHAR, times == 2 ? 3 : 0);
    expect_att("numbers", PIO_INT, 0);
  }
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Definitions, FillModeConcernsVariablesDefinedAlready) {
  const int file = create("g.nc");
  const int x = dimension(file, "x", 3);
  const int v = variable(file, "v", PIO_INT, {x});
  int old = -1, no_fill = -1, value = 0;
  EXPECT_DONE(PIOc_set_fill(file, PIO_FILL, &old));
  EXPECT_EQ(PIO_NOFILL, old);
  EXPECT_DONE(PIOc_inq_var_fill(file, v, &no_fill, &value));
  EXPECT_EQ(0, no_fill);
  EXPECT_EQ(PIO_FILL_INT, value);
  const int w = variable(file, "w", PIO_INT, {x});
  const int mine = -3;
  EXPECT_DONE(PIOc_def_var_fill(file, w, 0, &mine));
  EXPECT_DONE(PIOc_enddef(file));
  int read[3] = {};
  EXPECT_DONE(PIOc_get_var_int(file, v, read));
  EXPECT_EQ(PIO_FILL_INT, read[1]);
  EXPECT_DONE(PIOc_get_var_int(file, w, read));
  EXPECT_EQ(-3, read[1]);
  EXPECT_DONE(PIOc_closefile(file));
}

// Of a classic file that was opened, each variable is filled, as with netCDF-C and PnetCDF. A netCDF-4 file
// says for each variable whether it is filled.
TEST_F(Definitions, FillValuesOfAnOpenedFile) {
  const int file = create("opened.nc");
  const int x = dimension(file, "x", 3);
  const int plain = variable(file, "plain", PIO_INT, {x});
  const int defined = variable(file, "defined", PIO_INT, {x});
  const int put = variable(file, "put", PIO_INT, {x});
  const int mine = -3;
  EXPECT_DONE(PIOc_def_var_fill(file, defined, PIO_FILL, &mine));
  EXPECT_DONE(PIOc_put_att_int(file, put, "_FillValue", PIO_INT, 1, &mine));
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("opened.nc", PIO_WRITE);
  int no_fill = -1, value = 0;
  for (const int v : {defined, put}) {
    EXPECT_DONE(PIOc_inq_var_fill(again, v, &no_fill, &value));
    EXPECT_EQ(v == put && makes_netcdf4() ? 1 : 0, no_fill);
    EXPECT_EQ(mine, value);
  }
  EXPECT_DONE(PIOc_inq_var_fill(again, plain, &no_fill, &value));
  EXPECT_EQ(makes_netcdf4() ? 1 : 0, no_fill);
  EXPECT_EQ(PIO_FILL_INT, value);
  EXPECT_DONE(PIOc_closefile(again));
}

// What one rank alone got wrong, all hear of at the next collective call; what all got wrong, none.
TEST_F(Definitions, AFailureOfOneRankIsToldToAll) {
  if (ranks() == 1) GTEST_SKIP();
  const int file = create("h.nc");
  const int v = variable(file, "v", PIO_INT, {});
  EXPECT_EQ(PIO_ENAMEINUSE, PIOc_def_var(file, "v", PIO_INT, 0, nullptr, nullptr));
  EXPECT_DONE(PIOc_enddef(file));
  const int value = 5;
  const int code = PIOc_put_var_int(file, rank() == 0 ? 99 : v, &value);
  EXPECT_EQ(rank() == 0 ? PIO_ENOTVAR : PIO_NOERR, code);
  EXPECT_NE(PIO_NOERR, PIOc_sync(file));
  EXPECT_DONE(PIOc_sync(file));
  int read = 0;
  EXPECT_DONE(PIOc_get_var_int(file, v, &read));
  EXPECT_EQ(5, read);
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
