// Option report: what is written at the end of an I/O system, and that it never fails the program.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "accesses.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

using Json = nlohmann::json;

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr int64_t k_rows = 100, k_columns = 64;

class Reports : public testing::Test {
 protected:
  const TemporaryFolder folder_;

  // Every rank has rows of it.
  void write(const System& system, const std::string& path, const Settings& settings = {}) const {
    const int64_t dims[2] = {k_rows, k_columns};
    scorpio_decomp* rows = nullptr;
    ASSERT_SUCCESS(scorpio_decomp_uniform(system.get(), 2, dims, &rows));
    const std::vector<double> data(static_cast<size_t>(k_rows * k_columns), 1.5);
    const OptionList options(settings);
    scorpio_file* file = nullptr;
    int id = -1;
    ASSERT_SUCCESS(
        scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 2, dims, &id));
    EXPECT_SUCCESS(scorpio_put_darray(file, id, rows, 0, SCORPIO_FLOAT64, data.data()));
    EXPECT_SUCCESS(scorpio_file_sync(file));
    EXPECT_SUCCESS(scorpio_put_darray(file, id, rows, 0, SCORPIO_FLOAT64, data.data()));
    EXPECT_SUCCESS(scorpio_file_close(file));
    EXPECT_SUCCESS(scorpio_decomp_free(rows));
  }

  void read(const System& system, const std::string& path) const {
    const int64_t dims[2] = {k_rows, k_columns};
    scorpio_decomp* rows = nullptr;
    ASSERT_SUCCESS(scorpio_decomp_uniform(system.get(), 2, dims, &rows));
    std::vector<double> data(static_cast<size_t>(k_rows * k_columns), 1.5);
    scorpio_file* file = nullptr;
    int id = -1;
    ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_find(file, "v", &id));
    EXPECT_SUCCESS(scorpio_get_darray(file, id, rows, 0, SCORPIO_FLOAT64, data.data()));
    EXPECT_SUCCESS(scorpio_file_close(file));
    EXPECT_SUCCESS(scorpio_decomp_free(rows));
  }

  // The reports in the folder, by name. Collective.
  std::map<std::string, std::string> found() const {
    MPI_Barrier(MPI_COMM_WORLD);
    std::map<std::string, std::string> reports;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / ".")) {
      const std::string name = entry.path().filename();
      if (name.starts_with("report")) reports[name] = content(entry.path());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return reports;
  }
};

