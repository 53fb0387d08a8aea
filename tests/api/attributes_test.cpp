// Attributes by the id of their object: every function on variables, the file and groups; conversion of what
// is put; ids of objects that are not there.
#include <array>
#include <climits>
#include <cmath>
#include <cstring>

#include "session.h"

namespace scorpio::api_test {
namespace {

class Attributes : public testing::TestWithParam<const char*> {
 protected:
  Attributes() {
    const OptionList options(Settings{{"format", GetParam()}});
    EXPECT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
  }
  ~Attributes() override { EXPECT_SUCCESS(scorpio_file_close(file_)); }

  bool has_groups() const { return std::string(GetParam()) == "hdf5"; }
  bool lacks_sign() const { return std::string(GetParam()) == "cdf1"; }

  void open_again(scorpio_open_mode mode) {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    file_ = nullptr;
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), mode, nullptr, &file_));
  }
  int define(const char* path, scorpio_type type = SCORPIO_INT32) {
    const int64_t dims[] = {4};
    int variable = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file_, path, type, 1, dims, &variable));
    return variable;
  }
  std::string text(int object, const char* name) {
    std::array<char, 100> text{};
    size_t length = 0;
    EXPECT_SUCCESS(scorpio_attribute_get_text(file_, object, name, text.data(), text.size(), &length));
    EXPECT_EQ(std::strlen(text.data()), length);
    return text.data();
  }
  double number(int object, const char* name) {
    double value = NAN;
    EXPECT_SUCCESS(scorpio_attribute_get(file_, object, name, SCORPIO_FLOAT64, &value, sizeof value));
    return value;
  }
  scorpio_type type_of(int object, const char* name, int ndims_expected, int64_t n_expected) {
    scorpio_type type{};
    int ndims = -1;
    int64_t n = -1;
    EXPECT_SUCCESS(scorpio_attribute_inquire(file_, object, name, &type, nullptr, &ndims, &n, 1));
    EXPECT_EQ(ndims_expected, ndims) << name;
    if (ndims == 1) {
      EXPECT_EQ(n_expected, n) << name;
    }
    return type;
  }
  // Code and text hold all of `words`.
  static void expect_failure(int expected, int code, const std::vector<std::string>& words) {
    EXPECT_EQ(expected, code) << (code == SCORPIO_OK ? "" : last_text());
    if (code == SCORPIO_OK) return;
    for (const std::string& word : words)
      EXPECT_NE(std::string::npos, last_text().find(word)) << word << " is not in: " << last_text();
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "file";
  const System system_;
  scorpio_file* file_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Formats, Attributes, testing::Values("hdf5", "cdf1", "cdf5"),
                         [](const auto& format) { return std::string(format.param); });

