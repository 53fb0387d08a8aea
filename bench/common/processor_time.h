// The CPU time of this process and all its threads, in seconds.
#pragma once

#include <mpi.h>
#include <sys/resource.h>

namespace bench {

// Local.
inline double processor_s() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// On rank 0. Collective over MPI_COMM_WORLD.
inline double sum_of_processor_s(double seconds) {
  double sum = 0;
  MPI_Reduce(&seconds, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return sum;
}

}  // namespace bench
