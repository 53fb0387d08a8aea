// Options for files whose names fit a pattern: the text of the option file_options, as
// "*.h0.* close=post; *.r.* close=wait durable=true". Local; pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/option_set.h"
#include "base/result.h"

namespace scorpio {

class FileRules {
 public:
  // Code::argument for a rule that does not parse or an option that is not one of files, Code::name for an
  // unknown option.
  static Result<FileRules> parse(std::string_view text);

  // The options that the rules set for a file; the last rule for an option takes precedence. A pattern
  // without "/" is compared with the last part of the path, any other one with the whole path.
  OptionSet options_for(const std::string& path) const;

 private:
  struct Rule {
    std::string pattern;
    OptionSet options;
  };
  static Result<Rule> parse_rule(std::string_view text);

  std::vector<Rule> rules_;
};

}  // namespace scorpio
