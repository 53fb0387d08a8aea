// Options: what parses, who wins, what messages say.
#include "base/options.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>

namespace scorpio {
namespace {

using Variables = std::map<std::string, std::string>;

Environment environment_of(const Variables& variables) {
  return [&variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

const Variables k_no_variables;

Options resolved(const OptionSet& api, const Variables& variables = k_no_variables,
                 const std::string& config = "") {
  auto options =
      resolve(api, environment_of(variables), ConfigFile{config.empty() ? "" : "run.json", config});
  EXPECT_TRUE(options.ok()) << options.status().text();
  return options.ok() ? *options : Options();
}

Status config_failure(const std::string& config) {
  return resolve({}, environment_of(k_no_variables), ConfigFile{"run.json", config}).status();
}

// The number that `text` means for `name`; -1: refused.
int64_t number(const char* name, const char* text) {
  const auto value = parse_value(spec_of(*find_option(name)), text);
  return value.ok() ? value->number : -1;
}

TEST(OptionTable, RowsAreInTheOrderOfTheEnumeration) {
  for (size_t i = 0; i < known_options().size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(known_options()[i].id), i) << known_options()[i].name;
  }
  EXPECT_EQ(static_cast<size_t>(Option::store_faults) + 1, known_options().size());
}

TEST(OptionTable, DefaultsAreValidAndAsDocumentedInTheHeader) {
  for (const OptionSpec& spec : known_options()) {
    EXPECT_TRUE(parse_value(spec, spec.default_value).ok()) << spec.name;
    EXPECT_STRNE(spec.help, "") << spec.name;
    EXPECT_STRNE(spec.cost, "") << spec.name;
    EXPECT_STRNE(spec.when, "") << spec.name;
  }
  const Options options;
  EXPECT_EQ(options.integer(Option::io_ranks), 0);
  EXPECT_EQ(options.bytes(Option::staging_bytes), 16u << 20);
  EXPECT_EQ(options.choice(Option::domains), "auto");
  EXPECT_TRUE(options.boolean(Option::journal));
  EXPECT_FALSE(options.boolean(Option::durable));
}

TEST(OptionSet, UnknownNameTellsTheNearest) {
  OptionSet set;
  const Status status = set.set("staging_byte", "1m");
  EXPECT_EQ(status.code(), Code::name);
  EXPECT_NE(status.text().find("\"staging_byte\""), std::string::npos);
  EXPECT_NE(status.text().find("\"staging_bytes\""), std::string::npos);
  EXPECT_NE(set.set("io_rank", "1").text().find("\"io_ranks\""), std::string::npos);
  EXPECT_EQ(set.set("", "1").code(), Code::name);
  EXPECT_TRUE(set.values().empty());
}

TEST(OptionSet, BadValueTellsWhatIsAllowed) {
  OptionSet set;
  Status status = set.set("domains", "circular");
  EXPECT_EQ(status.code(), Code::argument);
  EXPECT_NE(status.text().find("\"circular\""), std::string::npos);
  EXPECT_NE(status.text().find("cyclic or contiguous or balanced"), std::string::npos);
  status = set.set("staging_bytes", "1k");
  EXPECT_EQ(status.code(), Code::argument);
  EXPECT_NE(status.text().find("64 KiB or more"), std::string::npos);
  status = set.set("block_bytes", "3m");
  EXPECT_NE(status.text().find("power of two"), std::string::npos);
}

TEST(OptionValue, Integers) {
  EXPECT_EQ(number("io_ranks", "7"), 7);
  EXPECT_EQ(number("io_ranks", " 7 "), 7);
  for (const char* bad :
       {"", " ", "-1", "7x", "7.5", "+7", "0x7", "1k", "99999999999999999999", "2147483648"}) {
    EXPECT_EQ(number("io_ranks", bad), -1) << bad;
  }
}

TEST(OptionValue, Bytes) {
  EXPECT_EQ(number("staging_bytes", "65536"), 65536);
  EXPECT_EQ(number("staging_bytes", "64k"), 65536);
  EXPECT_EQ(number("staging_bytes", "64KiB"), 65536);
  EXPECT_EQ(number("staging_bytes", "64 kib"), 65536);
  EXPECT_EQ(number("staging_bytes", "3M"), 3 << 20);
  EXPECT_EQ(number("staging_bytes", "2g"), int64_t{2} << 30);
  EXPECT_EQ(number("staging_bytes", "70000B"), 70000);
  for (const char* bad : {"65535", "1.5m", "64kb", "m", "-64k", "64kk", "9223372036854775807k"}) {
    EXPECT_EQ(number("staging_bytes", bad), -1) << bad;
  }
}

TEST(OptionValue, BytesMayHaveAWordForNoLimit) {
  EXPECT_EQ(number("bandwidth", "2m"), 2 << 20);
  EXPECT_EQ(number("bandwidth", "Unlimited"), std::numeric_limits<int64_t>::max());
  for (const char* bad : {"0", "-1", "unlimited m", ""}) EXPECT_EQ(number("bandwidth", bad), -1) << bad;
  EXPECT_EQ(number("staging_bytes", "unlimited"), -1) << "only where it is documented";
  const OptionSpec& spec = spec_of(Option::bandwidth);
  EXPECT_EQ("unlimited", format_value(spec, *parse_value(spec, "unlimited")));
  EXPECT_EQ("3 KiB", format_value(spec, *parse_value(spec, "3k")));
}

TEST(OptionValue, BlockIsAutomaticOrAPowerOfTwoInRange) {
  EXPECT_EQ(number("block_bytes", "0"), 0);
  EXPECT_EQ(number("block_bytes", "512"), 512);
  EXPECT_EQ(number("block_bytes", "4m"), 4 << 20);
  for (const char* bad : {"256", "513", "1000000", "2g", "-512"})
    EXPECT_EQ(number("block_bytes", bad), -1) << bad;
}

TEST(OptionValue, Booleans) {
  for (const char* yes : {"true", "TRUE", "1", "yes", "on"}) EXPECT_EQ(number("eager", yes), 1) << yes;
  for (const char* no : {"false", "0", "No", "off"}) EXPECT_EQ(number("eager", no), 0) << no;
  for (const char* bad : {"", "2", "maybe", "tru"}) EXPECT_EQ(number("eager", bad), -1) << bad;
}

TEST(OptionValue, ListsOfRanks) {
  const OptionSpec& spec = spec_of(Option::io_rank_list);
  EXPECT_EQ(parse_value(spec, "8, 0 ,4")->text, "8,0,4");
  EXPECT_EQ(ranks_of(*parse_value(spec, "8, 0 ,4")), (std::vector<int>{8, 0, 4}));
  EXPECT_EQ(ranks_of(*parse_value(spec, "")), std::vector<int>());
  for (const char* bad : {",", "1,", ",1", "1,,2", "1 2", "1,1", "-1", "1,x", "0-3", "2147483648"}) {
    const auto value = parse_value(spec, bad);
    EXPECT_EQ(value.status().code(), Code::argument) << bad;
    EXPECT_NE(value.status().text().find("separated by commas"), std::string::npos) << bad;
  }
}

TEST(OptionValue, BytesAreShownInTheLargestUnitThatDividesThem) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1536), "1536 B");
  EXPECT_EQ(format_bytes(64 << 20), "64 MiB");
  EXPECT_EQ(format_bytes(int64_t{3} << 40), "3 TiB");
}

