// Ranks that wait inside of MPI use as good as no CPU time: loaded before the MPI library (LD_PRELOAD), this
// lets a rank nap whose progress calls find nothing. Tests have more ranks than the machine has cores. MPICH
// over UCX waits busily, and each message then costs a time slice of the scheduler; Open MPI yields
// (mpi_yield_when_idle), and waiting ranks of several tests hand the cores to each other. Only waiting inside
// of MPI is changed, not that of SCORPIO.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  k_ucx_calls_before_rest = 20,  // UCX's progress calls are short, and do not yield themselves
  k_yields_before_naps = 10,
  k_nap_ns = 20000,
  // A rank that waits long naps longer: its naps double after each four, and so are a quarter of the time
  // that it has waited at most. Naps of always the same length were a third of the CPU time of tests of many
  // ranks.
  k_naps_of_a_length = 4,
  k_most_doublings = 6  // 1.3 ms
};

static _Thread_local unsigned rests;  // since there was progress
static _Thread_local bool in_open_mpi;

static int rest(void) {
  if (++rests <= k_yields_before_naps) return (int)syscall(SYS_sched_yield);
  unsigned doublings = (rests - k_yields_before_naps - 1) / k_naps_of_a_length;
  if (doublings > k_most_doublings) doublings = k_most_doublings;
  const struct timespec nap = {0, (long)k_nap_ns << doublings};
  nanosleep(&nap, NULL);
  return 0;
}

// Open MPI's progress function yields when it has found nothing.
int sched_yield(void) { return in_open_mpi ? rest() : (int)syscall(SYS_sched_yield); }

// Overrides the functions of these names; the declarations are those of opal_progress.h and ucp.h, which need
// not be installed.
int opal_progress(void);
unsigned ucp_worker_progress(void* worker);

int opal_progress(void) {
  static int (*progress)(void);
  if (!progress) *(void**)&progress = dlsym(RTLD_NEXT, "opal_progress");
  const unsigned rests_before = rests;
  const bool nested = in_open_mpi;
  in_open_mpi = true;
  const int events = progress();
  in_open_mpi = nested;
  if (rests == rests_before) rests = 0;
  return events;
}

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  static _Thread_local unsigned idle_calls;
  if (!progress) *(void**)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = progress(worker);
  if (events != 0) {
    idle_calls = 0;
    rests = 0;
  } else if (++idle_calls >= k_ucx_calls_before_rest) {
    idle_calls = 0;
    rest();
  }
  return events;
}
