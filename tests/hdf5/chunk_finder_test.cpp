// Where chunks lie, as HDF5 itself tells it, in every form that its index of them can have.
#include <array>
#include <fstream>

#include "format/hdf5/object_number.h"
#include "support.h"

namespace scorpio::format::test {
namespace {

constexpr hsize_t k_rows = 60, k_columns = 40, k_chunk = 8;

struct Sample {
  const char* name;
  bool latest;
  std::array<hsize_t, 2> most;
  std::array<hsize_t, 2> chunk;
  bool early;  // all chunks exist from the beginning
  bool filtered;
};

const Sample k_samples[] = {
    {"btree1", false, {k_rows, k_columns}, {k_chunk, k_chunk}, false, false},
    {"btree1_filtered", false, {H5S_UNLIMITED, H5S_UNLIMITED}, {k_chunk, k_chunk}, false, true},
    {"single", true, {k_rows, k_columns}, {k_rows, k_columns}, false, true},
    {"implicit", true, {k_rows, k_columns}, {k_chunk, k_chunk}, true, false},
    {"fixed", true, {k_rows, k_columns}, {k_chunk, k_chunk}, false, true},
    {"extensible", true, {H5S_UNLIMITED, k_columns}, {k_chunk, k_chunk}, false, false},
    {"btree2", true, {H5S_UNLIMITED, H5S_UNLIMITED}, {k_chunk, k_chunk}, false, true},
};

class Finder : public Hdf5Test {
 protected:
  // Every second row of chunks is written.
  void make(const Sample& sample, hsize_t user_block = 0) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
    if (sample.latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_userblock(creation, user_block);
    const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation, access);
    const hsize_t dims[] = {k_rows, k_columns};
    const hid_t space = H5Screate_simple(2, dims, sample.most.data()), form = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(form, 2, sample.chunk.data());
    if (sample.filtered) H5Pset_deflate(form, 1);
    if (sample.early) H5Pset_alloc_time(form, H5D_ALLOC_TIME_EARLY);
    const hid_t set = H5Dcreate2(file, "v", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, form, H5P_DEFAULT);
    const std::vector<double> values = ramp(k_rows * k_columns);
    for (hsize_t row = 0; row < k_rows; row += 2 * sample.chunk[0]) {
      const hsize_t start[] = {row, 0}, count[] = {std::min(sample.chunk[0], k_rows - row), k_columns};
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
      EXPECT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, space, space, H5P_DEFAULT, values.data()), 0);
    }
    number_ = hdf5::number_of(set);
    H5Dclose(set);
    H5Pclose(form);
    H5Sclose(space);
    EXPECT_GE(H5Fclose(file), 0);
    H5Pclose(creation);
    H5Pclose(access);
  }

  std::unique_ptr<ChunkFinder> finder() {
    return take(open_hdf5_finder(stored(path_, storage::OpenMode::read), path_));
  }

  // What HDF5 says of all chunks is what is found.
  void expect_all(const Sample& sample, hsize_t user_block) {
    const auto found = finder();
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "v", H5P_DEFAULT);
    int missing = 0;
    for (hsize_t row = 0; row < k_rows; row += sample.chunk[0]) {
      for (hsize_t column = 0; column < k_columns; column += sample.chunk[1]) {
        const hsize_t offset[] = {row, column};
        unsigned mask = 0;
        haddr_t address = HADDR_UNDEF;
        hsize_t bytes = 0;
        EXPECT_GE(H5Dget_chunk_info_by_coord(set, offset, &mask, &address, &bytes), 0);
        const std::array<int64_t, 2> start{static_cast<int64_t>(row), static_cast<int64_t>(column)};
        const FoundChunk chunk = take(found->find(number_, start));
        EXPECT_EQ(address == HADDR_UNDEF ? 0 : bytes, chunk.bytes) << row << " " << column;
        if (address == HADDR_UNDEF) {
          ++missing;
        } else {
          EXPECT_EQ(address + user_block, chunk.address);
          EXPECT_EQ(mask, chunk.skipped);
        }
      }
    }
    EXPECT_EQ(sample.early || sample.chunk[0] == k_rows ? 0 : 20, missing);
    EXPECT_GE(H5Dclose(set), 0);
    EXPECT_GE(H5Fclose(file), 0);
    expect_ok(found->close());
  }

  std::string path_ = folder_ / "f.h5";
  uint64_t number_ = 0;
};

TEST_F(Finder, EveryFormOfTheIndex) {
  for (const Sample& sample : k_samples) {
    SCOPED_TRACE(sample.name);
    make(sample);
    expect_all(sample, 0);
  }
}

TEST_F(Finder, BehindAUserBlock) {
  for (const Sample& sample : k_samples) {
    SCOPED_TRACE(sample.name);
    make(sample, 512);
    expect_all(sample, 512);
  }
}

TEST_F(Finder, OfASetWithoutChunksAndOfNone) {
  const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t dims[] = {10}, chunk[] = {5};
  const hid_t space = H5Screate_simple(1, dims, nullptr), form = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(form, 1, chunk);
  const hid_t set = H5Dcreate2(file, "v", H5T_NATIVE_INT, space, H5P_DEFAULT, form, H5P_DEFAULT);
  number_ = hdf5::number_of(set);
  H5Dclose(set);
  H5Pclose(form);
  H5Sclose(space);
  EXPECT_GE(H5Fclose(file), 0);
  const auto found = finder();
  const int64_t start[] = {5};
  EXPECT_EQ(FoundChunk(), take(found->find(number_, start)));
  EXPECT_EQ(Code::format, found->find(number_ + 3, start).status().code());
  EXPECT_EQ(FoundChunk(), take(found->find(number_, start)));
}

// Overwritten nodes of the index are a failure, not chunks that were never written.
TEST_F(Finder, ADamagedIndexIsAFailure) {
  make(k_samples[0]);
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  int damaged = 0;
  for (size_t at = bytes.find("TREE"); at != std::string::npos; at = bytes.find("TREE", at + 1)) {
    if (bytes[at + 4] != 1) continue;  // a group's
    file.clear();
    file.seekp(static_cast<std::streamoff>(at));
    file.write("tree", 4);
    ++damaged;
  }
  file.close();
  EXPECT_GT(damaged, 0);
  const auto found = finder();
  const int64_t start[] = {0, 0};
  EXPECT_EQ(Code::format, found->find(number_, start).status().code());
}

}  // namespace
}  // namespace scorpio::format::test
