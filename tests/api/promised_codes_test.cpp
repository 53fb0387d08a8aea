// Codes that the headers promise for definitions, attributes and inquiry, call by call. Other tests say what
// the texts are and what else happens; here each code is only provoked.
#include <array>

#include "session.h"

namespace scorpio::api_test {
namespace {

constexpr int k_no_object = 99;
constexpr int64_t k_huge[] = {int64_t{1} << 40, int64_t{1} << 21};

class PromisedCodes : public testing::Test {
 protected:
  PromisedCodes() {
    create(&new_, "new", "hdf5");
    create(&defining_, "defining", "cdf5");
    create(&holding_, "holding", "cdf5");
    EXPECT_SUCCESS(scorpio_define_end(holding_));
    create(&reading_, "reading", "hdf5");
    EXPECT_SUCCESS(scorpio_file_close(reading_));
    EXPECT_SUCCESS(
        scorpio_file_open(system_.get(), (folder_ / "reading").c_str(), SCORPIO_READ, nullptr, &reading_));
    EXPECT_SUCCESS(scorpio_link_define(new_, "/l", "/v"));
    EXPECT_SUCCESS(scorpio_group_define(new_, "/g", &group_));
  }
  // What was refused on all ranks costs no file anything.
  ~PromisedCodes() override {
    for (scorpio_file* file : {new_, defining_, holding_, reading_}) EXPECT_SUCCESS(scorpio_file_close(file));
  }

  // With a dimension, a variable and two attributes.
  void create(scorpio_file** file, const std::string& name, const char* format) {
    const OptionList options(Settings{{"format", format}});
    EXPECT_SUCCESS(scorpio_file_create(system_.get(), (folder_ / name).c_str(), SCORPIO_FORMAT_DEFAULT,
                                       options.get(), file));
    EXPECT_SUCCESS(scorpio_dimension_define(*file, "x", 4, &x_));
    EXPECT_SUCCESS(scorpio_variable_define_on(*file, "v", SCORPIO_INT32, 1, &x_, &v_));
    EXPECT_SUCCESS(scorpio_attribute_put_text(*file, v_, "text", "abc"));
    const int32_t number = 300;
    EXPECT_SUCCESS(scorpio_attribute_put_values(*file, v_, "number", SCORPIO_INT32, 1, &number));
  }

  static int unlimited_dimension(scorpio_file* file) {
    int id = -1;
    EXPECT_SUCCESS(scorpio_dimension_define(file, "unlimited", SCORPIO_UNLIMITED, &id));
    return id;
  }

  const TemporaryFolder folder_;
  const System system_;
  scorpio_file *new_ = nullptr, *defining_ = nullptr, *holding_ = nullptr, *reading_ = nullptr;
  int x_ = -1, v_ = -1, group_ = 0;
};

TEST_F(PromisedCodes, OfAttributesThatArePut) {
  const int32_t one = 1;
  const int64_t many = int64_t{1} << 40;
  const auto put = [&](scorpio_file* file, int object, const char* name, int ndims = 0) {
    return scorpio_attribute_put(file, object, name, SCORPIO_INT32, 0, ndims, &many, SCORPIO_INT32, &one);
  };
  EXPECT_EQ(SCORPIO_ERR_HANDLE, put(new_, k_no_object, "a"));
  EXPECT_EQ(SCORPIO_ERR_NAME, put(defining_, v_, "a/b"));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, put(new_, v_, "a", 1));
  EXPECT_EQ(SCORPIO_ERR_STATE, put(holding_, v_, "a"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, put(reading_, v_, "a"));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_attribute_put_text(new_, k_no_object, "a", "b"));
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_attribute_put_text(defining_, v_, "a/b", "c"));
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_attribute_put_text(new_, v_, "_FillValue", "a"));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_attribute_put_text(holding_, v_, "text", "a longer one"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_attribute_put_text(reading_, v_, "text", "a"));
  const auto put_values = [&](scorpio_file* file, int object, const char* name, int64_t n = 1) {
    return scorpio_attribute_put_values(file, object, name, SCORPIO_INT32, n, &one);
  };
  EXPECT_EQ(SCORPIO_ERR_HANDLE, put_values(new_, k_no_object, "a"));
  EXPECT_EQ(SCORPIO_ERR_NAME, put_values(defining_, v_, "a/b"));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, put_values(new_, v_, "a", many));
  EXPECT_EQ(SCORPIO_ERR_STATE, put_values(holding_, v_, "a"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, put_values(reading_, v_, "a"));
}