// Lists of texts, which classic files lack.
TEST_P(Attributes, Strings) {
  const char* const texts[] = {"one", nullptr, "three words"};
  const int v = define("v");
  const auto put = [&](int object, const char* name, int64_t n, const char* const* values) {
    return scorpio_attribute_put_strings(file_, object, name, n, values);
  };
  const auto expect_count = [&](const char* name, int64_t expected) {
    int64_t n = -7;
    EXPECT_SUCCESS(scorpio_attribute_string_count(file_, v, name, &n));
    EXPECT_EQ(expected, n) << name;
  };
  EXPECT_SUCCESS(scorpio_attribute_put_text(file_, v, "text", "abc"));
  expect_count("text", -1);
  if (!has_groups()) {
    EXPECT_EQ(SCORPIO_ERR_TYPE, put(v, "list", 3, texts));
    return;
  }
  const int32_t number = 1;
  const int64_t two = 2;
  EXPECT_SUCCESS(scorpio_attribute_put_values(file_, v, "number", SCORPIO_INT32, 1, &number));
  EXPECT_SUCCESS(scorpio_attribute_put(file_, v, "array", SCORPIO_TEXT, 3, 1, &two, SCORPIO_TEXT, "abcdef"));
  EXPECT_SUCCESS(put(v, "list", 3, texts));
  EXPECT_SUCCESS(put(v, "short", 1, texts));
  EXPECT_SUCCESS(put(v, "none", 0, nullptr));
  for (const bool again : {false, true}) {
    if (again) open_again(SCORPIO_READ);
    expect_count("number", -1);
    expect_count("array", 2);
    expect_count("list", 3);
    expect_count("short", 1);
    expect_count("none", 0);
    expect_count("text", -1);
    std::array<char, 33> all{};
    size_t bytes = 0;
    EXPECT_SUCCESS(scorpio_attribute_inquire(file_, v, "list", nullptr, &bytes, nullptr, nullptr, 0));
    EXPECT_EQ(11U, bytes);
    EXPECT_SUCCESS(scorpio_attribute_get(file_, v, "list", SCORPIO_TEXT, all.data(), all.size()));
    EXPECT_STREQ("one", all.data());
    EXPECT_EQ('\0', all[11]);
    EXPECT_EQ("three words", std::string(&all[22], 11));
    EXPECT_EQ("one", text(v, "short"));
    EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_attribute_get_text(file_, v, "list", nullptr, 0, nullptr));
  }
  int64_t n = 0;
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, put(v, "list", 3, texts));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_attribute_string_count(file_, 99, "list", &n));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_attribute_string_count(file_, v, "lost", &n));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_attribute_string_count(file_, v, "list", nullptr));
  open_again(SCORPIO_WRITE);
  EXPECT_EQ(SCORPIO_ERR_HANDLE, put(99, "list", 3, texts));
  EXPECT_EQ(SCORPIO_ERR_NAME, put(v, "", 3, texts));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, put(v, "list", -1, texts));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, put(v, "list", 1, nullptr));
  int characters = -1;
  EXPECT_SUCCESS(scorpio_variable_define_sized(file_, "w", SCORPIO_TEXT, 3, 0, nullptr, &characters));
  EXPECT_EQ(SCORPIO_ERR_TYPE, put(characters, "_FillValue", 1, texts));
  EXPECT_SUCCESS(put(v, "text", 2, texts));
  EXPECT_SUCCESS(scorpio_attribute_put_text(file_, v, "list", "now a text"));
  EXPECT_SUCCESS(scorpio_attribute_rename(file_, v, "short", "name"));
  open_again(SCORPIO_READ);
  expect_count("text", 2);
  expect_count("list", -1);
  expect_count("name", 1);
}

// Readers would not take them: each rank keeps all of them with the length of the longest one.
TEST_P(Attributes, AListThatIsLongWhenItIsPaddedIsRefusedByThePut) {
  if (!has_groups()) return;
  const int v = define("v");
  const std::string longest(size_t{1} << 20, 'x');
  std::vector<const char*> texts(65, "short");
  texts.front() = longest.c_str();
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_attribute_put_strings(file_, v, "list", 65, texts.data()));
  const std::string why = last_text();
  EXPECT_NE(why.find("65 strings with up to 1048576 bytes each"), std::string::npos) << why;
  EXPECT_SUCCESS(scorpio_attribute_put_strings(file_, v, "list", 64, texts.data()));
  open_again(SCORPIO_READ);
  int64_t n = 0;
  EXPECT_SUCCESS(scorpio_attribute_string_count(file_, v, "list", &n));
  EXPECT_EQ(64, n);
}

