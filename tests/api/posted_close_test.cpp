// Option close = post: the handle ends, the data are written while no call is made, and a later call of the
// I/O system completes the file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <numeric>
#include <thread>

#include "layout.h"
#include "session.h"
#include "support/whole_file.h"

namespace scorpio::api_test {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr int64_t k_rows = 210, k_columns = 512;  // of float64, 0.8 MiB

Settings settings(const std::string& format, bool posted, const std::string& faults = "") {
  Settings all{{"asynchronous", posted ? "true" : "false"},
               {"close", posted ? "post" : "wait"},
               {"staging_bytes", "4m"},
               {"block_bytes", "64k"},
               {"format", format}};
  if (!faults.empty()) all.emplace_back("store_faults", faults);
  return all;
}

Settings with_one_io_rank(Settings all) {
  all.emplace_back("io_ranks", "1");
  return all;
}

class PostedClose : public testing::Test {
 protected:
  // One variable, of which each rank has its rows. Returns what creating it returned.
  int write(const System& system, const std::string& path, double base) {
    scorpio_file* file = nullptr;
    const int created =
        scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file);
    EXPECT_TRUE(created == SCORPIO_OK || created == SCORPIO_ERR_POSTED) << last_text();
    put_rows(system, file, "v", base);
    EXPECT_SUCCESS(scorpio_file_close(file));
    return created;
  }
  // The file of the test, of which the sync was posted where the options say so.
  scorpio_file* synced_file(const System& system) {
    scorpio_file* file = nullptr;
    EXPECT_SUCCESS(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    put_rows(system, file, "v", 1);
    EXPECT_SUCCESS(scorpio_file_sync(file));
    return file;
  }
  void put_rows(const System& system, scorpio_file* file, const char* name, double base) {
    const Decomp rows(system, uniform_layout({dims_[0], dims_[1]}, ranks_in()));
    std::vector<double> mine(static_cast<size_t>(k_rows / ranks_in() * k_columns));
    std::iota(mine.begin(), mine.end(), base + 1e6 * rank_in());
    int variable = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file, name, SCORPIO_FLOAT64, 2, dims_, &variable));
    if (in_chunks_) {
      const int64_t chunk[2] = {16, 0};
      const int filters[2] = {2, 1}, parameters[2] = {0, 1};
      EXPECT_SUCCESS(scorpio_variable_define_chunks(file, variable, chunk));
      EXPECT_SUCCESS(scorpio_variable_define_filters(file, variable, 2, filters, parameters));
    }
    EXPECT_SUCCESS(scorpio_define_end(file));
    EXPECT_SUCCESS(scorpio_put_darray(file, variable, rows.get(), 0, SCORPIO_FLOAT64, mine.data()));
  }
  void expect_reads(const System& system, const std::string& path, double base) {
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    const Decomp rows(system, uniform_layout({dims_[0], dims_[1]}, ranks_in()));
    std::vector<double> back(static_cast<size_t>(k_rows / ranks_in() * k_columns)), mine(back.size());
    std::iota(mine.begin(), mine.end(), base + 1e6 * rank_in());
    EXPECT_SUCCESS(
        scorpio_get_darray(file, object_of(file, "v"), rows.get(), 0, SCORPIO_FLOAT64, back.data()));
    EXPECT_EQ(mine, back);
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
  // Until this rank finds all data written. On several nodes only an I/O rank can, if it is the only one.
  static void until_written(const System& system, const char* path) {
    int mine = -1, done = 0;
    EXPECT_SUCCESS(scorpio_iosystem_io_ranks(system.get(), nullptr, &mine));
    if (!on_several_nodes() || mine >= 0) {
      for (int i = 0; i < 2000 && done == 0; ++i) {
        EXPECT_SUCCESS(scorpio_iosystem_test(system.get(), path, &done));
        std::this_thread::sleep_for(10ms);
      }
      EXPECT_EQ(1, done);
    }
    on_all(true);
  }
  static std::string contents(const std::string& path) { return test::whole_file(path); }
  static bool there(const std::string& path) {
    MPI_Barrier(MPI_COMM_WORLD);
    const bool found = fs::exists(path);
    MPI_Barrier(MPI_COMM_WORLD);
    return found;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f";
  const int64_t dims_[2] = {k_rows, k_columns};
  bool in_chunks_ = false;
};

TEST_F(PostedClose, FilesAreAsWithoutIt) {
  for (const char* format : {"hdf5", "cdf1", "cdf2", "cdf5"}) {
    for (const bool posted : {false, true}) {
      const System system(settings(format, posted, posted ? "write:1+=3ms" : ""));
      for (int i = 0; i < 4; ++i) {
        const std::string path = fmt::format("{}{}{}{}", path_, format, i, posted ? 1 : 0);
        EXPECT_SUCCESS(write(system, path, i));
        EXPECT_TRUE(posted || there(path));
      }
      EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
    }
    for (int i = 0; i < 4; ++i) {
      const std::string one = contents(fmt::format("{}{}{}0", path_, format, i));
      EXPECT_LT(800'000u, one.size());
      EXPECT_TRUE(one == contents(fmt::format("{}{}{}1", path_, format, i))) << format;
    }
    on_all(true);
  }
}

// Also if chunks are written before the close, because they exceed chunk_bytes or, with the smaller units of
// several nodes, enough of them are full. Then the files are compared with those of asynchronous writes and a
// close that waits, since chunks get their places in rounds.
TEST_F(PostedClose, FilesWithChunksAreAsWithoutIt) {
  in_chunks_ = true;
  for (const char* format : {"hdf5", "netcdf4"}) {
    for (const char* chunk_bytes : {"64k", "16m"}) {
      for (const bool posted : {false, true}) {
        Settings all = settings(format, posted, posted ? "write:1+=3ms" : "");
        if (std::string_view(chunk_bytes) == "64k" || on_several_nodes())
          all.emplace_back("asynchronous", "true");
        all.insert(all.end(), {{"chunk_bytes", chunk_bytes}, {"io_ranks", ranks_in() > 1 ? "2" : "1"}});
        const System system(all);
        for (int i = 0; i < 3; ++i)
          EXPECT_SUCCESS(write(system, fmt::format("{}{}{}", path_, i, posted ? 1 : 0), i));
        EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
        if (posted) expect_reads(system, path_ + "21", 2);
      }
      for (int i = 0; i < 3; ++i) {
        const std::string one = contents(fmt::format("{}{}0", path_, i));
        EXPECT_LT(10'000u, one.size());
        EXPECT_TRUE(one == contents(fmt::format("{}{}1", path_, i))) << format << ", " << chunk_bytes;
      }
      on_all(true);
    }
  }
}

// The I/O ranks have chunks of it that need space, although no variable of the file has chunks.
TEST_F(PostedClose, ChunksOfAVariableThatWasRemovedOverwriteNothing) {
  for (const char* nodes : {"0", "2"}) {
    for (const bool existed : {false, true}) {
      if (std::string_view(nodes) == "2" && ranks_in() < 2) continue;
      Settings all = settings("hdf5", true);
      all.emplace_back("nodes", nodes);
      const System system(all);
      const std::string path = fmt::format("{}{}{}", path_, nodes, existed ? 1 : 0);
      in_chunks_ = true;
      if (existed) {
        EXPECT_SUCCESS(write(system, path, 1));
      }
      scorpio_file* file = nullptr;
      EXPECT_SUCCESS(
          existed ? scorpio_file_open(system.get(), path.c_str(), SCORPIO_WRITE, nullptr, &file)
                  : scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
      if (existed) {
        EXPECT_SUCCESS(scorpio_object_remove(file, "v"));
      }
      in_chunks_ = false;
      put_rows(system, file, "v", 5);
      in_chunks_ = true;
      put_rows(system, file, "gone", 6);
      EXPECT_SUCCESS(scorpio_object_remove(file, "gone"));
      EXPECT_SUCCESS(scorpio_file_close(file));
      EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
      expect_reads(system, path, 5);
    }
  }
}

// A file that existed before is continued with posted syncs and a posted close, and is opened right after it.
TEST_F(PostedClose, FilesThatExistedAreContinued) {
  for (const char* format : {"hdf5", "cdf1", "cdf5", "netcdf4"}) {
    Settings all = settings(format, true, "write:*2=2ms");
    all.emplace_back("sync", "post");
    const System system(all);
    in_chunks_ = format == std::string("netcdf4");
    EXPECT_SUCCESS(write(system, path_, 1));
    for (const double base : {2.0, 3.0}) {
      scorpio_file* file = nullptr;
      ASSERT_SUCCESS(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file));
      const Decomp rows(system, uniform_layout({dims_[0], dims_[1]}, ranks_in()));
      std::vector<double> mine(static_cast<size_t>(k_rows / ranks_in() * k_columns));
      for (const double now : {base + 10, base}) {
        std::iota(mine.begin(), mine.end(), now + 1e6 * rank_in());
        EXPECT_SUCCESS(
            scorpio_put_darray(file, object_of(file, "v"), rows.get(), 0, SCORPIO_FLOAT64, mine.data()));
        EXPECT_SUCCESS(scorpio_file_sync(file));
      }
      EXPECT_SUCCESS(scorpio_file_close(file));
      expect_reads(system, path_, base);
    }
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
  }
}

// Each rank has a null store of its own, in which only the metadata rank makes the file.
TEST_F(PostedClose, TheNullStoreHasFilesToo) {
  for (const char* format : {"hdf5", "cdf5"}) {
    for (const bool posted : {false, true}) {
      Settings all = settings(format, posted);
      all.insert(all.end(), {{"store", "null"}, {"io_ranks", ranks_in() > 1 ? "2" : "1"}});
      const System system(all);
      for (int i = 0; i < 3; ++i) EXPECT_SUCCESS(write(system, path_, i));
      EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
      EXPECT_FALSE(there(path_));
    }
  }
}

TEST_F(PostedClose, IsCompletedByTheNextCallThatFindsItWritten) {
  const System system(with_one_io_rank(settings("cdf5", true)));
  EXPECT_SUCCESS(write(system, path_, 1));
  until_written(system, path_.c_str());
  EXPECT_SUCCESS(write(system, folder_ / "other", 2));
  EXPECT_TRUE(there(path_));
  EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
  EXPECT_TRUE(there(folder_ / "other"));
}

TEST_F(PostedClose, TheEndOfTheIoSystemCompletesAll) {
  for (int i = 0; i < 2; ++i) {
    const System system(settings("hdf5", true, "write:1+=5ms"));
    for (const char* name : {"a", "b", "c"}) EXPECT_SUCCESS(write(system, folder_ / name, i));
  }
  EXPECT_TRUE(there(folder_ / "c"));
  EXPECT_EQ(3, folder_.files());
}

TEST_F(PostedClose, AFileIsKnownByAnySpellingOfItsPath) {
  if (rank_in() == 0) {
    fs::create_directory(folder_ / "real");
    fs::create_directory_symlink(folder_ / "real", folder_ / "link");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const System system(settings("hdf5", true, "write:1+=5ms"));
  EXPECT_SUCCESS(write(system, folder_ / "real/f", 1));
  expect_reads(system, folder_ / "link/f", 1);
  EXPECT_SUCCESS(write(system, folder_ / "link/f", 2));
  EXPECT_SUCCESS(write(system, folder_ / "real/../real/./f", 3));
  expect_reads(system, folder_ / "real/f", 3);
  EXPECT_SUCCESS(write(system, folder_ / "real/f", 4));
  EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), (folder_ / "link//f").c_str()));
  EXPECT_TRUE(there(folder_ / "real/f"));
  EXPECT_FALSE(there(folder_ / "real/f.scorpio-tmp"));
  EXPECT_SUCCESS(write(system, folder_ / "link/g", 5));
  for (int i = 0; i < 2; ++i)
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), (folder_ / "real/g").c_str())) << "complete: " << i;
  if (rank_in() == 0) fs::remove_all(folder_ / "real");
  if (rank_in() == 0) fs::remove(folder_ / "link");
}

