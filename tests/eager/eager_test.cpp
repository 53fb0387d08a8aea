// Eager files: objects exist in the file when they are defined, and what a client does through the live id is
// kept. Collective; every test on all ranks.
#include "eager/eager_file.h"

namespace scorpio::testing_eager {
namespace {

TEST_F(EagerFile, IdIsLiveOnTheMetadataRankOnly) {
  const hid_t file = id();
  EXPECT_EQ(file >= 0, rank() == 0);
  SCORPIO_OK_OR_FAIL(scorpio_group_define(file_, "ocean/deep", nullptr));
  if (rank() == 0) {
    EXPECT_GT(H5Iis_valid(file), 0);
    EXPECT_GT(H5Lexists(file, "/ocean", H5P_DEFAULT), 0);
    EXPECT_GT(H5Lexists(file, "/ocean/deep", H5P_DEFAULT), 0);
  }
}

TEST_F(EagerFile, DataAreVisibleThroughTheIdAfterSync) {
  put("a");
  SCORPIO_OK_OR_FAIL(scorpio_file_sync(file_));
  if (rank() == 0) expect_ascending(read_all(id(), "/a", k_elements));
}

TEST_F(EagerFile, WhatAClientMakesIsFoundByAllRanks) {
  put("a");
  if (rank() == 0) {
    const hsize_t extent = k_elements;
    const hid_t space = H5Screate_simple(1, &extent, nullptr);
    const hid_t set = H5Dcreate2(id(), "/mine", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    std::vector<int> all(k_elements);
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    EXPECT_GE(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
    H5Dclose(set);
    H5Sclose(space);
  }
  int variable = -1;
  SCORPIO_OK_OR_FAIL(scorpio_variable_find(file_, "mine", &variable));
  expect_values(variable);
  expect_values(put("b"));  // and what follows does not lie over it
  SCORPIO_OK_OR_FAIL(scorpio_variable_find(file_, "mine", &variable));
  expect_values(variable);
}

TEST_F(EagerFile, WhatAClientDeletesCanBeDefinedAgain) {
  put("a");
  SCORPIO_OK_OR_FAIL(scorpio_file_sync(file_));
  if (rank() == 0) {
    EXPECT_GE(H5Ldelete(id(), "/a", H5P_DEFAULT), 0);
  }
  int variable = -1;
  EXPECT_EQ(scorpio_variable_find(file_, "a", &variable), SCORPIO_ERR_NOT_FOUND);
  expect_values(put("a"));
}

// A variable that a client has put in the place of another has its own storage, and its own id.
TEST_F(EagerFile, StorageOfAClientsVariables) {
  const auto make = [&](hsize_t chunk) {
    if (rank() != 0) return;
    if (H5Lexists(id(), "/mine", H5P_DEFAULT) > 0) {
      EXPECT_GE(H5Ldelete(id(), "/mine", H5P_DEFAULT), 0);
    }
    const hsize_t extent = 100;
    const hid_t space = H5Screate_simple(1, &extent, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 1, &chunk);
    H5Dclose(H5Dcreate2(id(), "/mine", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    H5Pclose(list);
    H5Sclose(space);
  };
  int before = -1, now = -1;
  int64_t chunk = -1;
  scorpio_storage storage{};
  make(10);
  SCORPIO_OK_OR_FAIL(scorpio_variable_find(file_, "mine", &before));
  SCORPIO_OK_OR_FAIL(scorpio_variable_storage(file_, before, &storage, &chunk, 1, nullptr, 0, nullptr));
  EXPECT_EQ(storage, SCORPIO_STORAGE_CHUNKED);
  EXPECT_EQ(chunk, 10);
  make(20);
  SCORPIO_OK_OR_FAIL(scorpio_variable_find(file_, "mine", &now));
  SCORPIO_OK_OR_FAIL(scorpio_variable_storage(file_, now, nullptr, &chunk, 1, nullptr, 0, nullptr));
  EXPECT_EQ(chunk, 20);
  EXPECT_NE(before, now);
  EXPECT_EQ(scorpio_variable_storage(file_, before, nullptr, nullptr, 0, nullptr, 0, nullptr),
            SCORPIO_ERR_HANDLE);
}

TEST_F(EagerFile, AttributesOfAClientAreRead) {
  put("a");
  if (rank() == 0) {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t set = H5Dopen2(id(), "/a", H5P_DEFAULT);
    const hid_t attribute = H5Acreate2(set, "scale", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    const double value = 2.5;
    EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value), 0);
    H5Aclose(attribute);
    H5Dclose(set);
    H5Sclose(space);
  }
  double value = 0;
  SCORPIO_OK_OR_FAIL(
      scorpio_attribute_get(file_, object("a"), "scale", SCORPIO_FLOAT64, &value, sizeof value));
  EXPECT_EQ(value, 2.5);
}

TEST_F(EagerFile, ADefinitionThatFailsOnOneRankFailsOnAll) {
  const int64_t extent = rank() == 0 ? -5 : k_elements;
  int variable = -1;
  EXPECT_NE(scorpio_variable_define(file_, "bad", SCORPIO_INT32, 1, &extent, &variable), SCORPIO_OK);
  int kind = -1;
  SCORPIO_OK_OR_FAIL(scorpio_object_find(file_, "bad", &kind, nullptr));
  EXPECT_EQ(kind, SCORPIO_OBJECT_NONE);
  expect_values(put("good"));
}

TEST_F(EagerFile, StockHdf5FindsAllAfterClose) {
  put("/deep/er/a");
  const int level = 7;
  SCORPIO_OK_OR_FAIL(scorpio_attribute_put(file_, object("/deep/er/a"), "level", SCORPIO_INT32, 0, 0, nullptr,
                                           SCORPIO_INT32, &level));
  SCORPIO_OK_OR_FAIL(scorpio_link_define(file_, "/short", "/deep/er/a"));
  SCORPIO_OK_OR_FAIL(scorpio_file_close(file_));
  file_ = nullptr;
  if (rank() != 0) return;
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  expect_ascending(read_all(file, "/short", k_elements));
  EXPECT_GT(H5Aexists_by_name(file, "/deep/er/a", "level", H5P_DEFAULT), 0);
  H5Fclose(file);
}

// A client's group is found by all ranks, and is gone for all of them, also for those that have its id.
TEST_F(EagerFile, GroupsOfAClient) {
  int group = 0;
  EXPECT_EQ(scorpio_group_find(file_, "/theirs", &group), SCORPIO_ERR_NOT_FOUND);
  if (rank() == 0) H5Gclose(H5Gcreate2(id(), "/theirs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  SCORPIO_OK_OR_FAIL(scorpio_group_find(file_, "/theirs", &group));
  EXPECT_LT(group, SCORPIO_GLOBAL);
  int members = -1;
  SCORPIO_OK_OR_FAIL(scorpio_group_count(file_, SCORPIO_GLOBAL, &members));
  EXPECT_EQ(members, 1);
  SCORPIO_OK_OR_FAIL(scorpio_attribute_put_text(file_, group, "title", "of all"));
  char text[10] = "";
  SCORPIO_OK_OR_FAIL(scorpio_attribute_get_text(file_, group, "title", text, sizeof text, nullptr));
  EXPECT_STREQ(text, "of all");
  if (rank() == 0) {
    EXPECT_GE(H5Ldelete(id(), "/theirs", H5P_DEFAULT), 0);
  }
  EXPECT_EQ(scorpio_attribute_get_text(file_, group, "title", text, sizeof text, nullptr), SCORPIO_ERR_HANDLE)
      << last_error();
  EXPECT_EQ(scorpio_attribute_put_text(file_, group, "title", "more"), SCORPIO_ERR_HANDLE) << last_error();
  expect_values(put("a"));
}

TEST_F(EagerFile, DimensionsOfANewGroup) {
  int x = -1, variable = -1, found = -1;
  SCORPIO_OK_OR_FAIL(scorpio_dimension_define(file_, "new/x", 5, &x));
  SCORPIO_OK_OR_FAIL(scorpio_variable_define_on(file_, "new/v", SCORPIO_INT32, 1, &x, &variable));
  SCORPIO_OK_OR_FAIL(scorpio_file_sync(file_));
  SCORPIO_OK_OR_FAIL(scorpio_dimension_find(file_, "/new/x", &found));
  EXPECT_EQ(found, x);
  if (rank() == 0) {
    EXPECT_GT(H5Lexists(id(), "/new", H5P_DEFAULT), 0);
    EXPECT_GT(H5Lexists(id(), "/new/x", H5P_DEFAULT), 0);
  }
}

// Whoever made it: it has a target, and leads to the id of the object there.
TEST_F(EagerFile, LinksStayLinks) {
  const int v = put("/g/v");
  SCORPIO_OK_OR_FAIL(scorpio_link_define(file_, "ours", "g/v"));
  SCORPIO_OK_OR_FAIL(scorpio_link_define(file_, "to_g", "/g"));
  if (rank() == 0) {
    EXPECT_GE(H5Lcreate_soft("/ours", id(), "/theirs", H5P_DEFAULT, H5P_DEFAULT), 0);
  }
  char target[20] = "";
  for (const char* path : {"ours", "theirs", "/to_g/v", "g/v"}) {
    int found = -1, kind = -1;
    SCORPIO_OK_OR_FAIL(scorpio_object_find(file_, path, &kind, &found));
    EXPECT_EQ(kind, SCORPIO_OBJECT_VARIABLE) << path;
    EXPECT_EQ(found, v) << path;
  }
  SCORPIO_OK_OR_FAIL(scorpio_link_target(file_, "ours", target, sizeof target, nullptr));
  EXPECT_STREQ(target, "g/v");
  SCORPIO_OK_OR_FAIL(scorpio_link_target(file_, "theirs", target, sizeof target, nullptr));
  EXPECT_STREQ(target, "/ours");
  EXPECT_EQ(scorpio_link_target(file_, "/to_g/v", target, sizeof target, nullptr), SCORPIO_ERR_NOT_FOUND);
  int members = -1, variables = -1;
  SCORPIO_OK_OR_FAIL(scorpio_group_count(file_, SCORPIO_GLOBAL, &members));
  EXPECT_EQ(members, 4) << "g, ours, theirs, to_g";
  SCORPIO_OK_OR_FAIL(scorpio_file_variables(file_, nullptr, 0, &variables));
  EXPECT_EQ(variables, 1);
  if (rank() == 0) {
    EXPECT_GE(H5Ldelete(id(), "/g/v", H5P_DEFAULT), 0);
  }
  int kind = -1, found = -7;
  SCORPIO_OK_OR_FAIL(scorpio_object_find(file_, "theirs", &kind, &found));
  EXPECT_EQ(kind, SCORPIO_OBJECT_LINK);
  EXPECT_EQ(found, -7);
  SCORPIO_OK_OR_FAIL(scorpio_object_remove(file_, "ours"));
  EXPECT_EQ(scorpio_link_target(file_, "ours", target, sizeof target, nullptr), SCORPIO_ERR_NOT_FOUND);
}

// The other ranks do not wait for one that has no object.
TEST_F(EagerFile, AnIdThatIsWrongOnOneRankFailsOnAll) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const int culprit : {0, ranks - 1}) {
    const int object = rank() == culprit ? -77 : SCORPIO_GLOBAL;
    SCORPIO_OK_OR_FAIL(scorpio_attribute_put_text(file_, SCORPIO_GLOBAL, "a", "text"));
    char text[10] = "";
    EXPECT_EQ(scorpio_attribute_put_text(file_, object, "b", "text"), SCORPIO_ERR_HANDLE) << last_error();
    EXPECT_EQ(scorpio_attribute_get_text(file_, object, "a", text, sizeof text, nullptr), SCORPIO_ERR_HANDLE)
        << last_error();
    EXPECT_EQ(scorpio_attribute_rename(file_, object, "a", "c"), SCORPIO_ERR_HANDLE) << last_error();
    EXPECT_EQ(scorpio_attribute_remove(file_, object, "a"), SCORPIO_ERR_HANDLE) << last_error();
    int group = 0, *const place = rank() == culprit ? nullptr : &group;
    EXPECT_EQ(scorpio_group_find(file_, "/", place), SCORPIO_ERR_ARGUMENT) << last_error();
    EXPECT_EQ(scorpio_variable_find(file_, "v", place), SCORPIO_ERR_ARGUMENT) << last_error();
    int64_t n = 0;
    EXPECT_EQ(scorpio_attribute_string_count(file_, SCORPIO_GLOBAL, "a", rank() == culprit ? nullptr : &n),
              SCORPIO_ERR_ARGUMENT)
        << last_error();
    EXPECT_EQ(scorpio_attribute_get_text(file_, SCORPIO_GLOBAL, "b", text, sizeof text, nullptr),
              SCORPIO_ERR_NOT_FOUND);
  }
  expect_values(put("a"));
}

// Otherwise a rank would lose what the metadata rank does not find at another path.
TEST_F(EagerFile, PathsOfInquiriesThatDifferFailOnAllRanks) {
  int ranks = 0, v = put("kept"), found = -1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const int culprit : {0, ranks - 1}) {
    const int code = scorpio_variable_find(file_, rank() == culprit ? "absent" : "kept", &found);
    EXPECT_EQ(code, ranks == 1 ? SCORPIO_ERR_NOT_FOUND : SCORPIO_ERR_MISMATCH) << last_error();
    SCORPIO_OK_OR_FAIL(scorpio_variable_find(file_, "kept", &found));
    EXPECT_EQ(v, found);
  }
  expect_values(v);
}

TEST_F(EagerFile, AnOrdinaryFileHasNoId) {
  scorpio_options* options = nullptr;
  SCORPIO_OK_OR_FAIL(scorpio_options_create(&options));
  SCORPIO_OK_OR_FAIL(scorpio_options_set(options, "eager", "false"));
  scorpio_file* other = nullptr;
  SCORPIO_OK_OR_FAIL(
      scorpio_file_create(system_, (path_ + ".2").c_str(), SCORPIO_FORMAT_DEFAULT, options, &other));
  int64_t value = 0;
  EXPECT_EQ(scorpio_file_hdf5_id(other, &value), SCORPIO_ERR_STATE);
  SCORPIO_OK_OR_FAIL(scorpio_file_close(other));
  scorpio_options_free(options);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) unlink((path_ + ".2").c_str());
}

}  // namespace
}  // namespace scorpio::testing_eager
