#include "base/option_set.h"

#include <utility>

#include "base/option_table.h"

namespace scorpio {

Status OptionSet::set(std::string_view name, std::string_view value) {
  SCORPIO_ASSIGN(const Option option, find_option(name));
  SCORPIO_ASSIGN(OptionValue parsed, parse_value(spec_of(option), value));
  values_[option] = std::move(parsed);
  return {};
}

}  // namespace scorpio
