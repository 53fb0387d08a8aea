// Groups, attributes, links, removal, inquiry, and what is refused.
#include <array>

#include "accesses.h"
#include "layout.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

const Settings k_small{{"staging_bytes", "64k"}, {"block_bytes", "512"}};

class Definitions : public testing::Test {
 protected:
  Definitions() : system_(k_small) {
    EXPECT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
  }
  ~Definitions() override { EXPECT_SUCCESS(scorpio_file_close(file_)); }

  void open_again(scorpio_open_mode mode) {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    file_ = nullptr;
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), mode, nullptr, &file_));
  }
  int kind(const char* path) {
    int found = -1;
    EXPECT_SUCCESS(scorpio_object_find(file_, path, &found, nullptr));
    return found;
  }
  int define(const char* path, const Extents& dims = {8}) {
    int variable = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file_, path, SCORPIO_INT32, static_cast<int>(dims.size()),
                                           dims.data(), &variable));
    return variable;
  }
  void put_number(const char* object, const char* name, int64_t value) {
    EXPECT_SUCCESS(scorpio_attribute_put(file_, object_of(file_, object), name, SCORPIO_INT64, 0, 0, nullptr,
                                         SCORPIO_INT64, &value));
  }
  int64_t number(const char* object, const char* name) {
    int64_t value = -1;
    EXPECT_SUCCESS(
        scorpio_attribute_get(file_, object_of(file_, object), name, SCORPIO_INT64, &value, sizeof value));
    return value;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "file.h5";
  const System system_;
  scorpio_file* file_ = nullptr;
};

TEST_F(Definitions, ObjectsAreFoundBeforeAndAfterOpeningAgain) {
  EXPECT_SUCCESS(scorpio_group_define(file_, "/a//b/", nullptr));
  EXPECT_SUCCESS(scorpio_group_define(file_, "a", nullptr));
  define("a/v");
  define("top/deep/w", {2, 3, 4});
  EXPECT_SUCCESS(scorpio_link_define(file_, "a/link", "/top/deep/w"));
  EXPECT_SUCCESS(scorpio_link_define(file_, "a/nowhere", "missing"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(SCORPIO_OBJECT_GROUP, kind("/"));
    EXPECT_EQ(SCORPIO_OBJECT_GROUP, kind("/a/b"));
    EXPECT_EQ(SCORPIO_OBJECT_GROUP, kind("top/deep"));
    EXPECT_EQ(SCORPIO_OBJECT_VARIABLE, kind("a/v"));
    EXPECT_EQ(SCORPIO_OBJECT_VARIABLE, kind("/a/link"));
    EXPECT_EQ(SCORPIO_OBJECT_LINK, kind("/a/nowhere"));
    EXPECT_EQ(SCORPIO_OBJECT_NONE, kind("/a/c"));
    EXPECT_EQ(SCORPIO_OBJECT_NONE, kind("a/v/x"));
    int count = 0;
    EXPECT_SUCCESS(scorpio_file_variables(file_, nullptr, 0, &count));
    EXPECT_EQ(2, count);
    open_again(SCORPIO_READ);
  }
}

TEST_F(Definitions, AttributesThroughALink) {
  define("a/v");
  EXPECT_SUCCESS(scorpio_link_define(file_, "short", "/a/v"));
  const double value = 2.5;
  const auto put = [&](const char* name) {
    return scorpio_attribute_put(file_, object_of(file_, "short"), name, SCORPIO_FLOAT64, 0, 0, nullptr,
                                 SCORPIO_FLOAT64, &value);
  };
  EXPECT_SUCCESS(put("scale"));
  EXPECT_SUCCESS(put("other"));
  EXPECT_SUCCESS(scorpio_attribute_rename(file_, object_of(file_, "short"), "scale", "factor"));
  EXPECT_SUCCESS(scorpio_attribute_remove(file_, object_of(file_, "short"), "other"));
  open_again(SCORPIO_READ);
  double got = 0;
  for (const char* object : {"/a/v", "/short"}) {
    EXPECT_SUCCESS(
        scorpio_attribute_get(file_, object_of(file_, object), "factor", SCORPIO_FLOAT64, &got, sizeof got));
    EXPECT_EQ(value, got);
    int count = 0;
    EXPECT_SUCCESS(scorpio_attribute_count(file_, object_of(file_, object), &count));
    EXPECT_EQ(1, count);
  }
}

TEST_F(Definitions, InquiryOfAVariable) {
  define("x/w", {2, 3, 4});
  open_again(SCORPIO_READ);
  int variable = -1, ndims = 0;
  scorpio_type type{};
  size_t bytes = 0;
  int64_t dims[4] = {-1, -1, -1, -1};
  ASSERT_SUCCESS(scorpio_variable_find(file_, "/x//w", &variable));
  EXPECT_SUCCESS(scorpio_variable_inquire(file_, variable, &type, &bytes, &ndims, dims, 2));
  EXPECT_EQ(SCORPIO_INT32, type);
  EXPECT_EQ(4u, bytes);
  EXPECT_EQ(3, ndims);
  EXPECT_EQ(3, dims[1]);
  EXPECT_EQ(-1, dims[2]) << "beyond the capacity";
  EXPECT_SUCCESS(scorpio_variable_inquire(file_, variable, nullptr, nullptr, nullptr, nullptr, 0));
  char path[4] = "";
  size_t length = 0;
  EXPECT_SUCCESS(scorpio_variable_path(file_, variable, path, sizeof path, &length));
  EXPECT_STREQ("/x/", path);
  EXPECT_EQ(4u, length);
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_path(file_, 99, path, sizeof path, &length));
  char described[20] = "";
  EXPECT_SUCCESS(scorpio_variable_type_describe(file_, variable, described, sizeof described, &length));
  EXPECT_STREQ("int32", described);
  EXPECT_EQ(5u, length);
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_variable_find(file_, "/x/none", &variable));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_inquire(file_, 99, &type, nullptr, nullptr, nullptr, 0));
}

