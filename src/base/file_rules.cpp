#include "base/file_rules.h"

#include <fnmatch.h>

#include <algorithm>

#include "base/option_table.h"

namespace scorpio {
namespace {

constexpr std::string_view k_space = " \t\n\r";

// Removes the next word from `rest` and returns it; empty if there is none.
std::string_view next_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(k_space), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of(k_space));
  rest.remove_prefix(word.size());
  return word;
}

Status bad_rule(std::string_view rule, const char* why) {
  return failure(
      Code::argument,
      "the rule \"{}\" {}; write a pattern of file names and options, as \"*.h0.* close=post\", and "
      "\";\" between rules",
      rule, why);
}

Status set_checked(OptionSet& options, std::string_view name, std::string_view value) {
  SCORPIO_ASSIGN(const Option option, find_option(name));
  if (!spec_of(option).per_file) {
    return failure(Code::argument,
                   "option {} is that of the I/O system, and cannot be set for some of its files", name);
  }
  return options.set(name, value);
}

}  // namespace

Result<FileRules> FileRules::parse(std::string_view text) {
  FileRules rules;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (one.find_first_not_of(k_space) == std::string_view::npos) continue;
    SCORPIO_ASSIGN(Rule rule, parse_rule(one));
    rules.rules_.push_back(std::move(rule));
  }
  return rules;
}

Result<FileRules::Rule> FileRules::parse_rule(std::string_view text) {
  std::string_view rest = text;
  Rule rule{std::string(next_word(rest)), {}};
  if (rule.pattern.find('=') != std::string::npos) return bad_rule(text, "begins with an option");
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos) return bad_rule(text, "has a word that is not option=value");
    SCORPIO_TRY(set_checked(rule.options, word.substr(0, equals), word.substr(equals + 1)));
  }
  if (rule.options.values().empty()) return bad_rule(text, "sets no option");
  return rule;
}

OptionSet FileRules::options_for(const std::string& path) const {
  OptionSet all;
  for (const Rule& rule : rules_) {
    const bool whole = rule.pattern.find('/') != std::string::npos;
    const std::string name = whole ? path : path.substr(path.rfind('/') + 1);
    if (fnmatch(rule.pattern.c_str(), name.c_str(), 0) == 0) all.overlay(rule.options);
  }
  return all;
}

}  // namespace scorpio
