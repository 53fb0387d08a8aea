// Files of format netcdf4: what they refuse, what they say of themselves. netcdf4.py (tests/readers) has
// other programs read and continue them.
#include <hdf5.h>

#include <algorithm>
#include <string>
#include <vector>

#include "accesses.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

class Netcdf4 : public testing::Test {
 protected:
  void create(const char* model) {
    const OptionList options(Settings{{"model", model}});
    ASSERT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_NETCDF4, options.get(), &file_));
  }
  int define(const char* path, scorpio_type type) {
    int variable = -1;
    return scorpio_variable_define(file_, path, type, 1, dims_, &variable);
  }
  int put(scorpio_type type, int ndims, const void* value) {
    const int64_t dims[2] = {1, 1};
    return scorpio_attribute_put(file_, SCORPIO_GLOBAL, "a", type, 0, ndims, dims, type, value);
  }
  void close() { EXPECT_SUCCESS(scorpio_file_close(file_)); }

  const TemporaryFolder folder_;
  const System system_;
  const std::string path_ = folder_ / "f.nc";
  const int64_t dims_[1] = {5};
  scorpio_file* file_ = nullptr;
};

TEST_F(Netcdf4, IsAFormatOfItsOwn) {
  scorpio_format format = SCORPIO_FORMAT_DEFAULT;
  EXPECT_STREQ("netcdf4", scorpio_format_name(SCORPIO_FORMAT_NETCDF4));
  create("enhanced");
  EXPECT_SUCCESS(scorpio_file_inquire(file_, &format, nullptr, nullptr));
  EXPECT_EQ(SCORPIO_FORMAT_NETCDF4, format);
  close();
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file_));
  EXPECT_SUCCESS(scorpio_file_inquire(file_, &format, nullptr, nullptr));
  EXPECT_EQ(SCORPIO_FORMAT_NETCDF4, format);
  int attributes = -1;
  EXPECT_SUCCESS(scorpio_attribute_count(file_, SCORPIO_GLOBAL, &attributes));
  EXPECT_EQ(0, attributes);  // those of the mechanism are not the user's
  close();
}

TEST_F(Netcdf4, TypesThatNetcdfLacks) {
  create("enhanced");
  int id = -1;
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_variable_define_sized(file_, "t", SCORPIO_TEXT, 7, 1, dims_, &id));
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_variable_define_sized(file_, "o", SCORPIO_OPAQUE, 7, 1, dims_, &id));
  EXPECT_SUCCESS(define("u", SCORPIO_UINT64));
  const int32_t value = 1;
  EXPECT_EQ(SCORPIO_ERR_SHAPE, put(SCORPIO_INT32, 2, &value));
  EXPECT_SUCCESS(put(SCORPIO_INT32, 1, &value));
  EXPECT_SUCCESS(scorpio_group_define(file_, "/g", nullptr));
  close();
}

TEST_F(Netcdf4, TheClassicModel) {
  create("classic");
  int id = -1;
  const uint64_t value = 1;
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_group_define(file_, "/g", nullptr));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, define("/g/v", SCORPIO_INT32));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_dimension_define(file_, "/g/d", 3, &id));
  EXPECT_EQ(SCORPIO_ERR_TYPE, define("u", SCORPIO_UINT64));
  EXPECT_EQ(SCORPIO_ERR_TYPE, put(SCORPIO_UINT64, 0, &value));
  const char* const texts[] = {"one", "two"};
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_attribute_put_strings(file_, SCORPIO_GLOBAL, "list", 2, texts));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "t", SCORPIO_UNLIMITED, &id));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_dimension_define(file_, "u", SCORPIO_UNLIMITED, &id));
  EXPECT_SUCCESS(define("v", SCORPIO_INT32));
  close();
}

