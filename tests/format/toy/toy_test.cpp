// A format whose files are folders of many objects, added with one source file and a line of the list of
// formats: what is put in any way is there for a get, for a get of a fresh open, and for a script that knows
// nothing of this library.
#include <filesystem>
#include <fstream>

#include "api/accesses.h"
#include "api/layout.h"
#include "api/reference.h"
#include "format/registry.h"
#include "format/toy/toy_format.h"
#include "format/toy/toy_script.h"

namespace scorpio::format_test {
namespace {

using namespace api_test;  // NOLINT(google-build-using-namespace): the tests of the public interface
namespace fs = std::filesystem;

struct Case {
  const char* format;
  const char* nodes;
};

Settings settings_of(const Case& given, const Settings& more = {}) {
  Settings all{{"format", given.format},
               {"nodes", std::to_string(std::min(std::stoi(given.nodes), ranks_in()))},
               {"io_ranks", std::to_string(std::min(2, ranks_in()))},
               {"staging_bytes", "1m"},
               {"block_bytes", "64k"}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Five chunks of the large kind and a part, so that both I/O ranks have some: 1,000,000 bytes.
const Extents k_extents{250, 1000};

class Toy : public testing::TestWithParam<Case> {
 protected:
  void create(const System& system) {
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
  }
  void define(const char* name) {
    ASSERT_SUCCESS(scorpio_variable_define(file_, name, SCORPIO_INT32, 2, k_extents.data(), &variable_));
  }
  void close() { EXPECT_SUCCESS(scorpio_file_close(file_)); }

  // Through another I/O system, and by the script.
  void expect_in_folder(const std::vector<std::string>& names,
                        const std::vector<Reference<int32_t>>& expected) {
    const System other;
    const Layout all = uniform_layout(k_extents, ranks_in());
    const Decomp parts(other, all);
    ASSERT_SUCCESS(scorpio_file_open(other.get(), path_.c_str(), SCORPIO_READ, nullptr, &file_));
    for (size_t i = 0; i < names.size(); ++i) {
      ASSERT_SUCCESS(scorpio_variable_find(file_, names[i].c_str(), &variable_));
      expect_part(file_, variable_, parts, all, expected[i], rank_in());
    }
    close();
    if (rank_in() == 0) {
      const auto found = toy_elements<int32_t>(path_, names);
      for (size_t i = 0; found && i < names.size(); ++i) EXPECT_TRUE(expected[i].elements() == found->at(i));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f";
  scorpio_file* file_ = nullptr;
  int variable_ = -1;
};

TEST_P(Toy, LargeChunksAreThreeSlots) {
  const System system(settings_of(GetParam()));
  const std::string slots = "of " + std::to_string(format::k_toy_slot_bytes) + " bytes on each I/O rank";
  EXPECT_NE(std::string::npos, system.describe().find(slots)) << system.describe();
}

TEST_P(Toy, PutsOfEveryKind) {
  const System system(settings_of(GetParam()));
  const Layout rows = uniform_layout(k_extents, ranks_in());
  const Layout grid = grid_layout(k_extents, in_order(ranks_in()));
  const Decomp by_rows(system, rows), by_blocks(system, grid);
  std::vector<Reference<int32_t>> expected(4, Reference<int32_t>(k_extents));
  const std::vector<std::string> names{"/put", "/g/one", "/g/other", "/posted"};
  std::vector<int> ids;
  create(system);
  for (const std::string& name : names) {
    define(name.c_str());
    ids.push_back(variable_);
  }
  EXPECT_SUCCESS(put<int32_t>(file_, ids[0], by_rows, rows, 1, rank_in()));
  expected[0].put(rows, 1);
  const auto one = data_of<int32_t>(grid, rank_in(), 2), other = data_of<int32_t>(grid, rank_in(), 3);
  const void* const both[] = {one.data(), other.data()};
  EXPECT_SUCCESS(put_n(file_, darrays(2, &ids[1], by_blocks.get(), nullptr, SCORPIO_INT32, both)));
  expected[1].put(grid, 2);
  expected[2].put(grid, 3);
  const auto posted = data_of<int32_t>(grid, rank_in(), 4);
  scorpio_request request;
  EXPECT_SUCCESS(
      iput(file_, scorpio_darray(ids[3], by_blocks.get(), 0, SCORPIO_INT32, posted.data()), &request));
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  expected[3].put(grid, 4);
  for (size_t i = 0; i < ids.size(); ++i) {
    expect_part(file_, ids[i], by_rows, rows, expected[i], rank_in());
  }
  close();
  expect_in_folder(names, expected);
  EXPECT_EQ(0, folder_.files() - 1);  // the folder alone: no temporary, no lock
}

// Each put changes some elements of chunks that are stored already, or are under assembly yet.
TEST_P(Toy, PartsOfChunksOverlapBetweenSyncs) {
  const System system(settings_of(GetParam(), {{"file_name", ranks_in() % 2 == 0 ? "sync" : "close"}}));
  std::mt19937_64 random(17);
  std::vector<Reference<int32_t>> expected(1, Reference<int32_t>(k_extents));
  create(system);
  define("v");
  for (uint64_t call = 1; call <= 6; ++call) {
    const Layout layout = random_layout(k_extents, ranks_in(), random);
    const Decomp parts(system, layout);
    EXPECT_SUCCESS(put<int32_t>(file_, variable_, parts, layout, call, rank_in()));
    expected[0].put(layout, call);
    if (call % 3 == 0) expect_part(file_, variable_, parts, layout, expected[0], rank_in());
    if (call % 4 == 0) {
      EXPECT_SUCCESS(scorpio_file_sync(file_));
    }
  }
  close();
  expect_in_folder({"/v"}, expected);
}

TEST_P(Toy, IsOpenedAgainAndExtended) {
  std::vector<Reference<int32_t>> expected(2, Reference<int32_t>(k_extents));
  const Layout rows = uniform_layout(k_extents, ranks_in());
  const int32_t seven = 7;
  {
    const System system(settings_of(GetParam()));
    const Decomp by_rows(system, rows);
    create(system);
    define("/g/old");
    EXPECT_SUCCESS(scorpio_attribute_put(file_, object_of(file_, "/g/old"), "units", SCORPIO_INT32, 0, 0,
                                         nullptr, SCORPIO_INT32, &seven));
    EXPECT_SUCCESS(put<int32_t>(file_, variable_, by_rows, rows, 1, rank_in()));
    expected[0].put(rows, 1);
    close();
  }
  // With slots of another size.
  const System system(settings_of(GetParam(), {{"staging_bytes", "4m"}, {"block_bytes", "4k"}}));
  const Decomp by_rows(system, rows);
  ASSERT_SUCCESS(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
  int32_t read = 0;
  EXPECT_SUCCESS(
      scorpio_attribute_get(file_, object_of(file_, "/g/old"), "units", SCORPIO_INT32, &read, sizeof read));
  EXPECT_EQ(seven, read);
  int old = -1;
  ASSERT_SUCCESS(scorpio_variable_find(file_, "/g/old", &old));
  define("new");
  EXPECT_SUCCESS(put<int32_t>(file_, variable_, by_rows, rows, 2, rank_in()));
  expected[1].put(rows, 2);
  // A few elements of the old variable: what is stored of their chunks stays.
  const int64_t start[2] = {rank_in(), 3}, count[2] = {1, 40};
  const std::vector<int32_t> ones(40, 1);
  const scorpio_access access = scorpio_hyperslab(old, start, count, SCORPIO_INT32, ones.data());
  EXPECT_SUCCESS(scorpio_put_n(file_, 1, &access));
  for (int r = 0; r < ranks_in(); ++r) {
    for (int64_t i = 0; i < 40; ++i) expected[0][r * k_extents[1] + 3 + i] = 1;
  }
  close();
  expect_in_folder({"/g/old", "/new"}, expected);
}

TEST_P(Toy, WhatItCannotDoIsRefused) {
  const System system(settings_of(GetParam()));
  create(system);
  int dimension = -1;
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_dimension_define(file_, "time", SCORPIO_UNLIMITED, &dimension));
  EXPECT_NE(std::string::npos, last_text().find("no unlimited dimensions")) << last_text();
  define("v");
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_object_remove(file_, "v"));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_variable_rename(file_, variable_, "w"));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_link_define(file_, "link", "v"));
  int64_t id = 0;
  EXPECT_NE(SCORPIO_OK, scorpio_file_hdf5_id(file_, &id));
  close();
  const OptionList eager(Settings{{"eager", "true"}});
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_file_create(system.get(), (folder_ / "e").c_str(),
                                                         SCORPIO_FORMAT_DEFAULT, eager.get(), &file_));
  EXPECT_FALSE(fs::exists(folder_ / "e"));
  MPI_Barrier(MPI_COMM_WORLD);
}

// Only folders of the format are opened, and only they are replaced.
TEST_P(Toy, FoldersOfOthersAreNone) {
  const System system(settings_of(GetParam()));
  if (rank_in() == 0) {
    fs::create_directory(folder_ / "other");
    fs::create_directory(folder_ / "damaged");
    std::ofstream(folder_ / "damaged/" + GetParam().format + ".json") << "{\"end\": -1";
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const auto open = [&](const char* name, scorpio_open_mode mode) {
    return scorpio_file_open(system.get(), (folder_ / name).c_str(), mode, nullptr, &file_);
  };
  for (const auto mode : {SCORPIO_READ, SCORPIO_WRITE}) {
    EXPECT_EQ(SCORPIO_ERR_FORMAT, open("other", mode)) << last_text();
    EXPECT_EQ(SCORPIO_ERR_FORMAT, open("damaged", mode)) << last_text();
    EXPECT_NE(std::string::npos, last_text().find("is damaged")) << last_text();
    EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, open("absent", mode)) << last_text();
  }
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_file_create(system.get(), (folder_ / "other").c_str(),
                                                    SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
  EXPECT_NE(std::string::npos, last_text().find("is not replaced")) << last_text();
  MPI_Barrier(MPI_COMM_WORLD);
}

// One job at a time.
TEST_P(Toy, OneWriterAtATime) {
  const System system(settings_of(GetParam()));
  create(system);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  scorpio_file* second = nullptr;
  EXPECT_EQ(SCORPIO_ERR_BUSY,
            scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &second));
  EXPECT_SUCCESS(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_READ, nullptr, &second));
  EXPECT_SUCCESS(scorpio_file_close(second));
  close();
  EXPECT_SUCCESS(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &second));
  EXPECT_SUCCESS(scorpio_file_close(second));
}

