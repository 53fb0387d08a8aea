// Which functions of the PIO interface send nothing: MPI calls that communicate are counted. The matrix of
// wrong arguments counts them for every function.
#include <dlfcn.h>

#include "counted_calls.h"
#include "program.h"
#include "scorpio/scorpio.h"
#include "support/environment_variable.h"

namespace scorpio::pio_test {
namespace {

class Counts : public Program {
 protected:
  template <typename Calls>
  static void expect_calls(int expected, Calls&& calls) {
    const int before = counted_calls();
    calls();
    EXPECT_EQ(expected, counted_calls() - before);
  }
};

TEST_F(Counts, DefinitionsInquiriesAndWritesSendNothing) {
  const int file = create("a.nc");
  const auto map = round_robin(8);
  const int d = decomposition(PIO_INT, {8}, map);
  const std::vector<int> values(8, rank());
  int time = -1, v = -1, w = -1;
  expect_calls(0, [&] {
    time = dimension(file, "time", PIO_UNLIMITED);
    const int x = dimension(file, "x", 8);
    v = variable(file, "v", PIO_INT, {time, x});
    w = variable(file, "w", PIO_INT, {x});
    EXPECT_DONE(PIOc_put_att_text(file, v, "units", 1, "m"));
    EXPECT_DONE(PIOc_set_fill(file, PIO_NOFILL, nullptr));
    EXPECT_DONE(PIOc_put_var_int(file, w, values.data()));
  });
  EXPECT_DONE(PIOc_enddef(file));
  expect_calls(0, [&] {
    int ndims = 0, id = -1;
    PIO_Offset length = 0;
    char name[PIO_MAX_NAME + 1];
    EXPECT_DONE(PIOc_inq(file, &ndims, nullptr, nullptr, nullptr));
    EXPECT_DONE(PIOc_inq_varid(file, "w", &id));
    EXPECT_EQ(PIO_ENOTVAR, PIOc_inq_varid(file, "none", &id));
    EXPECT_DONE(PIOc_inq_dimlen(file, time, &length));
    EXPECT_DONE(PIOc_inq_var(file, v, name, sizeof name, nullptr, &ndims, nullptr, nullptr));
    EXPECT_DONE(PIOc_inq_att(file, v, "units", nullptr, &length));
    EXPECT_DONE(PIOc_get_att_text(file, v, "units", name));
    EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_RETURN_ERROR, nullptr));
    EXPECT_DONE(PIOc_setframe(file, v, 0));
    EXPECT_DONE(PIOc_advanceframe(file, v));
    EXPECT_DONE(PIOc_write_darray(file, v, d, 8, values.data(), nullptr));
    EXPECT_DONE(PIOc_put_var_int(file, w, values.data()));
    for (int i = 0; i < 100; ++i) {
      const PIO_Offset index = i % 8;
      EXPECT_DONE(PIOc_put_var1_int(file, w, &index, values.data()));
    }
  });
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_DONE(PIOc_closefile(file));
}

// Agreements go through the memory of the node where there is some; here they are messages, and counted.
struct WithoutSharedMemory {
  const test::EnvironmentVariable exchange{"SCORPIO_EXCHANGE", "messages"};
};
class Agreements : private WithoutSharedMemory, public Counts {};

TEST_F(Agreements, OfASync) {
  const int file = create("a.nc");
  const int x = dimension(file, "x", 8);
  const int v = variable(file, "v", PIO_INT, {x});
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<int> values(8, 1);
  EXPECT_DONE(PIOc_put_var_int(file, v, values.data()));
  EXPECT_DONE(PIOc_sync(file));
  expect_calls(1, [&] { EXPECT_DONE(PIOc_sync(file)); });  // there is nothing new
  expect_calls(0, [&] { EXPECT_DONE(PIOc_inq_varid(file, "v", nullptr)); });
  EXPECT_DONE(PIOc_closefile(file));
}

