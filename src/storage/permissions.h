// The permissions of a file or folder that replaces another one. Independent.
#pragma once

#include <string>

namespace scorpio::storage {

// Gives the new file or folder the permissions of the one at `path`. Attributes that the user may not change
// (another owner) stay as they are. The present writer can always continue to write.
void take_over_permissions(const std::string& path, const std::string& successor);

}  // namespace scorpio::storage