TEST(Resolve, ApiBeatsEnvironmentBeatsFileBeatsDefault) {
  const std::string config = R"({"io_ranks": 1, "group_size": 2, "nodes": 3})";
  const Variables variables = {{"SCORPIO_IO_RANKS", "4"}, {"SCORPIO_GROUP_SIZE", "5"}};
  OptionSet api;
  ASSERT_TRUE(api.set("io_ranks", "6").ok());
  const Options options = resolved(api, variables, config);
  EXPECT_EQ(options.integer(Option::io_ranks), 6);
  EXPECT_EQ(options.integer(Option::group_size), 5);
  EXPECT_EQ(options.integer(Option::nodes), 3);
  EXPECT_EQ(options.integer(Option::io_ranks_per_node), 0);
  EXPECT_EQ(options.origin(Option::io_ranks), "API");
  EXPECT_EQ(options.origin(Option::group_size), "environment SCORPIO_GROUP_SIZE");
  EXPECT_EQ(options.origin(Option::nodes), "configuration file run.json");
  EXPECT_EQ(options.origin(Option::io_ranks_per_node), "default");
}

TEST(Resolve, EnvironmentErrorsNameTheVariableAndEmptyCountsAsUnset) {
  const Variables bad = {{"SCORPIO_EXCHANGE", "pigeon"}};
  const Status status = resolve({}, environment_of(bad), ConfigFile{}).status();
  EXPECT_EQ(status.code(), Code::argument);
  EXPECT_NE(status.text().find("SCORPIO_EXCHANGE"), std::string::npos);
  EXPECT_EQ(resolved({}, {{"SCORPIO_IO_RANKS", ""}}).origin(Option::io_ranks), "default");
}

TEST(Resolve, FileTakesStringsNumbersBooleansAndComments) {
  const Options options = resolved({}, k_no_variables, R"({
    // large nodes
    "staging_bytes": "1 GiB", "eager": true, /* two */ "io_ranks": 2, "domains": "contiguous"})");
  EXPECT_EQ(options.bytes(Option::staging_bytes), 1u << 30);
  EXPECT_TRUE(options.boolean(Option::eager));
  EXPECT_EQ(options.integer(Option::io_ranks), 2);
  EXPECT_EQ(options.choice(Option::domains), "contiguous");
}

