// How long the kernel lets a thread run when others want its CPU. Local; any thread.
#pragma once

namespace scorpio {

// Asks the kernel to give the calling thread its CPU in short turns: the share of the CPU is the same, but a
// thread that was asleep runs soon after it is woken, also where ranks compute on all CPUs. Kernels from
// Linux 6.12 on do so; others ignore it.
void ask_for_short_turns();

}  // namespace scorpio