TEST_F(PromisedCodes, OfAttributesThatAreThere) {
  int count = 0;
  int8_t small = 0;
  std::array<char, 20> text{};
  const auto inquire = [&](int object, const char* name) {
    return scorpio_attribute_inquire(new_, object, name, nullptr, nullptr, nullptr, nullptr, 0);
  };
  EXPECT_EQ(SCORPIO_ERR_HANDLE, inquire(k_no_object, "text"));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, inquire(v_, "none"));
  const auto get = [&](int object, const char* name, scorpio_type type, size_t bytes) {
    return scorpio_attribute_get(new_, object, name, type, &small, bytes);
  };
  EXPECT_EQ(SCORPIO_ERR_HANDLE, get(k_no_object, "text", SCORPIO_INT8, 1));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, get(v_, "none", SCORPIO_INT8, 1));
  EXPECT_EQ(SCORPIO_ERR_TYPE, get(v_, "text", SCORPIO_INT8, 1));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, get(v_, "number", SCORPIO_INT32, 1));
  EXPECT_EQ(SCORPIO_ERR_RANGE, get(v_, "number", SCORPIO_INT8, 1));
  EXPECT_EQ(127, small);
  const auto get_text = [&](int object, const char* name) {
    return scorpio_attribute_get_text(new_, object, name, text.data(), text.size(), nullptr);
  };
  EXPECT_EQ(SCORPIO_ERR_HANDLE, get_text(k_no_object, "text"));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, get_text(v_, "none"));
  EXPECT_EQ(SCORPIO_ERR_TYPE, get_text(v_, "number"));
  const auto access = [&](int object, const char* name) {
    return scorpio_attribute_access_inquire(new_, object, name, nullptr, nullptr, 0, nullptr);
  };
  EXPECT_EQ(SCORPIO_ERR_HANDLE, access(k_no_object, "text"));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, access(v_, "none"));
  EXPECT_EQ(SCORPIO_ERR_HANDLE,
            scorpio_attribute_type_describe(new_, k_no_object, "text", nullptr, 0, nullptr));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_attribute_type_describe(new_, v_, "none", nullptr, 0, nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_attribute_count(new_, k_no_object, &count));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_attribute_name(new_, k_no_object, 0, text.data(), 20, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_attribute_name(new_, v_, 2, text.data(), 20, nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_attribute_rename(new_, k_no_object, "text", "a"));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_attribute_rename(new_, v_, "none", "a"));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_attribute_rename(new_, v_, "text", "number"));
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_attribute_rename(defining_, v_, "text", "a/b"));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_attribute_rename(holding_, v_, "text", "a longer name"));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_attribute_remove(new_, k_no_object, "text"));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_attribute_remove(new_, v_, "none"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_attribute_remove(reading_, v_, "text"));
}

TEST_F(PromisedCodes, OfDimensions) {
  int id = -1;
  int64_t extent = 0;
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_dimension_define(new_, "x", 5, &id));
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_dimension_define(new_, "", 5, &id));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_dimension_define(defining_, "/g/y", 5, &id));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_dimension_define(holding_, "y", 5, &id));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_dimension_find(new_, "none", &id));
  EXPECT_EQ(SCORPIO_ERR_HANDLE,
            scorpio_dimension_inquire(new_, k_no_object, nullptr, 0, nullptr, &extent, nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_dimension_path(new_, k_no_object, nullptr, 0, nullptr));
  EXPECT_SUCCESS(scorpio_dimension_define(new_, "y", 5, &id));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_dimension_rename(new_, k_no_object, "z"));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_dimension_rename(new_, id, "x"));
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_dimension_rename(defining_, x_, "a/b"));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_dimension_rename(holding_, x_, "a longer name"));
}

