// The list of all options. Local; pure.
#pragma once

#include <span>
#include <string_view>

#include "base/option_spec.h"
#include "base/result.h"

namespace scorpio {

std::span<const OptionSpec> known_options();
const OptionSpec& spec_of(Option option);
// Code::name for an unknown name; the text has the most similar known one.
Result<Option> find_option(std::string_view name);

}  // namespace scorpio
