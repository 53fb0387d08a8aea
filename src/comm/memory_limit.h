// The memory cgroup of this process. Local.
#pragma once

#include <cstddef>

#include "base/status.h"

namespace scorpio::comm {

// Code::memory if `bytes` more would exceed the limit of the cgroup: the kernel would end the process instead
// of returning an error. OK if there is no limit, or none can be read.
Status check_memory_limit(size_t bytes);

}  // namespace scorpio::comm
