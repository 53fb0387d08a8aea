// Define mode, names, attributes, fill: what is allowed when, and what inquiry says afterwards.
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string_view>

#include "classic_file.h"

namespace scorpio::classic_test {
namespace {

class DefineMode : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const System system_;
  const std::string path_ = folder_ / "a.nc";
};

int length_of(scorpio_file* file) {
  int count = -1;
  EXPECT_SUCCESS(scorpio_file_variables(file, nullptr, 0, &count));
  return count;
}

TEST_F(DefineMode, ANewFileIsInItUntilItIsEnded) {
  ClassicFile file(system_, path_);
  EXPECT_FAILURE(SCORPIO_ERR_STATE, scorpio_define_begin(file.get()), "define mode");
  const int x = file.dimension("x", 4);
  const int v = file.variable("v", SCORPIO_INT32, {x});
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  EXPECT_FAILURE(SCORPIO_ERR_STATE, scorpio_define_end(file.get()), "define mode");
  int id = -1;
  EXPECT_FAILURE(SCORPIO_ERR_STATE, scorpio_dimension_define(file.get(), "y", 5, &id),
                 "scorpio_define_begin");
  EXPECT_FAILURE(SCORPIO_ERR_STATE, scorpio_variable_define_on(file.get(), "w", SCORPIO_INT32, 1, &x, &id),
                 "scorpio_define_begin");
  EXPECT_FAILURE(SCORPIO_ERR_STATE, file.text("/", "title", "t"), "title", "scorpio_define_begin");
  const int one = 1;
  EXPECT_FAILURE(SCORPIO_ERR_STATE, scorpio_variable_fill_define(file.get(), v, 1, nullptr));
  EXPECT_FAILURE(SCORPIO_ERR_STATE, scorpio_variable_fill_define(file.get(), v, 1, &one));
  EXPECT_SUCCESS(scorpio_define_begin(file.get()));
  EXPECT_EQ(1, file.dimension("y", 5));
  EXPECT_SUCCESS(file.text("/", "title", "t"));
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  EXPECT_SUCCESS(file.close());
}

TEST_F(DefineMode, NamesThatLookAlikeAreOne) {
  const char *parts =
                 "de\xCC\x81"
                 "bit",
             *composed =
                 "d\xC3\xA9"
                 "bit";
  ClassicFile file(system_, path_);
  const int x = file.dimension(parts, 4);
  const int v = file.variable(parts, SCORPIO_INT32, {x});
  EXPECT_SUCCESS(file.text("/", parts, "t"));
  int id = -1;
  char name[32] = "";
  for (const char* spelling : {parts, composed}) {
    EXPECT_SUCCESS(scorpio_dimension_find(file.get(), spelling, &id));
    EXPECT_EQ(x, id);
    EXPECT_SUCCESS(scorpio_variable_find(file.get(), spelling, &id));
    EXPECT_EQ(v, id);
    EXPECT_SUCCESS(
        scorpio_attribute_get(file.get(), SCORPIO_GLOBAL, spelling, SCORPIO_TEXT, name, sizeof name));
  }
  EXPECT_FAILURE(SCORPIO_ERR_EXISTS, scorpio_dimension_define(file.get(), composed, 5, &id), composed);
  EXPECT_SUCCESS(scorpio_dimension_inquire(file.get(), x, name, sizeof name, nullptr, nullptr, nullptr));
  EXPECT_STREQ(composed, name);
  EXPECT_SUCCESS(file.close());
}

TEST_F(DefineMode, TheFirstCallThatMovesDataEndsIt) {
  const Decomp rows(system_, api_test::uniform_layout({8}, ranks_in()));
  const std::vector<int32_t> part(8, 7);
  for (int how = 0; how < 5; ++how) {
    ClassicFile file(system_, path_);
    const int v = file.variable("v", SCORPIO_INT32, {file.dimension("x", 8)});
    int32_t value = 5;
    const int64_t start = 0, count = 1;
    const scorpio_access access = scorpio_hyperslab(v, &start, &count, SCORPIO_INT32, &value);
    if (how == 0) {
      EXPECT_SUCCESS(scorpio_put_darray(file.get(), v, rows.get(), 0, SCORPIO_INT32, part.data()));
    }
    if (how == 1) {
      EXPECT_SUCCESS(put_of_rank(file.get(), 0, access));
    }
    if (how == 2) {
      EXPECT_SUCCESS(scorpio_put_n(file.get(), rank_in() == 0 ? 1 : 0, &access));
    }
    if (how == 3) {
      EXPECT_SUCCESS(scorpio_wait(file.get(), 0, nullptr, nullptr));
    }
    if (how == 4) {
      EXPECT_SUCCESS(scorpio_file_sync(file.get()));
    }
    int id = -1;
    EXPECT_FAILURE(SCORPIO_ERR_STATE, scorpio_dimension_define(file.get(), "y", 5, &id));
    if (how == 0) {
      EXPECT_EQ(std::vector<int32_t>(8, 7), all_of<int32_t>(file.get(), v, SCORPIO_INT32));
    }
    EXPECT_SUCCESS(file.close());
  }
}

TEST_F(DefineMode, ItsBeginCarriesOutRequests) {
  ClassicFile file(system_, path_);
  const int v = file.variable("v", SCORPIO_INT32, {});
  int32_t value = 5;
  const scorpio_access access = scorpio_hyperslab(v, nullptr, nullptr, SCORPIO_INT32, &value);
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  if (rank_in() == 0) {
    EXPECT_SUCCESS(scorpio_iput(file.get(), &access, nullptr));
  }
  // What was posted before is carried out.
  EXPECT_SUCCESS(scorpio_define_begin(file.get()));
  EXPECT_SUCCESS(file.text("/", "title", std::string(2000, 'x')));
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  EXPECT_EQ(std::vector<int32_t>{5}, all_of<int32_t>(file.get(), v, SCORPIO_INT32));
  EXPECT_SUCCESS(file.close());
}

// One row of two records of `r` (unlimited, 3) from each rank.
class OwnRecords {
 public:
  OwnRecords(int r, scorpio_type type, const void* data)
      : start_{2 * rank_in(), 0}, count_{2, 3}, access_(scorpio_hyperslab(r, start_, count_, type, data)) {}
  OwnRecords(const OwnRecords&) = delete;
  const scorpio_access& access() const { return access_; }

