// Processes that a program gives to I/O alone, in the asynchronous mode of the interface. They wait until all
// I/O systems with which they were made have ended: the ranks of each I/O system do its I/O among themselves.
// Collective where stated; one thread.
#pragma once

#include <mpi.h>

#include <vector>

namespace scorpio_pio {

class DedicatedRanks {
 public:
  // Collective over `all`. `mine`: whether this process is one of them; `systems`: how many I/O systems there
  // are.
  DedicatedRanks(MPI_Comm all, bool mine, int systems);
  DedicatedRanks(const DedicatedRanks&) = delete;
  DedicatedRanks& operator=(const DedicatedRanks&) = delete;

  int count() const { return static_cast<int>(ranks_.size()); }

  // One rank of each I/O system calls it when that has ended. Local.
  void tell_end() const;
  // A dedicated process calls it; it returns when all I/O systems have ended. Does not keep the processor
  // busy.
  void wait() const;

 private:
  // It is not freed: MPI_Comm_free is collective, and the processes come to the end at different times.
  MPI_Comm all_ = MPI_COMM_NULL;
  int systems_;
  std::vector<int> ranks_;  // of the dedicated processes
};

}  // namespace scorpio_pio