TEST_P(Attributes, OfAVariableTheFileAndAGroup) {
  std::vector<std::string> paths{"v", "/"};
  define("v");
  if (has_groups()) {
    int group = 0;
    EXPECT_SUCCESS(scorpio_group_define(file_, "/deep/er", &group));
    EXPECT_LT(group, SCORPIO_GLOBAL);
    paths.push_back("/deep/er");
  }
  const int32_t values[] = {3, -4, 5};
  for (const std::string& path : paths) {
    const int object = object_of(file_, path);
    EXPECT_SUCCESS(scorpio_attribute_put_text(file_, object, "units", ("m of " + path).c_str()));
    EXPECT_SUCCESS(scorpio_attribute_put_text(file_, object, "empty", ""));
    EXPECT_SUCCESS(scorpio_attribute_put_values(file_, object, "three", SCORPIO_INT32, 3, values));
    EXPECT_SUCCESS(scorpio_attribute_put_values(file_, object, "one", SCORPIO_INT32, 1, values));
    EXPECT_SUCCESS(scorpio_attribute_put_values(file_, object, "none", SCORPIO_INT32, 0, nullptr));
    EXPECT_SUCCESS(scorpio_attribute_put_values(file_, object, "gone", SCORPIO_INT32, 1, values));
    EXPECT_SUCCESS(scorpio_attribute_rename(file_, object, "one", "first"));
    EXPECT_SUCCESS(scorpio_attribute_remove(file_, object, "gone"));
  }
  for (int pass = 0; pass < 2; ++pass) {
    for (const std::string& path : paths) {
      SCOPED_TRACE(path);
      const int object = object_of(file_, path);
      EXPECT_EQ("m of " + path, text(object, "units"));
      EXPECT_EQ("", text(object, "empty"));
      EXPECT_EQ(SCORPIO_INT32, type_of(object, "three", 1, 3));
      EXPECT_EQ(SCORPIO_INT32, type_of(object, "first", 1, 1));
      EXPECT_EQ(SCORPIO_INT32, type_of(object, "none", 1, 0));
      EXPECT_EQ(SCORPIO_TEXT, type_of(object, "units", 0, 0));
      EXPECT_EQ(3, number(object, "first"));
      int count = 0, readable = 0;
      EXPECT_SUCCESS(scorpio_attribute_count(file_, object, &count));
      EXPECT_EQ(5, count);
      char name[20] = "";
      EXPECT_SUCCESS(scorpio_attribute_name(file_, object, 0, name, sizeof name, nullptr));
      EXPECT_STREQ("units", name);
      EXPECT_SUCCESS(
          scorpio_attribute_access_inquire(file_, object, "three", &readable, nullptr, 0, nullptr));
      EXPECT_EQ(1, readable);
      expect_failure(SCORPIO_ERR_ARGUMENT,
                     scorpio_attribute_name(file_, object, 5, name, sizeof name, nullptr), {"5", path});
    }
    open_again(SCORPIO_READ);
  }
}

TEST_P(Attributes, AreConvertedWhenTheyArePut) {
  const int v = define("v");
  const double doubles[] = {0.5, -2.25};
  const int64_t wide[] = {7, -8}, two = 2, ones[] = {1, 2};
  const auto put = [&](const char* name, scorpio_type stored, const int64_t* dims, int ndims,
                       scorpio_type type, const void* value) {
    return scorpio_attribute_put(file_, v, name, stored, 0, ndims, dims, type, value);
  };
  EXPECT_SUCCESS(put("floats", SCORPIO_FLOAT32, &two, 1, SCORPIO_FLOAT64, doubles));
  EXPECT_SUCCESS(put("shorts", SCORPIO_INT16, &two, 1, SCORPIO_INT64, wide));
  EXPECT_SUCCESS(put("scalar", SCORPIO_FLOAT64, nullptr, 0, SCORPIO_INT64, wide));
  if (has_groups()) {
    EXPECT_SUCCESS(put("matrix", SCORPIO_INT8, ones, 2, SCORPIO_INT64, wide));
  }
  open_again(SCORPIO_READ);
  EXPECT_EQ(SCORPIO_FLOAT32, type_of(v, "floats", 1, 2));
  EXPECT_EQ(SCORPIO_INT16, type_of(v, "shorts", 1, 2));
  double got[2] = {};
  EXPECT_SUCCESS(scorpio_attribute_get(file_, v, "floats", SCORPIO_FLOAT64, got, sizeof got));
  EXPECT_EQ(-2.25, got[1]);
  EXPECT_SUCCESS(scorpio_attribute_get(file_, v, "shorts", SCORPIO_FLOAT64, got, sizeof got));
  EXPECT_EQ(-8, got[1]);
  EXPECT_EQ(7, number(v, "scalar"));
  if (has_groups()) {
    EXPECT_EQ(SCORPIO_INT8, type_of(v, "matrix", 2, 0));
  }
}