// An opened file keeps its model, and an inquiry returns which variables are filled.
TEST_F(Netcdf4, WhatAFileIsItStays) {
  create("classic");
  const int16_t fill = -7;
  int id = -1;
  EXPECT_SUCCESS(define("filled", SCORPIO_INT16));
  EXPECT_SUCCESS(scorpio_variable_find(file_, "filled", &id));
  EXPECT_SUCCESS(scorpio_variable_fill_define(file_, id, 1, &fill));
  EXPECT_SUCCESS(define("unfilled", SCORPIO_INT16));
  EXPECT_SUCCESS(scorpio_variable_find(file_, "unfilled", &id));
  EXPECT_SUCCESS(scorpio_variable_fill_define(file_, id, 0, nullptr));
  close();
  for (int opens = 0; opens < 2; ++opens) {
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_group_define(file_, "/g", nullptr));
    EXPECT_EQ(SCORPIO_ERR_TYPE, define("u", SCORPIO_UINT64));
    EXPECT_SUCCESS(define(opens == 0 ? "a" : "b", SCORPIO_INT32));
    for (const bool filled : {true, false}) {
      int found = -1;
      int16_t value = 0;
      EXPECT_SUCCESS(scorpio_variable_find(file_, filled ? "filled" : "unfilled", &id));
      EXPECT_SUCCESS(scorpio_variable_fill_inquire(file_, id, &found, &value, sizeof value));
      EXPECT_EQ(filled ? 1 : 0, found);
      if (filled) {
        EXPECT_EQ(fill, value);
      }
    }
    close();
  }
}

// Files of netCDF-C from before 2016 have no _NCProperties.
TEST_F(Netcdf4, IdsInAnIndexedRootTellTheFormat) {
  create("enhanced");
  EXPECT_SUCCESS(define("v", SCORPIO_INT32));
  close();
  if (rank_in() == 0) {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GE(H5Adelete(file, "_NCProperties"), 0);
    EXPECT_GE(H5Fclose(file), 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  scorpio_format format = SCORPIO_FORMAT_DEFAULT;
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file_));
  EXPECT_SUCCESS(scorpio_file_inquire(file_, &format, nullptr, nullptr));
  EXPECT_EQ(SCORPIO_FORMAT_NETCDF4, format);
  close();
}