// The restart of a land model has hundreds of scalars: they cost what one costs.
TEST_F(Agreements, OfManyScalars) {
  constexpr int k_scalars = 500;
  const auto close_of = [&](int written) {
    const int file = create("a.nc");
    std::vector<int> scalars;
    for (int i = 0; i < k_scalars; ++i)
      scalars.push_back(variable(file, ("s" + std::to_string(i)).c_str(), PIO_DOUBLE, {}));
    EXPECT_DONE(PIOc_enddef(file));
    const double value = 1.5;
    expect_calls(0, [&] {
      for (int i = 0; i < written; ++i)
        EXPECT_DONE(PIOc_put_var_double(file, scalars[static_cast<size_t>(i)], &value));
    });
    const int before = counted_calls();
    EXPECT_DONE(PIOc_closefile(file));
    return counted_calls() - before;
  };
  EXPECT_EQ(close_of(1), close_of(k_scalars));
}

TEST_F(Agreements, OfDefineModeForAnAttribute) {
  const int file = create("a.nc");
  const int x = dimension(file, "x", 8);
  const int v = variable(file, "v", PIO_INT, {x});
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<int> values(8, 1);
  EXPECT_DONE(PIOc_put_var_int(file, v, values.data()));
  EXPECT_DONE(PIOc_sync(file));
  expect_calls(2, [&] { EXPECT_DONE(PIOc_redef(file)); });  // the native file enters it
  for (int i = 0; i < 5; ++i) {
    const std::string name = "attribute_" + std::to_string(i);
    expect_calls(0, [&] { EXPECT_DONE(PIOc_put_att_int(file, v, name.c_str(), PIO_INT, 1, &i)); });
    expect_calls(1, [&] { EXPECT_DONE(PIOc_enddef(file)); });
    expect_calls(1, [&] { EXPECT_DONE(PIOc_redef(file)); });
  }
  expect_calls(1, [&] { EXPECT_DONE(PIOc_enddef(file)); });
  EXPECT_DONE(PIOc_closefile(file));
}

// Only files that have no name yet are looked for, and the I/O root alone looks.
TEST_F(Agreements, OfOpeningWhileAFileIsNew) {
  EXPECT_DONE(PIOc_closefile(create("a.nc")));
  const auto open_and_close = [&] {
    const int before = counted_calls();
    EXPECT_DONE(PIOc_closefile(open("a.nc")));
    return counted_calls() - before;
  };
  (void)open_and_close();
  const int alone = open_and_close();
  const int file = create("b.nc");
  EXPECT_EQ(alone + 1, open_and_close());
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_EQ(alone, open_and_close());
  EXPECT_DONE(PIOc_closefile(file));
}

// The ranks compare what they have written, and agree that it is in the file. Its metadata stay as they are.
TEST_F(Agreements, OfASyncOfOneArray) {
  if (ranks() > 1) GTEST_SKIP() << "data between ranks go by messages too";
  const int file = create("a.nc");
  const int time = dimension(file, "time", PIO_UNLIMITED);
  const int x = dimension(file, "x", 8);
  const int v = variable(file, "v", PIO_INT, {time, x});
  const int d = decomposition(PIO_INT, {8}, round_robin(8));
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_setframe(file, v, 0));
  const std::vector<int> values(8, 1);
  EXPECT_DONE(PIOc_write_darray(file, v, d, 8, values.data(), nullptr));
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_DONE(PIOc_write_darray(file, v, d, 8, values.data(), nullptr));
  expect_calls(2, [&] { EXPECT_DONE(PIOc_sync(file)); });
  EXPECT_DONE(PIOc_setframe(file, v, 1));
  EXPECT_DONE(PIOc_write_darray(file, v, d, 8, values.data(), nullptr));
  expect_calls(3, [&] { EXPECT_DONE(PIOc_sync(file)); });  // the number of records is metadata
  EXPECT_DONE(PIOc_closefile(file));
}