// As data are: the attribute is there, with the nearest values.
TEST_P(Attributes, ValuesThatDoNotFitAreClipped) {
  const int v = define("v");
  const int64_t three = 3;
  const int32_t values[] = {300, 5, -300};
  expect_failure(SCORPIO_ERR_RANGE,
                 scorpio_attribute_put(file_, v, "low", SCORPIO_INT8, 0, 1, &three, SCORPIO_INT32, values),
                 {"scorpio_attribute_put of " + path_, "2 values", "low", "int8"});
  // In the oldest formats bytes have no sign of their own.
  const uint8_t large = 200;
  EXPECT_EQ(lacks_sign() ? SCORPIO_OK : SCORPIO_ERR_RANGE,
            scorpio_attribute_put(file_, v, "byte", SCORPIO_INT8, 0, 0, nullptr, SCORPIO_UINT8, &large));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  open_again(SCORPIO_READ);
  int8_t got[3] = {};
  EXPECT_SUCCESS(scorpio_attribute_get(file_, v, "low", SCORPIO_INT8, got, sizeof got));
  EXPECT_EQ(127, got[0]);
  EXPECT_EQ(5, got[1]);
  EXPECT_EQ(-128, got[2]);
  uint8_t byte = 0;
  EXPECT_SUCCESS(scorpio_attribute_get(file_, v, "byte", SCORPIO_UINT8, &byte, 1));
  EXPECT_EQ(lacks_sign() ? 200 : 127, byte);
}

TEST_P(Attributes, FillValueIsStoredInTheTypeOfTheVariable) {
  const int v = define("v", SCORPIO_FLOAT32);
  const double nine = 9;
  const int64_t one = 1;
  expect_failure(SCORPIO_ERR_TYPE,
                 scorpio_attribute_put_values(file_, v, "_FillValue", SCORPIO_FLOAT64, 1, &nine),
                 {"_FillValue", "float32"});
  EXPECT_SUCCESS(
      scorpio_attribute_put(file_, v, "_FillValue", SCORPIO_FLOAT32, 0, 1, &one, SCORPIO_FLOAT64, &nine));
  EXPECT_SUCCESS(scorpio_variable_fill_define(file_, v, 1, nullptr));
  const int64_t start = 0, count = 4;
  float got[4] = {};
  const scorpio_access all = scorpio_hyperslab(v, &start, &count, SCORPIO_FLOAT32, got);
  EXPECT_SUCCESS(scorpio_get(file_, &all));
  EXPECT_EQ(9, got[0]);
  EXPECT_EQ(9, got[3]);
}

TEST_P(Attributes, WhatCannotBeConvertedIsRefused) {
  const int v = define("v");
  const int32_t one = 1;
  const auto put = [&](scorpio_type stored, scorpio_type type) {
    return scorpio_attribute_put(file_, v, "a", stored, 4, 0, nullptr, type, &one);
  };
  expect_failure(SCORPIO_ERR_TYPE, put(SCORPIO_TEXT, SCORPIO_INT32), {"text[4]", "int32"});
  expect_failure(SCORPIO_ERR_TYPE, put(SCORPIO_INT32, SCORPIO_TEXT), {"text[4]", "int32"});
  expect_failure(SCORPIO_ERR_TYPE, put(SCORPIO_OPAQUE, SCORPIO_TEXT), {"opaque[4]", "text[4]"});
  expect_failure(SCORPIO_ERR_TYPE, put(SCORPIO_INT32, static_cast<scorpio_type>(77)), {"77"});
  expect_failure(SCORPIO_ERR_TYPE, put(static_cast<scorpio_type>(77), SCORPIO_INT32), {"77"});
  expect_failure(SCORPIO_ERR_TYPE, scorpio_attribute_put_values(file_, v, "a", SCORPIO_TEXT, 3, "abc"),
                 {"'a'", "scorpio_attribute_put_text"});
  expect_failure(SCORPIO_ERR_TYPE, scorpio_attribute_put_values(file_, v, "a", SCORPIO_OPAQUE, 3, "abc"),
                 {"'a'", "scorpio_attribute_put"});
  EXPECT_NE(SCORPIO_OK, scorpio_attribute_put_values(file_, v, "a", SCORPIO_INT32, -1, &one));
  expect_failure(SCORPIO_ERR_ARGUMENT, scorpio_attribute_put_values(file_, v, "a", SCORPIO_INT32, 1, nullptr),
                 {"NULL"});
  expect_failure(SCORPIO_ERR_ARGUMENT, scorpio_attribute_put_text(file_, v, "a", nullptr), {"text", "NULL"});
  int count = -1;
  EXPECT_SUCCESS(scorpio_attribute_count(file_, v, &count));
  EXPECT_EQ(0, count);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
}

