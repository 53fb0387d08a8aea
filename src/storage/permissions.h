// The permissions of a file or folder that replaces another one. Independent.
#pragma once

#include <string>

namespace scorpio::storage {

// Gives the new file or folder the owner, group and mode of the one at `path`. Those that the user may not
// change (another owner) stay as they are; a group that is not the old one gets no more than anybody. Access
// control lists and extended attributes are not copied. The present writer can always continue to write.
void take_over_permissions(const std::string& path, const std::string& successor);

}  // namespace scorpio::storage
