// The names of the temporary file and the journal of a file. Local; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace scorpio::storage {

// "<path><suffix>", in the same folder. A long name is truncated and gets a hash of the whole name, so that
// for every name that a file system accepts it also accepts this one.
std::string name_beside(const std::string& path, std::string_view suffix);

// Code::name if `beside` exceeds the longest path of the operating system, because its folders are nested too
// deeply.
Status check_name_beside(const std::string& path, const std::string& beside);

}  // namespace scorpio::storage
