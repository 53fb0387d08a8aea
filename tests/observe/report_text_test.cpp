// Reports as JSON and as text.
#include "observe/report_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace scorpio::observe {
namespace {

Report sample() {
  Report report;
  report.version = "1.2.3";
  report.number = 2;
  report.ranks = 4;
  report.io_ranks = {2, 0};
  report.metadata_rank = 2;
  report.staging = "node-shared memory";
  report.options.set(Option::io_ranks, {.number = 8, .text = {}}, Source::environment,
                     "environment SCORPIO_IO_RANKS");
  report.options.set_in_force(Option::io_ranks, "2");
  report.totals.sum.bytes_written = 12345678;
  report.totals.most.time_io_ns = 1500000000;
  FileReport file;
  file.path = "/data/with \"quotes\" and \xff";
  file.format = "cdf5";
  file.mode = "create";
  file.block_bytes = 1 << 20;
  file.calls[static_cast<size_t>(FileCall::put)] = 3;
  file.totals = report.totals;
  report.files.push_back(file);
  report.notes = {"a note"};
  return report;
}

TEST(Report, JsonHoldsEverything) {
  const auto json = nlohmann::json::parse(as_json(sample()));
  EXPECT_EQ("1.2.3", json["scorpio"]);
  EXPECT_EQ(2, json["io_system"]["number"]);
  EXPECT_EQ((std::vector<int>{2, 0}), json["io_system"]["io_ranks"].get<std::vector<int>>());
  EXPECT_EQ("8", json["options"]["io_ranks"]["value"]);
  EXPECT_EQ("2", json["options"]["io_ranks"]["in_force"]);
  EXPECT_EQ("environment SCORPIO_IO_RANKS", json["options"]["io_ranks"]["origin"]);
  EXPECT_EQ("16 MiB", json["options"]["staging_bytes"]["in_force"]);
  EXPECT_EQ(known_options().size(), json["options"].size());
  EXPECT_EQ(12345678, json["counters"]["sum"]["bytes_written"]);
  EXPECT_EQ(k_counters, json["counters"]["most"].size());
  EXPECT_EQ(1, json["files"].size());
  EXPECT_EQ("cdf5", json["files"][0]["format"]);
  EXPECT_EQ(3, json["files"][0]["calls"]["put"]);
  EXPECT_EQ("a note", json["notes"][0]);
}

TEST(Report, WaitsAndAdviceAreThere) {
  Report report = sample();
  FileReport& file = report.files[0];
  const auto wait = [&file](FileWait what) -> uint64_t& {
    return file.most_waits_ns[static_cast<size_t>(what)];
  };
  EXPECT_EQ("no long wait", advice(file));
  wait(FileWait::back_pressure) = 2000000000;
  file.sum_waits_ns = {1, 2, 3, 4, 5};
  auto json = nlohmann::json::parse(as_json(report))["files"][0];
  EXPECT_EQ(2000000000, json["waits_ns"]["most"]["back_pressure"]);
  EXPECT_EQ(5, json["waits_ns"]["sum"]["end"]);
  EXPECT_EQ(0, json["meanwhile_ns"]["write"]) << "it was written inside calls";
  EXPECT_EQ(advice(file), json["advice"]);
  EXPECT_NE(std::string::npos, advice(file).find("2.000 s for staging memory")) << advice(file);
  EXPECT_NE(std::string::npos, advice(file).find("asynchronous=true")) << advice(file);
  EXPECT_NE(std::string::npos, as_text(report).find(": " + advice(file) + "\n")) << as_text(report);
  file.asynchronous = true;
  EXPECT_NE(std::string::npos, advice(file).find("staging_bytes")) << advice(file);
  wait(FileWait::end) = 3000000000;
  EXPECT_NE(std::string::npos, advice(file).find("close=post")) << advice(file);
  file.posts_close = true;
  EXPECT_NE(std::string::npos, advice(file).find("async_files")) << advice(file);
  file.seconds = 1000;
  EXPECT_EQ("no long wait", advice(file));
}

TEST(Report, WhatHappenedMeanwhileIsThereForEachIoRank) {
  Report report = sample();
  FileReport& file = report.files[0];
  file.meanwhile = {{10, 20, 30, 4, 5000, 6, 7000}, {1, 2, 3, 4, 5, 6, 7}};
  file.sum_meanwhile = {11, 22, 33, 8, 5005, 12, 7007};
  report.backlog = {{2, {{0.5, {3, 400, 50}}, {1.5, {1, 2, 3}}}}, {0, {}}};
  const auto json = nlohmann::json::parse(as_json(report));
  const auto& of = json["files"][0];
  EXPECT_EQ(11, of["meanwhile_ns"]["communication"]);
  EXPECT_EQ(22, of["meanwhile_ns"]["encode"]);
  EXPECT_EQ(33, of["meanwhile_ns"]["write"]);
  ASSERT_EQ(2, of["io_ranks"].size());
  EXPECT_EQ(2, of["io_ranks"][0]["rank"]);
  EXPECT_EQ(0, of["io_ranks"][1]["rank"]);
  EXPECT_EQ(30, of["io_ranks"][0]["write_ns"]);
  EXPECT_EQ(5000, of["io_ranks"][0]["bytes"]);
  EXPECT_EQ(7, of["io_ranks"][1]["queued_bytes"]);
  const auto& backlog = json["io_system"]["backlog"];
  ASSERT_EQ(2, backlog.size());
  EXPECT_EQ(2, backlog[0]["rank"]);
  EXPECT_EQ(nlohmann::json::parse("[[0.5, 3, 400, 50], [1.5, 1, 2, 3]]"), backlog[0]["samples"]);
  EXPECT_TRUE(backlog[1]["samples"].empty());
}

TEST(Report, TextIsForPeople) {
  const std::string text = as_text(sample());
  for (const char* expected :
       {"I/O ranks: 2 (2, 0); metadata rank 2\n", "12.3 MB", "1.500", "(cdf5, create, blocks of 1 MiB)",
        "io_ranks = 8 (environment SCORPIO_IO_RANKS); in force: 2\n", "note: a note\n"}) {
    EXPECT_NE(std::string::npos, text.find(expected)) << expected << "\n" << text;
  }
  EXPECT_EQ(std::string::npos, text.find("(default)")) << text;
}

TEST(Report, FilesBeyondManyAreOneLine) {
  Report report = sample();
  report.other_files = 12;
  report.files.push_back({});
  EXPECT_NE(std::string::npos, as_text(report).find("  12 other files\n")) << as_text(report);
}

TEST(Report, EachIoSystemHasAFileOfItsOwn) {
  EXPECT_EQ("run.json", report_path("run.json", 0, 1));
  EXPECT_EQ("run-2.json", report_path("run.json", 0, 2));
  EXPECT_EQ("run-rank5.json", report_path("run.json", 5, 1));
  EXPECT_EQ("run-rank5-3.json", report_path("run.json", 5, 3));
  EXPECT_EQ("/a.b/run-2", report_path("/a.b/run", 0, 2));
  EXPECT_EQ(".hidden-2", report_path(".hidden", 0, 2));
  EXPECT_EQ("a.b/.hidden-2", report_path("a.b/.hidden", 0, 2));
}

}  // namespace
}  // namespace scorpio::observe
