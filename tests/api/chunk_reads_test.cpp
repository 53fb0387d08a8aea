// Chunks that other programs have stored: read by the I/O ranks themselves, in parts and as a whole, and
// refused where they are damaged.
#include <algorithm>
#include <random>

#include "accesses.h"
#include "foreign_file.h"
#include "random_draws.h"
#include "reference.h"

namespace scorpio::api_test {
namespace {

// How a data set is stored.
struct Form {
  std::string name;
  Extents dims;
  Extents chunk;
  std::vector<int> filters;
  hid_t type = H5T_STD_I32LE;
  bool unlimited = false;
  double written = 1;  // this part of the rows; the rest reads as the fill value
};

constexpr int32_t k_fill = -5;

// Of element g.
int32_t value_of(const Form& form, int64_t g) {
  const int64_t row = elements_of(form.dims) / form.dims[0];
  const auto rows = static_cast<int64_t>(form.written * static_cast<double>(form.dims[0]));
  return g / row < rows ? static_cast<int32_t>(g % 1000 + g / 77) : k_fill;
}

std::vector<hsize_t> sizes(const Extents& extents) { return {extents.begin(), extents.end()}; }

void set_filters(hid_t list, const std::vector<int>& filters) {
  for (const int filter : filters) {
    if (filter == H5Z_FILTER_DEFLATE) H5Pset_deflate(list, 2);
    if (filter == H5Z_FILTER_SHUFFLE) H5Pset_shuffle(list);
    if (filter == H5Z_FILTER_FLETCHER32) H5Pset_fletcher32(list);
  }
}

void write_form(hid_t file, const Form& form) {
  const std::vector<hsize_t> dims = sizes(form.dims), chunk = sizes(form.chunk);
  const std::vector<hsize_t> most(form.dims.size(), H5S_UNLIMITED), start(form.dims.size(), 0);
  const int ndims = static_cast<int>(dims.size());
  const hid_t space = H5Screate_simple(ndims, dims.data(), form.unlimited ? most.data() : nullptr);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, ndims, chunk.data());
  H5Pset_fill_value(list, H5T_NATIVE_INT32, &k_fill);
  set_filters(list, form.filters);
  const hid_t set = H5Dcreate2(file, form.name.c_str(), form.type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_GE(set, 0) << form.name;
  std::vector<hsize_t> count = dims;
  count[0] = static_cast<hsize_t>(form.written * static_cast<double>(dims[0]));
  if (count[0] > 0) {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    std::vector<int32_t> values(static_cast<size_t>(elements_of(form.dims)));
    for (size_t g = 0; g < values.size(); ++g) values[g] = value_of(form, static_cast<int64_t>(g));
    ASSERT_GE(H5Dwrite(set, H5T_NATIVE_INT32, space, space, H5P_DEFAULT, values.data()), 0) << form.name;
  }
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
}

std::vector<Form> forms() {
  H5open();
  const std::vector<std::vector<int>> filters = {{}, {1}, {2, 1}, {3}, {3, 2, 1}, {2, 1, 3}, {1, 1}};
  std::vector<Form> all;
  for (size_t i = 0; i < filters.size(); ++i) {
    const std::string name = "f" + std::to_string(i);
    all.push_back({name, {60, 50}, {17, 50}, filters[i]});
    all.push_back({name + "_part", {60, 50}, {16, 9}, filters[i], H5T_STD_I32LE, false, 0.6});
    all.push_back({name + "_big", {13, 20, 7}, {5, 6, 7}, filters[i], H5T_STD_I32BE});
    all.push_back({name + "_grows", {9, 20}, {16, 32}, filters[i], H5T_STD_I16BE, true});
    all.push_back({name + "_grows2", {90, 20}, {16, 8}, filters[i], H5T_STD_I64LE, true, 0.5});
  }
  all.push_back({"one", {1000}, {1000}, {1}, H5T_STD_I32LE});
  all.push_back({"none", {1000}, {100}, {1}, H5T_STD_I32LE, false, 0});
  all.push_back({"long", {300, 500}, {200, 400}, {2, 1}, H5T_STD_I32LE});
  all.push_back({"many", {120, 90}, {4, 3}, {}, H5T_STD_I32LE});
  return all;
}

class ChunkReads : public ForeignFile, public testing::WithParamInterface<bool> {
 protected:
  ChunkReads()
      : ForeignFile({{"staging_bytes", "256k"},
                     {"block_bytes", "4k"},
                     {"nodes", ranks_in() > 2 ? "2" : "1"},
                     {"io_ranks", ranks_in() > 1 ? "2" : "1"},
                     {"chunk_bytes", "64k"}}) {}

