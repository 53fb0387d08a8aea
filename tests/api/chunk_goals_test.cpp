// The options `chunk_goal` and `expected_records`: the shapes of chunks that the library chooses, as the HDF5
// library reads them.
#include <map>
#include <set>

#include "accesses.h"
#include "foreign_file.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

using Shapes = std::map<std::string, Extents>;

// The shapes of the chunks of variables, read by HDF5; on rank 0.
Shapes shapes_in(const std::string& path, const std::set<std::string>& names) {
  Shapes shapes;
  if (rank_in() == 0) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    for (const std::string& name : names) {
      const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT), form = H5Dget_create_plist(set);
      hsize_t chunk[4] = {};
      const int ndims = H5Pget_chunk(form, 4, chunk);
      for (int d = 0; d < ndims; ++d) shapes[name].push_back(static_cast<int64_t>(chunk[d]));
      H5Pclose(form);
      H5Dclose(set);
    }
    H5Fclose(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return shapes;
}

class ChunkGoals : public testing::Test {
 protected:
  // A file with variables over dimensions time, lev, lat and lon, in format netcdf4; one of them has a shape
  // that the program gives, one an extent of 0 in it.
  void write(const System& system, const Settings& settings = {}) {
    const OptionList options(settings);
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(
        scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_NETCDF4, options.get(), &file));
    const char* const names[] = {"time", "lev", "lat", "lon"};
    const int64_t extents[] = {SCORPIO_UNLIMITED, 26, 180, 360};
    int ids[4] = {};
    for (int d = 0; d < 4; ++d) ASSERT_SUCCESS(scorpio_dimension_define(file, names[d], extents[d], &ids[d]));
    const int map[] = {ids[0], ids[2], ids[3]}, field[] = {ids[1], ids[2], ids[3]};
    const int alone = define(file, "alone", 1, ids), deep = define(file, "deep", 4, ids);
    const int flat = define(file, "flat", 3, map), given = define(file, "given", 4, ids);
    const int zeros = define(file, "zeros", 3, field);
    const int64_t shape[] = {3, 5, 7, 11}, some[] = {0, 0, 9};
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file, given, shape));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file, zeros, some));
    for (const int id : {alone, deep, flat, given, zeros}) expect_equal_shape(file, id);
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
  static int define(scorpio_file* file, const char* name, int ndims, const int* dimensions) {
    int id = -1;
    EXPECT_SUCCESS(scorpio_variable_define_on(file, name, SCORPIO_FLOAT32, ndims, dimensions, &id));
    return id;
  }
  static void expect_equal_shape(scorpio_file* file, int id) {
    int64_t chunk[4] = {};
    int filters = 0;
    scorpio_storage form = SCORPIO_STORAGE_UNKNOWN;
    EXPECT_SUCCESS(scorpio_variable_storage(file, id, &form, chunk, 4, nullptr, 0, &filters));
    EXPECT_TRUE(equal_on_all(testing::PrintToString(std::vector<int64_t>(chunk, chunk + 4))));
  }
  void expect(const Shapes& expected) {
    if (rank_in() == 0) {
      EXPECT_EQ(expected, shapes_in(path_, k_all));
    } else {
      shapes_in(path_, k_all);
    }
  }

  const std::set<std::string> k_all{"alone", "deep", "flat", "given", "zeros"};
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f.h0.nc";
};

// A record of `deep` has 6.4 MiB: with one I/O rank it is divided into parts of at most 2 MiB.
TEST_F(ChunkGoals, Write) {
  write(System(Settings{{"io_ranks", "1"}}));
  expect({{"alone", {512}},
          {"deep", {1, 7, 180, 360}},
          {"flat", {1, 180, 360}},
          {"given", {3, 5, 7, 11}},
          {"zeros", {7, 180, 9}}});
}

TEST_F(ChunkGoals, Map) {
  write(System(Settings{{"io_ranks", "1"}}), {{"chunk_goal", "map"}});
  expect({{"alone", {512}},
          {"deep", {1, 1, 180, 360}},
          {"flat", {1, 180, 360}},
          {"given", {3, 5, 7, 11}},
          {"zeros", {1, 180, 9}}});
}

