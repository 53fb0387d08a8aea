// The I/O phase whose writes are made by a worker.
#include "transfer/background_io.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "async/worker_executor.h"
#include "support/allocations.h"
#include "support/latch.h"
#include "transfer/slots.h"

namespace scorpio::transfer {
namespace {

using Log = std::vector<std::pair<int, uint64_t>>;
using Writes = std::vector<std::pair<uint64_t, uint64_t>>;

// Remembers what is done, and lets a thread wait for it.
class Done final : public exchange::SlotUser {
 public:
  Done() { log_.reserve(64); }
  void advance(int slot, uint64_t value) override {
    const MutexLock lock(mutex_);
    log_.emplace_back(slot, value);
    changed_.notify_all();
  }
  Log wait_for(size_t completions) {
    mutex_.lock();
    while (log_.size() < completions) changed_.wait(mutex_);
    const Log log = log_;
    mutex_.unlock();
    return log;
  }

 private:
  Mutex mutex_;
  std::condition_variable_any changed_;
  Log log_ GUARDED_BY(mutex_);
};

// Each write waits at a door when it has begun.
class SlowSink final : public storage::Sink {
 public:
  Status write(uint64_t offset, std::span<const std::byte> bytes) override {
    begun.release();
    go_on.wait();
    thread = std::this_thread::get_id();
    return inner.write(offset, bytes);
  }
  test::Latch begun, go_on;
  std::thread::id thread;
  RememberingSink inner;
};

struct BackgroundIoTest : testing::Test {
  BackgroundIoTest() { EXPECT_TRUE(worker.start().ok()); }

  exchange::FullSlot full(size_t i, exchange::FileIo& to, uint64_t number, char letter) {
    exchange::FullSlot slot =
        memory.full(i, to, number, letter, {{number * k_slot_bytes, (number + 1) * k_slot_bytes}});
    slot.completion.user = &done;
    return slot;
  }

  Memory memory{4};
  Done done;
  SlowSink sink;
  RememberingSink other_sink;
  LetterSource source;
  exchange::FileIo file_io{&sink, 1}, other{&other_sink, 2};
  observe::Counters counters;
  async::OwnBell bell;
  async::WorkerExecutor worker{3, bell};
  BackgroundIo io{32, 4, worker, counters};  // writes four slots at a time
};

TEST_F(BackgroundIoTest, WritesWithoutProgressAndCountsForTheFile) {
  sink.go_on.release();
  io.write(full(3, file_io, 0, 'a'));
  EXPECT_EQ((Log{{3, 2}}), done.wait_for(1));
  EXPECT_EQ((Writes{{0, 128}}), sink.inner.writes);
  EXPECT_NE(std::this_thread::get_id(), sink.thread);
  EXPECT_FALSE(io.progress());
  EXPECT_EQ(0u, counters.rounds);
  EXPECT_EQ(0u, counters.time_io_ns);
  observe::Counters worked, later;
  file_io.take_worked(worked);
  EXPECT_EQ(1u, worked.rounds);
  EXPECT_GT(worked.time_io_ns, 0u);
  file_io.take_worked(later);
  EXPECT_EQ(0u, later.rounds);
}

TEST_F(BackgroundIoTest, WhatWaitsMeanwhileIsWrittenTogetherAndAUnitInOrder) {
  io.write(full(0, file_io, 0, 'a'));
  sink.begun.wait();
  io.write(full(2, file_io, 2, 'c'));
  io.write(full(1, file_io, 0, 'b'));
  io.write(full(3, other, 5, 'd'));
  sink.go_on.release();
  EXPECT_EQ((Log{{0, 2}, {1, 2}, {2, 2}, {3, 2}}), done.wait_for(4)) << "in the order of the writes";
  EXPECT_EQ((Writes{{0, 128}, {0, 128}, {256, 384}}), sink.inner.writes) << "in file order";
  EXPECT_EQ('b', sink.inner.content[0]);
}

// Records the number of writes of another file when a slot is done.
class Beside final : public exchange::SlotUser {
 public:
  Beside(const RememberingSink& other, bool pressing) : other_(other), pressing_(pressing) {}
  void advance(int, uint64_t) override {
    writes = other_.writes.size();
    done.release();
  }
  bool pressing() const override { return pressing_; }
  size_t writes = 0;
  test::Latch done;

