// The parameters of the estimated cost: what the option cost_model accepts, and what it says of other texts.
#include "base/cost_model.h"

#include <gtest/gtest.h>

#include <string>

#include "base/options.h"

namespace scorpio {
namespace {

TEST(CostModel, DefaultsAreKeptUnlessTheyAreGiven) {
  const Result<CostModel> same = CostModel::parse("  ");
  ASSERT_TRUE(same.ok());
  EXPECT_TRUE(*same == CostModel());
  const Result<CostModel> changed = CostModel::parse(" write_ns=7\topen_ns=1000000000 message_ns=0");
  ASSERT_TRUE(changed.ok()) << changed.status().text();
  CostModel expected;
  expected.write_ns = 7;
  expected.open_ns = 1'000'000'000;
  expected.message_ns = 0;
  EXPECT_TRUE(*changed == expected);
}

TEST(CostModel, BadTextsAreRefusedWithTheirWords) {
  const auto expect = [](const std::string& text, Code code, const std::string& part) {
    const Result<CostModel> model = CostModel::parse(text);
    ASSERT_FALSE(model.ok()) << text;
    EXPECT_EQ(model.status().code(), code) << model.status().text();
    EXPECT_NE(model.status().text().find(part), std::string::npos) << model.status().text();
  };
  expect("writes_ns=5", Code::name,
         "\"writes_ns\" is not a cost parameter; the most similar one is write_ns");
  expect("=5", Code::name, "is not a cost parameter");
  expect("write_ns", Code::argument, "write name=nanoseconds");
  expect("fast", Code::argument, "\"fast\" is not a cost parameter");
  for (const char* value : {"", "-1", "1.5", "5us", "0x10", "1000000001", "99999999999999999999"})
    expect(std::string("message_ns=1 write_ns=") + value, Code::argument,
           std::string("\"write_ns=") + value + "\"");
  expect("open_ns=1 write_ns=2 open_ns=3", Code::argument, "open_ns is given twice");
}

TEST(CostModel, TheOptionIsCheckedWithItsOrigin) {
  OptionSet set;
  EXPECT_TRUE(set.set("cost_model", "open_ns=many").ok());
  const Result<Options> options = resolve(set, [](const char*) { return nullptr; }, {});
  ASSERT_FALSE(options.ok());
  EXPECT_EQ(options.status().code(), Code::argument);
  EXPECT_NE(options.status().text().find("option cost_model (API): \"open_ns=many\""), std::string::npos)
      << options.status().text();
}

TEST(CostModel, TimesHaveThreeDigits) {
  EXPECT_EQ(format_ns(0), "0 ns");
  EXPECT_EQ(format_ns(999), "999 ns");
  EXPECT_EQ(format_ns(12'345), "12.3 us");
  EXPECT_EQ(format_ns(4'560'000), "4.56 ms");
  EXPECT_EQ(format_ns(61'000'000'000), "61 s");
}

}  // namespace
}  // namespace scorpio
