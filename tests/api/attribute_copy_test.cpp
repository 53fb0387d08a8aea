// Attributes that are copied between objects, files, formats and I/O systems.
#include <array>
#include <memory>
#include <tuple>

#include "session.h"

namespace scorpio::api_test {
namespace {

// A file with a variable "v", which is closed at the end.
class OneFile {
 public:
  OneFile(const System& system, std::string path, const Settings& settings)
      : system_(system), path_(std::move(path)) {
    const OptionList options(settings);
    EXPECT_SUCCESS(
        scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
    const int64_t extent = 4;
    EXPECT_SUCCESS(scorpio_variable_define(file_, "v", SCORPIO_FLOAT32, 1, &extent, &variable_));
  }
  ~OneFile() { EXPECT_SUCCESS(scorpio_file_close(file_)); }
  OneFile(const OneFile&) = delete;
  OneFile& operator=(const OneFile&) = delete;

  scorpio_file* get() const { return file_; }
  int variable() const { return variable_; }
  void open_again(scorpio_open_mode mode) {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    file_ = nullptr;
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), mode, nullptr, &file_));
  }

 private:
  const System& system_;
  const std::string path_;
  scorpio_file* file_ = nullptr;
  int variable_ = -1;
};

// What an attribute is: type, length of an element, number of elements, bytes.
using Description = std::tuple<scorpio_type, size_t, int64_t, std::string>;

Description description_of(scorpio_file* file, int object, const std::string& name) {
  scorpio_type type{};
  size_t bytes = 0;
  int ndims = -1;
  std::array<int64_t, 4> dims{};
  EXPECT_SUCCESS(
      scorpio_attribute_inquire(file, object, name.c_str(), &type, &bytes, &ndims, dims.data(), 4));
  int64_t elements = 1;
  for (int d = 0; d < ndims; ++d) elements *= dims[static_cast<size_t>(d)];
  std::string value(static_cast<size_t>(elements) * bytes, '?');
  EXPECT_SUCCESS(scorpio_attribute_get(file, object, name.c_str(), type, value.data(), value.size()));
  return {type, bytes, elements, value};
}

std::vector<std::string> names_of(scorpio_file* file, int object) {
  int count = 0;
  EXPECT_SUCCESS(scorpio_attribute_count(file, object, &count));
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    std::array<char, 50> name{};
    EXPECT_SUCCESS(scorpio_attribute_name(file, object, i, name.data(), name.size(), nullptr));
    names.emplace_back(name.data());
  }
  return names;
}

void put_some(scorpio_file* file, int object) {
  const double doubles[] = {1.5, -2.5, 1e300};
  const int16_t one = -7;
  const int8_t bytes[] = {-1, 0, 1};
  EXPECT_SUCCESS(scorpio_attribute_put_text(file, object, "text", "as it is"));
  EXPECT_SUCCESS(scorpio_attribute_put(file, object, "padded", SCORPIO_TEXT, 8, 0, nullptr, SCORPIO_TEXT,
                                       "abc\0\0\0\0"));
  EXPECT_SUCCESS(scorpio_attribute_put_values(file, object, "doubles", SCORPIO_FLOAT64, 3, doubles));
  EXPECT_SUCCESS(scorpio_attribute_put_values(file, object, "one", SCORPIO_INT16, 1, &one));
  EXPECT_SUCCESS(scorpio_attribute_put_values(file, object, "bytes", SCORPIO_INT8, 3, bytes));
  EXPECT_SUCCESS(scorpio_attribute_put_values(file, object, "none", SCORPIO_INT32, 0, nullptr));
}

class AttributeCopies : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  const TemporaryFolder folder_;
  const System system_, other_{Settings{{"io_ranks", "1"}}};
};

