// The threads of an I/O rank: when they start, where they run, and what becomes of a failure.
#include "session/iosystem/workers.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <utility>

#include "support/latch.h"

namespace scorpio::session {
namespace {

struct Noting final : async::Work {
  void run() noexcept override {
    thread = std::this_thread::get_id();
    ended.release();
  }
  std::thread::id thread;
  test::Latch ended;
};

std::thread::id thread_of(async::Executor& executor) {
  Noting work;
  executor.submit(work);
  work.ended.wait();
  executor.withdraw(work);
  return work.thread;
}

struct WorkersTest : testing::Test {
  Workers make(bool io_rank) {
    std::unique_ptr<async::Bell> bell;
    if (io_rank) bell = std::make_unique<async::OwnBell>();
    return Workers({std::move(bell), 2,
                    [this] {
                      ++asked;
                      return place;
                    },
                    events, nullptr});
  }
  Result<CpuSet> place = CpuSet();
  int asked = 0;
  observe::EventLog events;
};

TEST_F(WorkersTest, ThreadsStartWhenTheyAreNeeded) {
  Workers workers = make(true);
  EXPECT_NE(nullptr, workers.executor());
  EXPECT_EQ(nullptr, workers.worker());
  EXPECT_EQ(nullptr, workers.writer()) << "without a worker nothing is encoded between calls";
  EXPECT_EQ(0, asked);
  ASSERT_TRUE(workers.start().ok());
  ASSERT_EQ(workers.executor(), workers.worker());
  ASSERT_NE(nullptr, workers.writer());
  const std::thread::id worker = thread_of(*workers.worker()), writer = thread_of(*workers.writer());
  EXPECT_NE(worker, writer);
  EXPECT_NE(worker, std::this_thread::get_id());
  EXPECT_TRUE(workers.start().ok());
  EXPECT_EQ(worker, thread_of(*workers.worker())) << "the same thread serves all files";
  EXPECT_EQ(writer, thread_of(*workers.writer()));
  EXPECT_EQ(1, asked);
  EXPECT_TRUE(events.events().empty());
}

TEST_F(WorkersTest, ARankThatIsNoIoRankHasNoThreads) {
  Workers workers = make(false);
  EXPECT_TRUE(workers.start().ok()) << "it has nothing to write";
  EXPECT_EQ(1, asked) << "the CPUs are checked on all ranks";
  EXPECT_EQ(nullptr, workers.executor());
  EXPECT_EQ(nullptr, workers.worker());
  EXPECT_EQ(nullptr, workers.writer());
  workers.apply_limits(false);
}

TEST_F(WorkersTest, WithoutAPlaceNoThreadStarts) {
  place = failure(Code::argument, "no such CPU");
  Workers workers = make(true);
  EXPECT_EQ(Code::argument, workers.start().code());
  EXPECT_EQ(nullptr, workers.worker());
  EXPECT_EQ(nullptr, workers.writer());
  place = CpuSet();
  EXPECT_TRUE(workers.start().ok()) << "a later file tries again";
}

TEST_F(WorkersTest, ThreadsThatMayNotRunThereAreReported) {
  CpuSet none_of_this_machine;
  none_of_this_machine.set(k_most_cpus - 1);
  place = none_of_this_machine;
  Workers workers = make(true);
  const Status started = workers.start();
  EXPECT_FALSE(started.ok());
  EXPECT_EQ(started.text(), workers.start().text()) << "of each file";
  ASSERT_NE(nullptr, workers.worker()) << "it runs on the CPUs of this thread";
  ASSERT_NE(nullptr, workers.writer());
  EXPECT_EQ(1u, events.events().size());
  thread_of(*workers.writer());
}

}  // namespace
}  // namespace scorpio::session