// Also when it is complete and was told, by each rank, and from another folder. A file that is opened by a
// symbolic link is known by its own name, too.
TEST_F(PostedClose, EachRankTestsAnySpellingOfAPath) {
  if (rank_in() == 0) {
    fs::create_directory(folder_ / "real");
    fs::create_directory_symlink(folder_ / "real", folder_ / "link");
    fs::create_symlink(folder_ / "real/f", folder_ / "name");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const fs::path before = fs::current_path();
  for (const char* format : {"cdf5", "hdf5"}) {
    for (const bool opened : {false, true}) {
      const System system(settings(format, true, opened ? "write:*1=20ms" : "rename:1=EACCES"));
      if (opened) {
        scorpio_file* file = nullptr;
        EXPECT_SUCCESS(write(system, folder_ / "real/f", 1));
        const std::string link = folder_ / "name";
        EXPECT_SUCCESS(scorpio_file_open(system.get(), link.c_str(), SCORPIO_WRITE, nullptr, &file));
        EXPECT_SUCCESS(scorpio_file_close(file));
      } else {
        EXPECT_SUCCESS(write(system, folder_ / "link/f", 1));
      }
      for (const bool complete : {false, true}) {
        fs::current_path(folder_ / "real");
        for (const std::string& path : {folder_ / "link//f", folder_ / "real/../real/./f", folder_ / "real/f",
                                        std::string("f"), std::string("../link/f")}) {
          int done = -1;
          EXPECT_SUCCESS(scorpio_iosystem_test(system.get(), path.c_str(), &done)) << path << complete;
          EXPECT_TRUE(complete ? done == 1 : done >= 0) << path;
        }
        int done = 7;
        EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_iosystem_test(system.get(), "real/f", &done));
        fs::current_path(before);
        if (complete) continue;
        EXPECT_EQ(opened ? SCORPIO_OK : SCORPIO_ERR_POSTED, scorpio_iosystem_wait(system.get(), nullptr));
        EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), (folder_ / "real/f").c_str()));
      }
    }
  }
  on_all(true);
  if (rank_in() == 0) {
    for (const char* name : {"real", "link", "name"}) fs::remove_all(folder_ / name);
  }
}

