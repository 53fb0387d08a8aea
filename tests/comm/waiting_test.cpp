// How ranks wait for each other in collective calls: they leave the cores to those that have something to do.
#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>
#include <ctime>
#include <functional>
#include <thread>

#include "comm/communicator.h"

namespace scorpio::comm {
namespace {

constexpr double k_late_s = 0.2;

double cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Every rank but 0 waits for it, and may keep a core busy for half of the time at most.
TEST(Waiting, ARankThatWaitsLeavesTheCoreToOthers) {
  Communicator comm = Communicator::duplicate(MPI_COMM_WORLD).value();
  const auto ranks = static_cast<size_t>(comm.size());
  std::vector<uint64_t> values{1};
  std::vector<std::byte> bytes(60000);
  const int64_t one = 1;
  const std::vector<std::vector<int64_t>> parts(ranks, {1});
  const std::vector<std::pair<const char*, std::function<Status()>>> calls{
      {"all_max", [&] { return comm.all_max(values); }},
      {"all_gather",
       [&] {
         return comm.all_gather({&one, 1}).status();
       }},
      {"all_gather_parts",
       [&] {
         return comm.all_gather_parts({&one, 1}).status();
       }},
      {"all_to_all", [&] { return comm.all_to_all(parts).status(); }},
      {"broadcast", [&] { return comm.broadcast(bytes, 0); }},
      {"exclusive_sum", [&] { return comm.exclusive_sum(one).status(); }},
      {"barrier", [&] { return comm.barrier(); }},
  };
  for (const auto& [name, call] : calls) {
    ASSERT_TRUE(comm.barrier().ok());
    const double before = cpu_s();
    if (comm.rank() == 0) std::this_thread::sleep_for(std::chrono::duration<double>(k_late_s));
    EXPECT_TRUE(call().ok()) << name;
    EXPECT_LT(cpu_s() - before, k_late_s / 2) << name;
  }
  EXPECT_TRUE(comm.free().ok());
}

}  // namespace
}  // namespace scorpio::comm
