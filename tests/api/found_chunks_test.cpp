// Chunks that other programs have stored, and that are changed here: what any ranks put is there for a get,
// for a get of a fresh open, and for HDF5 alone; what nobody puts stays as it was.
#include <random>

#include "accesses.h"
#include "foreign_file.h"
#include "random_draws.h"
#include "reference.h"

namespace scorpio::api_test {
namespace {

constexpr int32_t k_fill = -5;

struct Set {
  std::string name;
  Extents dims;
  Extents chunk;
  std::vector<int> filters;
  hid_t type;
  Reference<int32_t> expected;
  int id = -1;
};

std::vector<hsize_t> sizes(const Extents& extents) { return {extents.begin(), extents.end()}; }

class FoundChunks : public ForeignFile {
 protected:
  explicit FoundChunks(const Settings& settings = {}) : ForeignFile(settings) {}
  ~FoundChunks() override = default;

  // The first half of the rows is written; the other rows are read as the fill value.
  static void write_set(hid_t file, Set& set) {
    const std::vector<hsize_t> dims = sizes(set.dims), chunk = sizes(set.chunk), start(dims.size(), 0);
    const std::vector<hsize_t> most(dims.size(), H5S_UNLIMITED);
    const int ndims = static_cast<int>(dims.size());
    const hid_t space = H5Screate_simple(ndims, dims.data(), most.data()),
                list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, ndims, chunk.data());
    H5Pset_fill_value(list, H5T_NATIVE_INT32, &k_fill);
    for (const int filter : set.filters) {
      if (filter == H5Z_FILTER_DEFLATE) H5Pset_deflate(list, 1);
      if (filter == H5Z_FILTER_SHUFFLE) H5Pset_shuffle(list);
      if (filter == H5Z_FILTER_FLETCHER32) H5Pset_fletcher32(list);
    }
    const hid_t id = H5Dcreate2(file, set.name.c_str(), set.type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    std::vector<hsize_t> count = dims;
    count[0] = dims[0] / 2;
    if (count[0] > 0) {
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
      ASSERT_GE(H5Dwrite(id, H5T_NATIVE_INT32, space, space, H5P_DEFAULT, set.expected.elements().data()), 0);
    }
    H5Dclose(id);
    H5Pclose(list);
    H5Sclose(space);
  }

  static Set set_of(const std::string& name, const Extents& dims, const Extents& chunk,
                    const std::vector<int>& filters, hid_t type) {
    Set set{name, dims, chunk, filters, type, Reference<int32_t>(dims)};
    const int64_t row = elements_of(dims) / dims[0];
    for (int64_t g = 0; g < elements_of(dims); ++g) {
      set.expected[g] = g < dims[0] / 2 * row ? static_cast<int32_t>(g % 1009) : k_fill;
    }
    return set;
  }

  void make_sets() {
    make([&](hid_t file) {
      for (Set& set : sets_) write_set(file, set);
    });
  }

  void open_sets(scorpio_open_mode mode) {
    open(mode);
    for (Set& set : sets_) set.id = find(set.name);
  }

  void expect_set(Set& set, const System& system, const Layout& layout) {
    SCOPED_TRACE(set.name);
    const Decomp parts(system, layout);
    expect_part(file_, set.id, parts, layout, set.expected, rank_in());
  }

