// Limits and types of each format, checked when defined; conversions and records at data calls.
#include <climits>
#include <numeric>

#include "classic_file.h"

namespace scorpio::classic_test {
namespace {

class Limits : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const System system_;
  const std::string path_ = folder_ / "a.nc";
};

TEST_F(Limits, OneUnlimitedDimensionAndItIsTheFirst) {
  ClassicFile file(system_, path_);
  const int t = file.dimension("time", SCORPIO_UNLIMITED), x = file.dimension("x", 3);
  int id = -1;
  EXPECT_FAILURE(SCORPIO_ERR_LIMIT, scorpio_dimension_define(file.get(), "other", SCORPIO_UNLIMITED, &id),
                 "other", "time", "length");
  const int wrong[] = {x, t};
  const int code = scorpio_variable_define_on(file.get(), "v", SCORPIO_INT32, 2, wrong, &id);
  EXPECT_NE(SCORPIO_OK, code);
  EXPECT_NE(std::string::npos, last_text().find("v")) << last_text();
  EXPECT_NE(std::string::npos, last_text().find("time")) << last_text();
  EXPECT_FAILURE(SCORPIO_ERR_LIMIT, scorpio_dimension_define(file.get(), "none", 0, &id), "none", "0");
  EXPECT_FAILURE(SCORPIO_ERR_ARGUMENT, scorpio_dimension_define(file.get(), "less", -2, &id), "less", "-2");
  const int unknown = 9;
  EXPECT_FAILURE(SCORPIO_ERR_HANDLE,
                 scorpio_variable_define_on(file.get(), "v", SCORPIO_INT32, 1, &unknown, &id), "9", "v");
  EXPECT_SUCCESS(file.close());
}

TEST_F(Limits, TypesThatOldFormatsLack) {
  for (const char* format : {"cdf1", "cdf2"}) {
    ClassicFile file(system_, path_, format);
    int id = -1;
    for (const scorpio_type type :
         {SCORPIO_UINT8, SCORPIO_UINT16, SCORPIO_UINT32, SCORPIO_INT64, SCORPIO_UINT64}) {
      EXPECT_FAILURE(SCORPIO_ERR_TYPE,
                     scorpio_variable_define_on(file.get(), "counts", type, 0, nullptr, &id), "counts",
                     "CDF-5");
      const int64_t value = 1;
      EXPECT_FAILURE(
          SCORPIO_ERR_TYPE,
          scorpio_attribute_put(file.get(), SCORPIO_GLOBAL, "flags", type, 0, 0, nullptr, type, &value),
          "flags", "CDF-5");
    }
    EXPECT_FAILURE(SCORPIO_ERR_TYPE,
                   scorpio_variable_define_sized(file.get(), "blob", SCORPIO_OPAQUE, 4, 0, nullptr, &id),
                   "blob");
    EXPECT_FAILURE(SCORPIO_ERR_TYPE,
                   scorpio_variable_define_sized(file.get(), "words", SCORPIO_TEXT, 4, 0, nullptr, &id),
                   "words", "4");
    EXPECT_SUCCESS(file.close());
  }
}

TEST_F(Limits, ARefusedVariableLeavesNoDimensions) {
  ClassicFile file(system_, path_, "cdf2");
  const int64_t dims[] = {5, 7};
  int id = -1, count = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file.get(), "first", SCORPIO_INT32, 1, dims, &id));
  EXPECT_FAILURE(SCORPIO_ERR_TYPE, scorpio_variable_define(file.get(), "second", SCORPIO_INT64, 2, dims, &id),
                 "second");
  EXPECT_SUCCESS(scorpio_dimension_count(file.get(), &count));
  EXPECT_EQ(1, count);  // dim_5
  EXPECT_SUCCESS(scorpio_variable_define(file.get(), "second", SCORPIO_INT32, 2, dims, &id));
  EXPECT_SUCCESS(scorpio_dimension_count(file.get(), &count));
  EXPECT_EQ(2, count);
  EXPECT_SUCCESS(file.close());
}

TEST_F(Limits, GroupsAndLinks) {
  ClassicFile file(system_, path_);
  int id = -1;
  EXPECT_FAILURE(SCORPIO_ERR_UNSUPPORTED, scorpio_group_define(file.get(), "/ocean", nullptr), "ocean",
                 "hdf5");
  EXPECT_FAILURE(SCORPIO_ERR_UNSUPPORTED,
                 scorpio_variable_define_on(file.get(), "/ocean/t", SCORPIO_INT8, 0, nullptr, &id), "ocean");
  EXPECT_FAILURE(SCORPIO_ERR_UNSUPPORTED, scorpio_link_define(file.get(), "/l", "/v"), "/l");
  EXPECT_SUCCESS(file.close());
}

