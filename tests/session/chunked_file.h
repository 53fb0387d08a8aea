// A file with a variable that only the format's library can read. Collective.
#pragma once

#include <string>

#include "session/thread_system.h"

namespace scorpio::test {

// `/chunked`, of int32 {extent}, elements 0, 1, ... in chunks of 16, and `/plain`, as contiguous; closed.
void make_chunked_file(ThreadSystem& system, int64_t extent, const std::string& path);

}  // namespace scorpio::test
