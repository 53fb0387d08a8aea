// Text of an option's value <-> the value. Local; pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/option_table.h"
#include "base/result.h"

namespace scorpio {

struct OptionValue {
  int64_t number = 0;  // integer, bytes; 0 or 1 for boolean; index among the choices
  std::string text;    // text; the chosen name for choice; "0,4,8" for ranks

  friend bool operator==(const OptionValue&, const OptionValue&) = default;
};

// Code::argument; the text has the value and the allowed values.
Result<OptionValue> parse_value(const OptionSpec& spec, std::string_view text);
// Of an option of kind ranks, in the order in which they were given.
std::vector<int> ranks_of(const OptionValue& value);
// As a user reads it: "64 MiB", "true", "cyclic".
std::string format_value(const OptionSpec& spec, const OptionValue& value);
// "64 MiB", "1536 B": the largest unit that divides it.
std::string format_bytes(int64_t bytes);

}  // namespace scorpio
