#include "base/time_slice.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace scorpio {

namespace {

// The first version of the kernel's `struct sched_attr`, which not every C library declares (man
// sched_setattr).
struct SchedulingAttributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime_ns;  // the turn, for the policy SCHED_OTHER
  uint64_t deadline_ns;
  uint64_t period_ns;
};

constexpr uint64_t k_short_turn_ns = 100'000;  // the shortest that the kernel takes

}  // namespace

void ask_for_short_turns() {
#if defined(SYS_sched_getattr) && defined(SYS_sched_setattr)
  SchedulingAttributes own{};
  if (syscall(SYS_sched_getattr, 0, &own, sizeof own, 0) != 0 || own.policy != SCHED_OTHER) return;
  own.runtime_ns = k_short_turn_ns;
  (void)syscall(SYS_sched_setattr, 0, &own, 0);  // without it the thread has turns as any other
#endif
}

}  // namespace scorpio