TEST_F(PromisedCodes, OfVariablesThatAreDefined) {
  int id = -1;
  const auto define = [&](scorpio_file* file, const char* path, scorpio_type type = SCORPIO_FLOAT64,
                          const int64_t* dims = nullptr) {
    return scorpio_variable_define(file, path, type, dims == nullptr ? 0 : 2, dims, &id);
  };
  EXPECT_EQ(SCORPIO_ERR_EXISTS, define(new_, "v"));
  EXPECT_EQ(SCORPIO_ERR_NAME, define(new_, ""));
  EXPECT_EQ(SCORPIO_ERR_TYPE, define(new_, "w", static_cast<scorpio_type>(77)));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, define(new_, "w", SCORPIO_FLOAT64, k_huge));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, define(defining_, "g/w"));
  EXPECT_EQ(SCORPIO_ERR_STATE, define(holding_, "w"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, define(reading_, "w"));
  const auto define_sized = [&](scorpio_file* file, const char* path, scorpio_type type = SCORPIO_OPAQUE,
                                size_t bytes = 3, const int64_t* dims = nullptr) {
    return scorpio_variable_define_sized(file, path, type, bytes, dims == nullptr ? 0 : 2, dims, &id);
  };
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, define_sized(new_, "w", SCORPIO_TEXT, 0));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, define_sized(new_, "v"));
  EXPECT_EQ(SCORPIO_ERR_NAME, define_sized(new_, ""));
  EXPECT_EQ(SCORPIO_ERR_TYPE, define_sized(defining_, "w"));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, define_sized(new_, "w", SCORPIO_TEXT, 8, k_huge));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, define_sized(defining_, "g/w", SCORPIO_TEXT, 1));
  EXPECT_EQ(SCORPIO_ERR_STATE, define_sized(holding_, "w", SCORPIO_TEXT, 1));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, define_sized(reading_, "w"));
}

TEST_F(PromisedCodes, OfSizedVariablesOverDimensions) {
  int id = -1, x = -1;
  const auto define = [&](scorpio_file* file, const char* path, int dimension, size_t bytes = 3,
                          scorpio_type type = SCORPIO_TEXT) {
    return scorpio_variable_define_sized_on(file, path, type, bytes, 1, &dimension, &id);
  };
  EXPECT_SUCCESS(scorpio_dimension_define(new_, "over", 4, &x));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, define(new_, "w", x, 0));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT,
            scorpio_variable_define_sized_on(new_, "w", SCORPIO_TEXT, 3, 1, nullptr, &id));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, define(new_, "w", k_no_object));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, define(new_, "v", x));
  EXPECT_EQ(SCORPIO_ERR_NAME, define(new_, "", x));
  EXPECT_EQ(SCORPIO_ERR_TYPE, define(defining_, "w", x_));
  std::array<int, 2> huge{};
  for (size_t d = 0; d < 2; ++d)
    EXPECT_SUCCESS(scorpio_dimension_define(new_, d == 0 ? "sized0" : "sized1", k_huge[d], &huge[d]));
  EXPECT_EQ(SCORPIO_ERR_LIMIT,
            scorpio_variable_define_sized_on(new_, "w", SCORPIO_TEXT, 8, 2, huge.data(), &id));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, define(defining_, "g/w", x_, 1));
  const std::array<int, 2> growing = {x_, unlimited_dimension(defining_)};
  EXPECT_EQ(SCORPIO_ERR_SHAPE,
            scorpio_variable_define_sized_on(defining_, "w", SCORPIO_TEXT, 1, 2, growing.data(), &id));
  EXPECT_EQ(SCORPIO_ERR_STATE, define(holding_, "w", x_, 1));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, define(reading_, "w", 0));
}

