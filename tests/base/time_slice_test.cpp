// Short turns change nothing else of how a thread is scheduled.
#include "base/time_slice.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <thread>

namespace scorpio {
namespace {

// Of the calling thread: the first six words of the kernel's `struct sched_attr`. 1: flags, 3: the turn.
using Attributes = std::array<uint64_t, 6>;

Attributes own_attributes() {
  Attributes own{};
  EXPECT_EQ(0, syscall(SYS_sched_getattr, 0, own.data(), sizeof own, 0));
  return own;
}

bool kernel_knows_turns() {
  utsname name{};
  int major = 0, minor = 0;
  EXPECT_EQ(0, uname(&name));
  EXPECT_EQ(2, std::sscanf(name.release, "%d.%d", &major, &minor)) << name.release;
  return major > 6 || (major == 6 && minor >= 12);
}

TEST(TimeSlice, AThreadAsksForShortTurnsAndKeepsItsShare) {
  Attributes before{}, after{};
  int nice = 0;
  std::thread([&] {
    EXPECT_EQ(0, setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 3));
    before = own_attributes();
    ask_for_short_turns();
    after = own_attributes();
    nice = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
  }).join();
  EXPECT_EQ(3, nice);
  if (kernel_knows_turns()) {
    EXPECT_EQ(100'000U, after[3]);
  }
  after[3] = before[3];
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace scorpio
