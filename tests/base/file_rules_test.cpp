// Options of files by patterns of their names.
#include "base/file_rules.h"

#include <gtest/gtest.h>

#include "base/option_table.h"
#include "base/options.h"

namespace scorpio {
namespace {

// The options of the file as "name=value", by name, separated by blanks.
std::string set_for(std::string_view rules, const std::string& path) {
  const auto parsed = FileRules::parse(rules);
  EXPECT_TRUE(parsed.ok()) << parsed.status().text();
  std::string text;
  const OptionSet options = parsed->options_for(path);
  for (const OptionSpec& spec : known_options()) {
    const auto found = options.values().find(spec.id);
    if (found == options.values().end()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", spec.name, format_value(spec, found->second));
  }
  return text;
}

TEST(FileRules, FitTheNameOrTheWholePath) {
  const char* rules =
      "*.h0.* file_name=close; */run?/*.nc durable=true ;; [ab].nc\tfile_name=sync  strict=yes;";
  EXPECT_EQ("", set_for("", "/x/case.h0.0001.nc"));
  EXPECT_EQ("file_name=close", set_for(rules, "/x/case.h0.0001.nc"));
  EXPECT_EQ("", set_for(rules, "/case.h0.d/r.nc"));
  EXPECT_EQ("durable=true", set_for(rules, "/x/y/run1/r.nc"));
  EXPECT_EQ("", set_for(rules, "/x/y/run11/r.nc"));
  EXPECT_EQ("file_name=sync strict=true", set_for(rules, "/x/b.nc"));
  EXPECT_EQ("file_name=sync strict=true", set_for(rules, "b.nc"));
}

TEST(FileRules, TheLastOneThatFitsCounts) {
  EXPECT_EQ("file_name=sync durable=true",
            set_for("* file_name=close durable=true; *.r.* file_name=sync", "/x/case.r.0001.nc"));
  EXPECT_EQ("file_name=close", set_for("a file_name=sync file_name=close", "/x/a"));
}

TEST(FileRules, WhatIsWrongIsNamed) {
  const struct {
    const char* rules;
    Code code;
    const char* text;
  } cases[] = {
      {"*.nc", Code::argument, "sets no option"},
      {"* file_name=sync; *.nc", Code::argument, "the rule \" *.nc\" sets no option"},
      {"file_name=close", Code::argument, "begins with an option"},
      {"* post", Code::argument, "has a word that is not option=value"},
      {"* file_name=maybe", Code::argument, "maybe"},
      {"* file_nam=close", Code::name, "\"file_name\""},
      {"* io_ranks=2", Code::argument, "option io_ranks is that of the I/O system"},
  };
  for (const auto& one : cases) {
    const Status status = FileRules::parse(one.rules).status();
    EXPECT_EQ(one.code, status.code()) << one.rules;
    EXPECT_NE(std::string::npos, status.text().find(one.text)) << status.text();
  }
}

TEST(FileRules, AreCheckedWithTheOtherOptions) {
  OptionSet set;
  ASSERT_TRUE(set.set("file_options", "* file_name=maybe").ok());
  const auto none = [](const char*) -> const char* { return nullptr; };
  const Status status = resolve(set, none, {}).status();
  EXPECT_EQ(Code::argument, status.code());
  EXPECT_NE(std::string::npos, status.text().find("option file_options (API)")) << status.text();
}

}  // namespace
}  // namespace scorpio
