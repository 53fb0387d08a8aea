#include "pio/system/dedicated_ranks.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace scorpio_pio {

namespace {

constexpr int k_tag = 1;

void receive_one(MPI_Comm comm) {
  using namespace std::chrono_literals;
  constexpr auto k_first = 10us, k_longest = 5000us;
  int arrived = 0;
  for (auto pause = k_first; arrived == 0; pause = std::min(2 * pause, k_longest)) {
    MPI_Iprobe(MPI_ANY_SOURCE, k_tag, comm, &arrived, MPI_STATUS_IGNORE);
    if (arrived == 0) std::this_thread::sleep_for(pause);
  }
  MPI_Recv(nullptr, 0, MPI_INT, MPI_ANY_SOURCE, k_tag, comm, MPI_STATUS_IGNORE);
}

}  // namespace

DedicatedRanks::DedicatedRanks(MPI_Comm all, bool mine, int systems) : systems_(systems) {
  MPI_Comm_dup(all, &all_);
  int size = 0;
  MPI_Comm_size(all_, &size);
  std::vector<int> dedicated(static_cast<size_t>(size));
  const int flag = mine ? 1 : 0;
  MPI_Allgather(&flag, 1, MPI_INT, dedicated.data(), 1, MPI_INT, all_);
  for (int rank = 0; rank < size; ++rank) {
    if (dedicated[static_cast<size_t>(rank)] != 0) ranks_.push_back(rank);
  }
}

void DedicatedRanks::tell_end() const {
  for (const int rank : ranks_) MPI_Send(nullptr, 0, MPI_INT, rank, k_tag, all_);
}

void DedicatedRanks::wait() const {
  for (int i = 0; i < systems_; ++i) receive_one(all_);
}

}  // namespace scorpio_pio
