// Lists of CPUs as texts.
#include "base/cpu_list.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace scorpio {
namespace {

CpuSet set_of(const std::vector<size_t>& cpus) {
  CpuSet set;
  for (const size_t cpu : cpus) set.set(cpu);
  return set;
}

TEST(CpuList, IsOfNumbersAndRanges) {
  EXPECT_EQ(set_of({0}), parse_cpus("0").value());
  EXPECT_EQ(set_of({0, 1, 2, 3, 8}), parse_cpus("0-3,8").value());
  EXPECT_EQ(set_of({5, 1, 2, 1023}), parse_cpus("1023,5,1-2,2").value());
  EXPECT_EQ("0-3,8,1022-1023", cpus_text(set_of({0, 1, 2, 3, 8, 1022, 1023})));
  EXPECT_EQ("none", cpus_text({}));
}

TEST(CpuList, AnythingElseIsRefused) {
  for (const char* text : {"", "x", "1,", ",1", "1-", "-1", "3-1", "1024", "0-1024", "1 2", "1--2", "0x1",
                           "1-2-3", "99999999999999999999"}) {
    const auto parsed = parse_cpus(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(Code::argument, parsed.status().code());
    EXPECT_NE(std::string::npos, parsed.status().text().find("such as 0-3,8")) << parsed.status().text();
  }
}

RC_GTEST_PROP(CpuList, TextsAreReadBack, ()) {
  const auto cpus =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(0, 40)));
  RC_ASSERT(parse_cpus(cpus_text(set_of(cpus))).value() == set_of(cpus));
}

}  // namespace
}  // namespace scorpio
