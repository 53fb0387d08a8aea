// Variables of strings of variable length: every function and its codes. PIO's tests in
// tests/pio/strings_test.cpp and the readers in tests/pio/read_netcdf4.py and tests/pio/with_netcdf.c show
// the contents of the files.
#include <cstdlib>
#include <string>
#include <vector>

#include "layout.h"
#include "session.h"
#include "support/python.h"

namespace scorpio::api_test {
namespace {

class Strings : public testing::TestWithParam<const char*> {
 protected:
  void create(const Settings& more = {}) {
    Settings settings{{"format", GetParam()}};
    settings.insert(settings.end(), more.begin(), more.end());
    const OptionList options(settings);
    ASSERT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
    EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", 3, &x_));
  }
  void close() { EXPECT_SUCCESS(scorpio_file_close(file_)); }

  std::vector<std::string> texts(int variable, int64_t start, int64_t count) {
    std::vector<char*> found(static_cast<size_t>(count), nullptr);
    EXPECT_SUCCESS(scorpio_strings_get(file_, variable, &start, &count, nullptr, found.data()));
    std::vector<std::string> copies;
    for (char* one : found) {
      copies.emplace_back(one == nullptr ? "NULL" : one);
      free(one);
    }
    return copies;
  }
  int put(int variable, int64_t start, int64_t count, const char* const* values, int root = 0) {
    return scorpio_strings_put(file_, variable, &start, &count, nullptr, values, root);
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "file";
  const System system_;
  scorpio_file* file_ = nullptr;
  int x_ = -1;
};

INSTANTIATE_TEST_SUITE_P(Formats, Strings, testing::Values("hdf5", "netcdf4"),
                         [](const auto& format) { return std::string(format.param); });

using Texts = std::vector<std::string>;

TEST_P(Strings, PutAndGet) {
  create();
  int v = -1, number = -1, strings = -1;
  ASSERT_SUCCESS(scorpio_variable_define_strings(file_, "v", 1, &x_, &v));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "number", SCORPIO_INT32, 1, &x_, &number));
  EXPECT_SUCCESS(scorpio_variable_strings_inquire(file_, v, &strings));
  EXPECT_EQ(1, strings);
  EXPECT_SUCCESS(scorpio_variable_strings_inquire(file_, number, &strings));
  EXPECT_EQ(0, strings);
  const int root = ranks_in() - 1;
  const char* const values[] = {"a", nullptr, "a longer text"};
  EXPECT_SUCCESS(put(v, 0, 3, rank_in() == root ? values : nullptr, root));
  EXPECT_EQ((Texts{"a", "", "a longer text"}), texts(v, 0, 3));
  EXPECT_SUCCESS(put(v, 1, 1, &values[2]));
  EXPECT_SUCCESS(scorpio_variable_rename(file_, v, "w"));
  close();
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file_));
  EXPECT_SUCCESS(scorpio_variable_find(file_, "w", &v));
  EXPECT_EQ((Texts{"a longer text", "a longer text"}), texts(v, 1, 2));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, put(v, 0, 3, values));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_variable_define_strings(file_, "late", 0, nullptr, &v));
  close();
}

TEST_P(Strings, CodesOfDefinitions) {
  create();
  int v = -1, strings = 0;
  const int wrong = 77;
  ASSERT_SUCCESS(scorpio_variable_define_strings(file_, "v", 0, nullptr, &v));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_variable_define_strings(file_, "v", 1, &x_, &v));
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_variable_define_strings(file_, "", 1, &x_, &v));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_define_strings(file_, "w", 1, &wrong, &v));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_define_strings(file_, "w", 1, &x_, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_define_strings(file_, "w", 1, nullptr, &v));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_strings_inquire(file_, wrong, &strings));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_strings_inquire(file_, 0, nullptr));
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_variable_fill_define(file_, 0, 1, nullptr));
  close();
}

TEST_P(Strings, FilesWithoutThem) {
  int v = -1;
  if (std::string(GetParam()) == "netcdf4") {
    create({{"model", "classic"}});
    EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_variable_define_strings(file_, "v", 1, &x_, &v));
    close();
  } else {
    create({{"eager", "true"}});
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_variable_define_strings(file_, "v", 1, &x_, &v));
    close();
  }
  ASSERT_SUCCESS(scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_CDF5, nullptr, &file_));
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_variable_define_strings(file_, "v", 0, nullptr, &v));
  close();
}

