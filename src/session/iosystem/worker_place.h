// The CPUs on which the worker of an I/O rank runs (option worker_cpus). Local; one thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/cpu_list.h"
#include "base/result.h"

namespace scorpio::session {

struct WorkerPlace {
  CpuSet cpus;       // empty: those of the rank
  std::string text;  // the value in force of the option
};

// Whether the value of the option is a list of CPUs.
bool is_cpu_list(std::string_view asked);
// `asked`: the value of the option, which parses; `ranks`: for each rank of the node the CPUs on which it may
// run. Code::argument if a CPU of a list does not exist or cannot be used by this process.
Result<WorkerPlace> place_workers_on(std::string_view asked, std::span<const CpuSet> ranks);

}  // namespace scorpio::session
