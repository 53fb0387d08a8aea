// Define mode that is entered again for attributes and names, as models do for each of them: the native file
// leaves it late, without a visible difference.
#include <string>
#include <utility>

#include "program.h"

namespace scorpio::pio_test {
namespace {

class Redefine : public Program {
 protected:
  // x(4) and v(x) with values, and the attribute "units" of v, in data mode.
  int file_with_values(const std::string& name) {
    const int file = create(name);
    const int x = dimension(file, "x", 4);
    v_ = variable(file, "v", PIO_INT, {x});
    EXPECT_DONE(PIOc_put_att_text(file, v_, "units", 4, "none"));
    EXPECT_DONE(PIOc_enddef(file));
    EXPECT_DONE(PIOc_put_var_int(file, v_, values_.data()));
    return file;
  }
  void define_attribute(int file, const std::string& name, int value) {
    EXPECT_DONE(PIOc_redef(file));
    EXPECT_DONE(PIOc_put_att_int(file, v_, name.c_str(), PIO_INT, 1, &value));
    EXPECT_DONE(PIOc_enddef(file));
  }
  void expect_attribute(int file, const std::string& name, int value) {
    int read = 0;
    EXPECT_DONE(PIOc_get_att_int(file, v_, name.c_str(), &read));
    EXPECT_EQ(value, read) << name;
  }
  void expect_values(int file) {
    std::vector<int> read(4);
    EXPECT_DONE(PIOc_get_var_int(file, v_, read.data()));
    EXPECT_EQ(values_, read);
  }

  int v_ = -1;
  const std::vector<int> values_{1, 2, 3, 4};
};

TEST_F(Redefine, AttributeByAttribute) {
  const int file = file_with_values("a.nc");
  const auto name = [](int i) { return "attribute_" + std::to_string(i); };
  for (int i = 0; i < 30; ++i) {
    define_attribute(file, name(i), i);
    expect_attribute(file, name(i), i);
    if (i % 10 == 3) expect_values(file);
    if (i % 10 == 5) {
      EXPECT_DONE(PIOc_sync(file));
    }
    if (i % 10 == 7) {
      EXPECT_DONE(PIOc_put_var_int(file, v_, values_.data()));
    }
  }
  EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_enddef(file));
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("a.nc");
  for (int i = 0; i < 30; ++i) expect_attribute(again, name(i), i);
  expect_values(again);
  EXPECT_DONE(PIOc_closefile(again));
}

TEST_F(Redefine, ThenAVariable) {
  const int file = file_with_values("a.nc");
  define_attribute(file, "one", 1);
  EXPECT_DONE(PIOc_redef(file));
  EXPECT_EQ(PIO_EINDEFINE, PIOc_redef(file));
  const int y = dimension(file, "y", 4);
  const int w = variable(file, "w", PIO_INT, {y});
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_put_var_int(file, w, values_.data()));
  define_attribute(file, "two", 2);
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("a.nc");
  expect_attribute(again, "one", 1);
  expect_attribute(again, "two", 2);
  expect_values(again);
  std::vector<int> read(4);
  EXPECT_DONE(PIOc_get_var_int(again, w, read.data()));
  EXPECT_EQ(values_, read);
  EXPECT_DONE(PIOc_closefile(again));
}

// As where the native file has left define mode.
TEST_F(Redefine, OutsideOfItOnlyWhatNeedsNoRoom) {
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_RETURN_ERROR, nullptr));
  for (const bool late : {false, true}) {
    const int file = file_with_values(late ? "late.nc" : "early.nc");
    if (late) define_attribute(file, "one", 1);
    int id = -1;
    const int value = 5;
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_def_dim(file, "y", 3, &id));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_def_var(file, "w", PIO_INT, 0, nullptr, &id));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_put_att_int(file, v_, "new", PIO_INT, 1, &value));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_put_att_text(file, v_, "units", 5, "metre"));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_rename_att(file, v_, "units", "longer_units"));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_rename_var(file, v_, "variable"));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_rename_dim(file, 0, "length"));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_set_fill(file, PIO_FILL, nullptr));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_del_att(file, v_, "units"));
    EXPECT_DONE(PIOc_put_att_text(file, v_, "units", 1, "m"));
    EXPECT_DONE(PIOc_rename_var(file, v_, "u"));
    EXPECT_DONE(PIOc_rename_dim(file, 0, "z"));
    EXPECT_DONE(PIOc_rename_att(file, v_, "units", "unit"));
    // What was refused is told to the others, which know it already.
    EXPECT_DONE(PIOc_sync(file));
    EXPECT_DONE(PIOc_closefile(file));
    const int again = open(late ? "late.nc" : "early.nc");
    PIO_Offset length = 0;
    EXPECT_DONE(PIOc_inq_attlen(again, v_, "unit", &length));
    EXPECT_EQ(1, length);
    EXPECT_DONE(PIOc_inq_varid(again, "u", &id));
    EXPECT_EQ(PIO_EBADDIM, PIOc_inq_dimid(again, "y", &id));
    expect_values(again);
    EXPECT_DONE(PIOc_closefile(again));
  }
}

// Those of the I/O root count, which is the last rank; what the ranks agreed on before stays.
TEST_F(Redefine, DefinitionsThatDiffer) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  const int file = file_with_values("a.nc");
  define_attribute(file, "one", 1);
  EXPECT_DONE(PIOc_redef(file));
  const int value = rank() == ranks() - 1 ? 2 : 3;
  EXPECT_DONE(PIOc_put_att_int(file, v_, "two", PIO_INT, 1, &value));
  EXPECT_EQ(PIO_EINVAL, PIOc_enddef(file));
  define_attribute(file, "three", 3);
  for (const int opened : {file, -1}) {
    const int one = opened >= 0 ? opened : open("a.nc");
    expect_attribute(one, "one", 1);
    expect_attribute(one, "two", 2);
    expect_attribute(one, "three", 3);
    expect_values(one);
    EXPECT_DONE(PIOc_closefile(one));
  }
}

// With netCDF-4, variables that were renamed would have other ids if the file were opened again to undo what
// differs. It is given up, and keeps what it had at the last sync.
TEST_F(Redefine, DefinitionsThatDifferAfterARename) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  const int file = create("a.nc", PIO_CLOBBER, PIO_IOTYPE_NETCDF4P);
  const int x = dimension(file, "x", 4);
  v_ = variable(file, "v", PIO_INT, {x});
  const int w = variable(file, "w", PIO_INT, {x});
  EXPECT_DONE(PIOc_rename_var(file, v_, "renamed"));
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<int> others{5, 6, 7, 8};
  EXPECT_DONE(PIOc_put_var_int(file, v_, values_.data()));
  EXPECT_DONE(PIOc_put_var_int(file, w, others.data()));
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_DONE(PIOc_redef(file));
  const int value = rank() == ranks() - 1 ? 2 : 3;
  EXPECT_DONE(PIOc_put_att_int(file, v_, "two", PIO_INT, 1, &value));
  EXPECT_EQ(PIO_EINVAL, PIOc_enddef(file));
  EXPECT_NE(PIO_NOERR, PIOc_closefile(file));
  const int again = open("a.nc");
  std::vector<int> read(4);
  for (const auto& [name, expected] : {std::pair{"renamed", values_}, std::pair{"w", others}}) {
    int id = -1;
    EXPECT_DONE(PIOc_inq_varid(again, name, &id));
    EXPECT_DONE(PIOc_get_var_int(again, id, read.data()));
    EXPECT_EQ(expected, read) << name;
  }
  EXPECT_DONE(PIOc_closefile(again));
}

}  // namespace
}  // namespace scorpio::pio_test
