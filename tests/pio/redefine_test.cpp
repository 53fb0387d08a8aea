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
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_put_att_text(file, v_, "empty", 0, ""));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_put_att_text(file, v_, "units", 5, "metre"));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_rename_att(file, v_, "units", "longer_units"));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_rename_var(file, v_, "variable"));
    EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_rename_dim(file, 0, "length"));
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

TEST_F(Redefine, AFillModeOutsideOfItIsThatOfLaterVariables) {
  for (const bool late : {false, true}) {
    const int file = file_with_values(late ? "late.nc" : "early.nc");
    if (late) define_attribute(file, "one", 1);
    int old = -1, filled = -1;
    EXPECT_DONE(PIOc_set_fill(file, PIO_NOFILL, &old));
    EXPECT_DONE(PIOc_set_fill(file, PIO_FILL, &old));
    EXPECT_EQ(PIO_NOFILL, old);
    EXPECT_DONE(PIOc_sync(file));
    EXPECT_DONE(PIOc_redef(file));
    const int w = variable(file, "w", PIO_INT, {dimension(file, "y", 4)});
    EXPECT_DONE(PIOc_enddef(file));
    std::vector<int> read(4);
    EXPECT_DONE(PIOc_get_var_int(file, w, read.data()));
    EXPECT_EQ(std::vector<int>(4, PIO_FILL_INT), read);
    EXPECT_DONE(PIOc_inq_var_fill(file, v_, &filled, nullptr));
    EXPECT_EQ(1, filled);
    expect_values(file);
    EXPECT_DONE(PIOc_closefile(file));
  }
}

TEST_F(Redefine, AFillModeOutsideOfItIsThatOfTheRoot) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  const int file = file_with_values("a.nc");
  if (rank() == ranks() - 1) {
    EXPECT_DONE(PIOc_set_fill(file, PIO_FILL, nullptr));
  }
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_DONE(PIOc_redef(file));
  const int w = variable(file, "w", PIO_INT, {dimension(file, "y", 4)});
  EXPECT_EQ(PIO_EINVAL, PIOc_enddef(file));
  int filled = -1;
  EXPECT_DONE(PIOc_inq_var_fill(file, w, &filled, nullptr));
  EXPECT_EQ(0, filled);
  EXPECT_DONE(PIOc_closefile(file));
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

// Whether define mode ends late is decided by the definitions that count, on all ranks alike.
TEST_F(Redefine, DefinitionsThatDifferInWhatNeedsRoom) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_RETURN_ERROR, nullptr));
  int file = file_with_values("a.nc");
  for (const bool root : {true, false}) {
    EXPECT_DONE(PIOc_redef(file));
    EXPECT_DONE(PIOc_put_att_int(file, v_, "one", PIO_INT, 1, values_.data()));
    if ((rank() == root_) == root) dimension(file, root ? "of_root" : "of_others", 3);
    EXPECT_EQ(PIO_EINVAL, PIOc_enddef(file));
    expect_attribute(file, "one", 1);
    expect_values(file);
  }
  EXPECT_DONE(PIOc_closefile(file));
  file = open("a.nc");
  int count = 0, id = -1;
  EXPECT_DONE(PIOc_inq_ndims(file, &count));
  EXPECT_EQ(2, count);
  EXPECT_DONE(PIOc_inq_dimid(file, "of_root", &id));
  EXPECT_DONE(PIOc_closefile(file));
}