TEST_P(AttributeCopies, KeepTypeValuesAndOrder) {
  const auto [from_format, to_format] = GetParam();
  OneFile from(system_, folder_ / "from", {{"format", from_format}});
  OneFile to(other_, folder_ / "to", {{"format", to_format}});
  put_some(from.get(), from.variable());
  const int32_t old = 3;
  EXPECT_SUCCESS(scorpio_attribute_put_values(to.get(), SCORPIO_GLOBAL, "doubles", SCORPIO_INT32, 1, &old));
  const std::vector<std::string> names = names_of(from.get(), from.variable());
  for (int pass = 0; pass < 2; ++pass) {  // as they were put, and as they were read
    SCOPED_TRACE(pass);
    for (const std::string& name : names) {
      for (const int object : {to.variable(), SCORPIO_GLOBAL})
        EXPECT_SUCCESS(scorpio_attribute_copy(from.get(), from.variable(), name.c_str(), to.get(), object));
    }
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(names, names_of(to.get(), to.variable()));
      for (const std::string& name : names) {
        SCOPED_TRACE(name);
        const Description expected = description_of(from.get(), from.variable(), name);
        EXPECT_EQ(expected, description_of(to.get(), to.variable(), name));
        EXPECT_EQ(expected, description_of(to.get(), SCORPIO_GLOBAL, name));
      }
      if (again == 0) to.open_again(SCORPIO_WRITE);
    }
    EXPECT_EQ("doubles", names_of(to.get(), SCORPIO_GLOBAL).front()) << "it keeps its place";
    from.open_again(SCORPIO_READ);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, AttributeCopies,
                         testing::Combine(testing::Values("hdf5", "cdf1", "cdf5"),
                                          testing::Values("hdf5", "cdf1", "cdf5")),
                         [](const auto& formats) {
                           return std::string(std::get<0>(formats.param)) + "_to_" +
                                  std::get<1>(formats.param);
                         });

class AttributeCopy : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const System system_;
};

TEST_F(AttributeCopy, WithinAFile) {
  OneFile file(system_, folder_ / "file", {});
  int group = 0;
  EXPECT_SUCCESS(scorpio_group_define(file.get(), "g", &group));
  put_some(file.get(), group);
  const std::vector<std::string> names = names_of(file.get(), group);
  for (const std::string& name : names) {
    for (const int object : {group, file.variable()})  // on itself, too
      EXPECT_SUCCESS(scorpio_attribute_copy(file.get(), group, name.c_str(), file.get(), object));
    EXPECT_EQ(description_of(file.get(), group, name), description_of(file.get(), file.variable(), name));
  }
  EXPECT_EQ(names, names_of(file.get(), group));
}

// HDF5 keeps an empty text as one NUL.
TEST_P(AttributeCopies, OfAnEmptyText) {
  const auto [from_format, to_format] = GetParam();
  OneFile from(system_, folder_ / "from", {{"format", from_format}});
  OneFile to(other_, folder_ / "to", {{"format", to_format}});
  EXPECT_SUCCESS(scorpio_attribute_put_text(from.get(), SCORPIO_GLOBAL, "empty", ""));
  from.open_again(SCORPIO_READ);
  EXPECT_SUCCESS(scorpio_attribute_copy(from.get(), SCORPIO_GLOBAL, "empty", to.get(), to.variable()));
  to.open_again(SCORPIO_READ);
  size_t length = 99;
  EXPECT_SUCCESS(scorpio_attribute_get_text(to.get(), to.variable(), "empty", nullptr, 0, &length));
  EXPECT_EQ(0u, length);
}

// Scalars, several dimensions and texts of one length, as only HDF5 keeps them.
TEST_F(AttributeCopy, KeepsExtents) {
  OneFile from(system_, folder_ / "from", {}), to(system_, folder_ / "to", {});
  const int64_t dims[] = {2, 3};
  const int32_t values[] = {1, 2, 3, 4, 5, 6};
  EXPECT_SUCCESS(scorpio_attribute_put(from.get(), SCORPIO_GLOBAL, "table", SCORPIO_INT32, 0, 2, dims,
                                       SCORPIO_INT32, values));
  EXPECT_SUCCESS(scorpio_attribute_put(from.get(), SCORPIO_GLOBAL, "names", SCORPIO_TEXT, 4, 1, dims,
                                       SCORPIO_TEXT, "one\0four"));
  EXPECT_SUCCESS(scorpio_attribute_put(from.get(), SCORPIO_GLOBAL, "scalar", SCORPIO_INT32, 0, 0, nullptr,
                                       SCORPIO_INT32, values));
  for (const char* name : {"table", "names", "scalar"}) {
    EXPECT_SUCCESS(scorpio_attribute_copy(from.get(), SCORPIO_GLOBAL, name, to.get(), to.variable()));
    EXPECT_EQ(description_of(from.get(), SCORPIO_GLOBAL, name),
              description_of(to.get(), to.variable(), name));
  }
  int ndims = -1;
  std::array<int64_t, 2> extents{};
  EXPECT_SUCCESS(scorpio_attribute_inquire(to.get(), to.variable(), "table", nullptr, nullptr, &ndims,
                                           extents.data(), 2));
  EXPECT_EQ(2, ndims);
  EXPECT_EQ((std::array<int64_t, 2>{2, 3}), extents);
  EXPECT_SUCCESS(
      scorpio_attribute_inquire(to.get(), to.variable(), "scalar", nullptr, nullptr, &ndims, nullptr, 0));
  EXPECT_EQ(0, ndims);
}