  // With the indices of chunks that HDF5 has by default, and those of its newest form.
  void make_forms(const std::vector<Form>& all) {
    if (rank_in() == 0) {
      const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
      if (GetParam()) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
      const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
      ASSERT_GE(file, 0);
      for (const Form& form : all) write_form(file, form);
      ASSERT_GE(H5Fclose(file), 0);
      H5Pclose(access);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void expect(const Form& form, const Layout& layout) {
    const Decomp parts(system_, layout);
    Reference<int32_t> expected(form.dims);
    for (int64_t g = 0; g < elements_of(form.dims); ++g) expected[g] = value_of(form, g);
    SCOPED_TRACE(form.name);
    expect_part(file_, find(form.name), parts, layout, expected, rank_in());
  }
};

TEST_P(ChunkReads, EveryFormByEveryLayout) {
  const std::vector<Form> all = forms();
  make_forms(all);
  open();
  std::mt19937_64 random(5);
  for (const Form& form : all) {
    expect(form, random() % 2 == 0 ? uniform_layout(form.dims, ranks_in())
                                   : random_layout(form.dims, ranks_in(), random));
  }
  EXPECT_EQ(0u, system_.sum("fallback_reads"));
  close();
}

// A row at a time of each variable in turn, by requests.
TEST_P(ChunkReads, RequestsOfRows) {
  const std::vector<Form> all = forms();
  make_forms(all);
  open();
  std::vector<std::vector<int32_t>> got;
  for (const Form& form : all) {
    const int64_t row = elements_of(form.dims) / form.dims[0];
    Extents start(form.dims.size(), 0), count = form.dims;
    start[0] = rank_in() % form.dims[0];
    count[0] = 1;
    got.emplace_back(static_cast<size_t>(row), 77);
    EXPECT_SUCCESS(iget(file_, scorpio_hyperslab(find(form.name), start.data(), count.data(), SCORPIO_INT32,
                                                 got.back().data())));
  }
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  for (size_t i = 0; i < all.size(); ++i) {
    const auto row = static_cast<int64_t>(got[i].size());
    for (int64_t k = 0; k < row; ++k) {
      ASSERT_EQ(value_of(all[i], rank_in() % all[i].dims[0] * row + k), got[i][static_cast<size_t>(k)])
          << all[i].name << " " << k;
    }
  }
  EXPECT_EQ(0u, system_.sum("fallback_reads"));
  close();
}

INSTANTIATE_TEST_SUITE_P(Indices, ChunkReads, testing::Values(false, true));

class OneChunkedFile : public ForeignFile {
 protected:
  explicit OneChunkedFile(const Settings& settings = {{"io_ranks", "1"}, {"staging_bytes", "4MiB"}})
      : ForeignFile(settings) {}

  // Gets all elements; the code.
  int get_all(const Form& form, std::vector<int32_t>& got) {
    const Layout layout = uniform_layout(form.dims, ranks_in());
    const Decomp parts(system_, layout);
    got.assign(layout.of(rank_in()).size(), 77);
    return scorpio_get_darray(file_, find(form.name), parts.get(), 0, SCORPIO_INT32, got.data());
  }
};

// A chunk that left out filters, and one whose filters made no less of it, are told by their masks.
TEST_F(OneChunkedFile, FiltersOfEachChunk) {
  const Form form{"v", {4, 100}, {1, 100}, {2, 1}};
  make([&](hid_t file) {
    write_form(file, form);
    const hid_t set = H5Dopen2(file, "v", H5P_DEFAULT);
    std::vector<int32_t> row(100);
    for (hsize_t r = 0; r < 4; r += 2) {
      for (int64_t k = 0; k < 100; ++k) {
        row[static_cast<size_t>(k)] = value_of(form, static_cast<int64_t>(r) * 100 + k);
      }
      const hsize_t start[] = {r, 0};
      ASSERT_GE(H5Dwrite_chunk(set, H5P_DEFAULT, 3, start, 400, row.data()), 0);
    }
    H5Dclose(set);
  });
  open();
  std::vector<int32_t> got;
  EXPECT_SUCCESS(get_all(form, got));
  const Layout layout = uniform_layout(form.dims, ranks_in());
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(value_of(form, layout.of(rank_in())[i]), got[i]) << i;
  close();
}

// Filters that HDF5 does not have itself, where their libraries are there; else the refusal says what is
// missing.
TEST_F(OneChunkedFile, FiltersOfOtherLibraries) {
  const Extents dims{300, 70}, chunk{40, 70};
  const std::pair<int, int> filters[] = {{32015, 1}, {32001, 511}};
  for (const auto& [filter, level] : filters) {
    const std::vector<int> numbers{2, filter}, parameters{0, level};
    int id = -1;
    ASSERT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    ASSERT_SUCCESS(scorpio_variable_define(file_, "v", SCORPIO_INT32, 2, dims.data(), &id));
    ASSERT_SUCCESS(scorpio_variable_define_chunks(file_, id, chunk.data()));
    const int code = scorpio_variable_define_filters(file_, id, 2, numbers.data(), parameters.data());
    if (code != SCORPIO_OK) {
      EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, code);
      EXPECT_NE(std::string::npos, last_text().find("Debian package")) << last_text();
      close();
      continue;
    }
    const Layout layout = uniform_layout(dims, ranks_in());
    const Decomp parts(system_, layout);
    Reference<int32_t> expected(dims);
    EXPECT_SUCCESS(put<int32_t>(file_, id, parts, layout, 1, rank_in()));
    expected.put(layout, 1);
    close();
    open();
    expect_part(file_, find("v"), parts, layout, expected, rank_in());
    EXPECT_EQ(0u, system_.sum("fallback_reads"));
    close();
  }
}

// Chunks that lie together are read together, and the file is opened once for its metadata.
TEST_F(OneChunkedFile, CostsOneReadForEachUnit) {
  for (const std::vector<int>& filters : {std::vector<int>{}, std::vector<int>{2, 1}}) {
    const Form form{"v", {1000, 1000}, {10, 1000}, filters};
    make([&](hid_t file) { write_form(file, form); });
    open();
    std::vector<int32_t> got;
    EXPECT_SUCCESS(get_all(form, got));
    const uint64_t opens = system_.sum("opens"), reads = system_.sum("reads");
    const uint64_t agreements = system_.counter("agreements");
    EXPECT_SUCCESS(get_all(form, got));
    EXPECT_EQ(opens, system_.sum("opens"));
    // A decomposition and a get; of the 100 chunks six or more at a time.
    EXPECT_LE(system_.counter("agreements") - agreements, 4u);
    EXPECT_LE(system_.sum("reads") - reads, 20u) << filters.size();
    close();
  }
}

// A file whose chunk HDF5 has stored wrongly at our request.
class DamagedChunks : public OneChunkedFile {
 protected:
  static constexpr int k_chunks = 6;