// Many variables with little data in a record: their chunks share units, also those of one wait. The
// coordinate variable "x" is defined after variables over its dimension, and refers to no scale.
TEST_F(Netcdf4, SmallVariablesAreWrittenInFewOperations) {
  constexpr int k_variables = 150, k_odd = 70;
  const int64_t columns = 2 * ranks_in(), start = 2 * rank_in(), count = 2;
  create("enhanced");
  int dimensions[2] = {-1, -1}, ids[k_variables], x = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "time", SCORPIO_UNLIMITED, &dimensions[0]));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", columns, &dimensions[1]));
  for (int v = 0; v < k_variables; ++v) {
    EXPECT_SUCCESS(scorpio_variable_define_on(file_, ("v" + std::to_string(v)).c_str(),
                                              v == k_odd ? SCORPIO_INT64 : SCORPIO_INT32, 2, dimensions,
                                              &ids[v]));
    EXPECT_SUCCESS(scorpio_attribute_put_text(file_, ids[v], "units", "m"));
  }
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "x", SCORPIO_INT32, 1, &dimensions[1], &x));
  scorpio_decomp* decomp = nullptr;
  ASSERT_SUCCESS(scorpio_decomp_block(system_.get(), 1, &columns, &start, &count, &decomp));
  std::vector<int32_t> data(2 * k_variables);
  for (int64_t record = 0; record < 4; ++record) {
    const uint64_t before = system_.counter("operations"), agreed = system_.counter("agreements");
    const uint64_t rounds = system_.sum("rounds");
    std::vector<scorpio_access> accesses;
    for (int v = 0; v < k_variables; ++v) {
      int32_t* const own = &data[2 * static_cast<size_t>(v)];
      for (int i = 0; i < 2; ++i) own[i] = static_cast<int32_t>(1000 * v + 100 * record + start + i);
      accesses.push_back(scorpio_darray(ids[v], decomp, record, SCORPIO_INT32, own));
    }
    if (record < 3) {
      EXPECT_SUCCESS(put_n(file_, accesses));
      EXPECT_EQ(5u, system_.counter("operations") - before);  // 64 + 6 variables, the odd one, 64 + 15
    } else {
      for (const scorpio_access& access : accesses) EXPECT_SUCCESS(iput(file_, access));
      EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
      EXPECT_LE(system_.counter("agreements") - agreed, 10u);
    }
    EXPECT_SUCCESS(scorpio_file_sync(file_));
    EXPECT_LE(system_.sum("rounds") - rounds, 20u);
  }
  EXPECT_SUCCESS(scorpio_decomp_free(decomp));
  close();
  if (rank_in() != 0) return;
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  for (int v = 0; v < k_variables; ++v) {
    std::vector<int32_t> all(4 * static_cast<size_t>(columns), -1);
    const hid_t dataset = H5Dopen2(file, ("v" + std::to_string(v)).c_str(), H5P_DEFAULT);
    EXPECT_GE(H5Dread(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
    for (size_t i = 0; i < all.size(); ++i) {
      const auto record = static_cast<int>(i / static_cast<size_t>(columns));
      EXPECT_EQ(1000 * v + 100 * record + static_cast<int>(i % static_cast<size_t>(columns)), all[i]);
    }
    EXPECT_EQ(2, H5Aget_num_attrs(dataset)) << "units and DIMENSION_LIST";
    EXPECT_GT(H5Aexists(dataset, "DIMENSION_LIST"), 0);
    H5Dclose(dataset);
  }
  EXPECT_GT(H5Aexists_by_name(file, "x", "REFERENCE_LIST", H5P_DEFAULT), 0);
  EXPECT_EQ(0, H5Aexists_by_name(file, "x", "DIMENSION_LIST", H5P_DEFAULT));
  H5Fclose(file);
}

// An HDF5 file with named dimensions has the format hdf5, and can have types that netCDF-4 lacks.
TEST_F(Netcdf4, DimensionsAloneMakeNoFormat) {
  ASSERT_SUCCESS(scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_HDF5, nullptr, &file_));
  int id = -1, dimension = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", 5, &dimension));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "v", SCORPIO_INT32, 1, &dimension, &id));
  close();
  scorpio_format format = SCORPIO_FORMAT_DEFAULT;
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
  EXPECT_SUCCESS(scorpio_file_inquire(file_, &format, nullptr, nullptr));
  EXPECT_EQ(SCORPIO_FORMAT_HDF5, format);
  EXPECT_SUCCESS(scorpio_variable_define_sized(file_, "o", SCORPIO_OPAQUE, 7, 1, dims_, &id));
  close();
}

// Extents that were given without a name become dimensions with names.
TEST_F(Netcdf4, EveryDimensionHasAName) {
  create("enhanced");
  EXPECT_SUCCESS(define("v", SCORPIO_INT32));
  int dimension = -1;
  EXPECT_SUCCESS(scorpio_dimension_find(file_, "dim_5", &dimension));
  close();
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file_));
  EXPECT_SUCCESS(scorpio_dimension_find(file_, "dim_5", &dimension));
  close();
}

// netCDF-C reads soft links as further objects, and opens no file with one that leads nowhere.
TEST_F(Netcdf4, HasNoSoftLinks) {
  create("enhanced");
  EXPECT_SUCCESS(define("v", SCORPIO_INT32));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_link_define(file_, "l", "/v"));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_link_define(file_, "/g/l", "/nowhere"));
  close();
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_link_define(file_, "l", "/v"));
  close();
}

const char* const k_composed = "\xc3\xa4";     // one character
const char* const k_decomposed = "a\xcc\x88";  // the same name as two

void expect_found(scorpio_file* file, const char* name) {
  int id = -1, dimension = -1;
  EXPECT_SUCCESS(scorpio_variable_find(file, (std::string("/g/") + name).c_str(), &id));
  EXPECT_SUCCESS(scorpio_dimension_find(file, name, &dimension));
  EXPECT_SUCCESS(scorpio_attribute_inquire(file, id, name, nullptr, nullptr, nullptr, nullptr, 0));
}

