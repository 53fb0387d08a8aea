// The CPUs on which threads run.
#include "base/affinity.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/latch.h"

namespace scorpio {
namespace {

CpuSet cpus(const char* list) { return parse_cpus(list).value(); }

TEST(Affinity, FreeCpusAreThoseToWhichNoRankIsBound) {
  const CpuSet usable = cpus("0-3");
  EXPECT_EQ(cpus("2-3"), unbound_cpus(std::vector{cpus("0"), cpus("1"), cpus("1")}, usable));
  EXPECT_EQ(cpus("1-3"), unbound_cpus(std::vector{cpus("0"), usable, cpus("0-7")}, usable))
      << "two are not bound";
  EXPECT_EQ(usable, unbound_cpus(std::vector{cpus("0-1"), cpus("2-3")}, usable)) << "none is free";
  EXPECT_EQ(usable, unbound_cpus(std::vector{usable}, usable));
  EXPECT_EQ(usable, unbound_cpus(std::vector{CpuSet()}, usable)) << "the operating system does not say";
}

TEST(Affinity, AThreadIsMoved) {
  const CpuSet before = own_cpus(), usable = usable_cpus();
  ASSERT_TRUE(usable.any());
  EXPECT_EQ(before, own_cpus()) << "of this thread is not changed";
  EXPECT_EQ(before, before & usable);
  CpuSet first;
  first.set(usable._Find_first());
  test::Latch moved;
  CpuSet found, usable_there;
  std::thread thread([&] {
    moved.wait();
    found = own_cpus();
    usable_there = usable_cpus();
  });
  EXPECT_TRUE(run_on(thread, first).ok());
  EXPECT_EQ(Code::argument, run_on(thread, {}).code());
  moved.release();
  thread.join();
  EXPECT_EQ(first, found);
  EXPECT_EQ(usable, usable_there) << "also for a thread that is bound";
}

}  // namespace
}  // namespace scorpio
