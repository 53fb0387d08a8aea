// Where paths lead, through symbolic links, also if the file does not exist yet. Local; each asks the file
// system, so that one rank of an I/O system calls them.
#pragma once

#include <string>

namespace scorpio_pio {

// What a symbolic link names, there or not; empty if `path` is none, or if there are more links than Linux
// follows.
std::string target_of(const std::string& path);

// The absolute path without symbolic links, "." and "..": two paths with the same one lead to the same place.
// Empty if it cannot be found out.
std::string resolved_path(const std::string& path);

}  // namespace scorpio_pio
