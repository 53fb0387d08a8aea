// Calls of MPI that wait for other ranks at most as long as the option timeout_s allows: MPI does not report
// a rank that never comes. For the compatibility libraries. Collective, except send() and receive(); one
// thread.
#pragma once

#include <mpi.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "scorpio/scorpio.h"

namespace scorpio_compat {

namespace limited_waits {

inline int key() {
  static const int made = [] {
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
    return keyval;
  }();
  return made;
}

// In seconds; 0: without a limit.
inline int64_t limit_of(MPI_Comm comm) {
  void* seconds = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, key(), &seconds, &found);
  return found != 0 ? static_cast<int64_t>(reinterpret_cast<intptr_t>(seconds)) : 0;
}

[[noreturn]] inline void end_job(int64_t limit_s) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(
      stderr,
      "scorpio: rank %d has waited %lld s for other ranks: a rank or "
      "a connection is lost, ranks make different calls, or they need longer than option timeout_s allows; "
      "the job ends\n",
      rank, static_cast<long long>(limit_s));
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::abort();
}

inline int finish(int started, MPI_Request& request, int64_t limit_s) {
  if (started != MPI_SUCCESS) return started;
  constexpr long k_first_ns = 1000, k_longest_ns = 500000;
  const double end = MPI_Wtime() + static_cast<double>(limit_s);
  for (long pause_ns = k_first_ns;; pause_ns = std::min(2 * pause_ns, k_longest_ns)) {
    int done = 0;
    const int code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS || done != 0) return code;
    if (MPI_Wtime() > end) end_job(limit_s);
    const timespec pause{0, pause_ns};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace limited_waits

// Waits in `comm` and its duplicates have the limit of the I/O system from now on. Local.
inline void wait_as_long_as(const scorpio_iosystem* system, MPI_Comm comm) {
  std::array<char, 32> value{};
  const int code = scorpio_iosystem_option(system, "timeout_s", value.data(), value.size(), nullptr, nullptr);
  const int64_t seconds = code == SCORPIO_OK ? std::strtoll(value.data(), nullptr, 10) : 0;
  MPI_Comm_set_attr(comm, limited_waits::key(), reinterpret_cast<void*>(static_cast<intptr_t>(seconds)));
}

// The results of all of them are those of MPI.
inline int broadcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int64_t limit_s = limited_waits::limit_of(comm);
  if (limit_s <= 0) return MPI_Bcast(data, count, type, root, comm);
  MPI_Request request = MPI_REQUEST_NULL;
  return limited_waits::finish(MPI_Ibcast(data, count, type, root, comm, &request), request, limit_s);
}

inline int send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const int64_t limit_s = limited_waits::limit_of(comm);
  if (limit_s <= 0) return MPI_Send(data, count, type, to, tag, comm);
  MPI_Request request = MPI_REQUEST_NULL;
  return limited_waits::finish(MPI_Isend(data, count, type, to, tag, comm, &request), request, limit_s);
}

inline int receive(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm) {
  const int64_t limit_s = limited_waits::limit_of(comm);
  if (limit_s <= 0) return MPI_Recv(data, count, type, from, tag, comm, MPI_STATUS_IGNORE);
  MPI_Request request = MPI_REQUEST_NULL;
  return limited_waits::finish(MPI_Irecv(data, count, type, from, tag, comm, &request), request, limit_s);
}

// In place.
inline int all_reduce(void* data, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int64_t limit_s = limited_waits::limit_of(comm);
  if (limit_s <= 0) return MPI_Allreduce(MPI_IN_PLACE, data, count, type, op, comm);
  MPI_Request request = MPI_REQUEST_NULL;
  return limited_waits::finish(MPI_Iallreduce(MPI_IN_PLACE, data, count, type, op, comm, &request), request,
                               limit_s);
}

}  // namespace scorpio_compat