  // Changes the bytes of one chunk, or their number, or its mask.
  void damage(const Form& form, std::mt19937_64& random) {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, form.name.c_str(), H5P_DEFAULT);
    const hsize_t start[] = {random() % k_chunks * static_cast<hsize_t>(form.chunk[0]), 0};
    hsize_t bytes = 0;
    uint32_t mask = 0;
    H5Dget_chunk_storage_size(set, start, &bytes);
    std::vector<unsigned char> stored(bytes);
    H5Dread_chunk(set, H5P_DEFAULT, start, &mask, stored.data());
    switch (random() % 4) {
      case 0:
        stored.resize(1 + random() % stored.size());
        break;
      case 1:
        stored.resize(stored.size() + 1 + random() % 5000);
        break;
      case 2:
        mask = static_cast<uint32_t>(random() % 8);
        break;
      default:
        for (uint64_t n = 1 + random() % 3; n > 0; --n) {
          stored[random() % stored.size()] ^= static_cast<unsigned char>(1u << random() % 8);
        }
    }
    H5Dwrite_chunk(set, H5P_DEFAULT, mask, start, stored.size(), stored.data());
    H5Dclose(set);
    H5Fclose(file);
  }
};

// On all ranks the same: the data, or a failure that names variable and chunk.
TEST_F(DamagedChunks, AreRefusedOrReadTheSameOnAllRanks) {
  std::mt19937_64 random(3);
  int failures = 0;
  const std::vector<std::vector<int>> filters = {{2, 1}, {3}, {3, 2, 1}, {1, 3}};
  for (int round = 0; round < 40 && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const Form form{"v", {60, 40}, {10, 40}, filters[static_cast<size_t>(round) % filters.size()]};
    make([&](hid_t file) { write_form(file, form); });
    if (rank_in() == 0) damage(form, random);
    MPI_Barrier(MPI_COMM_WORLD);
    open();
    std::vector<int32_t> got;
    const int code = get_all(form, got);
    EXPECT_TRUE(equal_on_all(std::to_string(code)));
    if (code != SCORPIO_OK) {
      ++failures;
      EXPECT_EQ(SCORPIO_ERR_FORMAT, code) << last_text();
      EXPECT_NE(std::string::npos, last_text().find("chunk (")) << last_text();
      EXPECT_NE(std::string::npos, last_text().find("/v of " + path_)) << last_text();
    }
    // What is not damaged can be read all the same, and the file be closed.
    close();
  }
  EXPECT_GT(failures, 20);
}

// The object is known by more than its name.
TEST_F(OneChunkedFile, CanBeRenamed) {
  const Form form{"v", {60, 40}, {10, 40}, {2, 1}};
  make([&](hid_t file) { write_form(file, form); });
  open(SCORPIO_WRITE);
  std::vector<int32_t> got;
  EXPECT_SUCCESS(get_all(form, got));
  // Its name changes before the file knows it.
  EXPECT_SUCCESS(scorpio_variable_rename(file_, find("v"), "w"));
  Form renamed = form;
  renamed.name = "w";
  EXPECT_SUCCESS(get_all(renamed, got));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_SUCCESS(get_all(renamed, got));
  const Layout layout = uniform_layout(form.dims, ranks_in());
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(value_of(form, layout.of(rank_in())[i]), got[i]) << i;
  close();
}

}  // namespace
}  // namespace scorpio::api_test