TEST_F(PostedClose, AFileIsKnownByItsHardLinks) {
  const std::string link = folder_ / "hard link";
  EXPECT_SUCCESS(write(System(settings("hdf5", false)), path_, 1));
  if (rank_in() == 0) fs::create_hard_link(path_, link);
  MPI_Barrier(MPI_COMM_WORLD);
  const System system(settings("hdf5", true, "write:1+=5ms"));
  for (const double base : {2.0, 3.0}) {
    scorpio_file* file = nullptr;
    const std::string& name = base == 2 ? path_ : link;
    ASSERT_SUCCESS(scorpio_file_open(system.get(), name.c_str(), SCORPIO_WRITE, nullptr, &file));
    const Decomp rows(system, uniform_layout({dims_[0], dims_[1]}, ranks_in()));
    std::vector<double> mine(static_cast<size_t>(k_rows / ranks_in() * k_columns));
    std::iota(mine.begin(), mine.end(), base + 1e6 * rank_in());
    EXPECT_SUCCESS(
        scorpio_put_darray(file, object_of(file, "v"), rows.get(), 0, SCORPIO_FLOAT64, mine.data()));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
  expect_reads(system, path_, 3);
}

TEST_F(PostedClose, AFailureComesWithTheNextCallWhichDoesItsWork) {
  const System system(settings("hdf5", true, "rename:1=EACCES"));
  EXPECT_SUCCESS(write(system, path_, 1));
  EXPECT_EQ(SCORPIO_ERR_POSTED, write(system, path_, 2));
  EXPECT_TRUE(equal_on_all(last_text()));
  EXPECT_NE(std::string::npos, last_text().find(path_)) << last_text();
  EXPECT_NE(std::string::npos, last_text().find("scorpio_file_close")) << last_text();
  EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), path_.c_str()));
  expect_reads(system, path_, 2);
}