INSTANTIATE_TEST_SUITE_P(Formats, Toy,
                         testing::Values(Case{"toy", "1"}, Case{"toy_large", "1"}, Case{"toy", "2"},
                                         Case{"toy_large", "2"}),
                         [](const auto& given) {
                           return std::string(given.param.format) + "_" + given.param.nodes;
                         });

// A chunk leaves I/O ranks once, as a whole, where all of it is put at once: so many objects, so many puts.
TEST(ToyCosts, EachChunkIsPutOnce) {
  for (const char* format : {"toy", "toy_large"}) {
    const TemporaryFolder folder;
    System system(settings_of({format, "1"}));
    const Layout rows = uniform_layout(k_extents, ranks_in());
    const Decomp by_rows(system, rows);
    scorpio_file* file = nullptr;
    int variable = -1;
    ASSERT_SUCCESS(
        scorpio_file_create(system.get(), (folder / "f").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    ASSERT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 2, k_extents.data(), &variable));
    system.reset();
    EXPECT_SUCCESS(put<int32_t>(file, variable, by_rows, rows, 1, rank_in()));
    EXPECT_SUCCESS(scorpio_file_close(file));
    const uint64_t chunk =
        std::string(format) == "toy" ? format::k_toy_chunk_bytes : format::k_toy_large_chunk_bytes;
    const auto bytes = static_cast<uint64_t>(elements_of(k_extents)) * sizeof(int32_t);
    EXPECT_EQ((bytes + chunk - 1) / chunk + 1, system.sum("writes")) << format;  // and the metadata
    EXPECT_EQ(0u, system.sum("reads")) << format;
  }
}

// The option knows the formats of the list.
TEST(ToyRegistry, OptionFormat) {
  scorpio_options* options = nullptr;
  ASSERT_SUCCESS(scorpio_options_create(&options));
  EXPECT_SUCCESS(scorpio_options_set(options, "format", "toy"));
  EXPECT_SUCCESS(scorpio_options_set(options, "format", "cdf5"));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_options_set(options, "format", "toys"));
  EXPECT_NE(std::string::npos,
            last_text().find("hdf5 or cdf1 or cdf2 or cdf5 or netcdf4 or toy or toy_large"))
      << last_text();
  EXPECT_SUCCESS(scorpio_options_free(options));
}

}  // namespace
}  // namespace scorpio::format_test
