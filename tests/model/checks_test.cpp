// The checks of single definitions.
#include "model/checks.h"

#include <gtest/gtest.h>

#include "samples.h"

namespace scorpio::model {
namespace {

const std::string k_nul("a\0b", 3);

TEST(Checks, Names) {
  EXPECT_TRUE(check_name("a b.c", "variable").ok());
  EXPECT_TRUE(check_name("a/b", "dimension", true).ok());
  for (const std::string& bad : {std::string(), std::string("a/b"), k_nul}) {
    const Status status = check_name(bad, "variable");
    EXPECT_EQ(status.code(), Code::name) << bad;
    EXPECT_NE(status.text().find("variable"), std::string::npos) << status.text();
  }
  EXPECT_EQ(check_name(k_nul, "dimension", true).code(), Code::name);
}

TEST(Checks, TheValueOfAnAttributeHasTheSizeOfItsTypeAndExtents) {
  EXPECT_TRUE(check_attribute("/v", "a/b: c.", number(1)).ok());
  EXPECT_EQ(check_attribute("/v", "", number(1)).code(), Code::name);
  EXPECT_EQ(check_attribute("/v", k_nul, number(1)).code(), Code::name);
  Attribute cut = numbers(3);
  cut.value.pop_back();
  const Status status = check_attribute("/v", "cut", cut);
  EXPECT_EQ(status.code(), Code::argument);
  EXPECT_NE(status.text().find("attribute cut of /v"), std::string::npos) << status.text();
  cut.readable = false;
  EXPECT_TRUE(check_attribute("/v", "foreign", cut).ok()) << "its value is not here";
  Attribute scalar = numbers(1);
  scalar.scalar = true;
  EXPECT_EQ(check_attribute("/v", "x", scalar).code(), Code::argument);
  Attribute large = numbers(1);
  large.dims = {int64_t{1} << 40, int64_t{1} << 40};
  EXPECT_EQ(check_attribute("/v", "x", large).code(), Code::limit);
}

TEST(Checks, AVariableWithItsAttributes) {
  Variable good = variable("/v", {2, 3});
  EXPECT_TRUE(check_variable(good).ok());
  EXPECT_EQ(check_variable(variable("/v", {2, -1})).code(), Code::argument);
  EXPECT_EQ(check_variable(variable("/v", {int64_t{1} << 40, int64_t{1} << 40})).code(), Code::limit);
  good.attributes[""] = number(1);
  EXPECT_EQ(check_variable(good).code(), Code::name);
}

}  // namespace
}  // namespace scorpio::model
