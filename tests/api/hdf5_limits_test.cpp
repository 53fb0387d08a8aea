// The largest things that an HDF5 file can have: what is accepted when it is defined can be closed, and read
// again.
#include <hdf5.h>

#include <functional>

#include "layout.h"

namespace scorpio::api_test {
namespace {

constexpr int64_t k_longest = INT64_MAX / 4;

int define_dimension(scorpio_file* file, int64_t extent) {
  int x = -1;
  return scorpio_dimension_define(file, "x", extent, &x);
}

int define_variable(scorpio_file* file, const Extents& dims, scorpio_type type = SCORPIO_INT8) {
  int v = -1;
  return scorpio_variable_define(file, "v", type, static_cast<int>(dims.size()), dims.data(), &v);
}

int define_over(scorpio_file* file, const Extents& extents) {
  std::vector<int> ids;
  for (size_t i = 0; i < extents.size(); ++i) {
    const std::string name = "x" + std::to_string(i);
    const int code = scorpio_dimension_define(file, name.c_str(), extents[i], &ids.emplace_back());
    if (code != SCORPIO_OK) return code;
  }
  int v = -1;
  return scorpio_variable_define_on(file, "v", SCORPIO_INT8, static_cast<int>(ids.size()), ids.data(), &v);
}

int put_attribute(scorpio_file* file, const std::string& name, int64_t doubles) {
  const std::vector<double> value(static_cast<size_t>(doubles), 0.5);
  return scorpio_attribute_put(file, SCORPIO_GLOBAL, name.c_str(), SCORPIO_FLOAT64, 0, 1, &doubles,
                               SCORPIO_FLOAT64, value.data());
}

struct Extreme {
  const char* what;
  std::function<int(scorpio_file*)> define;
  int code;  // SCORPIO_OK: it is made
};

const std::string k_long_name(70000, 'n');

const std::vector<Extreme>& extremes() {
  static const std::vector<Extreme> all = {
      {"longest dimension", [](auto* f) { return define_dimension(f, k_longest); }, SCORPIO_OK},
      {"longer dimension", [](auto* f) { return define_dimension(f, k_longest + 1); }, SCORPIO_ERR_LIMIT},
      {"2^62", [](auto* f) { return define_dimension(f, int64_t{1} << 62); }, SCORPIO_ERR_LIMIT},
      {"2^63 - 1", [](auto* f) { return define_dimension(f, INT64_MAX); }, SCORPIO_ERR_LIMIT},
      {"empty over long",
       [](auto* f) {
         return define_over(f, {0, k_longest});
       },
       SCORPIO_OK},
      {"empty and long",
       [](auto* f) {
         return define_variable(f, {INT64_MAX, 0});
       },
       SCORPIO_OK},
      {"2^62 bytes", [](auto* f) { return define_variable(f, {int64_t{1} << 62}); }, SCORPIO_ERR_LIMIT},
      {"2^63 bytes", [](auto* f) { return define_variable(f, {int64_t{1} << 60}, SCORPIO_INT64); },
       SCORPIO_ERR_LIMIT},
      {"2^64 elements",
       [](auto* f) {
         return define_variable(f, {int64_t{1} << 32, int64_t{1} << 32});
       },
       SCORPIO_ERR_LIMIT},
      {"32 dimensions", [](auto* f) { return define_variable(f, Extents(32, 1)); }, SCORPIO_OK},
      {"long attribute", [](auto* f) { return put_attribute(f, "a", 100000); }, SCORPIO_OK},
      {"long names", [](auto* f) { return scorpio_group_define(f, k_long_name.c_str(), nullptr); },
       SCORPIO_OK},
      {"long name of a variable",
       [](auto* f) {
         int v = -1;
         return scorpio_variable_define(f, ("g/" + k_long_name).c_str(), SCORPIO_INT8, 0, nullptr, &v);
       },
       SCORPIO_OK},
      {"long name of a dimension",
       [](auto* f) {
         int x = -1;
         return scorpio_dimension_define(f, k_long_name.c_str(), 3, &x);
       },
       SCORPIO_OK},
      {"longest name of an attribute",
       [](auto* f) { return put_attribute(f, k_long_name.substr(0, 65534), 1); }, SCORPIO_OK},
      {"longer name of an attribute",
       [](auto* f) { return put_attribute(f, k_long_name.substr(0, 65535), 1); }, SCORPIO_ERR_NAME},
      {"longer new name of an attribute",
       [](auto* f) {
         EXPECT_SUCCESS(put_attribute(f, "a", 1));
         return scorpio_attribute_rename(f, SCORPIO_GLOBAL, "a", k_long_name.c_str());
       },
       SCORPIO_ERR_NAME},
      {"longest name on a variable",
       [](auto* f) {
         EXPECT_SUCCESS(define_variable(f, {3}));
         const int seven = 7;
         return scorpio_attribute_put(f, object_of(f, "v"), k_long_name.substr(0, 65534).c_str(),
                                      SCORPIO_INT32, 0, 0, nullptr, SCORPIO_INT32, &seven);
       },
       SCORPIO_OK},
      {"long link", [](auto* f) { return scorpio_link_define(f, "l", k_long_name.c_str()); }, SCORPIO_OK},
      {"long new name",
       [](auto* f) {
         EXPECT_SUCCESS(define_variable(f, {3}));
         int v = -1;
         EXPECT_SUCCESS(scorpio_variable_find(f, "v", &v));
         return scorpio_variable_rename(f, v, k_long_name.c_str());
       },
       SCORPIO_OK},
  };
  return all;
}

TEST(Hdf5Limits, WhatIsAcceptedCanBeClosed) {
  const TemporaryFolder folder;
  const System system;
  const std::string path = folder / "a.h5";
  for (const Extreme& extreme : extremes()) {
    SCOPED_TRACE(extreme.what);
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    EXPECT_EQ(extreme.code, extreme.define(file)) << last_text();
    EXPECT_SUCCESS(scorpio_file_close(file));
    if (rank_in() == 0) {
      const hid_t stock = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
      EXPECT_GE(stock, 0);
      H5Fclose(stock);
    }
    ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
}

// Groups and datasets of h5py and of other programs, unless they ask for another form.
TEST(Hdf5Limits, AttributesOfObjectsInTheOldestForm) {
  const TemporaryFolder folder;
  const System system;
  const std::string path = folder / "a.h5";
  if (rank_in() == 0) {
    const hid_t stock = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate(H5S_SCALAR);
    H5Dclose(H5Dcreate2(stock, "old", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Fclose(stock);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_WRITE, nullptr, &file));
  ASSERT_SUCCESS(define_variable(file, {3}));
  for (const char* name : {"/", "old", "v"}) {
    SCOPED_TRACE(name);
    const int object = *name == '/' ? SCORPIO_GLOBAL : object_of(file, name);
    for (const size_t bytes : {65000, 65536, 300000}) {
      const std::string text(bytes, 'x');
      const bool holds = bytes < 65536 || *name == 'v';
      EXPECT_EQ(holds ? SCORPIO_OK : SCORPIO_ERR_LIMIT,
                scorpio_attribute_put_text(file, object, "history", text.c_str()))
          << bytes << ": " << last_text();
    }
  }
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// From byte 2^61 on, addresses are those of chunks.
TEST(Hdf5Limits, ContiguousVariablesEndBelowTheAddressesOfChunks) {
  const TemporaryFolder folder;
  const System system;
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "a.h5").c_str(), SCORPIO_FORMAT_HDF5, nullptr, &file));
  int large = -1;
  const int64_t extent = (int64_t{1} << 61) - (int64_t{1} << 30);
  ASSERT_SUCCESS(scorpio_variable_define(file, "large", SCORPIO_INT8, 1, &extent, &large));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, define_variable(file, {int64_t{1} << 30}));
  const int code = scorpio_file_close(file);  // file systems differ in the length of their longest file
  EXPECT_TRUE(code == SCORPIO_OK || code == SCORPIO_ERR_LIMIT) << last_text();
}

// An eager file makes things at once.
TEST(Hdf5Limits, InAnEagerFileToo) {
  const TemporaryFolder folder;
  const System system(Settings{{"eager", "true"}});
  for (const Extreme& extreme : extremes()) {
    SCOPED_TRACE(extreme.what);
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(
        scorpio_file_create(system.get(), (folder / "a.h5").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    if (extreme.code != SCORPIO_OK) {
      EXPECT_NE(SCORPIO_OK, extreme.define(file));
    }
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
}

}  // namespace
}  // namespace scorpio::api_test
