// Several files at once, synchronisation points in the middle, the order of calls, opening again for writing.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "layout.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

const Settings k_small{{"staging_bytes", "1m"}, {"block_bytes", "4k"}};

struct OpenFile {
  std::string path;
  scorpio_file* handle = nullptr;
  int variable = -1;
};

OpenFile create(const System& system, const std::string& path, const Extents& dims,
                const Settings& settings = {}) {
  OpenFile file{path};
  const OptionList options(settings);
  EXPECT_SUCCESS(
      scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file.handle));
  EXPECT_SUCCESS(scorpio_variable_define(file.handle, "v", SCORPIO_INT32, static_cast<int>(dims.size()),
                                         dims.data(), &file.variable));
  return file;
}

void expect_stock(const std::string& path, const std::string& variable, const Reference<int32_t>& reference) {
  if (rank_in() == 0) {
    EXPECT_EQ(reference.elements(), stock_elements<int32_t>(path, variable)) << path;
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// `n` files, each put twice in turn, each call of all files before the next: no file may wait for another.
void interleave(int n, const Settings& settings, std::string* description = nullptr) {
  const TemporaryFolder folder;
  const System system(settings);
  const Extents dims{50 * ranks_in(), 40};
  std::mt19937_64 random(3);
  const std::vector<Layout> layouts{uniform_layout(dims, ranks_in()),
                                    grid_layout(dims, shuffled(ranks_in(), random))};
  const Decomp decomps[2] = {{system, layouts[0]}, {system, layouts[1]}};
  std::vector<OpenFile> files;
  std::vector<Reference<int32_t>> references(static_cast<size_t>(n), Reference<int32_t>(dims));
  for (int f = 0; f < n; ++f) files.push_back(create(system, folder / std::to_string(f), dims));
  if (description != nullptr) *description = system.describe();
  for (size_t call = 0; call < 2; ++call) {
    for (size_t f = 0; f < files.size(); ++f) {
      const uint64_t number = 10 * f + call;
      EXPECT_SUCCESS(
          put<int32_t>(files[f].handle, files[f].variable, decomps[call], layouts[call], number, rank_in()));
      references[f].put(layouts[call], number);
    }
  }
  for (size_t f = 0; f < files.size(); f += 2) {
    expect_part(files[f].handle, files[f].variable, decomps[0], layouts[0], references[f], rank_in());
  }
  for (const OpenFile& file : files) EXPECT_SUCCESS(scorpio_file_close(file.handle));
  for (size_t f = 0; f < files.size(); ++f) expect_stock(files[f].path, "/v", references[f]);
}

TEST(Files, SeveralOpenAtOnce) { interleave(3, {{"staging_bytes", "4m"}, {"block_bytes", "4k"}}); }

TEST(Files, SeveralOpenAtOnceOnSeveralNodes) {
  interleave(4, {{"staging_bytes", "4m"}, {"block_bytes", "4k"}, {"nodes", std::to_string(ranks_in())}});
  interleave(4, {{"staging_bytes", "4m"}, {"block_bytes", "4k"}, {"nodes", "2"}});
}

TEST(Files, MoreThanStagingHolds) {
  std::string description;
  interleave(12, {{"staging_bytes", "64k"}}, &description);
  EXPECT_NE(std::string::npos, description.find("note: staging_bytes is used up")) << description;
  interleave(12, {{"staging_bytes", "64k"}, {"nodes", "2"}});
  interleave(10, k_small);
}

TEST(Files, LaterPutWins) {
  const TemporaryFolder folder;
  for (const char* nodes : {"0", "2", "3"}) {
    const System system({{"staging_bytes", "256k"}, {"block_bytes", "4k"}, {"nodes", nodes}});
    const Extents dims{30 * ranks_in(), 25};
    std::mt19937_64 random(5);
    const OpenFile file = create(system, folder / "file.h5", dims);
    Reference<int32_t> reference(dims);
    for (uint64_t call = 0; call < 12; ++call) {
      const Layout layout = random_layout(dims, ranks_in(), random);
      const Decomp decomp(system, layout);
      EXPECT_SUCCESS(put<int32_t>(file.handle, file.variable, decomp, layout, call, rank_in()));
      reference.put(layout, call);
    }
    EXPECT_SUCCESS(scorpio_file_close(file.handle));
    expect_stock(file.path, "/v", reference);
  }
}

TEST(Files, GetSeesWhatWasPutBefore) {
  const TemporaryFolder folder;
  const System system(k_small);
  const Extents dims{20 * ranks_in(), 25};
  const Layout writer = uniform_layout(dims, ranks_in());
  std::vector<int> backwards = in_order(ranks_in());
  std::reverse(backwards.begin(), backwards.end());
  const Layout reader = grid_layout(dims, backwards);
  const Decomp writing(system, writer), reading(system, reader);
  const OpenFile file = create(system, folder / "file.h5", dims);
  Reference<int32_t> reference(dims);
  expect_part(file.handle, file.variable, reading, reader, reference, rank_in());  // zeros
  for (uint64_t call = 1; call < 6; ++call) {
    EXPECT_SUCCESS(put<int32_t>(file.handle, file.variable, writing, writer, call, rank_in()));
    reference.put(writer, call);
    expect_part(file.handle, file.variable, reading, reader, reference, rank_in());
  }
  EXPECT_SUCCESS(scorpio_file_close(file.handle));
}

TEST(Files, DefinitionsAndDataBehindASync) {
  const TemporaryFolder folder;
  const System system(k_small);
  const Extents dims{10 * ranks_in()};
  const Layout layout = uniform_layout(dims, ranks_in());
  const Decomp decomp(system, layout);
  const OpenFile file = create(system, folder / "file.h5", dims);
  Reference<int32_t> reference(dims);
  for (uint64_t step = 0; step < 4; ++step) {
    const std::string name = "/more/v" + std::to_string(step);
    int variable = -1;
    EXPECT_SUCCESS(
        scorpio_variable_define(file.handle, name.c_str(), SCORPIO_INT32, 1, dims.data(), &variable));
    EXPECT_SUCCESS(put<int32_t>(file.handle, variable, decomp, layout, step, rank_in()));
    EXPECT_SUCCESS(put<int32_t>(file.handle, file.variable, decomp, layout, 100 + step, rank_in()));
    const int32_t value = static_cast<int32_t>(step);
    EXPECT_SUCCESS(scorpio_attribute_put(file.handle, object_of(file.handle, "/more"), "step", SCORPIO_INT32,
                                         0, 0, nullptr, SCORPIO_INT32, &value));
    EXPECT_SUCCESS(scorpio_file_sync(file.handle));
    reference.put(layout, step);
    expect_stock(file.path, name, reference);
    reference.put(layout, 100 + step);
    expect_stock(file.path, "/v", reference);
  }
  EXPECT_SUCCESS(scorpio_file_close(file.handle));
  expect_stock(file.path, "/v", reference);
}

TEST(Files, SyncTwiceWithNothingBetween) {
  const TemporaryFolder folder;
  const System system(k_small);
  const OpenFile file = create(system, folder / "file.h5", {4});
  EXPECT_SUCCESS(scorpio_file_sync(file.handle));
  EXPECT_SUCCESS(scorpio_file_sync(file.handle));
  EXPECT_SUCCESS(scorpio_file_close(file.handle));
  EXPECT_EQ(1, folder.files());
}

TEST(Files, OpenAgainForWriting) {
  const TemporaryFolder folder;
  const System system(k_small);
  const Extents dims{11 * ranks_in(), 9};
  std::mt19937_64 random(9);
  const Layout layout = grid_layout(dims, shuffled(ranks_in(), random));
  const Decomp decomp(system, layout);
  OpenFile file = create(system, folder / "file.h5", dims);
  EXPECT_SUCCESS(put<int32_t>(file.handle, file.variable, decomp, layout, 1, rank_in()));
  EXPECT_SUCCESS(scorpio_file_close(file.handle));

  Reference<int32_t> reference(dims);
  for (uint64_t round = 2; round < 5; ++round) {
    const std::string name = "/again" + std::to_string(round) + "/w";
    int fresh = -1;
    ASSERT_SUCCESS(scorpio_file_open(system.get(), file.path.c_str(), SCORPIO_WRITE, nullptr, &file.handle));
    ASSERT_SUCCESS(scorpio_variable_find(file.handle, "v", &file.variable));
    EXPECT_SUCCESS(scorpio_variable_define(file.handle, name.c_str(), SCORPIO_INT32, 2, dims.data(), &fresh));
    EXPECT_SUCCESS(put<int32_t>(file.handle, fresh, decomp, layout, 20 + round, rank_in()));
    EXPECT_SUCCESS(put<int32_t>(file.handle, file.variable, decomp, layout, round, rank_in()));
    EXPECT_SUCCESS(scorpio_attribute_put(file.handle, object_of(file.handle, "v"), "round", SCORPIO_UINT64, 0,
                                         0, nullptr, SCORPIO_UINT64, &round));
    EXPECT_SUCCESS(scorpio_file_close(file.handle));
    reference.put(layout, 20 + round);
    expect_stock(file.path, name, reference);
    reference.put(layout, round);
    expect_stock(file.path, "/v", reference);
  }
  EXPECT_EQ(1, folder.files());
}

TEST(Files, NamedAtCloseOnly) {
  const TemporaryFolder folder;
  const System system(k_small);
  const OpenFile file = create(system, folder / "file.h5", {4}, {{"file_name", "close"}});
  EXPECT_SUCCESS(scorpio_file_sync(file.handle));
  EXPECT_FALSE(std::filesystem::exists(file.path));
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_SUCCESS(scorpio_file_close(file.handle));
  expect_stock(file.path, "/v", Reference<int32_t>({4}));
  EXPECT_EQ(1, folder.files());
}

// It says where the file is when it is made, not when it gets its name.
TEST(Files, ARelativePathAndAChangeOfFolder) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder, other;
  const System system;
  const fs::path before = fs::current_path();
  fs::current_path(folder / "");
  const Extents dims{8 * ranks_in()};
  const Layout layout = uniform_layout(dims, ranks_in());
  const Decomp decomp(system, layout);
  Reference<int32_t> reference(dims);
  const OpenFile file = create(system, "relative.h5", dims);
  fs::current_path(other / "");
  EXPECT_SUCCESS(put<int32_t>(file.handle, file.variable, decomp, layout, 1, rank_in()));
  reference.put(layout, 1);
  EXPECT_SUCCESS(scorpio_file_close(file.handle));
  fs::current_path(before);
  EXPECT_EQ(1, folder.files());
  EXPECT_EQ(0, other.files());
  expect_stock(folder / "relative.h5", "/v", reference);
}

TEST(Files, ReplaceWhatWasThere) {
  const TemporaryFolder folder;
  const System system(k_small);
  const Extents dims{6 * ranks_in()};
  const Layout layout = uniform_layout(dims, ranks_in());
  const Decomp decomp(system, layout);
  Reference<int32_t> reference(dims);
  for (uint64_t call = 0; call < 2; ++call) {
    const OpenFile file = create(system, folder / "file.h5", dims);
    EXPECT_SUCCESS(put<int32_t>(file.handle, file.variable, decomp, layout, call, rank_in()));
    EXPECT_SUCCESS(scorpio_file_close(file.handle));
    reference.put(layout, call);
    expect_stock(file.path, "/v", reference);
  }
  EXPECT_EQ(1, folder.files());
}

TEST(Files, ManySmallVariables) {
  const TemporaryFolder folder;
  const System system(k_small);
  const Extents dims{3 * ranks_in()};
  const Layout layout = uniform_layout(dims, ranks_in());
  const Decomp decomp(system, layout);
  const OpenFile file = create(system, folder / "file.h5", dims);
  for (uint64_t v = 0; v < 200; ++v) {
    int variable = -1;
    const std::string name = "/small/v" + std::to_string(v);
    EXPECT_SUCCESS(
        scorpio_variable_define(file.handle, name.c_str(), SCORPIO_INT32, 1, dims.data(), &variable));
    EXPECT_SUCCESS(put<int32_t>(file.handle, variable, decomp, layout, v, rank_in()));
  }
  EXPECT_SUCCESS(scorpio_file_close(file.handle));
  for (const uint64_t v : {0u, 77u, 199u}) {
    Reference<int32_t> reference(dims);
    reference.put(layout, v);
    expect_stock(file.path, "/small/v" + std::to_string(v), reference);
  }
}

// Between two puts a rank may be busy elsewhere, here in a barrier: what others wait for inside put must not
// need it.
TEST(Files, NobodyWaitsForARankThatReturned) {
  const TemporaryFolder folder;
  for (const char* nodes : {"0", "2", "3", "1000"}) {
    const System system({{"staging_bytes", "64k"}, {"block_bytes", "512"}, {"nodes", nodes}});
    const Extents dims{40 * ranks_in(), 500};
    std::mt19937_64 random(29);
    const OpenFile file = create(system, folder / "file.h5", dims);
    Reference<int32_t> reference(dims);
    for (uint64_t call = 0; call < 6; ++call) {
      const Layout layout = grid_layout(dims, shuffled(ranks_in(), random));
      const Decomp decomp(system, layout);
      EXPECT_SUCCESS(put<int32_t>(file.handle, file.variable, decomp, layout, call, rank_in()));
      reference.put(layout, call);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    EXPECT_SUCCESS(scorpio_file_close(file.handle));
    expect_stock(file.path, "/v", reference);
  }
}

TEST(Files, SystemWithOpenFilesIsNotFreed) {
  const TemporaryFolder folder;
  const System system(k_small);
  const OpenFile file = create(system, folder / "file.h5", {4});
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_iosystem_free(system.get()));
  EXPECT_SUCCESS(scorpio_file_close(file.handle));
}

// One set of options may serve both; what a file cannot have for itself is not passed over in silence.
TEST(Files, OptionsOfTheIoSystemAreNotAFiles) {
  const TemporaryFolder folder;
  const System system(k_small);
  const auto create_with = [&](const Settings& settings) {
    const OptionList options(settings);
    scorpio_file* file = nullptr;
    const int code = scorpio_file_create(system.get(), (folder / "f").c_str(), SCORPIO_FORMAT_DEFAULT,
                                         options.get(), &file);
    if (code == SCORPIO_OK) {
      EXPECT_SUCCESS(scorpio_file_close(file));
    }
    return code;
  };
  EXPECT_SUCCESS(create_with(k_small));
  EXPECT_SUCCESS(create_with({{"block_bytes", "8k"}, {"format", "cdf5"}}));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, create_with({{"staging_bytes", "2m"}}));
  EXPECT_NE(std::string::npos, last_text().find("staging_bytes")) << last_text();
  EXPECT_NE(std::string::npos, last_text().find("1 MiB")) << last_text();
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, create_with({{"io_ranks", std::to_string(system.io_ranks() + 1)}}));
}