TEST_P(Attributes, TextsAreCutAndTold) {
  const int v = define("v");
  const int64_t five = 5, two = 2;
  EXPECT_SUCCESS(scorpio_attribute_put_text(file_, v, "long", "0123456789"));
  EXPECT_SUCCESS(
      scorpio_attribute_put(file_, v, "padded", SCORPIO_TEXT, 5, 0, nullptr, SCORPIO_TEXT, "ab\0\0"));
  EXPECT_SUCCESS(
      scorpio_attribute_put(file_, v, "characters", SCORPIO_TEXT, 1, 1, &five, SCORPIO_TEXT, "abcde"));
  EXPECT_SUCCESS(scorpio_attribute_put_values(file_, v, "number", SCORPIO_INT16, 1, "12"));
  if (has_groups()) {
    EXPECT_SUCCESS(
        scorpio_attribute_put(file_, v, "several", SCORPIO_TEXT, 3, 1, &two, SCORPIO_TEXT, "abcdef"));
  }
  for (int pass = 0; pass < 2; ++pass) {
    char text_of_five[5] = "";
    size_t length = 0;
    EXPECT_SUCCESS(scorpio_attribute_get_text(file_, v, "long", text_of_five, sizeof text_of_five, &length));
    EXPECT_STREQ("0123", text_of_five);
    EXPECT_EQ(10u, length);
    EXPECT_SUCCESS(scorpio_attribute_get_text(file_, v, "long", nullptr, 0, &length));
    EXPECT_SUCCESS(scorpio_attribute_get_text(file_, v, "long", text_of_five, 1, nullptr));
    EXPECT_STREQ("", text_of_five);
    EXPECT_EQ("ab", text(v, "padded"));
    EXPECT_EQ("abcde", text(v, "characters"));
    expect_failure(SCORPIO_ERR_TYPE, scorpio_attribute_get_text(file_, v, "number", nullptr, 0, nullptr),
                   {"number", "int16", "scorpio_attribute_get"});
    if (has_groups()) {
      expect_failure(SCORPIO_ERR_TYPE, scorpio_attribute_get_text(file_, v, "several", nullptr, 0, nullptr),
                     {"several", "2 elements", "text[3]"});
    }
    expect_failure(SCORPIO_ERR_NOT_FOUND, scorpio_attribute_get_text(file_, v, "none", nullptr, 0, nullptr),
                   {"/v", "none"});
    open_again(SCORPIO_READ);
  }
}

// Of every function.
std::vector<int> codes_of_all(scorpio_file* file, int object) {
  const int32_t value = 1;
  int number = 0;
  char text[10];
  return {scorpio_attribute_put(file, object, "a", SCORPIO_INT32, 0, 0, nullptr, SCORPIO_INT32, &value),
          scorpio_attribute_put_text(file, object, "a", "text"),
          scorpio_attribute_put_values(file, object, "a", SCORPIO_INT32, 1, &value),
          scorpio_attribute_inquire(file, object, "a", nullptr, nullptr, nullptr, nullptr, 0),
          scorpio_attribute_get(file, object, "a", SCORPIO_INT32, &number, sizeof number),
          scorpio_attribute_get_text(file, object, "a", text, sizeof text, nullptr),
          scorpio_attribute_access_inquire(file, object, "a", &number, nullptr, 0, nullptr),
          scorpio_attribute_count(file, object, &number),
          scorpio_attribute_name(file, object, 0, text, sizeof text, nullptr),
          scorpio_attribute_rename(file, object, "a", "b"),
          scorpio_attribute_remove(file, object, "a")};
}

TEST_P(Attributes, OfNoObject) {
  const int v = define("v"), removed = define("w");
  std::vector<int> wrong{1000, INT_MAX, INT_MIN, -1000, removed};
  EXPECT_SUCCESS(scorpio_object_remove(file_, "w"));
  if (has_groups()) {
    int group = 0;
    EXPECT_SUCCESS(scorpio_group_define(file_, "g/deep", &group));
    EXPECT_SUCCESS(scorpio_attribute_put_text(file_, group, "a", "text"));
    EXPECT_SUCCESS(scorpio_object_remove(file_, "g"));
    expect_failure(SCORPIO_ERR_HANDLE, scorpio_attribute_remove(file_, group, "a"),
                   {"/g/deep", "was removed", "scorpio_group_find"});
    wrong.push_back(group);
    wrong.push_back(group - 1);
  }
  for (const int object : wrong) {
    SCOPED_TRACE(object);
    for (const int code : codes_of_all(file_, object)) EXPECT_EQ(SCORPIO_ERR_HANDLE, code);
    EXPECT_NE(std::string::npos, last_text().find("SCORPIO_GLOBAL")) << last_text();
  }
  EXPECT_SUCCESS(scorpio_attribute_put_text(file_, v, "units", "m"));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
}