// 3 GiB a variable: one, the last, may be so large in CDF-1, none but the last in CDF-2 beyond 4 GiB.
TEST_F(Limits, LargeVariablesOfOldFormats) {
  {
    ClassicFile file(system_, path_, "cdf1");
    int id = -1;
    EXPECT_FAILURE(SCORPIO_ERR_LIMIT, scorpio_dimension_define(file.get(), "long", int64_t{1} << 31, &id),
                   "long", "2147483648", "CDF-2");
    const int x = file.dimension("x", int64_t{3} << 28);
    (void)file.variable("huge", SCORPIO_INT32, {x});
    (void)file.variable("small", SCORPIO_INT32, {});
    EXPECT_SAME_FAILURE(SCORPIO_ERR_LIMIT, scorpio_define_end(file.get()));
    EXPECT_NE(std::string::npos, last_text().find("huge")) << last_text();
    EXPECT_NE(std::string::npos, last_text().find("3221225472")) << last_text();
    EXPECT_NE(std::string::npos, last_text().find("CDF-2")) << last_text();
    EXPECT_SAME_FAILURE(SCORPIO_ERR_LIMIT, file.close());
    EXPECT_EQ(0, folder_.files());
  }
  {
    ClassicFile file(system_, path_, "cdf1");
    (void)file.variable("small", SCORPIO_INT32, {});
    (void)file.variable("huge", SCORPIO_INT8,
                        {file.dimension("x", int64_t{1} << 30), file.dimension("y", 3)});
    EXPECT_SUCCESS(scorpio_define_end(file.get()));
  }
  ClassicFile file(system_, path_, "cdf2");
  const int x = file.dimension("x", int64_t{3} << 29);
  (void)file.variable("huge", SCORPIO_INT32, {x});
  (void)file.variable("small", SCORPIO_INT32, {});
  EXPECT_SAME_FAILURE(SCORPIO_ERR_LIMIT, scorpio_define_end(file.get()));
  EXPECT_NE(std::string::npos, last_text().find("CDF-5")) << last_text();
}

TEST_F(Limits, AFailedEndOfDefinitionsCanBeMended) {
  ClassicFile file(system_, path_, "cdf1");
  (void)file.variable("huge", SCORPIO_INT32, {file.dimension("x", int64_t{3} << 28)});
  const int small = file.variable("small", SCORPIO_INT32, {});
  EXPECT_SAME_FAILURE(SCORPIO_ERR_LIMIT, scorpio_define_end(file.get()));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_LIMIT, scorpio_file_sync(file.get()));
  EXPECT_SUCCESS(scorpio_object_remove(file.get(), "huge"));
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  int32_t value = 4;
  const scorpio_access access = scorpio_hyperslab(small, nullptr, nullptr, SCORPIO_INT32, &value);
  EXPECT_SUCCESS(put_of_rank(file.get(), 0, access));
  EXPECT_SUCCESS(file.close());
}

// Behind 2^31 bytes in a sparse file.
TEST_F(Limits, FarRecords) {
  for (const char* format : {"cdf2", "cdf5"}) {
    ClassicFile file(system_, path_, format);
    const int t = file.dimension("t", SCORPIO_UNLIMITED), x = file.dimension("x", 1 << 20);
    const int a = file.variable("a", SCORPIO_FLOAT64, {t, x});
    const int b = file.variable("b", SCORPIO_INT16, {t});
    int16_t value = 77;
    const int64_t start = 600, count = 1;  // 5 GiB
    const scorpio_access access = scorpio_hyperslab(b, &start, &count, SCORPIO_INT16, &value);
    EXPECT_SUCCESS(put_of_rank(file.get(), ranks_in() - 1, access));
    const int64_t far[] = {600, (1 << 20) - 1}, one[] = {1, 1};
    double last = 3.5;
    const scorpio_access last_access = scorpio_hyperslab(a, far, one, SCORPIO_FLOAT64, &last);
    EXPECT_SUCCESS(put_of_rank(file.get(), 0, last_access));
    file.reopen(SCORPIO_READ);
    EXPECT_EQ(601, file.records(t));
    value = 0;
    last = 0;
    EXPECT_SUCCESS(scorpio_get(file.get(), &access));
    EXPECT_SUCCESS(scorpio_get(file.get(), &last_access));
    EXPECT_EQ(77, value);
    EXPECT_EQ(3.5, last);
    EXPECT_SUCCESS(file.close());
  }
}

