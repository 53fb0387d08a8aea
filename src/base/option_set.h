// The options that a program sets by calls, or by a rule for files, with their values. Local; pure.
#pragma once

#include <map>
#include <string_view>

#include "base/option_spec.h"
#include "base/option_value.h"
#include "base/result.h"

namespace scorpio {

// The values that a program has set by API calls.
class OptionSet {
 public:
  // Code::name for an unknown name, Code::argument for a value that does not parse or is out of range.
  Status set(std::string_view name, std::string_view value);
  const std::map<Option, OptionValue>& values() const { return values_; }
  // The values of `other` replace the present ones.
  void overlay(const OptionSet& other) {
    for (const auto& [option, value] : other.values_) values_[option] = value;
  }

 private:
  std::map<Option, OptionValue> values_;
};

}  // namespace scorpio