TEST_P(Attributes, GroupsHaveOneIdEach) {
  int group = 0, again = 0, root = 0, kind = -1, object = 77;
  EXPECT_SUCCESS(scorpio_group_find(file_, "/", &root));
  EXPECT_EQ(SCORPIO_GLOBAL, root);
  EXPECT_SUCCESS(scorpio_object_find(file_, "/", &kind, &object));
  EXPECT_EQ(SCORPIO_OBJECT_GROUP, kind);
  EXPECT_EQ(SCORPIO_GLOBAL, object);
  expect_failure(SCORPIO_ERR_NOT_FOUND, scorpio_group_find(file_, "/none", &group), {path_, "/none"});
  const int v = define("v");
  expect_failure(SCORPIO_ERR_NOT_FOUND, scorpio_group_find(file_, "v", &group), {"no group /v"});
  object = 77;
  EXPECT_SUCCESS(scorpio_object_find(file_, "none", &kind, &object));
  EXPECT_EQ(SCORPIO_OBJECT_NONE, kind);
  EXPECT_EQ(77, object) << "it is left as it was";
  EXPECT_SUCCESS(scorpio_object_find(file_, "/v", nullptr, &object));
  EXPECT_EQ(v, object);
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_group_find(file_, "/", nullptr));
  if (!has_groups()) return;
  EXPECT_SUCCESS(scorpio_group_define(file_, "a/b", &group));
  EXPECT_SUCCESS(scorpio_group_define(file_, "a/b", &again));
  EXPECT_EQ(group, again);
  EXPECT_SUCCESS(scorpio_link_define(file_, "short", "/a/b"));
  EXPECT_SUCCESS(scorpio_link_define(file_, "nowhere", "/c"));
  for (const char* path : {"/a/b", "a//b/", "short"}) {
    EXPECT_SUCCESS(scorpio_group_find(file_, path, &again));
    EXPECT_EQ(group, again) << path;
    EXPECT_SUCCESS(scorpio_object_find(file_, path, &kind, &object));
    EXPECT_EQ(SCORPIO_OBJECT_GROUP, kind);
    EXPECT_EQ(group, object) << path;
  }
  EXPECT_SUCCESS(scorpio_group_find(file_, "a", &again));
  EXPECT_NE(group, again);
  object = 77;
  EXPECT_SUCCESS(scorpio_object_find(file_, "nowhere", &kind, &object));
  EXPECT_EQ(SCORPIO_OBJECT_LINK, kind);
  EXPECT_EQ(77, object);
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_group_find(file_, "nowhere", &again));
}

// At the next synchronisation point, which names the object.
TEST_P(Attributes, ThatDifferBetweenRanks) {
  if (ranks_in() == 1) GTEST_SKIP() << "for several ranks";
  const int v = define("v"), w = define("w");
  const bool culprit = rank_in() == ranks_in() - 1;
  const int32_t value = 1;
  EXPECT_SUCCESS(scorpio_attribute_put_values(file_, culprit ? w : v, "a", SCORPIO_INT32, 1, &value));
  expect_failure(SCORPIO_ERR_MISMATCH, scorpio_file_sync(file_), {"attribute a of /w", "rank 0 has"});
  EXPECT_NE(SCORPIO_OK, scorpio_file_close(file_));
  file_ = nullptr;
  const OptionList options(Settings{{"format", GetParam()}});
  ASSERT_SUCCESS(
      scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
  define("v");
  EXPECT_EQ(culprit ? SCORPIO_ERR_HANDLE : SCORPIO_OK,
            scorpio_attribute_put_values(file_, culprit ? w : v, "a", SCORPIO_INT32, 1, &value));
  expect_failure(SCORPIO_ERR_HANDLE, scorpio_file_sync(file_), {"scorpio_attribute_put_values", "1"});
  EXPECT_NE(SCORPIO_OK, scorpio_file_close(file_));
  file_ = nullptr;
  ASSERT_SUCCESS(
      scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
}

}  // namespace
}  // namespace scorpio::api_test