TEST_F(AttributeCopy, IsRefusedAsAPutIs) {
  OneFile from(system_, folder_ / "from", {}), to(system_, folder_ / "to", {{"format", "cdf1"}});
  const uint16_t wide = 60000;
  EXPECT_SUCCESS(scorpio_attribute_put_values(from.get(), SCORPIO_GLOBAL, "wide", SCORPIO_UINT16, 1, &wide));
  EXPECT_SUCCESS(scorpio_attribute_put_text(from.get(), SCORPIO_GLOBAL, "short", "abc"));
  EXPECT_SUCCESS(scorpio_attribute_put_text(from.get(), SCORPIO_GLOBAL, "a/b", "the name has a slash"));
  EXPECT_SUCCESS(
      scorpio_attribute_put_values(from.get(), SCORPIO_GLOBAL, "_FillValue", SCORPIO_UINT16, 1, &wide));
  const auto copy = [&](const char* name, int from_object, int to_object) {
    return scorpio_attribute_copy(from.get(), from_object, name, to.get(), to_object);
  };
  EXPECT_EQ(SCORPIO_ERR_TYPE, copy("wide", SCORPIO_GLOBAL, SCORPIO_GLOBAL));
  EXPECT_EQ(SCORPIO_ERR_TYPE, copy("_FillValue", SCORPIO_GLOBAL, to.variable()));
  EXPECT_EQ(SCORPIO_ERR_NAME, copy("a/b", SCORPIO_GLOBAL, SCORPIO_GLOBAL));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, copy("nothing", SCORPIO_GLOBAL, SCORPIO_GLOBAL));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, copy(nullptr, SCORPIO_GLOBAL, SCORPIO_GLOBAL));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, copy("short", 99, SCORPIO_GLOBAL));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, copy("short", SCORPIO_GLOBAL, 99));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_attribute_copy(nullptr, 0, "short", to.get(), 0));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_attribute_copy(from.get(), 0, "short", nullptr, 0));
  EXPECT_SUCCESS(scorpio_define_end(to.get()));
  EXPECT_EQ(SCORPIO_ERR_STATE, copy("short", SCORPIO_GLOBAL, SCORPIO_GLOBAL)) << "there is no room for it";
  EXPECT_SUCCESS(scorpio_define_begin(to.get()));
  EXPECT_SUCCESS(copy("short", SCORPIO_GLOBAL, SCORPIO_GLOBAL));
  EXPECT_SUCCESS(scorpio_define_end(to.get()));
  EXPECT_SUCCESS(copy("short", SCORPIO_GLOBAL, SCORPIO_GLOBAL));
  to.open_again(SCORPIO_READ);
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, copy("short", SCORPIO_GLOBAL, SCORPIO_GLOBAL));
}

// In an eager file every rank takes part in a copy that one of them got wrong.
TEST_F(AttributeCopy, OfAndToAnEagerFile) {
  OneFile eager(system_, folder_ / "eager", {{"eager", "true"}}), plain(system_, folder_ / "plain", {});
  EXPECT_SUCCESS(scorpio_attribute_put_text(eager.get(), SCORPIO_GLOBAL, "units", "m"));
  EXPECT_SUCCESS(scorpio_attribute_put_text(plain.get(), SCORPIO_GLOBAL, "title", "t"));
  EXPECT_SUCCESS(scorpio_attribute_copy(eager.get(), SCORPIO_GLOBAL, "units", plain.get(), plain.variable()));
  EXPECT_SUCCESS(scorpio_attribute_copy(plain.get(), SCORPIO_GLOBAL, "title", eager.get(), eager.variable()));
  EXPECT_SUCCESS(scorpio_attribute_copy(eager.get(), SCORPIO_GLOBAL, "units", eager.get(), eager.variable()));
  EXPECT_EQ(description_of(eager.get(), SCORPIO_GLOBAL, "units"),
            description_of(plain.get(), plain.variable(), "units"));
  EXPECT_EQ(description_of(plain.get(), SCORPIO_GLOBAL, "title"),
            description_of(eager.get(), eager.variable(), "title"));
  const int wrong = rank_in() == ranks_in() - 1 ? 99 : SCORPIO_GLOBAL;
  EXPECT_EQ(SCORPIO_ERR_HANDLE,
            scorpio_attribute_copy(plain.get(), SCORPIO_GLOBAL, "title", eager.get(), wrong));
  EXPECT_EQ(SCORPIO_ERR_HANDLE,
            scorpio_attribute_copy(eager.get(), wrong, "units", eager.get(), SCORPIO_GLOBAL));
}

}  // namespace
}  // namespace scorpio::api_test