// A get synchronises the file, and keeps what the synchronisation has to tell.
TEST_P(Strings, ClippedValuesAreToldAfterAGet) {
  create();
  int v = -1, number = -1;
  ASSERT_SUCCESS(scorpio_variable_define_strings(file_, "v", 1, &x_, &v));
  const Layout layout = uniform_layout({ranks_in()}, ranks_in());
  const Decomp decomp(system_, layout);
  EXPECT_SUCCESS(scorpio_variable_define(file_, "number", SCORPIO_INT16, 1, layout.dims.data(), &number));
  const char* const values[] = {"a", "b", "c"};
  EXPECT_SUCCESS(put(v, 0, 3, values));
  const bool mine = rank_in() == ranks_in() - 1;
  const int32_t value = mine ? 100000 : 7;
  EXPECT_EQ(mine ? SCORPIO_ERR_RANGE : SCORPIO_OK,
            scorpio_put_darray(file_, number, decomp.get(), 0, SCORPIO_INT32, &value));
  EXPECT_EQ((Texts{"a", "b", "c"}), texts(v, 0, 3));
  EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_file_sync(file_));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  close();
}

TEST_P(Strings, MoreRecordsThanAFileCanHave) {
  create();
  int records = -1, v = -1, both = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "t", SCORPIO_UNLIMITED, &records));
  ASSERT_SUCCESS(scorpio_variable_define_strings(file_, "v", 1, &records, &v));
  const int dimensions[2] = {records, x_};
  ASSERT_SUCCESS(scorpio_variable_define_strings(file_, "both", 2, dimensions, &both));
  const char* const values[] = {"a", "b", "c"};
  EXPECT_EQ(SCORPIO_ERR_LIMIT, put(v, INT64_MAX - 2, 1, values));
  // A product of counts that is 0 modulo 2^64 is no empty hyperslab.
  const int64_t start[2] = {0, 0}, count[2] = {int64_t{1} << 61, 3};
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_strings_put(file_, both, start, count, nullptr, nullptr, 0));
  EXPECT_SUCCESS(put(v, 1, 1, values));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_EQ((Texts{"", "a"}), texts(v, 0, 2));
  close();
}

TEST_P(Strings, CodesOfAccesses) {
  create();
  int v = -1, number = -1;
  ASSERT_SUCCESS(scorpio_variable_define_strings(file_, "v", 1, &x_, &v));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "number", SCORPIO_INT32, 1, &x_, &number));
  const char* const values[] = {"a", "b", "c"};
  char* found[3] = {};
  const int64_t start = 0, count = 3;
  const auto get = [&](int variable, const int64_t* from, const int64_t* n, char** to) {
    return scorpio_strings_get(file_, variable, from, n, nullptr, to);
  };
  EXPECT_EQ(SCORPIO_ERR_HANDLE, put(77, 0, 3, values));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, get(77, &start, &count, found));
  EXPECT_EQ(SCORPIO_ERR_TYPE, put(number, 0, 3, values));
  EXPECT_EQ(SCORPIO_ERR_TYPE, get(number, &start, &count, found));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, put(v, 1, 3, values));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, put(v, 0, 3, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, put(v, 0, 3, values, ranks_in()));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, get(v, nullptr, &count, found));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, get(v, &start, &count, nullptr));
  const int64_t four = 4;
  EXPECT_EQ(SCORPIO_ERR_SHAPE, get(v, &start, &four, found));
  if (ranks_in() > 1) {
    const int64_t other = rank_in() == 0 ? 0 : 1;
    EXPECT_EQ(SCORPIO_ERR_MISMATCH, put(v, other, 1, values));
    EXPECT_EQ(SCORPIO_ERR_MISMATCH, get(v, &other, &start, found));
  }
  EXPECT_SUCCESS(put(v, 0, 3, values));
  EXPECT_EQ((Texts{"a", "b", "c"}), texts(v, 0, 3));
  close();
}