TEST_F(PromisedCodes, OfVariablesOverDimensions) {
  int id = -1;
  std::array<int, 2> huge{};
  for (size_t d = 0; d < 2; ++d)
    EXPECT_SUCCESS(scorpio_dimension_define(new_, d == 0 ? "h" : "i", k_huge[d], &huge[d]));
  const auto define = [&](scorpio_file* file, const char* path, int dimension,
                          scorpio_type type = SCORPIO_FLOAT64) {
    return scorpio_variable_define_on(file, path, type, 1, &dimension, &id);
  };
  EXPECT_EQ(SCORPIO_ERR_HANDLE, define(new_, "w", k_no_object));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, define(new_, "v", x_));
  EXPECT_EQ(SCORPIO_ERR_NAME, define(new_, "", x_));
  EXPECT_EQ(SCORPIO_ERR_TYPE, define(new_, "w", x_, static_cast<scorpio_type>(77)));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_variable_define_on(new_, "w", SCORPIO_FLOAT64, 2, huge.data(), &id));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, define(defining_, "g/w", x_));
  const std::array<int, 2> growing = {x_, unlimited_dimension(defining_)};
  EXPECT_EQ(SCORPIO_ERR_SHAPE,
            scorpio_variable_define_on(defining_, "w", SCORPIO_FLOAT64, 2, growing.data(), &id));
  const std::vector<int> nine(9, unlimited_dimension(new_));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_variable_define_on(new_, "w", SCORPIO_FLOAT64, 9, nine.data(), &id));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_variable_define_strings(new_, "w", 2, nine.data(), &id));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_variable_define_strings(new_, "w", 9, nine.data(), &id));
  EXPECT_EQ(SCORPIO_ERR_STATE, define(holding_, "w", x_));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, define(reading_, "w", x_));
}

TEST_F(PromisedCodes, OfVariablesThatAreThere) {
  int id = -1, filled = 0;
  int32_t value = 7;
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_variable_find(new_, "none", &id));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_path(new_, k_no_object, nullptr, 0, nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_type_describe(new_, k_no_object, nullptr, 0, nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE,
            scorpio_variable_inquire(new_, k_no_object, nullptr, nullptr, nullptr, nullptr, 0));
  EXPECT_EQ(SCORPIO_ERR_HANDLE,
            scorpio_variable_access_inquire(new_, k_no_object, nullptr, nullptr, nullptr, 0, nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE,
            scorpio_variable_storage(new_, k_no_object, nullptr, nullptr, 0, nullptr, 0, nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_dimensions(new_, k_no_object, nullptr, 0));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_unlimited(new_, k_no_object, nullptr, 0));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_rename(new_, k_no_object, "w"));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_variable_rename(new_, v_, "g"));
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_variable_rename(new_, v_, ""));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_variable_rename(holding_, v_, "a longer name"));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_fill_define(new_, k_no_object, 1, nullptr));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_variable_fill_define(holding_, v_, 1, nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_fill_inquire(new_, k_no_object, &filled, nullptr, 0));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_fill_inquire(new_, v_, &filled, &value, 3));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_file_fill_set(reading_, 1, nullptr));
}

TEST_F(PromisedCodes, OfGroupsAndLinks) {
  int id = 0, kind = 0;
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_group_define(new_, "", &id));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_group_define(new_, "v", &id));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_group_define(new_, "l", &id));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_group_define(defining_, "g", &id));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_group_define(reading_, "g", &id));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_group_find(new_, "none", &id));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_group_find(new_, "v", &id));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_group_path(new_, k_no_object, nullptr, 0, nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_group_count(new_, v_, &id));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_group_member(new_, -k_no_object, 0, nullptr, 0, nullptr, &kind, &id));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_group_member(new_, group_, 0, nullptr, 0, nullptr, &kind, &id));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_link_define(new_, "v", "/g"));
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_link_define(new_, "", "/g"));
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_link_define(new_, "m", ""));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_link_define(defining_, "m", "v"));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_link_target(new_, "v", nullptr, 0, nullptr));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_object_remove(new_, "none"));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_object_remove(new_, "/"));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_object_remove(holding_, "v"));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_define_begin(defining_));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_define_end(holding_));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_define_begin(reading_));
}