// The argument comes before the options of the file, and these before those of the I/O system.
TEST(Files, TheFormatIsAnArgument) {
  const TemporaryFolder folder;
  const System system({{"staging_bytes", "1m"}, {"format", "cdf2"}});
  const OptionList options(Settings{{"format", "cdf1"}});
  const struct {
    scorpio_format argument;
    const scorpio_options* options;
    scorpio_format expected;
  } cases[] = {{SCORPIO_FORMAT_DEFAULT, nullptr, SCORPIO_FORMAT_CDF2},
               {SCORPIO_FORMAT_DEFAULT, options.get(), SCORPIO_FORMAT_CDF1},
               {SCORPIO_FORMAT_CDF1, nullptr, SCORPIO_FORMAT_CDF1},
               {SCORPIO_FORMAT_CDF2, options.get(), SCORPIO_FORMAT_CDF2},
               {SCORPIO_FORMAT_CDF5, options.get(), SCORPIO_FORMAT_CDF5},
               {SCORPIO_FORMAT_HDF5, options.get(), SCORPIO_FORMAT_HDF5}};
  const std::string path = folder / "file";
  for (const auto& one : cases) {
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), one.argument, one.options, &file));
    scorpio_format named{};
    EXPECT_SUCCESS(scorpio_format_find(scorpio_format_name(one.argument), &named));
    EXPECT_EQ(one.argument, named);
    scorpio_format format{};
    scorpio_open_mode mode = SCORPIO_READ;
    int defining = -1;
    EXPECT_SUCCESS(scorpio_file_inquire(file, &format, &mode, &defining));
    EXPECT_EQ(one.expected, format);
    EXPECT_EQ(SCORPIO_WRITE, mode);
    EXPECT_EQ(one.expected == SCORPIO_FORMAT_HDF5 ? 0 : 1, defining);
    EXPECT_SUCCESS(scorpio_define_end(file));
    EXPECT_SUCCESS(scorpio_file_inquire(file, nullptr, nullptr, &defining));
    EXPECT_EQ(0, defining);
    EXPECT_SUCCESS(scorpio_file_close(file));
    ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    EXPECT_SUCCESS(scorpio_file_inquire(file, &format, &mode, nullptr));
    EXPECT_EQ(one.expected, format);
    EXPECT_EQ(SCORPIO_READ, mode);
    char text[8] = "";
    size_t length = 0;
    EXPECT_SUCCESS(scorpio_file_path(file, text, sizeof text, &length));
    EXPECT_EQ(path.substr(0, 7), text);
    EXPECT_EQ(path.size(), length);
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
}

