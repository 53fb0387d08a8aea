// From options to I/O ranks: what the program asks for must be met; what comes from outside is an upper
// bound.
#include "plan/io_rank_options.h"

#include <gtest/gtest.h>

#include <map>

namespace scorpio::plan {
namespace {

using Values = std::map<std::string, std::string>;
comm::NodePlacement one_node(int ranks) {
  return comm::NodePlacement::of(std::vector<int64_t>(static_cast<size_t>(ranks)));
}

void add(Options& options, const Values& values, Source source, const std::string& origin) {
  for (const auto& [name, text] : values) {
    const Option option = *find_option(name);
    options.set(option, *parse_value(spec_of(option), text), source, origin);
  }
}

struct Case {
  Values program = {}, environment = {}, file = {};
};

Options options_of(const Case& settings) {
  Options options;
  add(options, settings.file, Source::file, "configuration file run.json");
  add(options, settings.environment, Source::environment, "environment");
  add(options, settings.program, Source::program, "API");
  return options;
}

struct Outcome {
  std::vector<int> ranks;
  std::string notes, said;
  Status status;
};

Outcome outcome(int ranks, const Case& settings) {
  Options options = options_of(settings);
  const auto choice = choose_io_ranks(one_node(ranks), options);
  Outcome outcome{{}, {}, options.describe(), choice.status()};
  if (!choice.ok()) return outcome;
  outcome.ranks = choice->ranks;
  for (const std::string& note : choice->notes) outcome.notes += note + "\n";
  return outcome;
}

bool says(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

using Ranks = std::vector<int>;

TEST(IoRankOptions, NumberFromOutsideIsAnUpperBound) {
  for (const Case& each : {Case{.environment = {{"io_ranks", "2"}}}, Case{.file = {{"io_ranks", "2"}}}}) {
    const Outcome small = outcome(1, each);
    EXPECT_EQ(small.ranks, Ranks{0}) << small.status.text();
    EXPECT_TRUE(says(small.notes, "io_ranks = 2")) << small.notes;
    EXPECT_TRUE(says(small.notes, "1 rank;")) << small.notes;
    EXPECT_TRUE(says(small.said, "; in force: 1\n")) << small.said;
    const Outcome large = outcome(4, each);
    EXPECT_EQ(large.ranks, (Ranks{0, 2}));
    EXPECT_EQ(large.notes, "");
  }
  EXPECT_EQ(outcome(1, {.program = {{"io_ranks", "2"}}}).status.code(), Code::argument);
}

TEST(IoRankOptions, PerNodeAndGroupsAreUpperBoundsToo) {
  EXPECT_EQ(outcome(1, {.environment = {{"io_ranks_per_node", "3"}}}).ranks, Ranks{0});
  const Outcome groups = outcome(3, {.environment = {{"io_placement", "groups"}, {"group_size", "64"}}});
  EXPECT_EQ(groups.ranks, Ranks{0});
  EXPECT_TRUE(says(groups.said, "group_size = 64 (environment); in force: 3\n")) << groups.said;
}

TEST(IoRankOptions, StrideAndBase) {
  const Values pio = {{"io_ranks", "2"}, {"io_stride", "3"}, {"io_base", "1"}};
  EXPECT_EQ(outcome(8, {.program = pio}).ranks, (Ranks{1, 4}));
  EXPECT_EQ(outcome(8, {.program = {{"io_stride", "3"}}}).ranks, (Ranks{0, 3, 6}));
  EXPECT_EQ(outcome(8, {.program = {{"io_stride", "3"}}, .environment = {{"io_ranks", "2"}}}).ranks,
            (Ranks{0, 3}));
  for (const int ranks : {1, 2, 3, 5, 7}) {
    const Outcome small =
        outcome(ranks, {.environment = {{"io_ranks", "4"}, {"io_stride", "8"}, {"io_base", "6"}}});
    EXPECT_EQ(small.ranks.size(), static_cast<size_t>(std::min(ranks, 4))) << small.status.text();
    EXPECT_EQ(small.ranks.front(), std::min(ranks - 1, 6));
  }
  const Outcome sparse = outcome(8, {.environment = {{"io_ranks", "4"}, {"io_stride", "8"}}});
  EXPECT_EQ(sparse.ranks, (Ranks{0, 2, 4, 6}));
  EXPECT_TRUE(says(sparse.said, "io_stride = 8 (environment); in force: 2\n")) << sparse.said;
  const Outcome held = outcome(8, {.program = {{"io_stride", "4"}}, .environment = {{"io_ranks", "4"}}});
  EXPECT_EQ(held.ranks, (Ranks{0, 4}));
  EXPECT_TRUE(says(held.notes, "io_ranks = 4")) << held.notes;
}

TEST(IoRankOptions, StrideOfTheProgramThatCannotBeIsAnError) {
  EXPECT_EQ(outcome(4, {.program = {{"io_ranks", "3"}, {"io_stride", "2"}}}).status.code(), Code::argument);
  EXPECT_EQ(outcome(4, {.program = {{"io_stride", "1"}, {"io_base", "4"}}}).status.code(), Code::argument);
  const Outcome alone = outcome(4, {.program = {{"io_base", "1"}}});
  EXPECT_EQ(alone.status.code(), Code::argument);
  EXPECT_TRUE(says(alone.status.text(), "io_base = 1 (API) has no effect without io_stride"))
      << alone.status.text();
}

TEST(IoRankOptions, List) {
  EXPECT_EQ(outcome(9, {.program = {{"io_rank_list", "8, 0, 4"}}}).ranks, (Ranks{8, 0, 4}));
  EXPECT_EQ(outcome(8, {.program = {{"io_rank_list", "8,0,4"}}}).status.code(), Code::argument);
  const Outcome cut = outcome(5, {.environment = {{"io_rank_list", "8,0,4"}}});
  EXPECT_EQ(cut.ranks, (Ranks{0, 4}));
  EXPECT_TRUE(says(cut.said, "io_rank_list = 8,0,4 (environment); in force: 0,4\n")) << cut.said;
  const Outcome none = outcome(3, {.environment = {{"io_rank_list", "8,4"}}});
  EXPECT_EQ(none.ranks, Ranks{0});
  EXPECT_TRUE(says(none.notes, "none of them")) << none.notes;
  EXPECT_TRUE(says(none.said, "io_placement = spread (default)\n")) << none.said;
}

TEST(IoRankOptions, StrongerSourceHoldsAndTheOtherIsTold) {
  const Outcome client = outcome(
      8, {.program = {{"io_placement", "groups"}, {"group_size", "4"}}, .environment = {{"io_ranks", "3"}}});
  EXPECT_EQ(client.ranks, (Ranks{0, 4}));
  EXPECT_TRUE(says(client.notes, "io_ranks = 3 (environment) has no effect: option io_placement") ||
              says(client.notes, "io_ranks = 3 (environment) has no effect: io_placement = groups (API)"))
      << client.notes;
  EXPECT_TRUE(says(client.said, "io_ranks = 3 (environment); in force: 2\n")) << client.said;
  const Outcome site = outcome(8, {.environment = {{"io_rank_list", "7"}}, .file = {{"io_stride", "2"}}});
  EXPECT_EQ(site.ranks, Ranks{7});
  EXPECT_TRUE(says(site.said, "io_stride = 2 (configuration file run.json); in force: no effect\n"))
      << site.said;
  EXPECT_EQ(outcome(4, {.program = {{"io_ranks", "2"}}, .environment = {{"io_base", "3"}}}).ranks,
            (Ranks{0, 2}));
}

TEST(IoRankOptions, ContradictionOfOneSourceIsAnErrorThatNamesBoth) {
  for (const Values& values :
       {Values{{"io_rank_list", "0"}, {"io_ranks", "1"}}, Values{{"io_rank_list", "0"}, {"io_stride", "1"}},
        Values{{"io_placement", "groups"}, {"io_ranks", "1"}},
        Values{{"io_ranks_per_node", "1"}, {"io_ranks", "1"}},
        Values{{"io_placement", "groups"}, {"io_stride", "1"}}}) {
    for (const Case& each : {Case{.program = values}, Case{.environment = values}, Case{.file = values}}) {
      const Outcome both = outcome(4, each);
      EXPECT_EQ(both.status.code(), Code::argument);
      for (const auto& [name, value] : values) {
        EXPECT_TRUE(says(both.status.text(), name + " = " + value)) << both.status.text();
      }
    }
  }
}

}  // namespace
}  // namespace scorpio::plan
