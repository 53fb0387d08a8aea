// The file domains of a file: until when their kind is open, and the values of options that this puts in
// force.
#include "session/state/file_domains.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace scorpio::session {
namespace {

Options options_with(const std::vector<std::pair<std::string, std::string>>& values) {
  OptionSet set;
  for (const auto& [name, value] : values) EXPECT_TRUE(set.set(name, value).ok()) << name;
  Options options;
  options.overlay(set);
  return options;
}

plan::DomainRule rule_of(int io_ranks) {
  plan::DomainRule rule;
  rule.unit_bytes = 4096;
  rule.block_bytes = 4096;
  rule.io_ranks = io_ranks;
  return rule;
}

TEST(FileDomains, AreOpenOnlyIfTheLibraryChooses) {
  for (const char* kind : {"cyclic", "contiguous", "balanced"}) {
    Options options = options_with({{"domains", kind}});
    const std::string before = options.in_force(Option::domains);
    FileDomains domains(rule_of(4), 0, options);
    EXPECT_FALSE(domains.are_open()) << kind;
    domains.fix();  // has no effect
    EXPECT_EQ(options.in_force(Option::domains), before) << kind;
  }
  Options options = options_with({{"domains", "auto"}});
  const FileDomains domains(rule_of(4), 0, options);
  EXPECT_TRUE(domains.are_open());
  EXPECT_EQ(options.in_force(Option::domains), "not chosen yet: no put so far divides a variable");
}

TEST(FileDomains, AreFixedByTheFirstCall) {
  Options options = options_with({{"domains", "auto"}});
  FileDomains counted(rule_of(4), 0, options);
  counted.fix(true, "contiguous, by estimated cost");
  EXPECT_TRUE(counted.rule().contiguous);
  counted.fix();  // they are fixed already
  EXPECT_TRUE(counted.rule().contiguous);
  EXPECT_EQ(options.in_force(Option::domains), "contiguous, by estimated cost");

  FileDomains uncounted(rule_of(4), 0, options);
  uncounted.fix();
  EXPECT_FALSE(uncounted.are_open());
  EXPECT_FALSE(uncounted.rule().contiguous);
  EXPECT_EQ(options.in_force(Option::domains),
            "cyclic, without a count: the file was first accessed by another call");
}

TEST(FileDomains, OfAFormatWithRecordsInTurnsAreCyclicWhateverIsAskedFor) {
  for (const char* kind : {"auto", "contiguous", "balanced"}) {
    Options options = options_with({{"domains", kind}});
    plan::DomainRule rule = rule_of(4);
    rule.contiguous = rule.balanced = std::string(kind) != "auto";
    FileDomains domains(rule, 0, options);
    domains.fix_for_records_in_turns();
    EXPECT_FALSE(domains.are_open() || domains.rule().contiguous || domains.rule().balanced) << kind;
    EXPECT_EQ(options.in_force(Option::domains), "cyclic, the only ones of this format");
  }
}

TEST(FileDomains, BelongToAsManyIoRanksAsTheFileHasStripes) {
  Options options;
  const FileDomains domains(rule_of(8), 2, options);
  EXPECT_EQ(domains.stripes(), 2u);
  EXPECT_EQ(domains.rule().io_ranks, 2);
  EXPECT_EQ(domains.rule().owner_step, 4);
  EXPECT_EQ(options.in_force(Option::writers), "2 of 8 I/O ranks, because the file has 2 stripes");
}

TEST(FileDomains, KeepChunksWhole) {
  constexpr uint64_t k_chunk = 10000;
  Options options;
  FileDomains domains(rule_of(3), 0, options);
  domains.keep_whole(k_chunk);
  std::set<int> owners;
  for (uint64_t begin = 0; begin < 1000 * k_chunk; begin += k_chunk) {
    const int owner = domains.rule().unit_at(begin).owner;
    EXPECT_EQ(domains.rule().unit_at(begin + k_chunk - 1).owner, owner) << begin;
    owners.insert(owner);
  }
  EXPECT_EQ(owners.size(), 3u);
  EXPECT_EQ(domains.rule().unit_bytes, 4096u);
}

}  // namespace
}  // namespace scorpio::session
