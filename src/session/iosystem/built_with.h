// What the library was built with: MPI, and the formats and filters with their libraries. Local; any thread.
#pragma once

#include <string>

namespace scorpio::session {

// One line, for people.
const std::string& built_with();

}  // namespace scorpio::session
