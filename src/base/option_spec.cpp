#include "base/option_spec.h"

namespace scorpio {

std::vector<std::string_view> choices_of(const OptionSpec& spec) {
  std::vector<std::string_view> choices;
  std::string_view rest = spec.choices_by == nullptr ? spec.choices : spec.choices_by();
  while (!rest.empty()) {
    const size_t bar = rest.find('|');
    choices.push_back(rest.substr(0, bar));
    rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
  }
  return choices;
}

}  // namespace scorpio