// The root group, to which the dimension would move, has one of this name.
TEST_F(PromisedCodes, OfAGroupWhoseDimensionIsUsedElsewhere) {
  int inner = -1, id = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(new_, "/h/x", 4, &inner));
  EXPECT_SUCCESS(scorpio_variable_define_on(new_, "elsewhere", SCORPIO_INT32, 1, &inner, &id));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_group_define(new_, "/h/x", nullptr));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_object_remove(new_, "/h"));
}

TEST_F(PromisedCodes, OfDefinitionsInAFileThatIsRead) {
  int id = -1;
  const int64_t chunk = 2;
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_dimension_define(reading_, "y", 5, &id));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_dimension_rename(reading_, x_, "y"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_attribute_rename(reading_, v_, "text", "a"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_variable_rename(reading_, v_, "w"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_variable_define_chunks(reading_, v_, &chunk));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_variable_define_filters(reading_, v_, 0, nullptr, nullptr));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY,
            scorpio_variable_define_quantization(reading_, v_, SCORPIO_QUANTIZE_BITROUND, 9));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_variable_fill_define(reading_, v_, 1, nullptr));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_link_define(reading_, "m", "/v"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_object_remove(reading_, "v"));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_define_end(reading_));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_definitions_keep(reading_));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_definitions_undo(reading_));
}

TEST_F(PromisedCodes, OfAnEagerFile) {
  const OptionList options(Settings{{"eager", "true"}});
  const std::string path = folder_ / "eager";
  scorpio_file* file = nullptr;
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED,
            scorpio_file_create(system_.get(), path.c_str(), SCORPIO_FORMAT_CDF5, options.get(), &file));
  EXPECT_SUCCESS(scorpio_file_create(system_.get(), path.c_str(), SCORPIO_FORMAT_HDF5, options.get(), &file));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_file_fill_set(file, 1, nullptr));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST_F(PromisedCodes, OfTheHdf5IdOfAClassicFile) {
  EXPECT_SUCCESS(scorpio_file_close(holding_));
  const std::string path = folder_ / "holding";
  const OptionList options(Settings{{"eager", "true"}});
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED,
            scorpio_file_open(system_.get(), path.c_str(), SCORPIO_WRITE, options.get(), &holding_));
  EXPECT_SUCCESS(scorpio_file_open(system_.get(), path.c_str(), SCORPIO_READ, nullptr, &holding_));
  int64_t id = 0;
  const int code = scorpio_file_hdf5_id(holding_, &id);
  EXPECT_EQ(rank_in() == 0 ? SCORPIO_ERR_UNSUPPORTED : SCORPIO_OK, code);  // rank 0 is the metadata rank
}

// An attribute of two dimensions, which HDF5 files hold.
TEST_F(PromisedCodes, OfAnAttributeThatNetcdf4Lacks) {
  scorpio_file* file = nullptr;
  create(&file, "netcdf4", "netcdf4");
  const int64_t dims[2] = {1, 1};
  const int32_t value = 1;
  const auto put = [&](scorpio_file* to) {
    return scorpio_attribute_put(to, SCORPIO_GLOBAL, "a", SCORPIO_INT32, 0, 2, dims, SCORPIO_INT32, &value);
  };
  EXPECT_SUCCESS(put(new_));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, put(file));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_attribute_copy(new_, SCORPIO_GLOBAL, "a", file, SCORPIO_GLOBAL));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::api_test