// By a rule for names of files; 512 records are supposed, of which 4 MiB are 2048 elements each.
TEST_F(ChunkGoals, TimeseriesByNameOfFile) {
  write(System(Settings{{"io_ranks", "1"}, {"file_options", "*.h0.* chunk_goal=timeseries"}}));
  expect({{"alone", {512}},
          {"deep", {512, 1, 5, 360}},
          {"flat", {512, 5, 360}},
          {"given", {3, 5, 7, 11}},
          {"zeros", {7, 180, 9}}});
}

TEST_F(ChunkGoals, ExpectedRecordsFromTheEnvironment) {
  const EnvironmentVariable goal("SCORPIO_CHUNK_GOAL", "timeseries");
  const EnvironmentVariable expected("SCORPIO_EXPECTED_RECORDS", "12");
  write(System(Settings{{"io_ranks", "1"}}));
  expect({{"alone", {12}},
          {"deep", {12, 1, 180, 360}},
          {"flat", {12, 90, 360}},
          {"given", {3, 5, 7, 11}},
          {"zeros", {7, 180, 9}}});
}

TEST_F(ChunkGoals, AnUnknownGoalIsRefused) {
  scorpio_options* options = nullptr;
  ASSERT_SUCCESS(scorpio_options_create(&options));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_options_set(options, "chunk_goal", "maps"));
  EXPECT_NE(std::string::npos, last_text().find("maps")) << last_text();
  EXPECT_NE(std::string::npos, last_text().find("write or map or timeseries")) << last_text();
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_options_set(options, "expected_records", "-1"));
  EXPECT_SUCCESS(scorpio_options_free(options));
}

// What is in long chunks comes back, also from before they are complete.
TEST_F(ChunkGoals, DataComeBackAndTheShapeIsExplained) {
  for (const char* goal : {"write", "map", "timeseries"}) {
    const System system(Settings{{"chunk_goal", goal}});
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file));
    const Extents dims{40, 50};
    int ids[3] = {}, id = -1;
    EXPECT_SUCCESS(scorpio_dimension_define(file, "time", SCORPIO_UNLIMITED, &ids[0]));
    EXPECT_SUCCESS(scorpio_dimension_define(file, "y", dims[0], &ids[1]));
    EXPECT_SUCCESS(scorpio_dimension_define(file, "x", dims[1], &ids[2]));
    EXPECT_SUCCESS(scorpio_variable_define_on(file, "v", SCORPIO_INT32, 3, ids, &id));
    const Layout rows = uniform_layout(dims, ranks_in());
    const Decomp by_rows(system, rows);
    std::vector<int32_t> mine(rows.of(rank_in()).size());
    for (int32_t record = 0; record < 3; ++record) {
      std::ranges::fill(mine, 7 * record + 1);
      EXPECT_SUCCESS(scorpio_put_darray(file, id, by_rows.get(), record, SCORPIO_INT32, mine.data()));
      if (record == 1) {
        EXPECT_SUCCESS(scorpio_file_sync(file));
      }
    }
    std::vector<char> text(4096);
    size_t length = 0;
    EXPECT_SUCCESS(scorpio_explain_darray(file, id, by_rows.get(), 0, text.data(), text.size(), &length));
    const std::string explained(text.data());
    EXPECT_NE(std::string::npos, explained.find("\nchunks: (")) << explained;
    EXPECT_NE(std::string::npos, explained.find(std::string("chunk_goal = ") + goal)) << explained;
    EXPECT_SUCCESS(scorpio_file_close(file));
    if (rank_in() == 0) {
      const auto all = stock_elements<int32_t>(path_, "v");
      std::vector<int32_t> expected;
      for (const int32_t value : {1, 8, 15}) expected.insert(expected.end(), 2000, value);
      EXPECT_EQ(expected, all);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

}  // namespace
}  // namespace scorpio::api_test