// With netCDF-4, variables that were renamed have other ids when the file is opened again to undo what
// differs. The program keeps the ids that it has.
class RedefineAfterARename : public Redefine {
 protected:
  // v(x), renamed(x) and text(x), of which the second one was renamed when the file had its data already.
  int file_with_a_rename() {
    const int file = create("a.nc", PIO_CLOBBER, PIO_IOTYPE_NETCDF4P);
    const int x = dimension(file, "x", 4);
    renamed_ = variable(file, "r", PIO_INT, {x});
    v_ = variable(file, "v", PIO_INT, {x});
    text_ = variable(file, "text", PIO_CHAR, {x});
    const int one = 1;
    EXPECT_DONE(PIOc_put_att_int(file, renamed_, "number", PIO_INT, 1, &one));
    EXPECT_DONE(PIOc_enddef(file));
    put_all(file);
    EXPECT_DONE(PIOc_sync(file));
    EXPECT_DONE(PIOc_rename_var(file, renamed_, "renamed"));
    EXPECT_DONE(PIOc_enddef(file));
    EXPECT_DONE(PIOc_sync(file));
    return file;
  }
  void put_all(int file) {
    EXPECT_DONE(PIOc_put_var_int(file, v_, values_.data()));
    EXPECT_DONE(PIOc_put_var_int(file, renamed_, others_.data()));
    EXPECT_DONE(PIOc_put_var_text(file, text_, "abcd"));
  }
  // The ranks put different values of an attribute; returns what they have then, which is that of the root.
  int let_definitions_differ(int file, int varid, const char* name) {
    EXPECT_DONE(PIOc_redef(file));
    const int value = rank() == root_ ? 2 : 3;
    EXPECT_DONE(PIOc_put_att_int(file, varid, name, PIO_INT, 1, &value));
    EXPECT_EQ(PIO_EINVAL, PIOc_enddef(file));
    int found = -1;
    EXPECT_DONE(PIOc_get_att_int(file, varid, name, &found));
    return found;
  }
  void expect_values_of(int file, int varid, const std::vector<int>& expected) {
    std::vector<int> read(4);
    EXPECT_DONE(PIOc_get_var_int(file, varid, read.data()));
    EXPECT_EQ(expected, read) << varid;
  }
  // By the ids of the program.
  void expect_all(int file) {
    for (const auto& [name, id] : {std::pair{"renamed", renamed_}, {"v", v_}, {"text", text_}}) {
      char found[PIO_MAX_NAME + 1] = "";
      int by_name = -1;
      EXPECT_DONE(PIOc_inq_varname(file, id, found, sizeof found));
      EXPECT_STREQ(name, found);
      EXPECT_DONE(PIOc_inq_varid(file, name, &by_name));
      EXPECT_EQ(id, by_name);
    }
    nc_type type = PIO_NAT;
    EXPECT_DONE(PIOc_inq_vartype(file, text_, &type));
    EXPECT_EQ(PIO_CHAR, type);
    expect_values_of(file, v_, values_);
    expect_values_of(file, renamed_, others_);
    int number = -1;
    EXPECT_DONE(PIOc_get_att_int(file, renamed_, "number", &number));
    EXPECT_EQ(1, number);
  }
  // By names, as the ids of an opened file are those in the file.
  void expect_file(const char* name) {
    const int again = open(name);
    int two = -1;
    EXPECT_DONE(PIOc_inq_varid(again, "renamed", &renamed_));
    EXPECT_DONE(PIOc_inq_varid(again, "v", &v_));
    EXPECT_DONE(PIOc_inq_varid(again, "text", &text_));
    expect_all(again);
    EXPECT_DONE(PIOc_get_att_int(again, renamed_, "two", &two));
    EXPECT_EQ(2, two);
    EXPECT_DONE(PIOc_closefile(again));
  }

  int renamed_ = -1, text_ = -1;
  const std::vector<int> others_{5, 6, 7, 8};
};

TEST_F(RedefineAfterARename, DefinitionsThatDiffer) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  const int file = file_with_a_rename();
  EXPECT_EQ(2, let_definitions_differ(file, renamed_, "two"));
  expect_all(file);
  // Each kind of call that names a variable.
  const auto map = round_robin(4);
  const int d = decomposition(PIO_INT, {4}, map);
  std::vector<int> mine;
  for (const PIO_Offset at : map) mine.push_back(others_[static_cast<size_t>(at - 1)]);
  mine.resize(4);
  EXPECT_DONE(
      PIOc_write_darray(file, renamed_, d, static_cast<PIO_Offset>(map.size()), mine.data(), nullptr));
  std::vector<int> read(4);
  EXPECT_DONE(PIOc_read_darray(file, renamed_, d, static_cast<PIO_Offset>(map.size()), read.data()));
  EXPECT_EQ(std::vector<int>(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(map.size())),
            std::vector<int>(read.begin(), read.begin() + static_cast<std::ptrdiff_t>(map.size())));
  put_all(file);
  int storage = -1;
  EXPECT_DONE(PIOc_inq_var_chunking(file, renamed_, &storage, nullptr));
  EXPECT_DONE(PIOc_inq_var_fill(file, renamed_, nullptr, nullptr));
  EXPECT_DONE(PIOc_freedecomp(system_, d));
  // Again, now from a file that was opened again, with new variables and another rename.
  EXPECT_DONE(PIOc_redef(file));
  const int later = variable(file, "later", PIO_INT, {0});
  EXPECT_EQ(text_ + 1, later);
  EXPECT_DONE(PIOc_rename_var(file, v_, "u"));
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_put_var_int(file, later, values_.data()));
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_EQ(2, let_definitions_differ(file, later, "three"));
  expect_values_of(file, later, values_);
  EXPECT_DONE(PIOc_redef(file));
  EXPECT_DONE(PIOc_rename_var(file, v_, "v"));
  EXPECT_DONE(PIOc_enddef(file));
  expect_all(file);
  EXPECT_DONE(PIOc_closefile(file));
  expect_file("a.nc");
}

