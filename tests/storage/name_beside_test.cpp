// Names beside others: short ones as they always were, all of them short enough, different and whole
// characters.
#include "storage/name_beside.h"

#include <gtest/gtest.h>

#include <set>

#include "storage/atomic_commit.h"
#include "storage/undo_journal.h"

namespace scorpio::storage::test {
namespace {

TEST(NameBeside, ShortNamesCarryTheSuffix) {
  EXPECT_EQ(temporary_name("f"), "f.scorpio-tmp");
  EXPECT_EQ(journal_name("folder/f.h5"), "folder/f.h5.scorpio-journal");
  const std::string longest(127, 'x');
  EXPECT_EQ(journal_name(longest), longest + ".scorpio-journal");
  // A long path is no long name.
  const std::string deep = std::string(200, 'd') + "/" + std::string(200, 'e') + "/f";
  EXPECT_EQ(temporary_name(deep), deep + ".scorpio-tmp");
}

TEST(NameBeside, LongNamesAreCutAndStayApart) {
  std::set<std::string> all;
  for (size_t length = 128; length <= 256; ++length) {
    for (const char last : {'a', 'b'}) {
      const std::string name = std::string(length - 1, 'x') + last;
      for (const std::string& beside : {temporary_name(name), journal_name(name)}) {
        EXPECT_LE(beside.size(), 143u) << length;
        EXPECT_TRUE(beside.starts_with(std::string(100, 'x'))) << beside;
        EXPECT_TRUE(all.insert(beside).second) << beside;
      }
      EXPECT_EQ(temporary_name("/folder/" + name), "/folder/" + temporary_name(name));
    }
  }
}

TEST(NameBeside, CharactersStayWhole) {
  const std::string sign = "\xE2\x82\xAC";  // three bytes
  for (int before = 0; before < 3; ++before) {
    std::string name(static_cast<size_t>(before), 'x');
    while (name.size() < 240) name += sign;
    const std::string beside = journal_name(name);
    const size_t end = beside.find('-');
    ASSERT_NE(end, std::string::npos);
    EXPECT_EQ((end - static_cast<size_t>(before)) % 3, 0u) << beside;
  }
}

TEST(NameBeside, PathsThatAreTooLongAreRefused) {
  const std::string deep = std::string(4070, 'd') + "/";
  EXPECT_TRUE(check_journal_name(deep + "1234567").ok());
  EXPECT_TRUE(check_journal_name(deep + "12345678").ok());
  EXPECT_EQ(check_journal_name(deep + "123456789").code(), Code::name);
}

}  // namespace
}  // namespace scorpio::storage::test