TEST_F(Definitions, Attributes) {
  define("v");
  const int64_t two_three[2] = {2, 3};
  const double matrix[6] = {1, 2, 3, 4, 5, 6.5};
  put_number("/", "version", 7);
  put_number("v", "gone", 1);
  put_number("v", "changed", 1);
  put_number("v", "changed", 2);
  EXPECT_SUCCESS(scorpio_attribute_put(file_, object_of(file_, "v"), "matrix", SCORPIO_FLOAT64, 0, 2,
                                       two_three, SCORPIO_FLOAT64, matrix));
  EXPECT_SUCCESS(scorpio_attribute_put_text(file_, object_of(file_, "v"), "units", "m s-1"));
  EXPECT_SUCCESS(scorpio_attribute_remove(file_, object_of(file_, "v"), "gone"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(7, number("/", "version"));
    EXPECT_EQ(2, number("v", "changed"));
    scorpio_type type{};
    size_t bytes = 0;
    int ndims = 0;
    int64_t dims[2] = {};
    EXPECT_SUCCESS(
        scorpio_attribute_inquire(file_, object_of(file_, "v"), "matrix", &type, &bytes, &ndims, dims, 2));
    EXPECT_EQ(2, ndims);
    EXPECT_EQ(3, dims[1]);
    float converted[6] = {};
    EXPECT_SUCCESS(scorpio_attribute_get(file_, object_of(file_, "v"), "matrix", SCORPIO_FLOAT32, converted,
                                         sizeof converted));
    EXPECT_EQ(6.5f, converted[5]);
    EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_attribute_get(file_, object_of(file_, "v"), "matrix",
                                                          SCORPIO_FLOAT64, converted, sizeof converted));
    char units[6] = "";
    EXPECT_SUCCESS(scorpio_attribute_get(file_, object_of(file_, "v"), "units", SCORPIO_TEXT, units, 5));
    EXPECT_STREQ("m s-1", units);
    int64_t value = 0;
    EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_attribute_get(file_, object_of(file_, "v"), "gone",
                                                           SCORPIO_INT64, &value, sizeof value));
    EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_attribute_get(file_, object_of(file_, "none"), "gone",
                                                        SCORPIO_INT64, &value, sizeof value));
    EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_attribute_get(file_, object_of(file_, "v"), "units", SCORPIO_INT64,
                                                      &value, sizeof value));
    open_again(SCORPIO_READ);
  }
}

TEST_F(Definitions, Removal) {
  for (const char* path : {"keep/a", "gone/a", "gone/deeper/b", "alone"}) define(path);
  EXPECT_SUCCESS(scorpio_link_define(file_, "l", "/keep/a"));
  EXPECT_SUCCESS(scorpio_object_remove(file_, "gone/deeper"));
  open_again(SCORPIO_WRITE);
  EXPECT_EQ(SCORPIO_OBJECT_NONE, kind("gone/deeper/b"));
  EXPECT_SUCCESS(scorpio_object_remove(file_, "gone"));
  EXPECT_SUCCESS(scorpio_object_remove(file_, "/alone"));
  EXPECT_SUCCESS(scorpio_object_remove(file_, "l"));
  define("alone", {3, 3});  // its name is free again
  open_again(SCORPIO_READ);
  EXPECT_EQ(SCORPIO_OBJECT_NONE, kind("gone"));
  EXPECT_EQ(SCORPIO_OBJECT_NONE, kind("l"));
  EXPECT_EQ(SCORPIO_OBJECT_VARIABLE, kind("keep/a"));
  int variable = -1, ndims = 0;
  ASSERT_SUCCESS(scorpio_variable_find(file_, "alone", &variable));
  EXPECT_SUCCESS(scorpio_variable_inquire(file_, variable, nullptr, nullptr, &ndims, nullptr, 0));
  EXPECT_EQ(2, ndims);
}