TEST(Files, FormatsHaveNames) {
  EXPECT_STREQ("hdf5", scorpio_format_name(SCORPIO_FORMAT_HDF5));
  EXPECT_STREQ("cdf1", scorpio_format_name(SCORPIO_FORMAT_CDF1));
  EXPECT_STREQ("cdf2", scorpio_format_name(SCORPIO_FORMAT_CDF2));
  EXPECT_STREQ("cdf5", scorpio_format_name(SCORPIO_FORMAT_CDF5));
  EXPECT_STREQ("default", scorpio_format_name(SCORPIO_FORMAT_DEFAULT));
  EXPECT_STREQ("unknown", scorpio_format_name(static_cast<scorpio_format>(77)));
  scorpio_format found = SCORPIO_FORMAT_CDF2;
  for (const char* name : {"CDF5", "", "unknown"}) {
    EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_format_find(name, &found)) << name;
    EXPECT_NE(std::string::npos, last_text().find("cdf5")) << last_text();
  }
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_format_find(nullptr, &found));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_format_find("cdf1", nullptr));
  EXPECT_EQ(SCORPIO_FORMAT_CDF2, found);
}

TEST(Files, WhatIsThereStaysIfAskedFor) {
  const TemporaryFolder folder;
  const System system(k_small);
  for (const char* format : {"hdf5", "cdf5"}) {
    const std::string path = folder / format;
    const OptionList options({{"replace", "false"}, {"format", format}});
    scorpio_file* file = nullptr;
    EXPECT_SUCCESS(
        scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file));
    EXPECT_SUCCESS(scorpio_attribute_put_text(file, SCORPIO_GLOBAL, "title", "first"));
    EXPECT_SUCCESS(scorpio_file_close(file));
    EXPECT_EQ(SCORPIO_ERR_EXISTS,
              scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file));
    EXPECT_NE(std::string::npos, last_text().find("replace")) << last_text();
    char title[5] = "";
    EXPECT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    EXPECT_SUCCESS(scorpio_attribute_get(file, SCORPIO_GLOBAL, "title", SCORPIO_TEXT, title, sizeof title));
    EXPECT_EQ("first", std::string(title, sizeof title));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
  EXPECT_EQ(2, folder.files());
}

TEST(Files, ADecompositionMayOutliveItsIoSystem) {
  const TemporaryFolder folder;
  const Layout layout = uniform_layout({40}, ranks_in());
  auto first = std::make_unique<System>(k_small);
  const Decomp old(*first, layout);
  first.reset();
  char text[64] = "";
  EXPECT_SUCCESS(scorpio_decomp_describe(old.get(), text, sizeof text, nullptr));
  EXPECT_EQ(0u, std::string(text).find("array: 40 elements"));
  const System second(k_small);
  const OpenFile file = create(second, folder / "f", {40});
  std::vector<int32_t> part(layout.of(rank_in()).size());
  EXPECT_EQ(SCORPIO_ERR_HANDLE,
            scorpio_get_darray(file.handle, file.variable, old.get(), 0, SCORPIO_INT32, part.data()));
  (void)scorpio_file_close(file.handle);
}

}  // namespace
}  // namespace scorpio::api_test