// Each of them finds the data written, so it completes the file.
TEST_F(PostedClose, AFailureComesWithAnyCallThatCompletesFiles) {
  const fs::path other = folder_ / "other";
  EXPECT_SUCCESS(write(System(settings("hdf5", false)), other, 1));
  for (const std::string call : {"wait", "open", "close"}) {
    const System system(with_one_io_rank(settings("hdf5", true, "rename:1=EACCES")));
    scorpio_file* file = nullptr;
    const auto open_other = [&] {
      return scorpio_file_open(system.get(), other.c_str(), SCORPIO_READ, nullptr, &file);
    };
    const int opened = call == "close" ? open_other() : SCORPIO_OK;
    EXPECT_SUCCESS(opened);
    EXPECT_SUCCESS(write(system, path_, 1));
    until_written(system, nullptr);
    EXPECT_EQ(SCORPIO_ERR_POSTED, call == "wait"   ? scorpio_iosystem_wait(system.get(), nullptr)
                                  : call == "open" ? open_other()
                                                   : scorpio_file_close(file))
        << call;
    EXPECT_NE(std::string::npos, last_text().find(path_)) << last_text();
    const int closed = call == "open" ? scorpio_file_close(file) : SCORPIO_OK;
    EXPECT_SUCCESS(closed);
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr)) << "it was told";
    on_all(true);
  }
  if (rank_in() == 0) fs::remove(other);
}