// More records than are filled in one operation, of types whose records have padding between them or not.
TEST_F(Limits, ManyNewRecordsAreFilled) {
  constexpr int64_t k_far = 3000;
  for (int variables = 1; variables < 4; ++variables) {
    ClassicFile file(system_, path_, "cdf2");
    const int t = file.dimension("t", SCORPIO_UNLIMITED), x = file.dimension("x", 3);
    const int a = file.variable("a", SCORPIO_INT8, {t});
    const int8_t seven = 7;
    EXPECT_SUCCESS(scorpio_variable_fill_define(file.get(), a, 1, &seven));
    for (int i = 1; i < variables; ++i) {
      const int b = file.variable("b" + std::to_string(i), SCORPIO_INT16, {t, x});
      EXPECT_SUCCESS(scorpio_variable_fill_define(file.get(), b, i == 1 ? 1 : 0, nullptr));
    }
    int8_t value = 1;
    const int64_t count = 1;
    for (const int64_t record : {k_far, k_far / 2, k_far + 5}) {
      const scorpio_access access = scorpio_hyperslab(a, &record, &count, SCORPIO_INT8, &value);
      EXPECT_SUCCESS(put_of_rank(file.get(), static_cast<int>(record % ranks_in()), access));
    }
    std::vector<int8_t> expected(k_far + 6, 7);
    expected[k_far] = expected[k_far / 2] = expected[k_far + 5] = 1;
    EXPECT_EQ(expected, all_of<int8_t>(file.get(), a, SCORPIO_INT8)) << variables;
    if (variables > 1) {
      EXPECT_EQ(std::vector<int16_t>(3 * (k_far + 6), -32767), all_of<int16_t>(file.get(), 1, SCORPIO_INT16));
    }
    file.reopen(SCORPIO_READ);
    EXPECT_EQ(expected, all_of<int8_t>(file.get(), a, SCORPIO_INT8)) << variables;
    EXPECT_SUCCESS(file.close());
  }
}

TEST_F(Limits, RecordsBehindWhatAFileCanHold) {
  ClassicFile file(system_, path_, "cdf1");
  const int t = file.dimension("t", SCORPIO_UNLIMITED);
  const int v = file.variable("v", SCORPIO_FLOAT64, {t});
  double value = 1;
  const int64_t count = 1, start = int64_t{1} << 60;
  const scorpio_access access = scorpio_hyperslab(v, &start, &count, SCORPIO_FLOAT64, &value);
  EXPECT_SAME_FAILURE(SCORPIO_ERR_LIMIT, put_of_all(file.get(), access));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_LIMIT, scorpio_file_sync(file.get()));
  EXPECT_SUCCESS(file.close());
}

// CDF-1 and CDF-2 count records in 32 bits.
TEST_F(Limits, MoreRecordsThanTheFieldHolds) {
  ClassicFile file(system_, path_, "cdf2");
  const int t = file.dimension("t", SCORPIO_UNLIMITED);
  const int v = file.variable("v", SCORPIO_INT8, {t});
  int8_t value = 1;
  const int64_t count = 1, start = (int64_t{1} << 32) + 5;
  const scorpio_access access = scorpio_hyperslab(v, &start, &count, SCORPIO_INT8, &value);
  EXPECT_SAME_FAILURE(SCORPIO_ERR_LIMIT, put_of_all(file.get(), access));
  EXPECT_FAILURE(SCORPIO_ERR_LIMIT, scorpio_iput(file.get(), &access, nullptr), "v");
  const Decomp single(system_, api_test::grid_layout({}, api_test::in_order(ranks_in())));
  EXPECT_FAILURE(SCORPIO_ERR_LIMIT,
                 scorpio_put_darray(file.get(), v, single.get(), start, SCORPIO_INT8, &value), "v");
  EXPECT_SAME_FAILURE(SCORPIO_ERR_LIMIT, scorpio_file_sync(file.get()));
  EXPECT_EQ(0, file.records(t));
  EXPECT_SUCCESS(file.close());
}