// As netCDF-C, which finds an attribute only by a name in normalisation form C.
TEST_F(Netcdf4, NamesHaveNormalFormC) {
  create("enhanced");
  int id = -1, dimension = -1;
  ASSERT_SUCCESS(scorpio_dimension_define(file_, k_decomposed, 5, &dimension));
  const std::string path = std::string("g/") + k_decomposed;
  ASSERT_SUCCESS(scorpio_variable_define_on(file_, path.c_str(), SCORPIO_INT32, 1, &dimension, &id));
  EXPECT_SUCCESS(scorpio_attribute_put_text(file_, id, k_decomposed, "text"));
  for (const char* name : {k_composed, k_decomposed}) expect_found(file_, name);
  close();
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file_));
  for (const char* name : {k_composed, k_decomposed}) expect_found(file_, name);
  close();
  if (rank_in() != 0) return;
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_GT(H5Lexists(file, k_composed, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(file, k_decomposed, H5P_DEFAULT), 0);
  EXPECT_GE(H5Fclose(file), 0);
}

// A program that does not normalise names has made the file: its objects are found by the names that they
// have.
TEST_F(Netcdf4, OtherNamesOfOtherProgramsAreFound) {
  create("enhanced");
  EXPECT_SUCCESS(define("v", SCORPIO_INT32));
  close();
  if (rank_in() == 0) {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GE(H5Lmove(file, "v", file, k_decomposed, H5P_DEFAULT, H5P_DEFAULT), 0);
    EXPECT_GE(H5Fclose(file), 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file_));
  int id = -1;
  EXPECT_SUCCESS(scorpio_variable_find(file_, k_decomposed, &id));
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_variable_find(file_, k_composed, &id));
  close();
}

// HDF5 has no chunks with an extent of 0.
// The names of the links of the root group as they were created.
std::vector<std::string> created(const std::string& path) {
  std::vector<std::string> names;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->push_back(name);
    return 0;
  };
  EXPECT_GE(H5Literate(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, add, &names), 0);
  H5Fclose(file);
  return names;
}

// nc_inq_unlimdim, with which CDO and others look for the time.
TEST_F(Netcdf4, TheUnlimitedDimensionThatIsDefinedFirstIsTheFirstInTheFile) {
  create("enhanced");
  int time = -1, x = -1, obs = -1, more = -1, late = -1, id = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "time", SCORPIO_UNLIMITED, &time));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", 3, &x));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "obs", SCORPIO_UNLIMITED, &obs));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "more", SCORPIO_UNLIMITED, &more));
  const int both[] = {obs, x};
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "values", SCORPIO_FLOAT32, 2, both, &id));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "time", SCORPIO_FLOAT64, 1, &time, &id));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "more", SCORPIO_FLOAT64, 1, &more, &id));
  close();
  if (rank_in() == 0) {
    EXPECT_EQ((std::vector<std::string>{"x", "values", "time", "obs", "more"}), created(path_));
  }
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
  int expected = 0;
  for (const char* name : {"time", "x", "obs", "more"}) {
    int found = -1;
    EXPECT_SUCCESS(scorpio_dimension_find(file_, name, &found));
    EXPECT_EQ(expected++, found) << name;
  }
  int of_values[2] = {-1, -1};
  EXPECT_SUCCESS(scorpio_variable_find(file_, "values", &id));
  EXPECT_SUCCESS(scorpio_variable_dimensions(file_, id, of_values, 2));
  EXPECT_EQ(std::pair(obs, x), std::pair(of_values[0], of_values[1]));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "late", SCORPIO_UNLIMITED, &late));
  close();
  if (rank_in() == 0) {
    EXPECT_EQ("late", created(path_).back());
  }
}

TEST_F(Netcdf4, AnUnlimitedDimensionBesideOneOfLengthZero) {
  create("enhanced");
  int dimensions[2] = {-1, -1}, id = -1;
  ASSERT_SUCCESS(scorpio_dimension_define(file_, "time", SCORPIO_UNLIMITED, &dimensions[0]));
  ASSERT_SUCCESS(scorpio_dimension_define(file_, "nothing", 0, &dimensions[1]));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_variable_define_on(file_, "v", SCORPIO_INT32, 2, dimensions, &id));
  scorpio_error error{};
  ASSERT_SUCCESS(scorpio_error_last(&error));
  EXPECT_NE(std::string(error.text).find("dimension nothing has length 0"), std::string::npos) << error.text;
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "w", SCORPIO_INT32, 1, &dimensions[1], &id));
  close();
}