TEST_F(Reports, TellOptionsIoRanksAndFiles) {
  std::map<std::string, uint64_t> sums;
  {
    const EnvironmentVariable report("SCORPIO_REPORT", folder_ / "report.json");
    const EnvironmentVariable number("SCORPIO_IO_RANKS", std::to_string(ranks_in() + 7));
    const System system(Settings{{"staging_bytes", "1m"}});
    write(system, folder_ / "first.h5");
    write(system, folder_ / "second.nc", {{"format", "cdf5"}, {"block_bytes", "4k"}});
    read(system, folder_ / "first.h5");
    for (const char* name : {"opens", "writes", "reads", "bytes_written", "bytes_read", "bytes_placed"}) {
      sums[name] = system.sum(name);
    }
  }
  const auto reports = found();
  ASSERT_EQ(1u, reports.size());
  const Json json = Json::parse(reports.begin()->second);
  EXPECT_EQ(ranks_in(), json["io_system"]["ranks"]);
  EXPECT_EQ(static_cast<size_t>(ranks_in()), json["io_system"]["io_ranks"].size());
  const Json& number = json["options"]["io_ranks"];
  EXPECT_EQ("environment SCORPIO_IO_RANKS", number["origin"]);
  EXPECT_EQ(std::to_string(ranks_in() + 7), number["value"].get<std::string>());
  EXPECT_EQ(std::to_string(ranks_in()), number["in_force"].get<std::string>());
  EXPECT_EQ("API", json["options"]["staging_bytes"]["origin"]);
  ASSERT_EQ(3u, json["files"].size());
  EXPECT_EQ(folder_ / "first.h5", json["files"][0]["path"].get<std::string>());
  for (const auto& [index, format, mode, block] :
       std::vector<std::tuple<size_t, std::string, std::string, int>>{
           {0, "hdf5", "create", 1 << 20}, {1, "cdf5", "create", 4096}, {2, "hdf5", "read", 1 << 20}}) {
    const Json& file = json["files"][index];
    EXPECT_EQ(format, file["format"].get<std::string>());
    EXPECT_EQ(mode, file["mode"].get<std::string>());
    EXPECT_LE(block, file["block_bytes"]);
    EXPECT_EQ(mode == "read" ? 0 : 2, file["calls"]["put"]);
    EXPECT_EQ(mode == "read" ? 1 : 0, file["calls"]["get"]);
    EXPECT_EQ(mode == "read" ? 0 : 1, file["calls"]["sync"]);
    EXPECT_GT(file["seconds"], 0.0);
    const auto bytes = static_cast<uint64_t>(k_rows * k_columns) * 8;
    const Json& sum = file["counters"]["sum"];
    EXPECT_EQ(mode == "read" ? bytes : 0, sum["bytes_fetched"]);
    EXPECT_EQ(mode == "read" ? 0 : 2 * bytes, sum["bytes_placed"]);
    EXPECT_LE(mode == "read" ? 0 : 2 * bytes, sum["bytes_written"]);
    EXPECT_LE(1, sum["opens"]);
    EXPECT_LE(1, sum["time_open_ns"]);
    EXPECT_LE(1, sum["time_close_ns"]);
    EXPECT_LE(file["counters"]["most"]["opens"], sum["opens"]);
    EXPECT_LE(1, sum["time_agree_ns"]);
    const Json& waits = file["waits_ns"]["sum"];
    EXPECT_EQ(sum["time_exchange_ns"], waits["copy"]);
    EXPECT_EQ(sum["time_close_ns"], waits["end"]);
    EXPECT_LE(waits["agreement"], sum["time_agree_ns"]);
    EXPECT_LE(file["waits_ns"]["most"]["end"], waits["end"]);
    EXPECT_FALSE(file["advice"].get<std::string>().empty());
  }
  // What files cost is all that was done, and the sums are those over the ranks.
  for (const auto& [name, sum] : sums) {
    EXPECT_EQ(sum, json["counters"]["sum"][name]) << name;
    uint64_t of_files = 0;
    for (const Json& file : json["files"]) of_files += file["counters"]["sum"][name].get<uint64_t>();
    EXPECT_EQ(sum, of_files) << name;
  }
  EXPECT_NE(std::string::npos, json["notes"].dump().find("io_ranks")) << json["notes"];
}

TEST_F(Reports, PostsAndWaitsAreCounted) {
  {
    const EnvironmentVariable report("SCORPIO_REPORT", folder_ / "report.json");
    const System system;
    const int64_t dims[1] = {k_rows};
    scorpio_decomp* rows = nullptr;
    ASSERT_SUCCESS(scorpio_decomp_uniform(system.get(), 1, dims, &rows));
    const std::vector<double> data(static_cast<size_t>(k_rows), 1.5);
    scorpio_file* file = nullptr;
    int id = -1;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), (folder_ / "posts.h5").c_str(), SCORPIO_FORMAT_DEFAULT,
                                       nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 1, dims, &id));
    EXPECT_SUCCESS(iput(file, scorpio_darray(id, rows, 0, SCORPIO_FLOAT64, data.data())));
    EXPECT_SUCCESS(scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    EXPECT_SUCCESS(scorpio_decomp_free(rows));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
  const auto reports = found();
  ASSERT_EQ(1u, reports.size());
  const Json calls = Json::parse(reports.begin()->second)["files"][0]["calls"];
  EXPECT_EQ(ranks_in(), calls["post"]);
  EXPECT_EQ(1, calls["wait"]);
}

TEST_F(Reports, EachIoSystemHasItsOwn) {
  std::string said;
  {
    const EnvironmentVariable report("SCORPIO_REPORT", folder_ / "report.json");
    const System all;
    const System own({}, MPI_COMM_SELF);
    const System later;
    said = own.describe() + later.describe();
  }
  const auto reports = found();
  size_t told = 0;
  for (const auto& [name, text] : reports)
    told += said.find("in force: " + (folder_ / name)) != std::string::npos;
  EXPECT_EQ(rank_in() == 0 ? 2u : 1u, told) << said;
  EXPECT_EQ(static_cast<size_t>(ranks_in()) + 2, reports.size());
  for (const auto& [name, text] : reports) EXPECT_TRUE(Json::accept(text)) << name << ": " << text;
}

TEST_F(Reports, OnlyRankZeroHasToSayIt) {
  {
    const System system(rank_in() == 0 ? Settings{{"report", folder_ / "report.json"}} : Settings{});
    write(system, folder_ / "file.h5");
  }
  {
    const System system(rank_in() == 0 ? Settings{} : Settings{{"report", folder_ / "report-not.json"}});
    write(system, folder_ / "file.h5");
  }
  const auto reports = found();
  ASSERT_EQ(1u, reports.size());
  EXPECT_EQ(1u, Json::parse(reports.begin()->second)["files"].size());
}

