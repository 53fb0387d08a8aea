#include "session/iosystem/worker_place.h"

#include <fmt/format.h>

#include "base/affinity.h"

namespace scorpio::session {

namespace {

WorkerPlace free_place(std::span<const CpuSet> ranks) {
  const CpuSet usable = usable_cpus();
  const CpuSet cpus = unbound_cpus(ranks, usable);
  const char* why = cpus == usable ? "all that the job may use" : "no rank is bound to them";
  return {cpus, fmt::format("{} ({})", cpus_text(cpus), why)};
}

}  // namespace

bool is_cpu_list(std::string_view asked) { return asked != k_free_cpus && asked != k_cpus_of_rank; }

Result<WorkerPlace> place_workers_on(std::string_view asked, std::span<const CpuSet> ranks) {
  if (asked == k_free_cpus) return free_place(ranks);
  if (asked == k_cpus_of_rank) return WorkerPlace{{}, std::string(asked)};
  SCORPIO_ASSIGN(const CpuSet cpus, parse_cpus(asked));
  const CpuSet usable = usable_cpus();
  const CpuSet others = cpus & ~usable;
  if (others.none()) return WorkerPlace{cpus, std::string(asked)};
  return failure(Code::argument, "option worker_cpus = {}: this process cannot run on CPU {}, only on {}",
                 asked, cpus_text(others), cpus_text(usable));
}

}  // namespace scorpio::session
