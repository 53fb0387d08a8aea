// Environment variables that look like options but are none: a misspelt one has no effect, and the user is to
// learn it. Local.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/option_table.h"

namespace scorpio {

// "SCORPIO_IO_RANKS".
std::string variable_of(const OptionSpec& spec);

// Of this process, without their values.
std::vector<std::string> process_variable_names();

// A note for each of `names` that begins with SCORPIO_, is not read by the library, and is like a name that
// is read: a letter in three or less is another, or one begins with the other. Others that begin so (of
// builds, module systems, other programs) are not ours to judge.
std::vector<std::string> misspelt_variables(const std::vector<std::string>& names);

}  // namespace scorpio