// In a file that was opened for reading, a read costs what one of the native interface costs. Where it is
// open for writing, the ranks compare first what they have buffered.
TEST_F(Agreements, OfReads) {
  if (ranks() > 1) GTEST_SKIP() << "data between ranks go by messages too";
  int file = create("a.nc");
  const int v = variable(file, "v", PIO_INT, {dimension(file, "x", 8)});
  const int whole = decomposition(PIO_INT, {8}, round_robin(8));
  const int part = decomposition(PIO_INT, {4}, round_robin(4));
  EXPECT_DONE(PIOc_enddef(file));
  std::vector<int> values(8, 1);
  EXPECT_DONE(PIOc_put_var_int(file, v, values.data()));
  EXPECT_DONE(PIOc_sync(file));
  const auto read = [&](int d) { EXPECT_DONE(PIOc_read_darray(file, v, d, 8, values.data())); };
  const auto expect_each = [&](int expected) {
    read(part);  // the first one makes a decomposition
    for (const int d : {whole, part, whole, part}) expect_calls(expected, [&] { read(d); });
    expect_calls(expected, [&] { EXPECT_DONE(PIOc_get_var_int(file, v, values.data())); });
    std::vector<double> doubles(8);
    expect_calls(expected, [&] { EXPECT_DONE(PIOc_get_var_double(file, v, doubles.data())); });
    std::vector<short> converted(8);
    expect_calls(expected, [&] { EXPECT_DONE(PIOc_get_var_short(file, v, converted.data())); });
  };
  expect_each(2);
  EXPECT_DONE(PIOc_closefile(file));
  file = open("a.nc");
  expect_each(1);
  EXPECT_DONE(PIOc_closefile(file));
}

#ifdef SCORPIO_TEST_SHARED
// The dynamic linker takes these functions of the program in place of the library's: they count the calls.
int questions = 0, copies = 0, of_dimensions = 0;

class Questions : public Counts {
 protected:
  // How often the native library is asked for variables while `calls` run.
  template <typename Calls>
  static int of(Calls&& calls) {
    const int before = questions;
    calls();
    return questions - before;
  }
  static constexpr int k_variables = 20, k_times = 5;
};

// A program reads and writes the same variables again and again.
TEST_F(Questions, AreAskedOnceForEachVariable) {
  const int file = create("a.nc");
  const int x = dimension(file, "x", 8);
  std::vector<int> variables;
  for (int i = 0; i < k_variables; ++i)
    variables.push_back(variable(file, ("v" + std::to_string(i)).c_str(), PIO_INT, {x}));
  const int d = decomposition(PIO_INT, {8}, round_robin(8));
  EXPECT_DONE(PIOc_enddef(file));
  std::vector<int> values(8, rank());
  const auto each_time = [&](auto&& call) {
    for (int time = 0; time < k_times; ++time) {
      for (const int v : variables) call(v);
    }
  };
  EXPECT_EQ(
      k_variables, of([&] {
        each_time([&](int v) { EXPECT_DONE(PIOc_write_darray(file, v, d, 8, values.data(), nullptr)); });
      }));
  EXPECT_EQ(0, of([&] {
              each_time([&](int v) { EXPECT_DONE(PIOc_read_darray(file, v, d, 8, values.data())); });
              EXPECT_DONE(PIOc_inq_vartype(file, variables[0], nullptr));
            }));
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("a.nc");
  EXPECT_EQ(k_variables, of([&] {
              each_time([&](int v) {
                EXPECT_DONE(PIOc_setframe(again, v, -1));
                EXPECT_DONE(PIOc_read_darray(again, v, d, 8, values.data()));
              });
            }));
  EXPECT_DONE(PIOc_closefile(again));
}

// Models ask for the unlimited dimension before each record.
TEST_F(Questions, AreAskedOnceForEachDimension) {
  constexpr int k_dimensions = 50;
  const int file = create("a.nc");
  int unlimited = -1;
  const auto ask = [&](int expected) {
    EXPECT_DONE(PIOc_inq_unlimdim(file, &unlimited));
    EXPECT_EQ(expected, unlimited);
  };
  const int before = of_dimensions;
  for (int i = 0; i < k_dimensions; ++i) {
    (void)dimension(file, ("x" + std::to_string(i)).c_str(), 8);
    ask(-1);
  }
  const int time = dimension(file, "time", PIO_UNLIMITED);
  for (int i = 0; i < k_times; ++i) ask(time);
  EXPECT_EQ(k_dimensions + 1, of_dimensions - before);
  EXPECT_DONE(PIOc_closefile(file));
}