// The ranks return to what they agreed on last, which are definitions of many define modes without data.
TEST_F(RedefineAfterARename, DefinitionsThatDifferAfterManyDefineModes) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  constexpr int k_times = 100;  // more than between two copies of all definitions
  const int file = file_with_a_rename();
  const auto named = [](const char* name, int i) { return name + std::to_string(i); };
  std::vector<int> added;
  const auto expect_agreed = [&] {
    for (size_t i = 0; i < added.size(); ++i) {
      const int number = static_cast<int>(i);
      int found = -1, endian = -1;
      EXPECT_DONE(PIOc_inq_varid(file, named("w", number).c_str(), &found));
      EXPECT_EQ(added[i], found);
      EXPECT_DONE(PIOc_get_att_int(file, added[i], "number", &found));
      EXPECT_EQ(number, found);
      EXPECT_DONE(PIOc_inq_var_endian(file, added[i], &endian));
      EXPECT_EQ(number % 2 == 0 ? NC_ENDIAN_BIG : NC_ENDIAN_NATIVE, endian);
    }
    int nvars = 0;
    EXPECT_DONE(PIOc_inq_nvars(file, &nvars));
    EXPECT_EQ(3 + static_cast<int>(added.size()), nvars);
  };
  for (int i = 0; i < k_times; ++i) {
    EXPECT_DONE(PIOc_redef(file));
    const int y = dimension(file, named("y", i).c_str(), 4);
    added.push_back(variable(file, "new", PIO_INT, {y}));
    if (i % 2 == 0) {
      EXPECT_DONE(PIOc_def_var_endian(file, added.back(), NC_ENDIAN_BIG));
    }
    EXPECT_DONE(PIOc_put_att_int(file, added.back(), "n", PIO_INT, 1, &i));
    EXPECT_DONE(PIOc_enddef(file));
    EXPECT_DONE(PIOc_redef(file));
    EXPECT_DONE(PIOc_rename_var(file, added.back(), named("w", i).c_str()));
    EXPECT_DONE(PIOc_rename_att(file, added.back(), "n", "number"));
    EXPECT_DONE(PIOc_enddef(file));
    if (i % 9 != 0) continue;
    EXPECT_EQ(2, let_definitions_differ(file, renamed_, "two"));
    expect_agreed();
  }
  EXPECT_DONE(PIOc_put_var_int(file, added.front(), values_.data()));
  EXPECT_EQ(2, let_definitions_differ(file, renamed_, "two"));
  expect_agreed();
  expect_all(file);
  expect_values_of(file, added.front(), values_);
  EXPECT_DONE(PIOc_closefile(file));
  expect_file("a.nc");
}

// What was put and waits goes to the variable for which it was meant.
TEST_F(RedefineAfterARename, WritesThatWait) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  const int file = file_with_a_rename();
  EXPECT_DONE(PIOc_redef(file));
  const int value = rank() == root_ ? 2 : 3;
  EXPECT_DONE(PIOc_put_att_int(file, renamed_, "two", PIO_INT, 1, &value));
  const std::vector<int> zeros(4, 0);
  EXPECT_DONE(PIOc_put_var_int(file, renamed_, zeros.data()));
  EXPECT_DONE(PIOc_put_var_int(file, v_, zeros.data()));
  EXPECT_DONE(PIOc_put_var_int(file, renamed_, others_.data()));
  EXPECT_DONE(PIOc_put_var_int(file, v_, values_.data()));
  EXPECT_EQ(PIO_EINVAL, PIOc_sync(file));
  expect_all(file);
  EXPECT_DONE(PIOc_closefile(file));
  expect_file("a.nc");
}

// A rename that the ranks have agreed on, but that is not in the file yet, is made again.
TEST_F(RedefineAfterARename, OfAVariableThatIsNotInTheFileYet) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  const int file = file_with_a_rename();
  EXPECT_DONE(PIOc_redef(file));
  EXPECT_DONE(PIOc_rename_var(file, renamed_, "twice"));
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_EQ(2, let_definitions_differ(file, renamed_, "two"));
  EXPECT_DONE(PIOc_redef(file));
  EXPECT_DONE(PIOc_rename_var(file, renamed_, "renamed"));
  EXPECT_DONE(PIOc_rename_dim(file, 0, "z"));
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_EQ(2, let_definitions_differ(file, v_, "three"));
  expect_all(file);
  EXPECT_DONE(PIOc_closefile(file));
  expect_file("a.nc");
}

}  // namespace
}  // namespace scorpio::pio_test
