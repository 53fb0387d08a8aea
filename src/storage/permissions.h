// Who may use what takes the place of something. Independent.
#pragma once

#include <string>

namespace scorpio::storage {

// Who may do what with the file or folder at `path`, its successor allows as well; what the user has no right
// to give (another owner) stays as it is. It can always be written on, by who writes it now.
void take_over_permissions(const std::string& path, const std::string& successor);

}  // namespace scorpio::storage