TEST_F(Limits, ValuesThatDoNotFit) {
  ClassicFile file(system_, path_, "cdf1");
  const int n = 4 * ranks_in();
  const int v = file.variable("v", SCORPIO_INT16, {file.dimension("x", n)});
  const Decomp rows(system_, api_test::uniform_layout({n}, ranks_in()));
  const bool mine = rank_in() == ranks_in() - 1;
  const std::vector<int32_t> data{1, mine ? 70000 : 2, 3, 4};
  const int code = scorpio_put_darray(file.get(), v, rows.get(), 0, SCORPIO_INT32, data.data());
  EXPECT_EQ(mine ? SCORPIO_ERR_RANGE : SCORPIO_OK, code);
  EXPECT_SAME_FAILURE(SCORPIO_ERR_RANGE, scorpio_file_sync(file.get()));
  const std::vector<int16_t> all = all_of<int16_t>(file.get(), v, SCORPIO_INT16);
  for (int i = 0; i < n; ++i) {
    if (i == n - 3) continue;
    EXPECT_EQ(1 + i % 4, all[static_cast<size_t>(i)]) << i;
  }
  EXPECT_SUCCESS(file.close());
}

TEST_F(Limits, TextAndNumbersDoNotMix) {
  ClassicFile file(system_, path_, "cdf1");
  const int x = file.dimension("x", 4);
  const int text = file.variable("text", SCORPIO_TEXT, {x}),
            number = file.variable("number", SCORPIO_INT32, {x});
  const Decomp rows(system_, api_test::uniform_layout({4}, ranks_in()));
  const int32_t values[4] = {};
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  const int64_t start = 0, count = 4;
  const scorpio_access wrong = scorpio_hyperslab(text, &start, &count, SCORPIO_INT32, values);
  EXPECT_FAILURE(SCORPIO_ERR_TYPE, scorpio_iput(file.get(), &wrong, nullptr), "text");
  EXPECT_SAME_FAILURE(SCORPIO_ERR_TYPE, put_of_all(file.get(), wrong));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_TYPE, scorpio_file_sync(file.get()));
  char letters[] = "abcd";
  const scorpio_access other = scorpio_hyperslab(number, &start, &count, SCORPIO_TEXT, letters);
  EXPECT_FAILURE(SCORPIO_ERR_TYPE, scorpio_iput(file.get(), &other, nullptr), "number");
  const scorpio_access right = scorpio_hyperslab(text, &start, &count, SCORPIO_TEXT, letters);
  EXPECT_SUCCESS(put_of_rank(file.get(), 0, right));
  EXPECT_EQ((std::vector<char>{'a', 'b', 'c', 'd'}), all_of<char>(file.get(), text, SCORPIO_TEXT));
  EXPECT_SUCCESS(file.close());
}

// Bytes of the old formats have no sign of their own: 200 is written as such and read back as such.
TEST_F(Limits, UnsignedBytesInOldFormats) {
  for (const char* format : {"cdf1", "cdf2", "cdf5"}) {
    ClassicFile file(system_, path_, format);
    const int v = file.variable("v", SCORPIO_INT8, {file.dimension("x", 3)});
    const int8_t low = -56;
    uint8_t got = 0;
    EXPECT_SUCCESS(scorpio_attribute_put(file.get(), object_of(file.get(), "v"), "low", SCORPIO_INT8, 0, 0,
                                         nullptr, SCORPIO_INT8, &low));
    EXPECT_EQ(std::string(format) == "cdf5" ? SCORPIO_ERR_RANGE : SCORPIO_OK,
              scorpio_attribute_get(file.get(), object_of(file.get(), "v"), "low", SCORPIO_UINT8, &got, 1));
    EXPECT_EQ(std::string(format) == "cdf5" ? 0 : 200, got);
    const std::vector<uint8_t> values{0, 100, 200};
    const int64_t start = 0, count = 3;
    const scorpio_access access = scorpio_hyperslab(v, &start, &count, SCORPIO_UINT8, values.data());
    const bool old = std::string(format) != "cdf5";
    const int code = put_of_rank(file.get(), 0, access);
    if (old) {
      EXPECT_SUCCESS(code);
      EXPECT_EQ(values, all_of<uint8_t>(file.get(), v, SCORPIO_UINT8));
      EXPECT_EQ((std::vector<int8_t>{0, 100, -56}), all_of<int8_t>(file.get(), v, SCORPIO_INT8));
    } else {
      EXPECT_SAME_FAILURE(SCORPIO_ERR_RANGE, code);
    }
    (void)file.close();
  }
}

}  // namespace
}  // namespace scorpio::classic_test
