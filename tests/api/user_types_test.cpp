// Files of h5py and netCDF-C with variables of compounds, arrays, enumerations and variable-length types:
// their types are described, and the bytes of those of fixed size are read and written by all ranks.
#include <bit>
#include <cstring>

#include "layout.h"
#include "support/python.h"

namespace scorpio::api_test {
namespace {

struct Point {
  int32_t n;
  double x;
  float v[3];
};

class UserTypes : public testing::TestWithParam<const char*> {
 protected:
  int run(const char* what) { return test::run_python("api/user_types.py", {GetParam(), what, path_}); }
  int find(const char* name) {
    int variable = -1;
    EXPECT_SUCCESS(scorpio_variable_find(file_, name, &variable)) << name;
    return variable;
  }
  std::string described(const char* name) {
    char text[300];
    size_t length = 0;
    EXPECT_SUCCESS(scorpio_variable_type_describe(file_, find(name), text, sizeof text, &length));
    EXPECT_EQ(strlen(text), length);
    return text;
  }
  void expect_opaque(const char* name, size_t bytes) {
    scorpio_type type = SCORPIO_INT8;
    size_t found = 0;
    EXPECT_SUCCESS(scorpio_variable_inquire(file_, find(name), &type, &found, nullptr, nullptr, 0));
    EXPECT_EQ(std::pair(SCORPIO_OPAQUE, bytes), std::pair(type, found)) << name;
    int readable = -1, writable = -1;
    char reason[200];
    EXPECT_SUCCESS(scorpio_variable_access_inquire(file_, find(name), &readable, &writable, reason,
                                                   sizeof reason, nullptr));
    EXPECT_EQ(std::pair(1, 1), std::pair(readable, writable)) << name << ": " << reason;
  }
  void expect_unreadable(const char* name, const std::string& reason) {
    int readable = -1;
    char text[300];
    EXPECT_SUCCESS(
        scorpio_variable_access_inquire(file_, find(name), &readable, nullptr, text, sizeof text, nullptr));
    EXPECT_EQ(0, readable) << name;
    EXPECT_NE(std::string::npos, std::string(text).find(reason)) << text;
  }
  // Of this rank.
  std::vector<Point> points(int first, int sign) const {
    std::vector<Point> all;
    for (const int64_t e : layout_.of(rank_in())) {
      Point one;
      std::memset(&one, 0, sizeof one);
      const auto f = static_cast<float>(e);
      one.n = static_cast<int32_t>(e) + first;
      one.x = sign * (static_cast<double>(e) + 0.5);
      for (int i = 0; i < 3; ++i) one.v[i] = f + static_cast<float>(i);
      all.push_back(one);
    }
    return all;
  }
  template <typename Element>
  std::vector<Element> get(const char* name, scorpio_type type) {
    std::vector<Element> found(layout_.of(rank_in()).size());
    EXPECT_SUCCESS(scorpio_get_darray(file_, find(name), parts_.get(), 0, type, found.data())) << name;
    return found;
  }
  template <typename Element>
  void put(const char* name, scorpio_type type, const std::vector<Element>& values) {
    EXPECT_SUCCESS(scorpio_put_darray(file_, find(name), parts_.get(), 0, type, values.data())) << name;
  }
  void expect_points(const char* name, int first, int sign) {
    const auto expected = points(first, sign), found = get<Point>(name, SCORPIO_OPAQUE);
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(std::tuple(expected[i].n, expected[i].x), std::tuple(found[i].n, found[i].x)) << name << i;
      for (int k = 0; k < 3; ++k) ASSERT_EQ(expected[i].v[k], found[i].v[k]) << name << i;
    }
  }
  // A big-endian array in each element, which one rank reads and doubles.
  void double_arrays() {
    std::vector<uint32_t> words(72);
    const int64_t start = 0, count = 12;
    scorpio_access access = scorpio_hyperslab(find("arrays"), &start, &count, SCORPIO_OPAQUE, words.data());
    access.sharing = SCORPIO_ALL_RANKS;
    EXPECT_SUCCESS(scorpio_get(file_, &access));
    for (size_t i = 0; i < words.size(); ++i) {
      const auto value = std::bit_cast<float>(__builtin_bswap32(words[i]));
      ASSERT_EQ(static_cast<float>(i), value) << i;
      words[i] = __builtin_bswap32(std::bit_cast<uint32_t>(2 * value));
    }
    EXPECT_SUCCESS(scorpio_put(file_, &access));
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "file";
  const System system_;
  const Layout layout_ = uniform_layout({12, 10}, ranks_in());
  const Decomp parts_{system_, layout_};
  scorpio_file* file_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Makers, UserTypes, testing::Values("h5py", "netCDF4"),
                         [](const auto& maker) { return std::string(maker.param); });

TEST_P(UserTypes, AreReadAndWrittenAsBytes) {
  const int made = run("make");
  if (made == 77) GTEST_SKIP() << "a module of Python is missing";
  ASSERT_EQ(0, made);
  const bool h5py = std::string(GetParam()) == "h5py";
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
  const std::string members = "{n: int32 at 0, x: float64 at 8, v: array [3] of float32 at 16} of 32 bytes";
  EXPECT_EQ("compound " + members, described("plain"));
  EXPECT_EQ("compound " + members, described("packed"));
  EXPECT_EQ(
      std::string("enumeration of int8 {") + (h5py ? "MAYBE: 7, NO: 0, YES: 1}" : "NO: 0, YES: 1, MAYBE: 7}"),
      described("answers"));
  EXPECT_EQ("variable-length sequence of int32", described("ragged"));
  expect_unreadable("ragged", "variable-length sequence");
  for (const char* name : {"plain", "packed", "unput"}) expect_opaque(name, sizeof(Point));
  if (h5py) {
    EXPECT_EQ("array [2][3] of float32 (big-endian)", described("arrays"));
    expect_opaque("arrays", 24);
    expect_unreadable("names", "variable-length text at 0");
    expect_unreadable("to", "reference");
    double_arrays();
    EXPECT_SUCCESS(scorpio_attribute_rename(file_, find("plain"), "origin", "corner"));
  }
  for (const char* name : {"plain", "packed"}) expect_points(name, 0, 1);
  EXPECT_EQ(std::vector<int8_t>(layout_.of(rank_in()).size(), 0), get<int8_t>("answers", SCORPIO_INT8));
  for (const char* name : {"plain", "packed", "unput"}) put(name, SCORPIO_OPAQUE, points(1000, -1));
  put("answers", SCORPIO_INT8, std::vector<int8_t>(layout_.of(rank_in()).size(), 7));
  expect_points("unput", 1000, -1);
  std::vector<int32_t> integers(layout_.of(rank_in()).size());
  EXPECT_EQ(SCORPIO_ERR_TYPE,
            scorpio_get_darray(file_, find("plain"), parts_.get(), 0, SCORPIO_INT32, integers.data()));
  EXPECT_SUCCESS(scorpio_file_close(file_));
  EXPECT_EQ(0u, system_.sum("fallback_reads"));
  EXPECT_EQ(0, run("check"));
}

}  // namespace
}  // namespace scorpio::api_test
