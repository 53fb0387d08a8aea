// The memory cgroups of this process. Local.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"

namespace scorpio::comm {

// Where the kernel describes the cgroups of this process.
struct CgroupPlaces {
  std::string own = "/proc/self/cgroup";
  std::string root = "/sys/fs/cgroup";
};

// Code::memory if `bytes` more would exceed the limit of the cgroup or of one that contains it, as that of a
// batch job: the kernel would end the process instead of returning an error. OK if there is no limit, or none
// can be read.
Status check_memory_limit(size_t bytes, const CgroupPlaces& places = {});

}  // namespace scorpio::comm
