// The CPUs on which threads of this process run. Local; any thread.
#pragma once

#include <span>
#include <thread>

#include "base/cpu_list.h"
#include "base/status.h"

namespace scorpio {

// The CPUs on which this thread may run; none if the operating system does not say so.
CpuSet own_cpus();
// Those on which any thread of this process may run. Starts a thread for a moment.
CpuSet usable_cpus();
// The thread runs on these CPUs from now on. Code::argument if it may run on none of them.
Status run_on(std::thread& thread, const CpuSet& cpus);

// The usable CPUs to which no rank is bound; all usable ones if there are none of this kind. `ranks`: for
// each rank of the node the CPUs on which it may run. A rank that may run on all usable CPUs is not bound.
// Pure.
CpuSet unbound_cpus(std::span<const CpuSet> ranks, const CpuSet& usable);

}  // namespace scorpio
