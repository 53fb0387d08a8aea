// The options of an I/O system on ranks that are threads.
#include "session/iosystem/agreed_options.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/environment_variable.h"
#include "support/temporary_folder.h"
#include "thread_group.h"

namespace scorpio::session::test {
namespace {

constexpr int k_ranks = 3;
using Agreed = std::vector<Result<AgreedOptions>>;  // [ranks]

OptionSet set_of(const std::string& name, const std::string& value) {
  OptionSet set;
  EXPECT_TRUE(set.set(name, value).ok());
  return set;
}

// `of`: the options and the failure of other arguments that a rank brings.
Agreed agreed(const std::function<std::pair<OptionSet, Status>(int rank)>& of) {
  scorpio::test::MeetingPlace place(k_ranks);
  Agreed results(k_ranks, Result<AgreedOptions>(AgreedOptions()));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < k_ranks; ++rank) {
    threads.emplace_back([&, rank] {
      const scorpio::test::ThreadGroup group(place, rank);
      const auto [options, arguments] = of(rank);
      results[static_cast<size_t>(rank)] = agree_on_options(group, options, arguments);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

TEST(AgreedOptions, HaveTheStrongestSourceOfAnyRank) {
  const auto all =
      agreed([](int rank) { return std::pair(rank == 1 ? set_of("io_ranks", "0") : OptionSet(), Status()); });
  for (const auto& one : all) {
    ASSERT_TRUE(one.ok()) << one.status().text();
    EXPECT_EQ(0, one->options.integer(Option::io_ranks));
    EXPECT_EQ(Source::program, one->options.source(Option::io_ranks));
    EXPECT_EQ(Source::library, one->options.source(Option::group_size));
  }
}

TEST(AgreedOptions, ThatDifferAreNamedOnAllRanks) {
  const auto all =
      agreed([](int rank) { return std::pair(set_of("durable", rank == 2 ? "true" : "false"), Status()); });
  for (const auto& one : all) {
    EXPECT_EQ(Code::mismatch, one.status().code());
    EXPECT_NE(std::string::npos, one.status().text().find("durable"));
  }
}

TEST(AgreedOptions, AFailureOfOneRankIsThatOfAll) {
  const auto all = agreed([](int rank) {
    return std::pair(OptionSet(), rank == 1 ? failure(Code::argument, "wrong") : Status());
  });
  for (const auto& one : all) {
    EXPECT_EQ(Code::argument, one.status().code());
    EXPECT_NE(std::string::npos, one.status().text().find("wrong"));
  }
}

TEST(AgreedOptions, RankZeroAloneAsksForAReportAndATrace) {
  const auto asked = [](int by, const std::string& name) {
    return agreed(
        [&](int rank) { return std::pair(rank == by ? set_of(name, "-") : OptionSet(), Status()); });
  };
  for (const auto& one : asked(0, "report")) EXPECT_TRUE(one.ok() && one->report && !one->trace);
  for (const auto& one : asked(0, "trace")) EXPECT_TRUE(one.ok() && one->trace && !one->report);
  for (const auto& one : asked(1, "report")) EXPECT_TRUE(one.ok() && !one->report);
}

TEST(AgreedOptions, AllRanksHaveTheConfigurationFileThatOneReads) {
  const scorpio::test::TemporaryFolder folder;
  const std::string path = folder / "run.json";
  std::ofstream(path) << R"({"group_size": 7, "file_options": "*.r.* durable=true"})";
  const scorpio::test::EnvironmentVariable variable("SCORPIO_CONFIG", path);
  for (const auto& one : agreed([](int) { return std::pair(OptionSet(), Status()); })) {
    ASSERT_TRUE(one.ok()) << one.status().text();
    EXPECT_EQ(7, one->options.integer(Option::group_size));
    EXPECT_EQ("configuration file " + path, one->options.origin(Option::group_size));
    EXPECT_TRUE(one->rules.options_for("/a/b.r.nc").values().contains(Option::durable));
    EXPECT_FALSE(one->rules.options_for("/a/b.h0.nc").values().contains(Option::durable));
  }
}

TEST(AgreedOptions, AnUnreadableConfigurationFileFailsOnAllRanks) {
  const scorpio::test::EnvironmentVariable variable("SCORPIO_CONFIG", "/nowhere/run.json");
  for (const auto& one : agreed([](int) { return std::pair(OptionSet(), Status()); })) {
    EXPECT_EQ(Code::not_found, one.status().code());
    EXPECT_NE(std::string::npos, one.status().text().find("/nowhere/run.json"));
  }
}

}  // namespace
}  // namespace scorpio::session::test