  void expect_by_hdf5() {
    if (rank_in() == 0) {
      const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
      for (const Set& set : sets_) {
        const hid_t id = H5Dopen2(file, set.name.c_str(), H5P_DEFAULT);
        std::vector<int32_t> got(set.expected.elements().size());
        EXPECT_GE(H5Dread(id, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, got.data()), 0) << set.name;
        EXPECT_TRUE(set.expected.elements() == got) << set.name;
        H5Dclose(id);
      }
      H5Fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  std::vector<Set> sets_;
};

class RandomChanges : public FoundChunks, public testing::WithParamInterface<int> {
 protected:
  Settings settings(std::mt19937_64& random) {
    Settings all = random_io_ranks(random, ranks_in());
    all.insert(all.end(), {{"nodes", std::to_string(1 + random() % 2 * (ranks_in() > 1 ? 1 : 0))},
                           {"staging_bytes", random() % 2 == 0 ? "256k" : "1m"},
                           {"block_bytes", random() % 2 == 0 ? "4k" : "64k"},
                           {"chunk_bytes", random() % 2 == 0 ? "64k" : "64m"},
                           {"asynchronous", random() % 2 == 0 ? "true" : "false"}});
    return all;
  }

  void draw_sets(std::mt19937_64& random) {
    H5open();
    const std::vector<std::vector<int>> filters = {{}, {1}, {2, 1}, {3}, {3, 2, 1}};
    const hid_t types[] = {H5T_STD_I32LE, H5T_STD_I32BE, H5T_STD_I16LE};
    for (size_t i = 0; i < 3; ++i) {
      const Extents dims = random_extents(random, 1, {5000, 100, 25});
      Extents chunk;
      for (const int64_t extent : dims) {
        chunk.push_back(1 + static_cast<int64_t>(random() % static_cast<uint64_t>(extent + 3)));
      }
      sets_.push_back(set_of("v" + std::to_string(i), dims, chunk, filters[random() % filters.size()],
                             types[random() % 3]));
    }
  }
};

TEST_P(RandomChanges, AreThereForAll) {
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()));
  const System system(settings(random));
  draw_sets(random);
  make_sets();
  ASSERT_SUCCESS(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
  for (Set& set : sets_) set.id = find(set.name);
  for (uint64_t call = 1; call <= 5; ++call) {
    Set& set = sets_[random() % sets_.size()];
    const Layout layout = random_layout(set.dims, ranks_in(), random);
    const Decomp parts(system, layout);
    EXPECT_SUCCESS(put<int32_t>(file_, set.id, parts, layout, call, rank_in()));
    set.expected.put(layout, call);
    if (random() % 3 == 0) {
      EXPECT_SUCCESS(scorpio_file_sync(file_));
      expect_by_hdf5();
    }
    if (random() % 2 == 0) expect_set(set, system, layout);
  }
  EXPECT_SUCCESS(scorpio_file_close(file_));
  expect_by_hdf5();
  open_sets(SCORPIO_READ);
  for (Set& set : sets_) expect_set(set, system_, uniform_layout(set.dims, ranks_in()));
  close();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomChanges, testing::Range(1, 21));

// By requests, beside contiguous data and new variables.
TEST_F(FoundChunks, RequestsBesideNewVariables) {
  H5open();
  sets_.push_back(set_of("old", {40, 30}, {7, 8}, {2, 1}, H5T_STD_I32LE));
  make_sets();
  open_sets(SCORPIO_WRITE);
  const Extents dims{40, 30};
  int added = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file_, "new", SCORPIO_INT32, 2, dims.data(), &added));
  EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, added, Extents{10, 10}.data()));
  const int64_t start[] = {rank_in(), 0}, count[] = {1, 30};
  const std::vector<int32_t> row(30, rank_in());
  for (const int variable : {sets_[0].id, added}) {
    EXPECT_SUCCESS(iput(file_, scorpio_hyperslab(variable, start, count, SCORPIO_INT32, row.data())));
  }
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  for (int r = 0; r < ranks_in(); ++r) {
    for (int64_t k = 0; k < 30; ++k) sets_[0].expected[r * 30 + k] = r;
  }
  expect_set(sets_[0], system_, uniform_layout(dims, ranks_in()));
  close();
  expect_by_hdf5();
}

// Chunks of the last synchronisation point stay where they are until the next one.
TEST_F(FoundChunks, CommittedChunksAreNotOverwritten) {
  H5open();
  sets_.push_back(set_of("v", {40, 30}, {10, 30}, {2, 1}, H5T_STD_I32LE));
  make_sets();
  open_sets(SCORPIO_WRITE);
  const Layout layout = uniform_layout({40, 30}, ranks_in());
  const Decomp parts(system_, layout);
  EXPECT_SUCCESS(put<int32_t>(file_, sets_[0].id, parts, layout, 1, rank_in()));
  expect_by_hdf5();
  sets_[0].expected.put(layout, 1);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_SUCCESS(put<int32_t>(file_, sets_[0].id, parts, layout, 2, rank_in()));
  expect_by_hdf5();
  sets_[0].expected.put(layout, 2);
  close();
  expect_by_hdf5();
}

}  // namespace
}  // namespace scorpio::api_test