TEST(Resolve, FileErrorsNameTheFileAndTheOption) {
  const Status unknown = config_failure(R"({"io_rank": 2})");
  EXPECT_EQ(unknown.code(), Code::name);
  EXPECT_NE(unknown.text().find("run.json"), std::string::npos);
  EXPECT_NE(unknown.text().find("io_ranks"), std::string::npos);
  for (const char* bad : {"", "{", "[1]", "3", R"({"io_ranks": 1.5})", R"({"io_ranks": null})",
                          R"({"io_ranks": [1]})", R"({"io_ranks": -1})", R"({"eager": 2})"}) {
    EXPECT_EQ(config_failure(bad).code(), Code::argument) << bad;
  }
}

TEST(Resolve, DeeplyNestedValuesInTheFileAreRefused) {
  constexpr size_t k_depth = 1000000;
  const std::string begin(k_depth, '['), end(k_depth, ']');
  const Status nested = config_failure(R"({"io_ranks": )" + begin + end + "}");
  EXPECT_EQ(nested.code(), Code::argument);
  EXPECT_NE(nested.text().find("io_ranks = array"), std::string::npos);
}

TEST(Resolve, AnOptionIsInTheFileOnce) {
  const Status twice = config_failure(R"({"io_ranks": 2, "staging_bytes": "1m", "io_ranks": 3})");
  EXPECT_EQ(twice.code(), Code::argument);
  EXPECT_NE(twice.text().find("io_ranks is given more than once"), std::string::npos) << twice.text();
}

TEST(Resolve, AFileWithoutEndIsRefused) {
  const Status endless = resolve({}, environment_of({{"SCORPIO_CONFIG", "/dev/zero"}})).status();
  EXPECT_EQ(endless.code(), Code::limit);
  EXPECT_NE(endless.text().find("/dev/zero has more than 16777216 bytes"), std::string::npos)
      << endless.text();
}

TEST(Resolve, ReadsTheFileThatTheEnvironmentNames) {
  std::string folder = testing::TempDir() + "scorpio-options-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/run.json";
  std::ofstream(path) << R"({"io_ranks": 9})";
  const Variables variables = {{"SCORPIO_CONFIG", path}};
  const auto options = resolve({}, environment_of(variables));
  ::unlink(path.c_str());
  const Status absent = resolve({}, environment_of(variables)).status();
  ::rmdir(folder.c_str());
  ASSERT_TRUE(options.ok()) << options.status().text();
  EXPECT_EQ(options->integer(Option::io_ranks), 9);
  EXPECT_EQ(options->origin(Option::io_ranks), "configuration file " + path);
  EXPECT_EQ(absent.code(), Code::not_found);
  EXPECT_NE(absent.text().find(path), std::string::npos);
}

TEST(Resolve, ConfigurationFileThatIsAFolderIsAnError) {
  const Variables variables = {{"SCORPIO_CONFIG", "/"}};
  EXPECT_FALSE(resolve({}, environment_of(variables)).ok());
}

TEST(Options, OverlayReplacesWhatTheProgramSetsLater) {
  OptionSet first;
  OptionSet later;
  ASSERT_TRUE(first.set("durable", "true").ok());
  ASSERT_TRUE(first.set("format", "cdf1").ok());
  ASSERT_TRUE(later.set("format", "cdf5").ok());
  Options options = resolved(first, {{"SCORPIO_FORMAT", "cdf2"}, {"SCORPIO_JOURNAL", "false"}});
  options.overlay(later);
  EXPECT_EQ(options.choice(Option::format), "cdf5");
  EXPECT_TRUE(options.boolean(Option::durable));
  EXPECT_FALSE(options.boolean(Option::journal));
}

TEST(Options, DescribeHasALineForEachWithItsOrigin) {
  OptionSet api;
  ASSERT_TRUE(api.set("durable", "yes").ok());
  const std::string text = resolved(api).describe();
  EXPECT_NE(text.find("staging_bytes = 16 MiB (default)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("durable = true (API)\n"), std::string::npos) << text;
  EXPECT_EQ(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), known_options().size());
}

TEST(Options, DescribeTellsWhatIsInForceWhereThatIsSomethingElse) {
  Options options = resolved({}, {{"SCORPIO_IO_RANKS", "4"}});
  options.set_in_force(Option::io_ranks, "1");
  options.set_in_force(Option::staging_bytes, "16 MiB");
  const std::string text = options.describe();
  EXPECT_NE(text.find("io_ranks = 4 (environment SCORPIO_IO_RANKS); in force: 1\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("staging_bytes = 16 MiB (default)\n"), std::string::npos) << text;
}

TEST(Options, HashIsOfValuesAndNotOfOrigins) {
  const Options defaults;
  OptionSet same;
  ASSERT_TRUE(same.set("staging_bytes", "16384k").ok());
  EXPECT_EQ(resolved(same).hash(), defaults.hash());
  for (const auto& [name, value] :
       Variables{{"io_ranks", "1"}, {"eager", "true"}, {"domains", "contiguous"}}) {
    OptionSet other;
    ASSERT_TRUE(other.set(name, value).ok());
    EXPECT_NE(resolved(other).hash(), defaults.hash()) << name;
  }
}

}  // namespace
}  // namespace scorpio