 private:
  int64_t start_[2], count_[2];
  scorpio_access access_;
};

std::vector<int32_t> six_from(int32_t first) {
  std::vector<int32_t> values(6);
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::vector<int32_t> six_of_each_rank(int32_t first) {
  std::vector<int32_t> values(static_cast<size_t>(6 * ranks_in()));
  std::iota(values.begin(), values.end(), first);
  return values;
}

// Before the other definitions the records of `r` follow each other without a gap, afterwards they do not.
TEST_F(DefineMode, RequestsOfANewFileAreCarriedOutAfterIt) {
  for (const char* how : {"wait", "end and wait", "sync", "close", "end and begin", "put"}) {
    SCOPED_TRACE(how);
    const std::string_view is = how;
    ClassicFile file(system_, path_);
    const int t = file.dimension("t", SCORPIO_UNLIMITED), x = file.dimension("x", 3);
    const int r = file.variable("r", SCORPIO_INT32, {t, x}), s = file.variable("s", SCORPIO_INT32, {});
    EXPECT_SUCCESS(scorpio_buffer_attach(file.get(), 1000));
    const std::vector<int32_t> mine = six_from(6 * rank_in());
    int32_t single = 77, got = -1;
    EXPECT_SUCCESS(iput(file.get(), OwnRecords(r, SCORPIO_INT32, mine.data()).access()));
    const scorpio_access of_s = scorpio_hyperslab(s, nullptr, nullptr, SCORPIO_INT32, &single);
    if (rank_in() == 0) {
      EXPECT_SUCCESS(api_test::bput(file.get(), of_s));
    }
    single = -1;  // it was copied
    EXPECT_SUCCESS(api_test::iget(file.get(), scorpio_hyperslab(s, nullptr, nullptr, SCORPIO_INT32, &got)));
    int defining = -1, done = -1;
    EXPECT_SUCCESS(scorpio_file_inquire(file.get(), nullptr, nullptr, &defining));
    EXPECT_EQ(1, defining);
    const int w = file.variable("w", SCORPIO_FLOAT64, {t, x});
    EXPECT_SUCCESS(file.text("/", "title", std::string(2000, 'x')));
    if (is.starts_with("end")) {
      EXPECT_SUCCESS(scorpio_define_end(file.get()));
      EXPECT_SUCCESS(scorpio_test(file.get(), SCORPIO_ALL_REQUESTS, nullptr, &done));
      EXPECT_EQ(0, done);
    }
    if (is == "end and begin") {
      EXPECT_SUCCESS(scorpio_define_begin(file.get()));
    } else if (is == "put") {
      const int32_t other = 4;
      EXPECT_SUCCESS(scorpio_put_scalar(file.get(), s, SCORPIO_INT32, &other));
    } else if (is == "sync") {
      EXPECT_SUCCESS(scorpio_file_sync(file.get()));
    } else if (is != "close") {
      EXPECT_SUCCESS(scorpio_wait(file.get(), SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    }
    file.reopen(SCORPIO_READ);
    EXPECT_EQ(77, got);
    EXPECT_EQ(six_of_each_rank(0), all_of<int32_t>(file.get(), r, SCORPIO_INT32));
    EXPECT_EQ(std::vector<int32_t>{77}, all_of<int32_t>(file.get(), s, SCORPIO_INT32));
    EXPECT_EQ(static_cast<size_t>(6 * ranks_in()), all_of<double>(file.get(), w, SCORPIO_FLOAT64).size());
    EXPECT_SUCCESS(file.close());
  }
}

// Every variable of the file moves between the request and its wait, and the records get another distance.
TEST_F(DefineMode, RequestsFollowDataThatMove) {
  ClassicFile file(system_, path_);
  const int t = file.dimension("t", SCORPIO_UNLIMITED), x = file.dimension("x", 3);
  const int fixed = file.variable("fixed", SCORPIO_INT32, {x}), r = file.variable("r", SCORPIO_INT32, {t, x});
  const std::vector<int32_t> old = six_from(100 + 6 * rank_in()), next = six_from(200 + 6 * rank_in());
  EXPECT_SUCCESS(iput(file.get(), OwnRecords(r, SCORPIO_INT32, old.data()).access()));
  const int64_t zero = 0, two = 2, three = 3, one = 1;
  const std::vector<int32_t> of_fixed{7, 8, 9}, last{10};
  if (rank_in() == 0) {
    EXPECT_SUCCESS(iput(file.get(), scorpio_hyperslab(fixed, &zero, &three, SCORPIO_INT32, of_fixed.data())));
  }
  EXPECT_SUCCESS(scorpio_wait(file.get(), SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_SUCCESS(scorpio_define_begin(file.get()));
  std::vector<int32_t> got(3, -1);
  scorpio_request put = SCORPIO_REQUEST_NULL, cancelled = SCORPIO_REQUEST_NULL;
  EXPECT_SUCCESS(iput(file.get(), OwnRecords(r, SCORPIO_INT32, next.data()).access(), &put));
  EXPECT_SUCCESS(iput(file.get(), OwnRecords(r, SCORPIO_INT32, old.data()).access(), &cancelled));
  EXPECT_SUCCESS(
      api_test::iget(file.get(), scorpio_hyperslab(fixed, &zero, &three, SCORPIO_INT32, got.data())));
  if (rank_in() == 0) {
    EXPECT_SUCCESS(iput(file.get(), scorpio_hyperslab(fixed, &two, &one, SCORPIO_INT32, last.data())));
  }
  EXPECT_SUCCESS(scorpio_cancel(file.get(), 1, &cancelled));
  const int before = file.variable("w", SCORPIO_FLOAT64, {t, x});
  EXPECT_SUCCESS(scorpio_variable_fill_define(file.get(), before, 1, nullptr));
  EXPECT_SUCCESS(file.text("/", "title", std::string(2000, 'x')));
  EXPECT_SUCCESS(scorpio_wait(file.get(), SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_EQ((std::vector<int32_t>{7, 8, 10}), got);
  file.reopen(SCORPIO_READ);
  EXPECT_EQ(six_of_each_rank(200), all_of<int32_t>(file.get(), r, SCORPIO_INT32));
  EXPECT_EQ((std::vector<int32_t>{7, 8, 10}), all_of<int32_t>(file.get(), fixed, SCORPIO_INT32));
  EXPECT_EQ(std::vector<double>(static_cast<size_t>(6 * ranks_in()), 9.9692099683868690e+36),
            all_of<double>(file.get(), before, SCORPIO_FLOAT64));
  EXPECT_SUCCESS(file.close());
}

// A request whose variable was removed fails the wait on all ranks, and stays until it is cancelled.
TEST_F(DefineMode, RequestsOfARemovedVariableFailTheirWait) {
  ClassicFile file(system_, path_);
  const int v = file.variable("v", SCORPIO_INT32, {}), w = file.variable("w", SCORPIO_INT32, {});
  int32_t value = 5;
  scorpio_request lost = SCORPIO_REQUEST_NULL;
  if (rank_in() == 0) {
    EXPECT_SUCCESS(iput(file.get(), scorpio_hyperslab(v, nullptr, nullptr, SCORPIO_INT32, &value), &lost));
    EXPECT_SUCCESS(iput(file.get(), scorpio_hyperslab(w, nullptr, nullptr, SCORPIO_INT32, &value)));
  }
  EXPECT_SUCCESS(scorpio_object_remove(file.get(), "v"));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_HANDLE, scorpio_wait(file.get(), SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  if (rank_in() == 0) {
    EXPECT_SUCCESS(scorpio_cancel(file.get(), 1, &lost));
  }
  EXPECT_SUCCESS(scorpio_wait(file.get(), SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_EQ(std::vector<int32_t>{5}, all_of<int32_t>(file.get(), w, SCORPIO_INT32));
  EXPECT_SUCCESS(file.close());
}

TEST_F(DefineMode, WithoutDataItIsEndedByClose) {
  for (const char* format : {"cdf1", "cdf2", "cdf5"}) {
    ClassicFile file(system_, path_, format);
    const int t = file.dimension("t", SCORPIO_UNLIMITED);
    (void)file.variable("v", SCORPIO_INT16, {t});
    EXPECT_SUCCESS(file.text("v", "units", "m"));
    file.reopen(SCORPIO_READ);
    EXPECT_EQ(1, length_of(file.get()));
    EXPECT_EQ(0, file.records(0));
    EXPECT_EQ(0u, all_of<int16_t>(file.get(), 0, SCORPIO_INT16).size());
    EXPECT_SUCCESS(file.close());
  }
}

TEST_F(DefineMode, AnEmptyFileIsOne) {
  ClassicFile file(system_, path_, "cdf1");
  file.reopen(SCORPIO_WRITE);
  EXPECT_EQ(0, length_of(file.get()));
  EXPECT_SUCCESS(scorpio_define_begin(file.get()));
  const int v = file.variable("v", SCORPIO_INT8, {});
  file.reopen(SCORPIO_READ);
  scorpio_format format{};
  EXPECT_SUCCESS(scorpio_file_inquire(file.get(), &format, nullptr, nullptr));
  EXPECT_EQ(SCORPIO_FORMAT_CDF1, format);
  EXPECT_EQ(1u, all_of<int8_t>(file.get(), v, SCORPIO_INT8).size());
  EXPECT_FAILURE(SCORPIO_ERR_READ_ONLY, scorpio_define_begin(file.get()));
  EXPECT_SUCCESS(file.close());
}

TEST_F(DefineMode, RecordsAreStoredInTurns) {
  ClassicFile file(system_, path_);
  const int t = file.dimension("t", SCORPIO_UNLIMITED), x = file.dimension("x", 4);
  const int record = file.variable("record", SCORPIO_INT32, {t, x}),
            fixed = file.variable("f", SCORPIO_INT8, {x});
  for (int pass = 0; pass < 2; ++pass) {
    scorpio_storage storage{};
    int nfilters = -1;
    EXPECT_SUCCESS(scorpio_variable_storage(file.get(), record, &storage, nullptr, 0, nullptr, 0, &nfilters));
    EXPECT_EQ(SCORPIO_STORAGE_RECORDS, storage);
    EXPECT_EQ(0, nfilters);
    EXPECT_SUCCESS(scorpio_variable_storage(file.get(), fixed, &storage, nullptr, 0, nullptr, 0, nullptr));
    EXPECT_EQ(SCORPIO_STORAGE_CONTIGUOUS, storage);
    file.reopen(SCORPIO_READ);
  }
  EXPECT_SUCCESS(file.close());
}

// In data mode values and names may not take more room.
TEST_F(DefineMode, SmallChangesNeedNone) {
  ClassicFile file(system_, path_);
  const int x = file.dimension("x_name", 4);
  const int v = file.variable("variable", SCORPIO_INT32, {x});
  EXPECT_SUCCESS(file.text("variable", "units", "metres"));
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  EXPECT_SUCCESS(file.text("variable", "units", "km"));
  EXPECT_FAILURE(SCORPIO_ERR_STATE, file.text("variable", "units", "metres and more"), "units", "15");
  EXPECT_SUCCESS(scorpio_variable_rename(file.get(), v, "short"));
  EXPECT_FAILURE(SCORPIO_ERR_STATE, scorpio_variable_rename(file.get(), v, "very_long_name"),
                 "very_long_name");
  EXPECT_SUCCESS(scorpio_variable_rename(file.get(), v, "variable"));  // as long again as its place is
  EXPECT_SUCCESS(scorpio_variable_rename(file.get(), v, "short"));
  EXPECT_SUCCESS(scorpio_dimension_rename(file.get(), x, "x"));
  EXPECT_FAILURE(SCORPIO_ERR_STATE, scorpio_dimension_rename(file.get(), x, "longer_than_x"));
  EXPECT_SUCCESS(scorpio_attribute_rename(file.get(), object_of(file.get(), "short"), "units", "unit"));
  EXPECT_FAILURE(SCORPIO_ERR_STATE, scorpio_attribute_rename(file.get(), object_of(file.get(), "short"),
                                                             "unit", "longer_than_all_of_them_had"));
  file.reopen(SCORPIO_READ);
  int id = -1;
  EXPECT_SUCCESS(scorpio_variable_find(file.get(), "short", &id));
  EXPECT_EQ(v, id);
  EXPECT_FAILURE(SCORPIO_ERR_NOT_FOUND, scorpio_variable_find(file.get(), "variable", &id), "variable");
  EXPECT_SUCCESS(scorpio_dimension_find(file.get(), "x", &id));
  EXPECT_FAILURE(SCORPIO_ERR_NOT_FOUND, scorpio_dimension_find(file.get(), "x_name", &id), "x_name");
  char text[8] = "";
  EXPECT_SUCCESS(scorpio_attribute_get(file.get(), object_of(file.get(), "short"), "unit", SCORPIO_TEXT, text,
                                       sizeof text));
  EXPECT_STREQ("km", text);
  EXPECT_SUCCESS(file.close());
}

TEST_F(DefineMode, NamesThatAreTaken) {
  ClassicFile file(system_, path_);
  const int x = file.dimension("x", 4), y = file.dimension("y", 4);
  const int a = file.variable("a", SCORPIO_INT32, {x});
  (void)file.variable("b", SCORPIO_INT32, {y});
  EXPECT_SUCCESS(file.text("a", "p", "1"));
  EXPECT_SUCCESS(file.text("a", "q", "1"));
  int id = -1;
  EXPECT_FAILURE(SCORPIO_ERR_EXISTS, scorpio_dimension_define(file.get(), "x", 5, &id), "x");
  EXPECT_FAILURE(SCORPIO_ERR_EXISTS, scorpio_dimension_rename(file.get(), x, "y"), "y");
  EXPECT_FAILURE(SCORPIO_ERR_EXISTS, scorpio_variable_rename(file.get(), a, "b"), "b");
  EXPECT_FAILURE(SCORPIO_ERR_EXISTS,
                 scorpio_attribute_rename(file.get(), object_of(file.get(), "a"), "p", "q"), "q");
  EXPECT_FAILURE(SCORPIO_ERR_EXISTS,
                 scorpio_variable_define_on(file.get(), "b", SCORPIO_INT8, 0, nullptr, &id), "b");
  EXPECT_SUCCESS(scorpio_variable_rename(file.get(), a, "a"));  // its own
  EXPECT_FAILURE(SCORPIO_ERR_HANDLE, scorpio_dimension_rename(file.get(), 7, "z"), "7");
  EXPECT_FAILURE(SCORPIO_ERR_HANDLE, scorpio_variable_rename(file.get(), 7, "z"), "7");
  EXPECT_FAILURE(SCORPIO_ERR_NOT_FOUND,
                 scorpio_attribute_rename(file.get(), object_of(file.get(), "a"), "r", "z"), "r");
  EXPECT_FAILURE(SCORPIO_ERR_NAME, scorpio_variable_rename(file.get(), a, "with/slash"));
  EXPECT_FAILURE(SCORPIO_ERR_NAME, scorpio_dimension_define(file.get(), "", 5, &id));
  EXPECT_SUCCESS(file.close());
}

TEST_F(DefineMode, AttributesKeepTheirOrder) {
  const std::vector<std::string> names{"zeta", "alpha", "mid", "beta"};
  ClassicFile file(system_, path_);
  for (const std::string& name : names) EXPECT_SUCCESS(file.text("/", name, name));
  EXPECT_SUCCESS(file.text("/", "alpha", "again"));  // in its place
  EXPECT_SUCCESS(scorpio_attribute_rename(file.get(), SCORPIO_GLOBAL, "mid", "middle"));
  EXPECT_SUCCESS(scorpio_attribute_remove(file.get(), SCORPIO_GLOBAL, "beta"));
  EXPECT_SUCCESS(file.text("/", "beta", "last"));
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<std::string> expected{"zeta", "alpha", "middle", "beta"};
    int count = -1;
    EXPECT_SUCCESS(scorpio_attribute_count(file.get(), SCORPIO_GLOBAL, &count));
    EXPECT_EQ(4, count);
    for (int i = 0; i < count; ++i) {
      char name[16];
      size_t length = 0;
      EXPECT_SUCCESS(scorpio_attribute_name(file.get(), SCORPIO_GLOBAL, i, name, sizeof name, &length));
      EXPECT_EQ(expected[static_cast<size_t>(i)], name);
      EXPECT_EQ(std::strlen(name), length);
    }
    char name[16];
    EXPECT_FAILURE(SCORPIO_ERR_ARGUMENT,
                   scorpio_attribute_name(file.get(), SCORPIO_GLOBAL, 4, name, sizeof name, nullptr), "4");
    if (pass == 0) file.reopen(SCORPIO_READ);
  }
  EXPECT_SUCCESS(file.close());
}

TEST_F(DefineMode, FillIsInquired) {
  ClassicFile file(system_, path_);
  const int x = file.dimension("x", 3);
  int previous = -1;
  const int a = file.variable("a", SCORPIO_INT32, {x});
  EXPECT_SUCCESS(scorpio_file_fill_set(file.get(), 1, &previous));
  EXPECT_EQ(0, previous);
  const int b = file.variable("b", SCORPIO_FLOAT64, {x});
  const int c = file.variable("c", SCORPIO_UINT8, {x});
  const uint8_t nine = 9;
  EXPECT_SUCCESS(scorpio_variable_fill_define(file.get(), c, 1, &nine));
  const int d = file.variable("d", SCORPIO_INT16, {x});
  EXPECT_SUCCESS(scorpio_variable_fill_define(file.get(), d, 0, nullptr));
  int filled = -1;
  int32_t of_a = 0;
  double of_b = 0;
  uint8_t of_c = 0;
  EXPECT_SUCCESS(scorpio_variable_fill_inquire(file.get(), a, &filled, &of_a, sizeof of_a));
  EXPECT_EQ(0, filled);
  EXPECT_EQ(-2147483647, of_a);
  EXPECT_SUCCESS(scorpio_variable_fill_inquire(file.get(), b, &filled, &of_b, sizeof of_b));
  EXPECT_EQ(1, filled);
  EXPECT_EQ(9.9692099683868690e+36, of_b);
  EXPECT_SUCCESS(scorpio_variable_fill_inquire(file.get(), c, nullptr, &of_c, 1));
  EXPECT_EQ(9, of_c);
  EXPECT_SUCCESS(scorpio_variable_fill_inquire(file.get(), d, &filled, nullptr, 0));
  EXPECT_EQ(0, filled);
  EXPECT_FAILURE(SCORPIO_ERR_ARGUMENT, scorpio_variable_fill_inquire(file.get(), b, nullptr, &of_b, 4), "8",
                 "4");
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  EXPECT_EQ(std::vector<double>(3, 9.9692099683868690e+36), all_of<double>(file.get(), b, SCORPIO_FLOAT64));
  EXPECT_EQ(std::vector<uint8_t>(3, 9), all_of<uint8_t>(file.get(), c, SCORPIO_UINT8));
  uint8_t attribute = 0;
  EXPECT_SUCCESS(scorpio_attribute_get(file.get(), object_of(file.get(), "c"), "_FillValue", SCORPIO_UINT8,
                                       &attribute, 1));
  EXPECT_EQ(9, attribute);
  EXPECT_SUCCESS(file.close());
}

// Who reads the file would take the attribute for what stands in it.
TEST_F(DefineMode, AFillValueIsOneOfTheVariablesValues) {
  ClassicFile file(system_, path_);
  const int v = file.variable("v", SCORPIO_FLOAT32, {file.dimension("x", 3)});
  const double number = 1e20;
  const float two[2] = {1, 2};
  const int64_t dims[1] = {2};
  EXPECT_FAILURE(SCORPIO_ERR_TYPE,
                 scorpio_attribute_put(file.get(), object_of(file.get(), "v"), "_FillValue", SCORPIO_FLOAT64,
                                       0, 0, nullptr, SCORPIO_FLOAT64, &number),
                 "_FillValue", "float32", "float64");
  EXPECT_FAILURE(SCORPIO_ERR_TYPE,
                 scorpio_attribute_put(file.get(), object_of(file.get(), "v"), "_FillValue", SCORPIO_FLOAT32,
                                       0, 1, dims, SCORPIO_FLOAT32, two),
                 "2");
  EXPECT_SUCCESS(scorpio_attribute_put(file.get(), SCORPIO_GLOBAL, "_FillValue", SCORPIO_FLOAT64, 0, 0,
                                       nullptr, SCORPIO_FLOAT64, &number));
  EXPECT_SUCCESS(scorpio_attribute_put(file.get(), object_of(file.get(), "v"), "_FillValue", SCORPIO_FLOAT32,
                                       0, 0, nullptr, SCORPIO_FLOAT32, two));
  EXPECT_SUCCESS(scorpio_variable_fill_define(file.get(), v, 1, nullptr));
  EXPECT_EQ(std::vector<float>(3, 1), all_of<float>(file.get(), v, SCORPIO_FLOAT32));
  EXPECT_SUCCESS(file.close());
}

TEST_F(DefineMode, BeginsThoughValuesWereClipped) {
  const Decomp rows(system_, api_test::uniform_layout({8}, ranks_in()));
  ClassicFile file(system_, path_);
  const int v = file.variable("v", SCORPIO_INT16, {file.dimension("x", 8)});
  const std::vector<int32_t> large(8, 70000);
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  (void)scorpio_put_darray(file.get(), v, rows.get(), 0, SCORPIO_INT32, large.data());
  EXPECT_FAILURE(SCORPIO_ERR_RANGE, scorpio_define_begin(file.get()), "clipped");
  EXPECT_EQ(1, file.dimension("y", 5));
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  EXPECT_SUCCESS(file.close());
}

// Growth replaces the file, but neither a link to it nor its permissions.
TEST_F(DefineMode, GrowthKeepsLinksAndPermissions) {
  {
    ClassicFile file(system_, path_);
    file.variable("v", SCORPIO_INT32, {file.dimension("x", 8)});
    EXPECT_SUCCESS(file.close());
  }
  const std::string link = folder_ / "link.nc";
  if (rank_in() == 0) {
    std::filesystem::create_symlink(path_, link);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_read |
                                            std::filesystem::perms::owner_write |
                                            std::filesystem::perms::group_read);
  }
  on_all(true);
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), link.c_str(), SCORPIO_WRITE, nullptr, &file));
  EXPECT_SUCCESS(scorpio_define_begin(file));
  const std::string title(5000, 't');
  EXPECT_SUCCESS(scorpio_attribute_put_text(file, SCORPIO_GLOBAL, "title", title.c_str()));
  EXPECT_SUCCESS(scorpio_define_end(file));
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_GT(std::filesystem::file_size(path_), title.size());
  EXPECT_EQ(0640, static_cast<int>(std::filesystem::status(path_).permissions()));
  EXPECT_EQ(2, folder_.files());
}

// They share staging; a file's definitions end while the other has data under way.
TEST_F(DefineMode, TwoFilesAtOnce) {
  for (const char* slots : {"0", "1", "2"}) {
    const System system({{"staging_files", slots}, {"staging_bytes", "64k"}, {"block_bytes", "512"}});
    const int64_t n = 3000;
    const Decomp rows(system, api_test::uniform_layout({n}, ranks_in()));
    ClassicFile a(system, folder_ / "a.nc", "cdf1"), b(system, folder_ / "b.nc", "cdf5");
    const std::vector<const ClassicFile*> files{&a, &b};
    std::vector<int> variables;
    for (const ClassicFile* file : files) {
      const int t = file->dimension("t", SCORPIO_UNLIMITED);
      variables.push_back(file->variable("v", SCORPIO_INT32, {t, file->dimension("x", n)}));
    }
    for (int64_t r = 0; r < 4; ++r) {
      for (size_t f = 0; f < 2; ++f) {
        const std::vector<int32_t> data(static_cast<size_t>(n),
                                        static_cast<int32_t>(10 * r + static_cast<int64_t>(f)));
        EXPECT_SUCCESS(
            scorpio_put_darray(files[f]->get(), variables[f], rows.get(), r, SCORPIO_INT32, data.data()));
      }
      const ClassicFile& changed = *files[static_cast<size_t>(r % 2)];
      EXPECT_SUCCESS(scorpio_define_begin(changed.get()));
      EXPECT_SUCCESS(changed.text("/", "note" + std::to_string(r), std::string(1500, 'n')));
      EXPECT_SUCCESS(scorpio_define_end(changed.get()));
    }
    for (size_t f = 0; f < 2; ++f) {
      const std::vector<int32_t> all = all_of<int32_t>(files[f]->get(), variables[f], SCORPIO_INT32);
      ASSERT_EQ(static_cast<size_t>(4 * n), all.size());
      for (size_t i = 0; i < all.size(); ++i) ASSERT_EQ(static_cast<int32_t>(i / 3000 * 10 + f), all[i]) << i;
    }
    EXPECT_SUCCESS(b.close());
    EXPECT_SUCCESS(a.close());
  }
}

TEST_F(DefineMode, VariablesWithoutAPlaceCanBeRemoved) {
  ClassicFile file(system_, path_);
  const int x = file.dimension("x", 3);
  (void)file.variable("a", SCORPIO_INT32, {x});
  (void)file.variable("b", SCORPIO_INT32, {x});
  const int c = file.variable("c", SCORPIO_INT32, {x});
  EXPECT_SUCCESS(scorpio_object_remove(file.get(), "b"));
  const std::vector<int32_t> values{1, 2, 3};
  const int64_t start = 0, count = 3;
  const scorpio_access access = scorpio_hyperslab(c, &start, &count, SCORPIO_INT32, values.data());
  EXPECT_SUCCESS(put_of_rank(file.get(), 0, access));
  EXPECT_FAILURE(SCORPIO_ERR_UNSUPPORTED, scorpio_object_remove(file.get(), "c"), "c");
  file.reopen(SCORPIO_READ);
  EXPECT_EQ(2, length_of(file.get()));
  EXPECT_EQ(values, all_of<int32_t>(file.get(), 1, SCORPIO_INT32));
  EXPECT_SUCCESS(file.close());
}

}  // namespace
}  // namespace scorpio::classic_test