// So that ranks can return to what they agreed on, all definitions of a netCDF-4 file with data are copied:
// not for each attribute, but once until data are moved, and once more after as many definitions as the file
// has variables.
TEST_F(Questions, CopiesOfAllDefinitionsAreRare) {
  const int file = create("a.nc", PIO_CLOBBER, PIO_IOTYPE_NETCDF4P);
  const int x = dimension(file, "x", 8);
  for (int i = 0; i < 100; ++i) (void)variable(file, ("v" + std::to_string(i)).c_str(), PIO_INT, {x});
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<int> values(8, 1);
  const auto put = [&] { EXPECT_DONE(PIOc_put_var_int(file, 0, values.data())); };
  const auto define = [&](int times) {
    const int before = copies;
    for (int i = 0; i < times; ++i) {
      EXPECT_DONE(PIOc_redef(file));
      EXPECT_DONE(PIOc_put_att_int(file, 1, "number", PIO_INT, 1, &i));
      EXPECT_DONE(PIOc_enddef(file));
    }
    return copies - before;
  };
  put();
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_EQ(1, define(100));
  put();
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_EQ(1, define(1));
  EXPECT_EQ(6, define(1000));
  EXPECT_DONE(PIOc_closefile(file));
}
#endif

// Facts that are kept must not outlive what changes them.
TEST_F(Counts, WhatIsKnownOfVariablesFollowsTheirChanges) {
  const int file = create("a.nc");
  const int time = dimension(file, "time", PIO_UNLIMITED);
  const int x = dimension(file, "x", 8);
  const int v = variable(file, "v", PIO_INT, {time, x});
  const int w = variable(file, "w", PIO_INT, {time, x});
  const int d = decomposition(PIO_INT, {8}, round_robin(8));
  EXPECT_DONE(PIOc_enddef(file));
  std::vector<int> values(8, 1), read(8);
  const auto read_frame = [&](int variable, int frame) {
    EXPECT_DONE(PIOc_setframe(file, variable, frame));
    return PIOc_read_darray(file, variable, d, 8, read.data());
  };
  EXPECT_EQ(PIO_EINVALCOORDS, read_frame(v, 0)) << "no record was written";
  for (const int frame : {0, 2}) {
    EXPECT_DONE(PIOc_setframe(file, v, frame));
    EXPECT_DONE(PIOc_write_darray(file, v, d, 8, values.data(), nullptr));
    EXPECT_DONE(read_frame(v, frame));
    EXPECT_DONE(read_frame(w, frame)) << "all variables have the records of their dimension";
    EXPECT_EQ(PIO_EINVALCOORDS, read_frame(v, frame + 1));
  }
  EXPECT_DONE(PIOc_redef(file));
  const int y = dimension(file, "y", 4);
  const int later = variable(file, "later", PIO_DOUBLE, {y});
  EXPECT_DONE(PIOc_enddef(file));
  nc_type type = PIO_NAT;
  EXPECT_DONE(PIOc_inq_vartype(file, later, &type));
  EXPECT_EQ(PIO_DOUBLE, type);
  EXPECT_EQ(PIO_ENOTVAR, PIOc_inq_vartype(file, later + 1, &type));
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test

#ifdef SCORPIO_TEST_SHARED
extern "C" __attribute__((visibility("default"))) int scorpio_variable_inquire(
    scorpio_file* file, int variable, scorpio_type* type, size_t* bytes, int* ndims, int64_t* extents,
    int capacity) {
  using Function = decltype(&scorpio_variable_inquire);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "scorpio_variable_inquire"));
  ++scorpio::pio_test::questions;
  return next(file, variable, type, bytes, ndims, extents, capacity);
}

extern "C" __attribute__((visibility("default"))) int scorpio_dimension_inquire(
    scorpio_file* file, int dimension, char* name, size_t capacity, size_t* length, int64_t* extent,
    int* unlimited) {
  using Function = decltype(&scorpio_dimension_inquire);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "scorpio_dimension_inquire"));
  ++scorpio::pio_test::of_dimensions;
  return next(file, dimension, name, capacity, length, extent, unlimited);
}

extern "C" __attribute__((visibility("default"))) int scorpio_definitions_keep(scorpio_file* file) {
  using Function = decltype(&scorpio_definitions_keep);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "scorpio_definitions_keep"));
  ++scorpio::pio_test::copies;
  return next(file);
}
#endif