// A rank sees the I/O ranks of its own node alone, and no chunks that get their places in later calls. The
// collective calls find out about all of them, and tell the failure.
TEST_F(PostedClose, OnSeveralNodesCallsLearnThatAllIsWritten) {
  if (ranks_in() < 2) return;
  const std::string other = folder_ / "other";
  EXPECT_SUCCESS(write(System(settings("hdf5", false)), other, 1));
  for (const auto& [io_ranks, chunks] :
       std::vector<std::pair<const char*, bool>>{{"1", false}, {"2", false}, {"1", true}}) {
    Settings all = settings("hdf5", true, "rename:1=EACCES");
    all.insert(all.end(), {{"nodes", "2"}, {"io_ranks", io_ranks}});
    const System system(all);
    in_chunks_ = chunks;
    EXPECT_SUCCESS(write(system, path_, 1));
    const bool on_node_of_all = io_ranks == std::string("1") && rank_in() * 2 / ranks_in() == 0;
    int done = 0;
    for (int i = 0; i < 2000 && done == 0; ++i) {
      EXPECT_SUCCESS(scorpio_iosystem_test(system.get(), path_.c_str(), &done));
      if (!on_node_of_all || chunks) break;
      std::this_thread::sleep_for(10ms);
    }
    EXPECT_EQ(on_node_of_all && !chunks ? 1 : 0, done) << io_ranks;
    on_all(true);
    int told = SCORPIO_OK;
    for (int i = 0; i < 2000 && told == SCORPIO_OK; ++i) {
      scorpio_file* file = nullptr;
      told = scorpio_file_open(system.get(), other.c_str(), SCORPIO_READ, nullptr, &file);
      const int closed = scorpio_file_close(file);
      if (told == SCORPIO_OK) told = closed;
    }
    EXPECT_EQ(SCORPIO_ERR_POSTED, told) << io_ranks;
    EXPECT_SUCCESS(scorpio_iosystem_test(system.get(), path_.c_str(), &done));
    EXPECT_EQ(1, done) << "it was completed, as far as possible";
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr)) << "it was told";
  }
}

TEST_F(PostedClose, AFailureComesWithTheEndAtTheLatest) {
  const OptionList options(settings("cdf5", true, "rename:1=ENOSPC"));
  scorpio_iosystem* iosystem = nullptr;
  ASSERT_SUCCESS(scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &iosystem));
  scorpio_file* file = nullptr;
  EXPECT_SUCCESS(scorpio_file_create(iosystem, path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_EQ(SCORPIO_ERR_POSTED, scorpio_iosystem_free(iosystem));
  EXPECT_NE(std::string::npos, last_text().find(path_)) << last_text();
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_iosystem_free(iosystem)) << "it was released";
  EXPECT_FALSE(there(path_));
}

