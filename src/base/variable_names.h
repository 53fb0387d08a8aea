// Environment variables with names similar to those of options: a misspelt variable has no effect, and a note
// reports it. Local.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/option_table.h"

namespace scorpio {

// "SCORPIO_IO_RANKS".
std::string variable_of(const OptionSpec& spec);

// The environment variables of this process, without their values.
std::vector<std::string> process_variable_names();

// Returns a note for each of `names` that begins with SCORPIO_, is not read by the library, and is similar to
// a name that is read: at most one letter in three differs, or one begins with the other. Other variables
// that begin with SCORPIO_ (of builds, module systems, other programs) are ignored.
std::vector<std::string> misspelt_variables(const std::vector<std::string>& names);

}  // namespace scorpio