// Who meets what is found on storage is not rank 0.
TEST_F(Reports, NotesOfTheMetadataRankAreThere) {
  {
    const System system(
        {{"report", folder_ / "report.json"}, {"io_rank_list", std::to_string(ranks_in() - 1)}});
    if (rank_in() == 0) std::ofstream(folder_ / "file.h5.scorpio-tmp") << "stopped";
    MPI_Barrier(MPI_COMM_WORLD);
    write(system, folder_ / "file.h5");
  }
  const auto reports = found();
  ASSERT_EQ(1u, reports.size());
  EXPECT_NE(std::string::npos, reports.begin()->second.find("was left by a run that was stopped"));
}

TEST_F(Reports, WhatCannotBeWrittenIsANote) {
  if (rank_in() == 0) std::ofstream(folder_ / "a-file") << "x";
  MPI_Barrier(MPI_COMM_WORLD);
  for (const std::string& path : {folder_ / "no-such-folder/report.json", folder_ / "a-file/report.json"}) {
    const System system(Settings{{"report", path}});
    write(system, folder_ / "file.h5");
    const bool noted = system.describe().find("note: the report cannot be written: ") != std::string::npos;
    EXPECT_EQ(rank_in() == 0, noted) << system.describe();
  }
}

TEST_F(Reports, ATraceThatCannotBeWrittenIsANote) {
  const System system(Settings{{"trace", folder_ / "no-such-folder/trace.json"}});
  write(system, folder_ / "file.h5");
  const bool noted = system.describe().find("note: the trace cannot be written: ") != std::string::npos;
  EXPECT_EQ(rank_in() == 0, noted) << system.describe();
}

TEST_F(Reports, DashIsTextOnStandardOutput) {
  const std::string path = folder_ / ("output" + std::to_string(rank_in()));
  std::fflush(stdout);
  const int kept = ::dup(STDOUT_FILENO);
  const int output = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(::dup2(output, STDOUT_FILENO), 0);
  {
    const System system(Settings{{"report", "-"}});
    write(system, folder_ / "file.h5");
  }
  std::fflush(stdout);
  ::dup2(kept, STDOUT_FILENO);
  ::close(kept);
  ::close(output);
  const std::string text = content(path);
  if (rank_in() == 0) {
    EXPECT_NE(std::string::npos, text.find("report of I/O system")) << text;
    EXPECT_NE(std::string::npos, text.find("file.h5 (hdf5, create, blocks of ")) << text;
    EXPECT_NE(std::string::npos, text.find("report = - (API)\n")) << text;
  } else {
    EXPECT_EQ("", text);
  }
}

TEST_F(Reports, DescribeTellsWhatIsInForce) {
  const System system;
  const std::string text = system.describe();
  EXPECT_NE(std::string::npos, text.find("block_bytes = 0 (default); in force: 1 MiB")) << text;
  EXPECT_NE(std::string::npos,
            text.find("io_ranks = 0 (default); in force: " + std::to_string(system.io_ranks())))
      << text;
  EXPECT_NE(std::string::npos, text.find("exchange = auto (default); in force: shared\n")) << text;
  EXPECT_NE(std::string::npos, text.find("nodes = 0 (default); in force: 1\n")) << text;
  scorpio_file* file = nullptr;
  const OptionList options(Settings{{"block_bytes", "8k"}, {"format", "cdf2"}});
  ASSERT_SUCCESS(scorpio_file_create(system.get(), (folder_ / "open.nc").c_str(), SCORPIO_FORMAT_DEFAULT,
                                     options.get(), &file));
  const std::string line = "file " + (folder_ / "open.nc") +
                           ": cdf2, opened with create, blocks of 8 KiB; options: block_bytes = 8 KiB (API), "
                           "format = cdf2 (API)\n";
  EXPECT_NE(std::string::npos, system.describe().find(line)) << system.describe();
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_EQ(std::string::npos, system.describe().find(line)) << system.describe();
  const System messages(Settings{{"exchange", "messages"}});
  EXPECT_NE(std::string::npos,
            messages.describe().find("staging_bytes = 16 MiB (default); in force: 8 MiB\n"))
      << messages.describe();
}

}  // namespace
}  // namespace scorpio::api_test