 private:
  const RememberingSink& other_;
  const bool pressing_;
};

// A channel for which a rank waits is written before the rest of another one.
TEST_F(BackgroundIoTest, ChannelsHaveTheirTurnsUnlessSomebodyWaits) {
  for (const bool pressing : {true, false}) {
    SlowSink slow;
    exchange::FileIo first{&slow, 1}, second{&other_sink, 2};
    Beside beside(slow.inner, pressing);
    BackgroundIo one(4, 1, worker, counters), another(4, 1, worker, counters);  // a slot at a time
    one.write(full(0, first, 0, 'a'));
    slow.begun.wait();
    for (size_t i = 1; i < 3; ++i) one.write(full(i, first, i, 'a'));
    one.write(full(3, first, 3, 'a'));
    exchange::FullSlot slot = memory.full(0, second, 3, 'b', {{3 * k_slot_bytes, 4 * k_slot_bytes}});
    slot.completion.user = &beside;
    another.write(std::move(slot));
    slow.go_on.release();
    beside.done.wait();
    EXPECT_EQ(pressing ? 1u : 4u, beside.writes);
    one.drop(first);
  }
}

// Somebody waits for the channel, or for any slot of the memory.
class Waited final : public exchange::SlotUser {
 public:
  void advance(int, uint64_t) override {
    if (++done == 4) all.release();
  }
  bool pressing() const override { return presses; }
  bool wanted() const override { return wants; }
  std::atomic<bool> presses = false, wants = false;
  std::atomic<int> done = 0;
  test::Latch all;
};

// Each slot is more than the limit allows in a day.
TEST_F(BackgroundIoTest, ALimitAppliesUntilSomebodyWaits) {
  for (const bool memory_is_short : {false, true}) {
    RememberingSink slow;
    exchange::FileIo limited{&slow, 1};
    limited.pace.set({.priority = 0, .bytes_per_s = 1});
    sink.go_on.release();
    Waited waited;
    BackgroundIo one(4, 4, worker, counters);
    for (size_t i = 0; i < 4; ++i) {
      exchange::FullSlot slot = full(i, limited, 2 * i, 'a');
      slot.completion.user = &waited;
      one.write(std::move(slot));
    }
    io.write(full(0, file_io, 0, 'b'));  // another file is not limited
    done.wait_for(memory_is_short ? 2 : 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(1, waited.done);
    (memory_is_short ? waited.wants : waited.presses) = true;
    waited.all.wait();
    EXPECT_EQ(4u, slow.writes.size());
    one.drop(limited);
  }
}

TEST_F(BackgroundIoTest, AFileOfHigherPriorityIsWrittenFirst) {
  SlowSink slow;
  exchange::FileIo first{&slow, 1}, second{&other_sink, 2};
  second.pace.set({.priority = 1});
  Beside beside(slow.inner, false);
  BackgroundIo one(4, 1, worker, counters), another(4, 1, worker, counters);  // a slot at a time
  one.write(full(0, first, 0, 'a'));
  slow.begun.wait();
  for (size_t i = 1; i < 4; ++i) one.write(full(i, first, i, 'a'));
  exchange::FullSlot slot = memory.full(0, second, 3, 'b', {{3 * k_slot_bytes, 4 * k_slot_bytes}});
  slot.completion.user = &beside;
  another.write(std::move(slot));
  slow.go_on.release();
  beside.done.wait();
  EXPECT_EQ(1u, beside.writes);
  one.drop(first);
}

// A rank that waits for a slot does not wait for slots that are written later.
TEST_F(BackgroundIoTest, ASlotIsDoneWhenItIsWritten) {
  io.write(full(0, file_io, 0, 'a'));
  sink.begun.wait();
  SlowSink slow;
  exchange::FileIo behind{&slow, 3};
  io.write(full(1, file_io, 1, 'b'));
  io.write(full(2, behind, 2, 'c'));
  sink.go_on.release();
  slow.begun.wait();
  const Log before = done.wait_for(&file_io < &behind ? 2 : 1);
  slow.go_on.release();
  const Log log = done.wait_for(3);
  if (&file_io < &behind) {
    EXPECT_EQ((Log{{0, 2}, {1, 2}}), before);
  }
  EXPECT_EQ(3u, log.size());
  io.drop(behind);
}

// What becomes full while no call is made: the worker asks for it when its bell is rung, until it leaves.
TEST_F(BackgroundIoTest, AsksForSlotsWhenItWakesUp) {
  struct Later final : exchange::SlotsToCome {
    void look() noexcept override {
      ++looks;
      if (ready.exchange(false)) io->write(slot);
    }
    std::atomic<int> looks = 0;
    std::atomic<bool> ready = false;
    BackgroundIo* io = nullptr;
    exchange::FullSlot slot;
  } later;
  sink.go_on.release();
  later.io = &io;
  later.slot = full(1, file_io, 1, 'a');
  io.attend(later);
  later.ready = true;
  bell.ring();
  EXPECT_EQ((Log{{1, 2}}), done.wait_for(1));
  EXPECT_EQ((Writes{{128, 256}}), sink.inner.writes);
  io.leave();
  const int looks = later.looks;
  later.ready = true;
  bell.ring();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(looks, later.looks);
}

TEST_F(BackgroundIoTest, AFailureIsKeptForTheFile) {
  sink.inner.fails = true;
  sink.go_on.release();
  io.write(full(0, file_io, 0, 'a'));
  io.write(full(1, other, 1, 'b'));
  (void)done.wait_for(2);
  EXPECT_EQ(Code::io, file_io.take_status().code());
  EXPECT_TRUE(other.take_status().ok());
  EXPECT_EQ((Writes{{128, 256}}), other_sink.writes);
}

TEST_F(BackgroundIoTest, ADroppedFileIsNotReferredToAnyMore) {
  io.write(full(0, file_io, 0, 'a'));
  sink.begun.wait();
  io.write(full(1, file_io, 1, 'b'));
  io.write(full(2, other, 2, 'c'));
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    sink.go_on.release();
  });
  io.drop(file_io);
  EXPECT_EQ((Writes{{0, 128}}), sink.inner.writes) << "what was being written is complete";
  opener.join();
  EXPECT_EQ((Log{{0, 2}, {2, 2}}), done.wait_for(2));
  EXPECT_EQ((Writes{{256, 384}}), other_sink.writes) << "other files go on";
  io.write(full(1, file_io, 3, 'd'));
  (void)done.wait_for(3);
  EXPECT_EQ((Writes{{0, 128}, {384, 512}}), sink.inner.writes);
}

TEST_F(BackgroundIoTest, ReadsAreMadeByTheThreadThatAsks) {
  exchange::EmptySlot slot = memory.empty(1, file_io, source, {130, 140});
  slot.completion.user = &done;
  io.read(slot);
  EXPECT_TRUE(io.progress());
  EXPECT_EQ((Log{{1, 1}}), done.wait_for(1));
  for (uint64_t at = 130; at < 140; ++at) EXPECT_EQ(LetterSource::letter(at), memory.text(1)[at - 128]);
  EXPECT_FALSE(io.progress());
}

TEST_F(BackgroundIoTest, GivingASlotAllocatesNothing) {
  sink.go_on.release();
  std::vector<exchange::FullSlot> slots;
  for (size_t i = 0; i < 4; ++i) slots.push_back(full(i, file_io, i, 'a'));
  const uint64_t before = test::allocations();
  for (exchange::FullSlot& slot : slots) io.write(std::move(slot));
  EXPECT_EQ(before, test::allocations());
  (void)done.wait_for(4);
}

TEST_F(BackgroundIoTest, TheEndWaitsForTheWriteUnderWay) {
  std::thread opener;
  {
    BackgroundIo gone(4, 1, worker, counters);
    gone.write(full(0, file_io, 0, 'a'));
    sink.begun.wait();
    gone.write(full(1, other, 1, 'b'));
    opener = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      sink.go_on.release();
    });
  }
  opener.join();
  EXPECT_EQ((Log{{0, 2}}), done.wait_for(1));
  EXPECT_TRUE(other_sink.writes.empty());
}

}  // namespace
}  // namespace scorpio::transfer