// Functions that move elements of fixed size name those that move strings, on all ranks, in every kind of
// access.
TEST_P(Strings, OtherFunctionsNameTheirs) {
  create();
  int v = -1;
  ASSERT_SUCCESS(scorpio_variable_define_strings(file_, "v", 1, &x_, &v));
  const int64_t start = 0, count = 3, dims[] = {3};
  double numbers[3] = {};
  const auto expect = [](int code, const char* name) {
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, code);
    EXPECT_NE(last_text().find(name), std::string::npos) << last_text();
    EXPECT_TRUE(equal_on_all(last_text())) << last_text();
  };
  for (const scorpio_type type : {SCORPIO_FLOAT64, SCORPIO_TEXT, SCORPIO_OPAQUE}) {
    scorpio_access all = scorpio_hyperslab(v, &start, &count, type, numbers);
    expect(scorpio_iput(file_, &all, nullptr), "scorpio_strings_put()");
    expect(scorpio_iget(file_, &all, nullptr), "scorpio_strings_get()");
    for (const scorpio_sharing sharing : {SCORPIO_EACH_RANK, SCORPIO_ALL_RANKS, SCORPIO_ONE_RANK}) {
      all.sharing = sharing;
      expect(scorpio_put(file_, &all), "scorpio_strings_put()");
      expect(scorpio_get(file_, &all), "scorpio_strings_get()");
    }
  }
  const Layout layout = uniform_layout({dims[0]}, ranks_in());
  const Decomp decomp(system_, layout);
  expect(scorpio_put_darray(file_, v, decomp.get(), 0, SCORPIO_FLOAT64, numbers), "scorpio_strings_put()");
  expect(scorpio_get_darray(file_, v, decomp.get(), 0, SCORPIO_FLOAT64, numbers), "scorpio_strings_get()");
  const char* const values[] = {"a", "b", "c"};
  EXPECT_SUCCESS(put(v, 0, 3, values));
  EXPECT_EQ((Texts{"a", "b", "c"}), texts(v, 0, 3));
  close();
}

TEST_P(Strings, Records) {
  create();
  int time = -1, v = -1;
  ASSERT_SUCCESS(scorpio_dimension_define(file_, "time", SCORPIO_UNLIMITED, &time));
  ASSERT_SUCCESS(scorpio_variable_define_strings(file_, "v", 1, &time, &v));
  const char *first = "first", *third = "third", *none = nullptr, *fourth = "fourth";
  EXPECT_SUCCESS(put(v, 0, 1, &first));
  EXPECT_SUCCESS(put(v, 2, 1, &third));
  EXPECT_SUCCESS(put(v, 3, 1, &none));
  EXPECT_EQ((Texts{"first", "", "third", ""}), texts(v, 0, 4));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_SUCCESS(put(v, 3, 1, &fourth));
  const int64_t start = 0, two = 2, stride = 3, five = 5;
  char* found[5] = {};
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_strings_get(file_, v, &start, &five, nullptr, found));
  EXPECT_SUCCESS(scorpio_strings_get(file_, v, &start, &two, &stride, found));
  EXPECT_STREQ("first", found[0]);
  EXPECT_STREQ("fourth", found[1]);
  free(found[0]);
  free(found[1]);
  close();
}

// A file of netCDF-C is read and extended, and netCDF-C and h5py read the result.
TEST(ForeignStrings, AreReadAndExtended) {
  const TemporaryFolder folder;
  const std::string path = folder / "foreign.nc";
  const int made = test::run_python("api/strings.py", {"make", path});
  if (made == 77) GTEST_SKIP() << "netCDF4 or h5py is not here";
  ASSERT_EQ(0, made);
  const System system;
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_WRITE, nullptr, &file));
  const auto find = [&](const char* name) {
    int variable = -1, strings = 0;
    EXPECT_SUCCESS(scorpio_variable_find(file, name, &variable));
    EXPECT_SUCCESS(scorpio_variable_strings_inquire(file, variable, &strings));
    EXPECT_EQ(1, strings) << name;
    return variable;
  };
  const auto expect = [&](const char* name, const Texts& expected) {
    const int64_t start = 0, count = std::ssize(expected);
    std::vector<char*> found(expected.size(), nullptr);
    EXPECT_SUCCESS(scorpio_strings_get(file, find(name), &start, &count, nullptr, found.data()));
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_STREQ(expected[i].c_str(), found[i]) << name;
      free(found[i]);
    }
  };
  const auto put = [&](const char* name, int64_t start, const char* value) {
    const int64_t one = 1;
    EXPECT_SUCCESS(scorpio_strings_put(file, find(name), &start, &one, nullptr, &value, ranks_in() - 1));
  };
  expect("names", {"a", "", "a longer text", "größer"});
  expect("dates", {"first", "", "third", ""});
  expect("unwritten", {"", "", "", ""});
  expect("one", {"single"});
  put("names", 3, "changed");
  put("dates", 4, "fifth");
  put("unwritten", 2, "x");
  put("unwritten", 3, nullptr);
  put("one", 0, "another");
  expect("dates", {"first", "", "third", "", "fifth"});
  expect("unwritten", {"", "", "x", ""});
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_EQ(0, test::run_python("api/strings.py", {"check", path}));
}

}  // namespace
}  // namespace scorpio::api_test
