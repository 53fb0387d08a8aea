// Converts the text of an option to its value, and back. Local; pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/option_spec.h"
#include "base/result.h"

namespace scorpio {

struct OptionValue {
  int64_t number = 0;  // integer, bytes; 0 or 1 for boolean; index of the choice
  std::string text;    // text; the name of the choice; "0,4,8" for ranks

  friend bool operator==(const OptionValue&, const OptionValue&) = default;
};

// Code::argument; the text has the value and the allowed values.
Result<OptionValue> parse_value(const OptionSpec& spec, std::string_view text);
// The allowed values, for messages: "0 to 1048576", "spread or groups".
std::string allowed_values(const OptionSpec& spec);
// The value of an option of kind ranks, in the given order.
std::vector<int> ranks_of(const OptionValue& value);
// The text for users: "64 MiB", "true", "cyclic".
std::string format_value(const OptionSpec& spec, const OptionValue& value);
// "64 MiB", "1536 B": in the largest unit that divides it.
std::string format_bytes(int64_t bytes);

}  // namespace scorpio
