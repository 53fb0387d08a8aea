// What an I/O system records, on ranks that are threads: the files of its options, and which ranks have what.
#include "session/iosystem/recording.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "session/iosystem/explanations.h"
#include "session/thread_system.h"
#include "support/temporary_folder.h"

namespace scorpio::session {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Options options_with(const OptionSet& set) {
  return resolve(set, [](const char*) -> const char* { return nullptr; }, {}).value();
}

struct RecordingTest : testing::Test {
  std::string path(const char* name) const { return folder / name; }
  test::TemporaryFolder folder;
};

TEST_F(RecordingTest, NothingIsMadeUnlessItIsAskedFor) {
  test::ThreadJob job({.ranks = 2});
  job.run([&](test::ThreadSystem& system) {
    Recording recording(system);
    Options options = options_with({});
    recording.begin({}, options);
    recording.begin_report(options);
    recording.write(options, "staging");
    EXPECT_EQ(nullptr, recording.trace());
    EXPECT_FALSE(recording.records().backlog);
    EXPECT_EQ(nullptr, recording.explanations());
    EXPECT_TRUE(recording.records().events.events().empty());
  });
}

TEST_F(RecordingTest, AReportHasTheCountersAndEventsOfAllRanks) {
  test::ThreadJob job({.ranks = 3, .io_ranks = 2});
  job.run([&](test::ThreadSystem& system) {
    Recording recording(system);
    OptionSet set;
    ASSERT_TRUE(set.set("report", path("report.json")).ok());
    Options options = options_with(set);
    recording.begin({.report = true}, options);
    EXPECT_EQ(system.my_owner() >= 0, recording.records().backlog.has_value());
    EXPECT_EQ(nullptr, recording.trace());
    recording.begin_report(options);
    recording.records().counters.writes = 1234567;
    if (system.rank() == 0) recording.records().events.add("something happened");
    (void)system.comm().barrier();
    recording.write(options, "a kind of memory");
  });
  const std::string report = content_of(path("report.json"));
  EXPECT_NE(std::string::npos, report.find("something happened")) << report;
  EXPECT_NE(std::string::npos, report.find("a kind of memory"));
  EXPECT_NE(std::string::npos, report.find("3703701")) << "the sum of all ranks";
}

TEST_F(RecordingTest, ATraceHasTheCallsOfAllRanks) {
  test::ThreadJob job({.ranks = 2});
  job.run([&](test::ThreadSystem& system) {
    Recording recording(system);
    OptionSet set;
    ASSERT_TRUE(set.set("trace", path("trace.json")).ok());
    Options options = options_with(set);
    recording.begin({.trace = true}, options);
    ASSERT_NE(nullptr, recording.trace());
    EXPECT_NE(nullptr, recording.records().accounts.make("create")->track);
    recording.begin_report(options);
    (void)system.comm().barrier();
    recording.write(options, "staging");
  });
  const std::string trace = content_of(path("trace.json"));
  EXPECT_TRUE(trace.starts_with("[") || trace.starts_with("{")) << trace;
  EXPECT_NE(std::string::npos, trace.find("rank 1")) << trace;
}

TEST_F(RecordingTest, PutsAreExplainedOnRank0) {
  test::ThreadJob job({.ranks = 2});
  job.run([&](test::ThreadSystem& system) {
    Recording recording(system);
    OptionSet set;
    ASSERT_TRUE(set.set("explain", path("puts.txt")).ok());
    Options options = options_with(set);
    recording.begin({}, options);
    ASSERT_EQ(system.rank() == 0, recording.explanations() != nullptr);
    if (recording.explanations() == nullptr) return;
    EXPECT_TRUE(recording.explanations()->tell("a put", "its way").ok());
  });
  EXPECT_NE(std::string::npos, content_of(path("puts.txt")).find("a put\nits way"));
}

TEST_F(RecordingTest, AFileThatCannotBeMadeIsAnEvent) {
  test::ThreadJob job({});
  job.run([&](test::ThreadSystem& system) {
    Recording recording(system);
    OptionSet set;
    ASSERT_TRUE(set.set("report", path("none/report.json")).ok());
    Options options = options_with(set);
    recording.begin({.report = true}, options);
    recording.begin_report(options);
    ASSERT_EQ(1u, recording.records().events.events().size());
    EXPECT_NE(std::string::npos, recording.records().events.events()[0].find("the report cannot be written"));
    recording.write(options, "staging");
  });
}

}  // namespace
}  // namespace scorpio::session