// HDF5 loses an attribute that it renames in a heap from the index by which netCDF-C lists them.
class RenamedAttributes : public Netcdf4 {
 protected:
  // Names in the order in which HDF5 has made the attributes, without those of the mechanism; sorted.
  std::vector<std::string> listed(const char* object) const {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t id = H5Oopen(file, object, H5P_DEFAULT);
    std::vector<std::string> names;
    char name[100] = "";
    H5E_BEGIN_TRY {
      for (hsize_t i = 0; H5Aget_name_by_idx(id, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name, sizeof name,
                                             H5P_DEFAULT) >= 0;
           ++i) {
        if (name[0] != '_' && std::string(name) != "DIMENSION_LIST") names.emplace_back(name);
      }
    }
    H5E_END_TRY
    H5Oclose(id);
    H5Fclose(file);
    std::sort(names.begin(), names.end());
    return names;
  }
  void open() {
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
  }
  std::string text(int object, const char* name) {
    char value[100] = "";
    EXPECT_SUCCESS(scorpio_attribute_get_text(file_, object, name, value, sizeof value, nullptr));
    return value;
  }
  // With `others` attributes besides, of which one has this number of bytes.
  void rename_all(size_t others, size_t bytes) {
    create("enhanced");
    EXPECT_SUCCESS(define("v", SCORPIO_INT32));
    const char* const texts[] = {"one", "a longer one"};
    const double number = 2.5;
    const std::string large(bytes, 'x');
    std::vector<std::string> names{"a text", "number", "texts"};
    for (size_t i = 0; i < others; ++i) names.push_back("other" + std::to_string(i));
    for (const int object : {0, SCORPIO_GLOBAL}) {
      EXPECT_SUCCESS(scorpio_attribute_put_text(file_, object, "a text", "some"));
      EXPECT_SUCCESS(scorpio_attribute_put_values(file_, object, "number", SCORPIO_FLOAT64, 1, &number));
      EXPECT_SUCCESS(scorpio_attribute_put_strings(file_, object, "texts", 2, texts));
      for (size_t i = 3; i < names.size(); ++i)
        EXPECT_SUCCESS(
            scorpio_attribute_put_text(file_, object, names[i].c_str(), i == 3 ? large.c_str() : "m"));
    }
    close();
    open();
    for (const int object : {0, SCORPIO_GLOBAL}) {
      for (const std::string& name : names)
        EXPECT_SUCCESS(scorpio_attribute_rename(file_, object, name.c_str(), ("new " + name).c_str()));
    }
    close();
    for (std::string& name : names) name.insert(0, "new ");
    std::sort(names.begin(), names.end());
    if (rank_in() == 0) {
      EXPECT_EQ(names, listed("/v"));
      EXPECT_EQ(names, listed("/"));
    }
    open();
    for (const int object : {0, SCORPIO_GLOBAL}) {
      EXPECT_EQ("some", text(object, "new a text"));
      double found = 0;
      EXPECT_SUCCESS(
          scorpio_attribute_get(file_, object, "new number", SCORPIO_FLOAT64, &found, sizeof found));
      EXPECT_EQ(number, found);
      int64_t n = 0;
      EXPECT_SUCCESS(scorpio_attribute_string_count(file_, object, "new texts", &n));
      EXPECT_EQ(2, n);
      EXPECT_SUCCESS(scorpio_attribute_put_text(file_, object, "new a text", "another one, which is longer"));
      EXPECT_SUCCESS(scorpio_attribute_remove(file_, object, "new number"));
    }
    close();
    std::erase(names, "new number");
    if (rank_in() == 0) {
      EXPECT_EQ(names, listed("/v"));
      EXPECT_EQ(names, listed("/"));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
};

TEST_F(RenamedAttributes, FewOnes) { rename_all(1, 10); }
TEST_F(RenamedAttributes, ManyOnes) { rename_all(20, 10); }
TEST_F(RenamedAttributes, BesideALargeOne) { rename_all(1, 70000); }

}  // namespace
}  // namespace scorpio::api_test
