// scorpio_definitions_keep() and scorpio_definitions_undo(): a rank returns to the definitions that it had.
#include <string>
#include <vector>

#include "layout.h"

namespace scorpio::api_test {
namespace {

class Undo : public testing::TestWithParam<const char*> {
 protected:
  bool is_classic() const { return std::string(GetParam()) == "cdf5"; }

  void create(const Settings& more = {}) {
    Settings settings{{"format", GetParam()}};
    settings.insert(settings.end(), more.begin(), more.end());
    const OptionList options(settings);
    ASSERT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
  }
  // x(4), v(x) with the attribute "text", and data.
  void make() {
    create();
    EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", 4, &x_));
    EXPECT_SUCCESS(scorpio_variable_define_on(file_, "v", SCORPIO_INT32, 1, &x_, &v_));
    EXPECT_SUCCESS(scorpio_attribute_put_text(file_, v_, "text", "as it was"));
    put(v_, 1);
    EXPECT_SUCCESS(scorpio_file_sync(file_));
  }
  void put(int variable, int first) {
    const int64_t start = 0, count = 4;
    std::vector<int> data{first, first + 1, first + 2, first + 3};
    scorpio_access access = scorpio_hyperslab(variable, &start, &count, SCORPIO_INT32, data.data());
    access.sharing = SCORPIO_ALL_RANKS;
    EXPECT_SUCCESS(scorpio_put(file_, &access));
  }
  std::vector<int> get(const char* name) {
    const int64_t start = 0, count = 4;
    std::vector<int> data(4, -1);
    int variable = -1;
    EXPECT_SUCCESS(scorpio_variable_find(file_, name, &variable));
    scorpio_access access = scorpio_hyperslab(variable, &start, &count, SCORPIO_INT32, data.data());
    access.sharing = SCORPIO_ALL_RANKS;
    EXPECT_SUCCESS(scorpio_get(file_, &access));
    return data;
  }
  std::string text(int object, const char* name) {
    char found[64] = "";
    (void)scorpio_attribute_get_text(file_, object, name, found, sizeof found, nullptr);
    return found;
  }
  // What each rank defines by itself.
  void define_others() {
    const std::string mine = std::to_string(rank_in());
    int y = -1, w = -1;
    EXPECT_SUCCESS(scorpio_dimension_define(file_, ("y" + mine).c_str(), 3 + rank_in(), &y));
    EXPECT_SUCCESS(scorpio_variable_define_on(file_, ("w" + mine).c_str(), SCORPIO_FLOAT64, 1, &y, &w));
    EXPECT_SUCCESS(scorpio_variable_fill_define(file_, w, 1, nullptr));
    if (!is_classic()) {
      const int64_t chunk = 2;
      EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, w, &chunk));
    }
    EXPECT_SUCCESS(scorpio_attribute_put_text(file_, v_, "text", ("text " + mine).c_str()));
    EXPECT_SUCCESS(scorpio_attribute_put_text(file_, SCORPIO_GLOBAL, "new", mine.c_str()));
    EXPECT_SUCCESS(scorpio_variable_rename(file_, v_, ("renamed" + mine).c_str()));
    EXPECT_SUCCESS(scorpio_file_fill_set(file_, 1, nullptr));
  }
  void expect_none_of_them() {
    int count = 0, found = -1, filled = 1;
    EXPECT_SUCCESS(scorpio_file_variables(file_, nullptr, 0, &count));
    EXPECT_EQ(1, count);
    EXPECT_SUCCESS(scorpio_dimension_count(file_, &count));
    EXPECT_EQ(1, count);
    EXPECT_SUCCESS(scorpio_variable_find(file_, "v", &found));
    EXPECT_EQ(v_, found);
    EXPECT_EQ("as it was", text(v_, "text"));
    EXPECT_SUCCESS(scorpio_attribute_count(file_, SCORPIO_GLOBAL, &count));
    EXPECT_EQ(0, count);
    EXPECT_SUCCESS(scorpio_file_fill_set(file_, 0, &filled));
    EXPECT_EQ(0, filled);
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "file";
  const System system_;
  scorpio_file* file_ = nullptr;
  int x_ = -1, v_ = -1;
};

INSTANTIATE_TEST_SUITE_P(Formats, Undo, testing::Values("hdf5", "netcdf4", "cdf5"),
                         [](const auto& format) { return std::string(format.param); });

TEST_P(Undo, DefinitionsOfEachRankThatDiffer) {
  make();
  if (is_classic()) {
    EXPECT_SUCCESS(scorpio_define_begin(file_));
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_SUCCESS(scorpio_definitions_keep(file_));
    define_others();
    EXPECT_SUCCESS(scorpio_definitions_undo(file_));
    expect_none_of_them();
  }
  int w = -1;
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "w", SCORPIO_INT32, 1, &x_, &w));
  EXPECT_EQ(v_ + 1, w);
  put(w, 5);
  EXPECT_SUCCESS(scorpio_file_close(file_));
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file_));
  EXPECT_EQ((std::vector<int>{1, 2, 3, 4}), get("v"));
  EXPECT_EQ((std::vector<int>{5, 6, 7, 8}), get("w"));
  EXPECT_EQ("as it was", text(v_, "text"));
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

// Before the file has any data.
TEST_P(Undo, InANewFile) {
  create();
  EXPECT_SUCCESS(scorpio_definitions_keep(file_));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", 5 + rank_in(), &x_));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "other", SCORPIO_FLOAT64, 1, &x_, &v_));
  EXPECT_SUCCESS(scorpio_definitions_undo(file_));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", 4, &x_));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "v", SCORPIO_INT32, 1, &x_, &v_));
  EXPECT_EQ(0, v_);
  put(v_, 1);
  EXPECT_EQ((std::vector<int>{1, 2, 3, 4}), get("v"));
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

TEST_P(Undo, OtherCallsDropWhatIsKept) {
  make();
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_definitions_undo(file_));
  EXPECT_NE(last_text().find("scorpio_definitions_keep()"), std::string::npos) << last_text();
  EXPECT_SUCCESS(scorpio_definitions_keep(file_));
  EXPECT_SUCCESS(scorpio_definitions_undo(file_));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_definitions_undo(file_));
  int data[4] = {1, 2, 3, 4};
  const int64_t start = 0, count = 4;
  const scorpio_access access = scorpio_hyperslab(v_, &start, &count, SCORPIO_INT32, data);
  const std::vector<std::function<int()>> calls{
      [&] { return scorpio_iput(file_, &access, nullptr); },
      [&] { return scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr); },
      [&] { return scorpio_put(file_, &access); }, [&] { return scorpio_get(file_, &access); },
      [&] { return scorpio_file_sync(file_); }};
  for (const auto& call : calls) {
    EXPECT_SUCCESS(scorpio_definitions_keep(file_));
    EXPECT_SUCCESS(call());
    EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_definitions_undo(file_));
  }
  EXPECT_EQ((std::vector<int>{1, 2, 3, 4}), get("v"));
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

TEST_P(Undo, InAnEagerFile) {
  if (std::string(GetParam()) != "hdf5") GTEST_SKIP() << "no eager file";
  create({{"eager", "true"}});
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_definitions_keep(file_));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_definitions_undo(file_));
  EXPECT_SUCCESS(scorpio_file_close(file_));
}

}  // namespace
}  // namespace scorpio::api_test
