// What a client does with HDF5 between calls, and ids on several I/O ranks. Collective; every test on all
// ranks.
#include "eager/eager_file.h"

namespace scorpio::testing_eager {
namespace {

// Chunked and deflated: no rank can reach its elements by address.
hid_t make_chunked(hid_t file, const char* name, hsize_t elements) {
  const hsize_t chunk = 64;
  const hsize_t most = H5S_UNLIMITED;
  const hid_t space = H5Screate_simple(1, &elements, &most);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 1, &chunk);
  H5Pset_deflate(properties, 1);
  const hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Pclose(properties);
  H5Sclose(space);
  EXPECT_GE(set, 0);
  return set;
}

std::vector<int> ascending(size_t count, int from = 0) {
  std::vector<int> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = from + static_cast<int>(i);
  return values;
}

void write(hid_t set, const std::vector<int>& values) {
  EXPECT_GE(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
}

class ClientOfOne : public EagerFile {};

TEST_F(ClientOfOne, ChunkedDataAreReadBeforeAnySync) {
  if (rank() == 0) {
    const hid_t set = make_chunked(id(), "/mine", k_elements);
    write(set, ascending(k_elements));
    H5Dclose(set);
  }
  int variable = -1;
  SCORPIO_OK_OR_FAIL(scorpio_variable_find(file_, "mine", &variable));
  expect_values(variable);
}

TEST_F(ClientOfOne, ChunkedDataAreReadAsTheyAreNow) {
  hid_t set = -1;
  if (rank() == 0) {
    set = make_chunked(id(), "/mine", k_elements);
    write(set, ascending(k_elements, 5000));
  }
  int variable = -1;
  SCORPIO_OK_OR_FAIL(scorpio_variable_find(file_, "mine", &variable));
  std::vector<int> read(values_.size(), -1);
  SCORPIO_OK_OR_FAIL(scorpio_get_darray(file_, variable, decomp_, 0, SCORPIO_INT32, read.data()));
  for (size_t i = 0; i < read.size(); ++i) ASSERT_EQ(read[i], values_[i] + 5000);
  if (rank() == 0) {
    write(set, ascending(k_elements));
    H5Dclose(set);
  }
  expect_values(variable);
}

TEST_F(ClientOfOne, PostsAndArraysOfChunkedDataSeeThemAsTheyAreNow) {
  hid_t set = rank() == 0 ? make_chunked(id(), "/mine", k_elements) : -1;
  int variable = -1;
  SCORPIO_OK_OR_FAIL(scorpio_variable_find(file_, "mine", &variable));
  const int64_t start = 3 + rank(), count = 200;
  std::vector<int> array(static_cast<size_t>(count)), posted(array.size());
  for (int from = 0; from < 3; ++from) {
    if (rank() == 0) write(set, ascending(k_elements, from));
    const scorpio_access all = scorpio_hyperslab(variable, &start, &count, SCORPIO_INT32, array.data());
    SCORPIO_OK_OR_FAIL(scorpio_get(file_, &all));
    EXPECT_EQ(array, ascending(array.size(), static_cast<int>(start) + from));
    if (rank() == 0) write(set, ascending(k_elements, from + 10));
    const scorpio_access post = scorpio_hyperslab(variable, &start, &count, SCORPIO_INT32, posted.data());
    if (rank() != 1) {
      SCORPIO_OK_OR_FAIL(scorpio_iget(file_, &post, nullptr));
    }
    SCORPIO_OK_OR_FAIL(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    if (rank() != 1) {
      EXPECT_EQ(posted, ascending(posted.size(), static_cast<int>(start) + from + 10));
    }
  }
  if (rank() == 0) H5Dclose(set);
}

TEST_F(ClientOfOne, AWrongVariableOnOneRankFailsOnAllAndHarmsNothing) {
  if (rank() == 0) {
    const hid_t set = make_chunked(id(), "/mine", k_elements);
    write(set, ascending(k_elements));
    H5Dclose(set);
  }
  int variable = -1;
  SCORPIO_OK_OR_FAIL(scorpio_variable_find(file_, "mine", &variable));
  std::vector<int> read(values_.size(), -1);
  const int asked = rank() == 0 ? 77 : variable;
  EXPECT_EQ(scorpio_get_darray(file_, asked, decomp_, 0, SCORPIO_INT32, read.data()), SCORPIO_ERR_HANDLE);
  expect_values(variable);
}

TEST_F(ClientOfOne, AGroupThatTheClientRemovedDoesNotSpoilLaterDefinitions) {
  put("/g/a");
  if (rank() == 0) {
    EXPECT_GE(H5Ldelete(id(), "/g", H5P_DEFAULT), 0);
  }
  int variable = -1;
  EXPECT_NE(scorpio_variable_define(file_, "g/b", SCORPIO_INT32, 1, &k_elements, &variable), SCORPIO_OK);
  int kind = -1;
  SCORPIO_OK_OR_FAIL(scorpio_object_find(file_, "g//", &kind, nullptr));
  EXPECT_EQ(kind, SCORPIO_OBJECT_NONE);
  expect_values(put("/h/b"));
  expect_values(put("g/b"));
}

TEST_F(ClientOfOne, SoftLinksAreFollowed) {
  put("/deep/a");
  SCORPIO_OK_OR_FAIL(scorpio_link_define(file_, "/short", "deep"));
  SCORPIO_OK_OR_FAIL(scorpio_file_close(file_));
  SCORPIO_OK_OR_FAIL(scorpio_file_open(system_, path_.c_str(), SCORPIO_READ, nullptr, &file_));
  int variable = -1;
  SCORPIO_OK_OR_FAIL(scorpio_variable_find(file_, "short/a", &variable));
  expect_values(variable);
}

TEST_F(ClientOfOne, FinishedOnTheMetadataRankIsCompleteForOthers) {
  const int variable = put("a");
  EXPECT_EQ(scorpio_file_finish(file_), SCORPIO_ERR_STATE);  // not synced
  SCORPIO_OK_OR_FAIL(scorpio_file_sync(file_));
  if (rank() == 0) {
    const hid_t set = make_chunked(id(), "/late", k_elements);
    write(set, ascending(k_elements));
    H5Dclose(set);
    SCORPIO_OK_OR_FAIL(scorpio_file_finish(file_));
    const hid_t stock = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(stock, 0);
    expect_ascending(read_all(stock, "/a", k_elements));
    expect_ascending(read_all(stock, "/late", k_elements));
    H5Fclose(stock);
    EXPECT_EQ(scorpio_put_darray(file_, variable, decomp_, 0, SCORPIO_INT32, values_.data()),
              SCORPIO_ERR_STATE);
  }
}

TEST_F(ClientOfOne, AFileOpenedForReadingHasAnIdToo) {
  put("a");
  SCORPIO_OK_OR_FAIL(scorpio_file_close(file_));
  SCORPIO_OK_OR_FAIL(scorpio_file_open(system_, path_.c_str(), SCORPIO_READ, nullptr, &file_));
  const hid_t file = id();
  EXPECT_EQ(file >= 0, rank() == 0);
  if (rank() == 0) expect_ascending(read_all(file, "/a", k_elements));
  SCORPIO_OK_OR_FAIL(scorpio_file_finish(file_));
}

int ranks() {
  int count = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

class ClientOfSeveral : public EagerFile {
 protected:
  ClientOfSeveral() : EagerFile(ranks() < 3 ? "1" : "3") {}
  bool io_rank() {
    int mine = -1;
    EXPECT_EQ(scorpio_iosystem_io_ranks(system_, nullptr, &mine), SCORPIO_OK);
    return mine >= 0;
  }
};

TEST_F(ClientOfSeveral, AMirrorShowsWhatIsThereNow) {
  put("a");
  SCORPIO_OK_OR_FAIL(scorpio_file_mirror(file_));
  EXPECT_EQ(id() >= 0, io_rank());
  if (io_rank()) expect_ascending(read_all(id(), "/a", k_elements));
  if (rank() == 0) {
    const hid_t set = make_chunked(id(), "/mine", k_elements);
    write(set, ascending(k_elements));
    H5Dclose(set);
  }
  SCORPIO_OK_OR_FAIL(scorpio_file_mirror(file_));
  if (io_rank()) expect_ascending(read_all(id(), "/mine", k_elements));
  EXPECT_EQ(id() >= 0, io_rank());
}

// As clients do that think of the file as opened by all roots: the same definitions on each, data on one.
TEST_F(ClientOfSeveral, DefinitionsOnEveryIoRankAreHarmless) {
  hid_t set = -1;
  SCORPIO_OK_OR_FAIL(scorpio_file_mirror(file_));
  if (io_rank()) set = make_chunked(id(), "/probe", 10);
  put("a");
  SCORPIO_OK_OR_FAIL(scorpio_file_mirror(file_));
  if (io_rank()) {
    const hsize_t extent = 20;
    EXPECT_GE(H5Dset_extent(set, &extent), 0);
    if (rank() == 0) write(set, ascending(20));
    H5Dclose(set);
  }
  SCORPIO_OK_OR_FAIL(scorpio_file_mirror(file_));
  if (io_rank()) {
    expect_ascending(read_all(id(), "/probe", 20));
    expect_ascending(read_all(id(), "/a", k_elements));
  }
}

TEST_F(ClientOfSeveral, DataWrittenThroughAMirrorAreMissedAloud) {
  if (ranks() == 1) GTEST_SKIP() << "one rank mirrors nothing";
  SCORPIO_OK_OR_FAIL(scorpio_file_mirror(file_));
  if (io_rank() && rank() != 0) {
    const hid_t set = make_chunked(id(), "/lost", 100);
    write(set, ascending(100));
    H5Dclose(set);
    H5Fflush(id(), H5F_SCOPE_LOCAL);
  }
  EXPECT_EQ(scorpio_file_mirror(file_), SCORPIO_ERR_STATE);
  EXPECT_NE(last_error().find("are in no file"), std::string::npos) << last_error();
}

}  // namespace
}  // namespace scorpio::testing_eager
