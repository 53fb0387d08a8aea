// The memory cgroup this process runs in. Local.
#pragma once

#include <cstddef>

#include "base/status.h"

namespace scorpio::comm {

// Code::memory when `bytes` more would not fit the cgroup's limit: the kernel would answer with a kill, not
// an error. OK where there is no limit, or none can be read.
Status check_memory_limit(size_t bytes);

}  // namespace scorpio::comm
