// The definitions of a file on one rank: what is compared, sent and restored.
#include "pio/definitions/definition_log.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace scorpio_pio {
namespace {

Definition attribute(const std::string& name) {
  Definition made;
  made.kind = Definition::Kind::attribute;
  made.name = name;
  made.stored = made.memory = PIO_INT;
  return made;
}

Definition dimension(const std::string& name) {
  Definition made;
  made.name = name;
  made.length = 3;
  return made;
}

Definition byte_order(int variable, int order) {
  Definition made;
  made.kind = Definition::Kind::byte_order;
  made.object = variable;
  made.length = order;
  return made;
}

std::vector<std::string> names_in(const std::string& bytes) {
  std::vector<std::string> names;
  for (size_t at = 0; at < bytes.size();) names.push_back(Definition::from(bytes, at).name);
  return names;
}

using Names = std::vector<std::string>;

TEST(PioDefinitionLog, RanksCompareWhatIsNotAgreed) {
  DefinitionLog one, other;
  EXPECT_EQ(one.print(), other.print());
  one.add(attribute("a"));
  EXPECT_NE(one.print(), other.print());
  other.add(attribute("a"));
  EXPECT_EQ(one.print(), other.print());
  one.add(attribute("b"));
  EXPECT_EQ((Names{"a", "b"}), names_in(one.not_agreed(true)));
  EXPECT_TRUE(one.not_agreed(false).empty()) << "nothing was kept to return to";
  one.agree(true);
  EXPECT_TRUE(one.empty());
  EXPECT_EQ(0u, one.print());
  EXPECT_TRUE(one.not_agreed(true).empty());
}

TEST(PioDefinitionLog, AFileIsMadeAgainFromAllThatWasAgreed) {
  DefinitionLog log;
  log.add(dimension("x"));
  log.agree(true);
  log.add(attribute("a"));
  log.agree(true);
  log.add(byte_order(0, 1));
  const std::vector<Definition> agreed = log.begin_again(false);
  ASSERT_EQ(2u, agreed.size());
  EXPECT_EQ("x", agreed[0].name);
  EXPECT_EQ("a", agreed[1].name);
  EXPECT_TRUE(log.empty());
  EXPECT_FALSE(log.chosen(Definition::Kind::byte_order, 0).has_value());
  EXPECT_TRUE(log.begin_again(false).empty()) << "they are added once more";
  log.add(dimension("x"));
  log.agree(true);
  log.forget();
  EXPECT_TRUE(log.begin_again(false).empty());
}

TEST(PioDefinitionLog, DefineModeEndsLateIfNothingMoves) {
  DefinitionLog log;
  EXPECT_FALSE(log.ends_late());
  log.begin_define_mode();
  log.add(attribute("a"));
  EXPECT_TRUE(log.ends_late());
  log.add(dimension("x"));
  EXPECT_FALSE(log.ends_late());
  (void)log.begin_again(true);
  EXPECT_TRUE(log.ends_late()) << "the dimension may be that of one rank alone";
  (void)log.begin_again(false);
  EXPECT_FALSE(log.ends_late());
}

TEST(PioDefinitionLog, ARankReturnsToWhatTheRanksAgreedOnLast) {
  DefinitionLog log;
  log.begin_define_mode();
  log.add(byte_order(0, 1));
  log.keep();
  log.add(attribute("agreed"));
  log.add(byte_order(1, 2));
  log.agree_with_kept(10);
  const uint64_t print = log.print();
  log.add(dimension("only here"));
  log.add(byte_order(1, 1));
  EXPECT_EQ((Names{"only here", ""}), names_in(log.not_agreed(false)));
  const std::vector<Definition> later = log.return_to_kept();
  ASSERT_EQ(2u, later.size()) << "the library keeps what was there before them";
  EXPECT_EQ("agreed", later[0].name);
  EXPECT_EQ(print, log.print());
  EXPECT_TRUE(log.ends_late());
  EXPECT_EQ(1, log.chosen(Definition::Kind::byte_order, 0));
  EXPECT_EQ(2, log.chosen(Definition::Kind::byte_order, 1));
  EXPECT_FALSE(log.keeps());
}

TEST(PioDefinitionLog, LittleIsKept) {
  DefinitionLog log;
  log.keep();
  log.add(attribute("a"));
  log.agree_with_kept(1);
  EXPECT_TRUE(log.keeps());
  log.agree(false);
  log.add(attribute("b"));
  log.agree_with_kept(1);
  EXPECT_FALSE(log.keeps()) << "the library shall keep a later state";
}

}  // namespace
}  // namespace scorpio_pio