TEST_F(Definitions, AFileOpenForReadingCannotBeChanged) {
  define("v");
  open_again(SCORPIO_READ);
  const int64_t dims[1] = {4};
  int variable = -1;
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_group_define(file_, "g", nullptr));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_variable_define(file_, "w", SCORPIO_INT8, 1, dims, &variable));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_object_remove(file_, "v"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_link_define(file_, "l", "/v"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_attribute_put(file_, SCORPIO_GLOBAL, "n", SCORPIO_INT64, 0, 0,
                                                         nullptr, SCORPIO_INT64, dims));
  const Layout layout = uniform_layout({8}, ranks_in());
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, put<int32_t>(file_, 0, Decomp(system_, layout), layout, 1, rank_in()));
  EXPECT_EQ(SCORPIO_OBJECT_VARIABLE, kind("v"));
}

TEST_F(Definitions, WhatIsRefusedOnAllRanksLeavesTheFileWhole) {
  const int64_t dims[1] = {8};
  int variable = -1;
  define("v");
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_variable_define(file_, "v", SCORPIO_INT8, 1, dims, &variable));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_define(file_, "w", SCORPIO_TEXT, 1, dims, &variable));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_define(file_, "w", SCORPIO_INT8, -1, dims, &variable));
  EXPECT_EQ(SCORPIO_ERR_TYPE,
            scorpio_variable_define(file_, "w", static_cast<scorpio_type>(99), 1, dims, &variable));
  EXPECT_NE(SCORPIO_OK, scorpio_group_define(file_, "v/below", nullptr));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_object_remove(file_, "none"));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_attribute_remove(file_, object_of(file_, "v"), "none"));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_EQ(SCORPIO_OBJECT_VARIABLE, kind("v"));
}

// Rank 0 puts two of eight elements of one variable; no rank puts the others, or elements of the other
// variables.
TEST_F(Definitions, FilledVariables) {
  const int64_t dims[1] = {8};
  const double nine = 9;
  int filled = -1, plain = -1, standard = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file_, "filled", SCORPIO_FLOAT64, 1, dims, &filled));
  EXPECT_SUCCESS(scorpio_variable_fill_define(file_, filled, 1, &nine));
  EXPECT_SUCCESS(scorpio_variable_define(file_, "plain", SCORPIO_FLOAT64, 1, dims, &plain));
  int previous = -1;
  EXPECT_SUCCESS(scorpio_file_fill_set(file_, 1, &previous));
  EXPECT_EQ(0, previous);
  EXPECT_SUCCESS(scorpio_variable_define(file_, "standard", SCORPIO_INT16, 1, dims, &standard));
  const int64_t start[1] = {3}, count[1] = {2};
  double two[2] = {1, 2};
  const scorpio_access part = scorpio_hyperslab(filled, start, count, SCORPIO_FLOAT64, two);
  EXPECT_SUCCESS(put_of_rank(file_, 0, part));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_variable_fill_define(file_, plain, 1, nullptr));

  const int64_t zero[1] = {0};
  std::array<double, 8> found{};
  std::array<int16_t, 8> shorts{};
  const scorpio_access all = scorpio_hyperslab(filled, zero, dims, SCORPIO_FLOAT64, found.data());
  EXPECT_SUCCESS(scorpio_get(file_, &all));
  EXPECT_EQ((std::array<double, 8>{9, 9, 9, 1, 2, 9, 9, 9}), found);
  const scorpio_access other = scorpio_hyperslab(standard, zero, dims, SCORPIO_INT16, shorts.data());
  EXPECT_SUCCESS(scorpio_get(file_, &other));
  EXPECT_EQ(-32767, shorts[0]);
  EXPECT_EQ(-32767, shorts[7]);
}

TEST_F(Definitions, VersionCodesAndNames) {
  EXPECT_STREQ("0.1.0", scorpio_version());
  for (int code = 0; code >= SCORPIO_ERR_POSTED; --code) {
    EXPECT_STRNE("unknown code", scorpio_code_text(code)) << code;
  }
  EXPECT_STREQ("unknown code", scorpio_code_text(1));
  uint64_t value = 0;
  for (const char* const* name = scorpio_counter_names(); *name != nullptr; ++name) {
    EXPECT_SUCCESS(scorpio_iosystem_counter(system_.get(), *name, &value)) << *name;
  }
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_iosystem_counter(system_.get(), "no_such", &value));
  EXPECT_NE(std::string::npos, system_.describe().find("staging_bytes"));
}

}  // namespace
}  // namespace scorpio::api_test
