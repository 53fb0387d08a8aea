// The option `filters`: what its rules ask for, and what is no rule.
#include "format/filter_rules.h"

#include <gtest/gtest.h>

#include "codec/zfp.h"

namespace scorpio::format {
namespace {

using codec::QuantizationMode;

FilterRecipe recipe_of(const std::string& text, const std::string& name) {
  const auto rules = FilterRules::parse(text);
  EXPECT_TRUE(rules.ok()) << rules.status().text();
  const auto found = rules.ok() ? rules->find(name) : std::nullopt;
  return found ? *found->recipe : FilterRecipe{{{-1, -1}}};
}

TEST(FilterRules, SetsByName) {
  const FilterRecipe lossless{{{codec::k_shuffle, 0}, {codec::k_deflate, 1}}};
  const FilterRecipe fast{{{codec::k_shuffle, 0}, {codec::k_zstd, 1}}};
  EXPECT_EQ(lossless, recipe_of("lossless", "T"));
  EXPECT_EQ(fast, recipe_of("fast", "T"));
  EXPECT_EQ((FilterRecipe{lossless.filters, QuantizationMode::bit_round, 12}), recipe_of("lossy", "T"));
  EXPECT_EQ((FilterRecipe{fast.filters, QuantizationMode::bit_round, 7}), recipe_of("lossy-fast:7", "T"));
  EXPECT_TRUE(recipe_of("none", "T").empty());
}

TEST(FilterRules, FiltersOneByOne) {
  EXPECT_EQ((FilterRecipe{{{codec::k_deflate, 6}}}), recipe_of("deflate:6", "T"));
  EXPECT_EQ((FilterRecipe{{{codec::k_fletcher32, 0}, {codec::k_blosc, 115}}, QuantizationMode::bit_groom, 3}),
            recipe_of("bitgroom:3+fletcher32+blosc:115", "T"));
  EXPECT_EQ((FilterRecipe{{}, QuantizationMode::granular_bit_round, 4}), recipe_of("granular:4", "T"));
}

TEST(FilterRules, ZfpWithABoundWithBitsAndWithoutLoss) {
  EXPECT_EQ((FilterRecipe{.filters = {{codec::k_zfp, codec::k_zfp_accuracy - 7}}, .bound = 0.01}),
            recipe_of("zfp-accuracy:0.01", "T"));
  EXPECT_EQ((FilterRecipe{.filters = {{codec::k_zfp, codec::k_zfp_accuracy + 4}, {codec::k_deflate, 1}},
                          .bound = 20}),
            recipe_of("T=zfp-accuracy:2e1+deflate:1", "T"));
  EXPECT_EQ((FilterRecipe{{{codec::k_zfp, 16}}}), recipe_of("T=zfp-precision:16", "T"));
  EXPECT_EQ((FilterRecipe{{{codec::k_zfp, codec::k_zfp_reversible}}}), recipe_of("zfp-reversible", "T"));
  model::Variable variable;
  variable.type = model::native(model::Kind::int32);
  const FilterRecipe both = recipe_of("T=bitround:9+zfp-precision:16+deflate:1", "T");
  EXPECT_EQ((FilterRecipe{{{codec::k_deflate, 1}}}), possible_part(both, variable));
  variable.type = model::native(model::Kind::float32);
  EXPECT_EQ(both, possible_part(both, variable));
}

// A rounding that keeps all digits of a type changes nothing.
TEST(FilterRules, MoreBitsThanATypeHas) {
  const FilterRecipe recipe = recipe_of("bitround:30+deflate:1", "T");
  model::Variable variable;
  variable.type = model::native(model::Kind::float64);
  EXPECT_EQ(recipe, possible_part(recipe, variable));
  variable.type = model::native(model::Kind::float32);
  EXPECT_EQ((FilterRecipe{{{codec::k_deflate, 1}}}), possible_part(recipe, variable));
}

TEST(FilterRules, WhatIsNotBuiltIn) {
  EXPECT_TRUE(FilterRules::parse("shuffle+deflate:1")->check_built_in().ok());
  const auto rules = FilterRules::parse("deflate:1,x=zstd:3");
  EXPECT_EQ(codec::check_built_in(codec::k_zstd).code(), rules->check_built_in().code());
}

TEST(FilterRules, TheLosslessPart) {
  const auto lossless = [](const std::string& text) { return lossless_part(recipe_of(text, "T")); };
  EXPECT_EQ((FilterRecipe{{{codec::k_shuffle, 0}, {codec::k_deflate, 1}}}), lossless("lossy:9"));
  EXPECT_EQ((FilterRecipe{{{codec::k_deflate, 1}}}), lossless("zfp-accuracy:0.01+deflate:1"));
  EXPECT_EQ((FilterRecipe{{{codec::k_deflate, 1}}}), lossless("T=zfp-precision:9+deflate:1"));
  EXPECT_EQ(recipe_of("zfp-reversible", "T"), lossless("zfp-reversible"));
  EXPECT_TRUE(lossless("granular:3").empty());
}

TEST(FilterRules, TheFirstRuleThatFits) {
  const auto rules = FilterRules::parse("time=none,T*=lossy,T=fast,*=lossless");
  ASSERT_TRUE(rules.ok());
  EXPECT_TRUE(rules->find("time")->recipe->empty());
  EXPECT_TRUE(rules->find("time")->by_name);
  EXPECT_EQ(QuantizationMode::bit_round, rules->find("T")->recipe->mode);
  EXPECT_FALSE(rules->find("T")->by_name);
  EXPECT_EQ(QuantizationMode::none, rules->find("U")->recipe->mode);
  EXPECT_FALSE(FilterRules::parse("T=fast")->find("U"));
  EXPECT_TRUE(FilterRules::parse("")->empty());
}

TEST(FilterRules, WhatIsNoRule) {
  for (const char* text : {"gzip",
                           "deflate",
                           "deflate:",
                           "deflate:x",
                           "shuffle:1",
                           "T=",
                           "=fast",
                           ",",
                           "lossless:3",
                           "shuffle+bitround:3",
                           "bitround:3+bitgroom:3",
                           "fast+",
                           "fast+shuffle",
                           "T=a=b",
                           "shuffle+zfp-accuracy:0.01",
                           "deflate:1+zfp-reversible",
                           "zfp-precision:16",
                           "T*=zfp-precision:16",
                           "zfp",
                           "zfp-accuracy",
                           "zfp-accuracy:",
                           "zfp-accuracy:0",
                           "zfp-accuracy:-1",
                           "zfp-accuracy:inf",
                           "zfp-accuracy:1x",
                           "zfp-precision",
                           "zfp-reversible:1",
                           "deflate:10",
                           "bitround:0",
                           "bitround:53",
                           "lossy:0",
                           "granular:16",
                           "bitgroom:99"}) {
    const auto rules = FilterRules::parse(text);
    EXPECT_EQ(Code::argument, rules.status().code()) << text;
  }
}

}  // namespace
}  // namespace scorpio::format
