// MPICH over UCX waits busily and never yields: with more ranks than cores each message then costs a time
// slice of the scheduler. Loaded before libmpich (LD_PRELOAD), this lets a rank yield whose progress calls
// find nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

enum { k_calls_before_yield = 20 };

// Overrides UCX's function of this name; the declaration is that of ucp.h, which need not be installed.
unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  static _Thread_local unsigned idle_calls;
  if (!progress) *(void**)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = progress(worker);
  if (events != 0) {
    idle_calls = 0;
  } else if (++idle_calls >= k_calls_before_yield) {
    idle_calls = 0;
    sched_yield();
  }
  return events;
}
