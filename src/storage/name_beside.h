// Names of the files that accompany one of the user's: its temporary and its journal. Local; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace scorpio::storage {

// In the same folder: "<path><suffix>". A long name is cut, with a hash of all of it in place of the rest:
// every name that a file system takes has names beside it that it takes as well.
std::string name_beside(const std::string& path, std::string_view suffix);

// Code::name when `beside` is longer than the operating system takes a path: the folders above are too deep.
Status check_name_beside(const std::string& path, const std::string& beside);

}  // namespace scorpio::storage
