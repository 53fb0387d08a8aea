#include "base/affinity.h"

#include <pthread.h>
#include <sched.h>

#include <system_error>

namespace scorpio {

namespace {

static_assert(k_most_cpus <= CPU_SETSIZE);

cpu_set_t as_system_set(const CpuSet& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (size_t cpu = 0; cpu < k_most_cpus; ++cpu) {
    if (cpus[cpu]) CPU_SET(cpu, &set);
  }
  return set;
}

}  // namespace

CpuSet own_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CpuSet cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (size_t cpu = 0; cpu < k_most_cpus; ++cpu) cpus[cpu] = CPU_ISSET(cpu, &set);
  return cpus;
}

// The operating system reduces the set that a thread asks for to the CPUs that the process may use. A thread
// that exists only for this purpose asks, so that the affinity of the caller does not change.
CpuSet usable_cpus() {
  CpuSet cpus;
  try {
    std::thread asking([&] {
      const cpu_set_t all = as_system_set(CpuSet().set());
      (void)sched_setaffinity(0, sizeof all, &all);
      cpus = own_cpus();
    });
    asking.join();
  } catch (const std::system_error&) {
    return own_cpus();
  }
  return cpus;
}

Status run_on(std::thread& thread, const CpuSet& cpus) {
  const cpu_set_t set = as_system_set(cpus);
  if (pthread_setaffinity_np(thread.native_handle(), sizeof set, &set) == 0) return {};
  return failure(Code::argument, "no thread of this process can run on CPUs {}", cpus_text(cpus));
}

CpuSet unbound_cpus(std::span<const CpuSet> ranks, const CpuSet& usable) {
  CpuSet free = usable;
  for (const CpuSet& rank : ranks) {
    if ((usable & ~rank).any()) free &= ~rank;
  }
  return free.any() ? free : usable;
}

}  // namespace scorpio
