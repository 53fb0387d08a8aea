// Files of h5py and netCDF-C with variables and attributes of compounds, arrays, enumerations and
// variable-length types: their types are described, the bytes of variables of fixed size are read and written
// by all ranks, and attributes of fixed size are read, and copied with their type.
#include <array>
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
  std::string described(int object, const char* attribute) {
    char text[300];
    size_t length = 0;
    EXPECT_SUCCESS(scorpio_attribute_type_describe(file_, object, attribute, text, sizeof text, &length));
    EXPECT_EQ(strlen(text), length);
    return text;
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
  void expect_attribute(int object, const char* name, const std::string& what, scorpio_type type,
                        size_t bytes, const Extents& extents) {
    SCOPED_TRACE(name);
    EXPECT_EQ(what, described(object, name));
    scorpio_type found{};
    size_t size = 0;
    int ndims = -1;
    Extents dims(extents.size(), -1);
    EXPECT_SUCCESS(scorpio_attribute_inquire(file_, object, name, &found, &size, &ndims, dims.data(),
                                             static_cast<int>(dims.size())));
    EXPECT_EQ(std::tuple(type, bytes, static_cast<int>(extents.size()), extents),
              std::tuple(found, size, ndims, dims));
  }
  void expect_unreadable_attribute(int object, const char* name, const std::string& reason) {
    int readable = -1;
    char text[300];
    EXPECT_SUCCESS(
        scorpio_attribute_access_inquire(file_, object, name, &readable, text, sizeof text, nullptr));
    EXPECT_EQ(0, readable) << name;
    EXPECT_NE(std::string::npos, std::string(text).find(reason)) << text;
    EXPECT_NE(std::string::npos, described(object, name).find(reason));
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED,
              scorpio_attribute_get(file_, object, name, SCORPIO_OPAQUE, text, sizeof text));
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_attribute_copy(file_, object, name, file_, SCORPIO_GLOBAL));
  }
  // `points`: the first ones, and after each row of `columns` points those of the next row.
  static void expect_row(const Point* points, size_t n, int columns) {
    for (size_t i = 0; i < n; ++i) {
      const int e = static_cast<int>(i) / columns * 10 + static_cast<int>(i) % columns;
      EXPECT_EQ(std::tuple(e, e + 0.5, static_cast<float>(e + 2)),
                std::tuple(points[i].n, points[i].x, points[i].v[2]));
    }
  }
  void copy_facts(scorpio_file* to, int object, int of_bytes, int of_numbers) {
    for (const char* name : {"points", "named", "rows", "bits", "nothing"})
      EXPECT_EQ(of_bytes, scorpio_attribute_copy(file_, facts_, name, to, object)) << name;
    if (of_bytes != SCORPIO_OK) {
      (void)scorpio_attribute_copy(file_, facts_, "rows", to, object);
      EXPECT_NE(std::string::npos, last_text().find("'rows' is array [2][3] of float32")) << last_text();
    }
    for (const char* name : {"answer", "flags"})
      EXPECT_EQ(of_numbers, scorpio_attribute_copy(file_, facts_, name, to, object)) << name;
  }
  // By all ranks from `file_`, which may be eager, as the other file may.
  void copy_facts_to(const std::string& path, const Settings& settings, int of_bytes) {
    SCOPED_TRACE(path);
    scorpio_file* to = nullptr;
    const OptionList options(settings);
    ASSERT_SUCCESS(
        scorpio_file_create(system_.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &to));
    int variable = -1;
    const int64_t extent = 2;
    EXPECT_SUCCESS(scorpio_variable_define(to, "v", SCORPIO_INT8, 1, &extent, &variable));
    copy_facts(to, variable, of_bytes, SCORPIO_OK);
    copy_facts(to, SCORPIO_GLOBAL, of_bytes, SCORPIO_OK);
    int8_t flags[3] = {};
    EXPECT_SUCCESS(scorpio_attribute_get(to, variable, "flags", SCORPIO_INT8, flags, sizeof flags));
    EXPECT_EQ((std::array<int8_t, 3>{1, 0, 1}), std::to_array(flags));
    if (of_bytes != SCORPIO_OK) {
      char text[40];
      EXPECT_SUCCESS(scorpio_attribute_type_describe(to, variable, "flags", text, sizeof text, nullptr));
      EXPECT_STREQ("int8", text);
    }
    EXPECT_SUCCESS(scorpio_file_close(to));
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
  int facts_ = -1;
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

TEST_P(UserTypes, OfAttributesAreReadAndCopied) {
  const int made = run("make");
  if (made == 77) GTEST_SKIP() << "a module of Python is missing";
  ASSERT_EQ(0, made);
  const std::string point =
      "compound {n: int32 at 0, x: float64 at 8, v: array [3] of float32 at 16} of 32 bytes";
  if (std::string(GetParam()) == "netCDF4") {
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
    expect_attribute(find("plain"), "points", point, SCORPIO_OPAQUE, sizeof(Point), {3});
    std::array<Point, 3> points{};
    EXPECT_SUCCESS(
        scorpio_attribute_get(file_, find("plain"), "points", SCORPIO_OPAQUE, points.data(), sizeof points));
    expect_row(points.data(), 3, 3);
    EXPECT_EQ(SCORPIO_ERR_TYPE,
              scorpio_attribute_copy(file_, find("plain"), "points", file_, SCORPIO_GLOBAL));
    EXPECT_NE(std::string::npos, last_text().find("netcdf4")) << last_text();
    EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_attribute_get(file_, find("plain"), "points", SCORPIO_FLOAT64,
                                                      points.data(), sizeof points));
    EXPECT_SUCCESS(scorpio_attribute_rename(file_, find("plain"), "points", "renamed"));
    EXPECT_SUCCESS(scorpio_file_close(file_));
    EXPECT_EQ(0, run("renamed"));
    return;
  }
  for (const char* eager : {"false", "true"}) {
    SCOPED_TRACE(eager);
    const OptionList options(Settings{{"eager", eager}});
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, options.get(), &file_));
    ASSERT_SUCCESS(scorpio_group_find(file_, "/facts", &facts_));
    expect_attribute(facts_, "points", point, SCORPIO_OPAQUE, sizeof(Point), {2, 3});
    expect_attribute(facts_, "named", point, SCORPIO_OPAQUE, sizeof(Point), {});
    expect_attribute(facts_, "answer", "enumeration of int8 {MAYBE: 7, NO: 0, YES: 1}", SCORPIO_INT8, 1, {});
    expect_attribute(facts_, "flags", "enumeration of int8 {FALSE: 0, TRUE: 1}", SCORPIO_INT8, 1, {3});
    expect_attribute(facts_, "rows", "array [2][3] of float32 (big-endian)", SCORPIO_OPAQUE, 24, {});
    expect_attribute(facts_, "bits", "bit field of 2 bytes", SCORPIO_OPAQUE, 2, {});
    expect_attribute(facts_, "nothing", point, SCORPIO_OPAQUE, sizeof(Point), {0});
    std::array<Point, 6> points{};
    EXPECT_SUCCESS(
        scorpio_attribute_get(file_, facts_, "points", SCORPIO_OPAQUE, points.data(), sizeof points));
    expect_row(points.data(), 6, 3);
    uint8_t bits[2] = {};
    EXPECT_SUCCESS(scorpio_attribute_get(file_, facts_, "bits", SCORPIO_OPAQUE, bits, sizeof bits));
    EXPECT_EQ(std::pair(1, 2), std::pair(int{bits[0]}, int{bits[1]}));
    expect_unreadable_attribute(facts_, "ragged", "variable-length sequence of int32");
    expect_unreadable_attribute(facts_, "to", "reference");
    expect_unreadable_attribute(facts_, "strings", "variable-length text at 0");

    const std::string copy = folder_ / "copy";
    for (const char* to_eager : {"false", "true"}) {
      copy_facts_to(copy, {{"format", "hdf5"}, {"eager", to_eager}, {"replace", "true"}}, SCORPIO_OK);
      EXPECT_EQ(0, test::run_python("api/user_types.py", {GetParam(), "copied", copy}));
    }
    for (const char* format : {"netcdf4", "cdf1", "cdf5"})
      copy_facts_to(folder_ / format, {{"format", format}, {"replace", "true"}}, SCORPIO_ERR_TYPE);
    copy_facts(file_, SCORPIO_GLOBAL, SCORPIO_OK, SCORPIO_OK);
    EXPECT_SUCCESS(scorpio_file_close(file_));
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file_));
    expect_attribute(SCORPIO_GLOBAL, "points", point, SCORPIO_OPAQUE, sizeof(Point), {2, 3});
    EXPECT_SUCCESS(scorpio_file_close(file_));
  }
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
  ASSERT_SUCCESS(scorpio_group_find(file_, "/facts", &facts_));
  for (const std::string name : {"named", "big", "ragged"})
    EXPECT_SUCCESS(scorpio_attribute_rename(file_, facts_, name.c_str(), ("renamed " + name).c_str()));
  EXPECT_SUCCESS(scorpio_file_close(file_));
  EXPECT_EQ(0, run("renamed"));
}

}  // namespace
}  // namespace scorpio::api_test