// History files are written while the model computes, restart files are complete when their close returns;
// also if the I/O system as a whole is not asynchronous.
TEST_F(PostedClose, IsChosenByTheNameOfTheFile) {
  for (const bool asynchronous : {false, true}) {
    Settings all = settings("hdf5", asynchronous);
    all.emplace_back("file_options",
                     "*.h0.* asynchronous=true close=post; *.r.* asynchronous=true close=wait; "
                     "*.i.* asynchronous=false close=post");
    const System system(all);
    for (const char* name : {"run.h0.1", "run.r.1", "run.i.1", "run.h0.2"})
      EXPECT_SUCCESS(write(system, folder_ / name, 1));
    EXPECT_TRUE(there(folder_ / "run.r.1"));
    EXPECT_TRUE(there(folder_ / "run.i.1"));
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), (folder_ / "run.h0.2").c_str()));
    expect_reads(system, folder_ / "run.h0.1", 1);
    expect_reads(system, folder_ / "run.h0.2", 1);
    on_all(true);
    if (rank_in() == 0) {
      for (const char* name : {"run.h0.1", "run.r.1", "run.i.1", "run.h0.2"}) fs::remove(folder_ / name);
    }
    on_all(true);
  }
}

// A close that was posted tells its failure later.
TEST_F(PostedClose, IsPostedByTheNameOfTheFile) {
  for (const bool asynchronous : {false, true}) {
    Settings all = settings("hdf5", asynchronous, "rename:1=EACCES");
    all.emplace_back("file_options", "*.h0.* asynchronous=true close=post");
    const System system(all);
    EXPECT_SUCCESS(write(system, folder_ / "run.h0.1", 1));
    EXPECT_EQ(SCORPIO_ERR_POSTED, scorpio_iosystem_wait(system.get(), nullptr)) << last_text();
  }
}

// Files that another I/O system of the program has posted are not completed by this one: it says who does.
// The writes are slow, so that the workers do not complete the file before the other system creates it.
TEST_F(PostedClose, AnotherIoSystemIsToldToWait) {
  const System writer(settings("cdf5", true, "write:*1=100ms")), other(settings("cdf5", true));
  for (const bool there_before : {false, true}) {
    const double value = there_before ? 3.0 : 1.0;
    EXPECT_SUCCESS(write(writer, path_, value));
    MPI_Barrier(MPI_COMM_WORLD);
    scorpio_file* file = nullptr;
    EXPECT_EQ(SCORPIO_ERR_BUSY,
              scorpio_file_create(other.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    EXPECT_NE(std::string::npos, std::string(last_text()).find("scorpio_iosystem_wait")) << last_text();
    if (there_before) {
      EXPECT_EQ(SCORPIO_ERR_BUSY,
                scorpio_file_open(other.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file));
    }
    const int opened = scorpio_file_open(other.get(), path_.c_str(), SCORPIO_READ, nullptr, &file);
    EXPECT_TRUE(opened == SCORPIO_ERR_BUSY || opened == SCORPIO_OK) << "it is complete, or refused";
    if (opened == SCORPIO_OK) {
      EXPECT_SUCCESS(scorpio_file_close(file));
      expect_reads(other, path_, value);
    }
    EXPECT_SUCCESS(scorpio_iosystem_wait(writer.get(), path_.c_str()));
    expect_reads(other, path_, value);
  }
  EXPECT_SUCCESS(write(other, path_, 2.0));
  EXPECT_SUCCESS(scorpio_iosystem_wait(other.get(), nullptr));
  expect_reads(writer, path_, 2.0);
}

// What the thread of the model does in a posted sync: workers count on their own until a call waits for them.
// A sync that finds all data written, as on a machine with other work, is not posted.
TEST_F(PostedClose, APostedSyncLeavesStorageToOthers) {
  for (const char* format : {"hdf5", "netcdf4", "cdf5"}) {
    Settings all = settings(format, true, "write:1=200ms");
    all.emplace_back("sync", "post");
    const System system(all);
    // I/O ranks open a new cdf file before its name changes.
    std::vector<const char*> operations{"closes", "reads", "writes", "syncs"};
    if (std::string_view(format) != "cdf5") operations.push_back("opens");
    const auto calls = [&] {
      std::vector<uint64_t> counts;
      for (const char* name : operations) counts.push_back(system.counter(name));
      return counts;
    };
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    put_rows(system, file, "v", 1);
    const std::vector<uint64_t> before = calls();
    EXPECT_SUCCESS(scorpio_file_sync(file));
    const std::vector<uint64_t> after = calls();
    int done = 1;
    EXPECT_SUCCESS(scorpio_iosystem_test(system.get(), path_.c_str(), &done));
    if (done == 0) {
      EXPECT_EQ(before, after) << format;
    }
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), path_.c_str()));
    EXPECT_TRUE(there(path_));
    EXPECT_SUCCESS(scorpio_file_close(file));
    expect_reads(system, path_, 1);
  }
}

