// An executor with a thread of its own: order, withdrawal, the end, and what the thread costs.
#include "async/worker_executor.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "base/affinity.h"
#include "support/allocations.h"
#include "support/latch.h"

namespace scorpio::async {
namespace {

using test::Latch;
using namespace std::chrono_literals;

struct Noting final : Work {
  void run() noexcept override {
    thread = std::this_thread::get_id();
    begun.release();
    go_on.wait();
    order = ++*clock;
    ended.release();
  }
  Turn turn() const noexcept override { return {presses, priority, not_before, stores}; }
  std::atomic<int>* clock = nullptr;
  std::atomic<bool> presses = false;
  int priority = 0;   // not changed while it is submitted
  Time not_before{};  // the same
  bool stores = false;
  Latch begun, go_on, ended;
  std::atomic<int> order = 0;
  std::thread::id thread;
};

struct WorkerExecutorTest : testing::Test {
  WorkerExecutorTest() {
    for (Noting& work : works) work.clock = &clock;
    EXPECT_TRUE(executor.start().ok());
  }
  std::atomic<int> clock = 0;
  Noting works[3];
  WorkerExecutor executor{3};
};

TEST_F(WorkerExecutorTest, RunsInOrderOnAnotherThreadWithoutProgress) {
  for (Noting& work : works) executor.submit(work);
  EXPECT_FALSE(executor.progress());
  works[0].begun.wait();
  EXPECT_EQ(0, clock) << "each waits for the one before it";
  for (Noting& work : works) work.go_on.release();
  for (Noting& work : works) work.ended.wait();
  EXPECT_EQ(1, works[0].order);
  EXPECT_EQ(2, works[1].order);
  EXPECT_EQ(3, works[2].order);
  EXPECT_NE(std::this_thread::get_id(), works[0].thread);
  EXPECT_EQ(works[0].thread, works[2].thread);
}

TEST_F(WorkerExecutorTest, AWorkIsSubmittedAgainWhileItRuns) {
  executor.submit(works[0]);
  works[0].begun.wait();
  executor.submit(works[0]);
  executor.submit(works[1]);
  works[0].go_on.release();
  works[1].go_on.release();
  works[1].ended.wait();
  EXPECT_EQ(2, works[0].order);
  EXPECT_EQ(3, works[1].order);
}

TEST_F(WorkerExecutorTest, WithdrawnWorkIsNotRunAndARunIsWaitedFor) {
  executor.submit(works[0]);
  executor.submit(works[1]);
  executor.submit(works[2]);
  works[0].begun.wait();
  executor.withdraw(works[1]);
  std::thread opener([&] {
    std::this_thread::sleep_for(20ms);
    works[0].go_on.release();
  });
  executor.withdraw(works[0]);
  EXPECT_EQ(1, works[0].order) << "it has ended";
  opener.join();
  works[2].go_on.release();
  works[2].ended.wait();
  EXPECT_EQ(0, works[1].order);
}

// Submits itself for ever.
struct Restless final : Work {
  void run() noexcept override {
    begun.release();
    go_on.wait();
    ++runs;
    executor->submit(*this);
  }
  WorkerExecutor* executor = nullptr;
  std::atomic<int> runs = 0;
  Latch begun, go_on;
};

TEST_F(WorkerExecutorTest, AWorkThatIsWithdrawnSubmitsItselfInVain) {
  for (int i = 0; i < 20; ++i) {
    {
      Restless restless;
      restless.executor = &executor;
      executor.submit(restless);
      restless.begun.wait();
      restless.go_on.release();
      executor.withdraw(restless);
      const int runs = restless.runs;
      std::this_thread::yield();
      EXPECT_EQ(runs, restless.runs);
    }
    Noting after;
    after.clock = &clock;
    after.go_on.release();
    executor.submit(after);
    after.ended.wait();
    executor.withdraw(after);
  }
}

TEST_F(WorkerExecutorTest, WhatIsWaitedForIsRunFirst) {
  for (Noting& work : works) executor.submit(work);
  works[0].begun.wait();
  works[2].presses = true;
  for (Noting& work : works) work.go_on.release();
  for (Noting& work : works) work.ended.wait();
  EXPECT_EQ(2, works[2].order);
  EXPECT_EQ(3, works[1].order);
}

TEST_F(WorkerExecutorTest, TellsTheTurnOfTheWorkThatItRuns) {
  EXPECT_FALSE(executor.present().stores) << "there is none";
  works[0].priority = 3;
  works[0].stores = true;
  executor.submit(works[0]);
  works[0].begun.wait();
  EXPECT_TRUE(executor.present().stores);
  EXPECT_EQ(3, executor.present().priority);
  executor.submit(works[1]);
  works[0].go_on.release();
  works[1].begun.wait();
  EXPECT_FALSE(executor.present().stores);
  EXPECT_TRUE(executor.present().precedes({false, -1}));
  EXPECT_FALSE(executor.present().precedes({false, 0}));
  EXPECT_FALSE(executor.present().precedes({true, -1}));
  works[1].go_on.release();
  works[1].ended.wait();
}

// Leaves something to do, until it has run three times.
struct InParts final : Work {
  void run() noexcept override {
    begun.release();
    go_on.wait();
    order = ++*clock;
    if (++runs < 3) executor->resume(*this);
    if (runs == 3) ended.release();
  }
  WorkerExecutor* executor = nullptr;
  std::atomic<int>* clock = nullptr;
  std::atomic<int> runs = 0, order = 0;
  Latch begun, go_on, ended;
};

TEST_F(WorkerExecutorTest, AWorkThatLeavesSomethingGoesOnUnlessAnotherIsWaitedFor) {
  for (const bool presses : {false, true}) {
    clock = 0;
    Noting other;
    InParts parts;
    other.clock = parts.clock = &clock;
    other.presses = presses;
    parts.executor = &executor;
    executor.submit(parts);
    parts.begun.wait();
    executor.submit(other);
    other.go_on.release();
    parts.go_on.release();
    parts.ended.wait();
    other.ended.wait();
    EXPECT_EQ(presses ? 2 : 4, other.order);
    executor.withdraw(parts);
    executor.withdraw(other);
  }
}

TEST_F(WorkerExecutorTest, AWorkThatIsWithdrawnDoesNotGoOn) {
  InParts parts;
  parts.clock = &clock;
  parts.executor = &executor;
  executor.submit(parts);
  parts.begun.wait();
  std::thread opener([&] {
    std::this_thread::sleep_for(20ms);
    parts.go_on.release();
  });
  executor.withdraw(parts);
  EXPECT_EQ(1, parts.runs);
  opener.join();
  executor.submit(works[0]);
  works[0].go_on.release();
  works[0].ended.wait();
  EXPECT_EQ(1, parts.runs);
}

TEST(WorkerExecutor, AttendedWorkIsRunWhenTheBellIsRung) {
  struct Counting final : Work {
    void run() noexcept override { ++runs; }
    std::atomic<int> runs = 0;
  } attended;
  OwnBell bell;
  WorkerExecutor executor(1, bell);
  ASSERT_TRUE(executor.start().ok());
  executor.attend(attended);
  for (int i = 1; i <= 3; ++i) {
    const int before = attended.runs;
    bell.ring();
    while (attended.runs == before) std::this_thread::yield();
  }
  executor.withdraw(attended);
  const int runs = attended.runs;
  bell.ring();
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(runs, attended.runs);
}

TEST_F(WorkerExecutorTest, SubmittingAllocatesNothing) {
  for (Noting& work : works) work.go_on.release();
  const uint64_t before = test::allocations();
  for (Noting& work : works) executor.submit(work);
  for (Noting& work : works) work.ended.wait();
  EXPECT_EQ(before, test::allocations());
}

TEST(WorkerExecutor, HasNoSignalsAndUsesNoTimeWhenIdle) {
  struct Looking final : Work {
    void run() noexcept override {
      pthread_sigmask(SIG_SETMASK, nullptr, &mask);
      done.release();
    }
    sigset_t mask;
    Latch done;
  } looking;
  WorkerExecutor executor(1);
  ASSERT_TRUE(executor.start().ok());
  sigset_t own;
  pthread_sigmask(SIG_SETMASK, nullptr, &own);
  EXPECT_EQ(0, sigismember(&own, SIGTERM)) << "those of the calling thread are as before";
  executor.submit(looking);
  looking.done.wait();
  for (const int signal : {SIGTERM, SIGXFSZ, SIGUSR1, SIGINT})
    EXPECT_EQ(1, sigismember(&looking.mask, signal));
  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  std::this_thread::sleep_for(200ms);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LE(after.ru_nvcsw - before.ru_nvcsw, 5) << "nobody wakes up to look";
}

TEST(WorkerExecutor, RunsOnTheCpusThatItIsGiven) {
  struct Looking final : Work {
    void run() noexcept override {
      found = own_cpus();
      done.release();
    }
    CpuSet found;
    Latch done;
  } placed, kept;
  const CpuSet usable = usable_cpus();
  size_t last = usable._Find_first();
  for (size_t cpu = last; cpu < k_most_cpus; cpu = usable._Find_next(cpu)) last = cpu;
  WorkerExecutor executor(1), other(1);
  ASSERT_TRUE(executor.start(CpuSet().set(last)).ok());
  ASSERT_TRUE(other.start().ok());
  executor.submit(placed);
  other.submit(kept);
  placed.done.wait();
  kept.done.wait();
  EXPECT_EQ(CpuSet().set(last), placed.found);
  EXPECT_EQ(own_cpus(), kept.found);
}

TEST_F(WorkerExecutorTest, AHigherPriorityIsRunFirst) {
  works[2].priority = 1;
  executor.submit(works[0]);
  works[0].begun.wait();
  for (Noting* work : {&works[1], &works[2]}) executor.submit(*work);
  for (Noting& work : works) work.go_on.release();
  for (Noting& work : works) work.ended.wait();
  EXPECT_EQ(1, works[0].order) << "it had begun";
  EXPECT_EQ(2, works[2].order);
  EXPECT_EQ(3, works[1].order);
}

TEST_F(WorkerExecutorTest, AWorkIsNotRunBeforeItsTimeUnlessSomebodyWaitsOrLimitsAreLifted) {
  constexpr auto k_never = 1h;
  for (Noting& work : works) work.go_on.release();
  const Time soon = std::chrono::steady_clock::now() + 50ms;
  works[0].not_before = soon;
  works[1].not_before = works[2].not_before = soon + k_never;
  for (Noting& work : works) executor.submit(work);
  works[0].ended.wait();
  EXPECT_LE(soon, std::chrono::steady_clock::now());
  EXPECT_EQ(0, works[1].order);
  works[1].presses = true;  // the worker is not told, and sees it soon
  works[1].ended.wait();
  EXPECT_EQ(0, works[2].order);
  executor.apply_limits(false);
  works[2].ended.wait();
  EXPECT_EQ(3, works[2].order);
}

TEST(WorkerExecutor, WhatIsLeftAtTheEndIsDropped) {
  std::atomic<int> clock = 0;
  Noting running, left;
  running.clock = left.clock = &clock;
  std::thread opener;
  {
    WorkerExecutor executor(2);
    ASSERT_TRUE(executor.start().ok());
    executor.submit(running);
    executor.submit(left);
    running.begun.wait();
    opener = std::thread([&] {
      std::this_thread::sleep_for(20ms);
      running.go_on.release();
    });
  }
  opener.join();
  EXPECT_EQ(1, running.order);
  EXPECT_EQ(0, left.order);
}

}  // namespace
}  // namespace scorpio::async