// Variables that are defined before a posted sync is completed are in the file as they are defined.
TEST_F(PostedClose, APostedSyncIsCompletedWithLaterDefinitions) {
  for (const char* format : {"hdf5", "netcdf4"}) {
    Settings all = settings(format, true, "write:1=20ms");
    all.emplace_back("sync", "post");
    const System system(all);
    scorpio_file* file = synced_file(system);
    const int64_t extent = 5, chunk = 2, start = 0;
    int w = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file, "w", SCORPIO_INT32, 1, &extent, &w));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file, w, &chunk));
    EXPECT_SUCCESS(scorpio_variable_fill_define(file, w, 1, nullptr));
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), path_.c_str()));
    EXPECT_SUCCESS(scorpio_file_close(file));
    ASSERT_SUCCESS(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_READ, nullptr, &file));
    std::vector<int32_t> filled(static_cast<size_t>(extent));
    scorpio_access access =
        scorpio_hyperslab(object_of(file, "w"), &start, &extent, SCORPIO_INT32, filled.data());
    access.sharing = SCORPIO_ALL_RANKS;
    EXPECT_SUCCESS(scorpio_get(file, &access));
    EXPECT_EQ(std::vector<int32_t>(static_cast<size_t>(extent), -2147483647), filled) << format;
    EXPECT_SUCCESS(scorpio_file_close(file));
    expect_reads(system, path_, 1);
  }
}

// A call for another file completes a posted sync only if nothing is lost by it for the program.
TEST_F(PostedClose, TheStorageOfVariablesIsOpenAfterAPostedSync) {
  Settings all = settings("hdf5", true);
  all.emplace_back("sync", "post");
  const System system(all);
  scorpio_file* file = synced_file(system);
  const int64_t extent = 5, chunk = 2;
  int w = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file, "w", SCORPIO_INT32, 1, &extent, &w));
  std::this_thread::sleep_for(100ms);  // workers have written what was put
  EXPECT_SUCCESS(write(system, folder_ / "other", 2));
  EXPECT_SUCCESS(scorpio_variable_define_chunks(file, w, &chunk));
  EXPECT_SUCCESS(scorpio_file_close(file));
  expect_reads(system, path_, 1);
  expect_reads(system, folder_ / "other", 2);
}

TEST_F(PostedClose, BadArguments) {
  const System system(settings("hdf5", true));
  int done = 7;
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_iosystem_wait(system.get(), path_.c_str()));
  EXPECT_NE(std::string::npos, last_text().find("was written through this I/O system")) << last_text();
  EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_iosystem_test(system.get(), path_.c_str(), &done));
  EXPECT_EQ(7, done);
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_test(system.get(), nullptr, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_wait(system.get(), ""));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_wait(nullptr, nullptr));
  EXPECT_SUCCESS(scorpio_iosystem_test(system.get(), nullptr, &done));
  EXPECT_EQ(1, done) << "there is none";
  EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
  if (ranks_in() > 1) {
    EXPECT_SUCCESS(write(system, path_, 1));
    const std::string mine = rank_in() == 0 ? std::string(path_) : folder_ / "another";
    EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_iosystem_wait(system.get(), mine.c_str()));
  }
}

}  // namespace
}  // namespace scorpio::api_test
