// A fixed piece of work on the posix store, with each of its system calls failing in turn.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iterator>

#include "storage/fault_plan.h"
#include "storage/faulty_system_calls.h"
#include "storage/posix_store.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

const std::string k_text(10'000, 'z');

Status work(Store& store, const TemporaryFolder& folder) {
  SCORPIO_ASSIGN(const auto file, store.open(folder / "new", OpenMode::create_truncate));
  SCORPIO_TRY(file->lock_exclusive());
  SCORPIO_TRY(file->write_at(bytes_of(k_text), 0));
  SCORPIO_TRY(file->write_at(bytes_of(k_text), k_text.size()));
  SCORPIO_TRY(file->truncate(k_text.size() + 3));
  std::string text(k_text.size(), '\0');
  SCORPIO_ASSIGN(const size_t got,
                 file->read_at(std::as_writable_bytes(std::span(text.data(), text.size())), 3));
  EXPECT_EQ(got, k_text.size());
  EXPECT_EQ(text, k_text);
  SCORPIO_TRY(file->sync());
  SCORPIO_TRY(store.rename(folder / "new", folder / "final"));
  SCORPIO_TRY(store.sync_directory_of(folder / "final"));
  return file->close();
}

size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

struct Outcome {
  Status status;
  uint64_t calls;
  uint64_t retries;
  std::string final_text;
};

Outcome run(const std::string& faults) {
  const TemporaryFolder folder;
  const auto plan = *FaultPlan::parse(faults);
  observe::Counters counters;
  const auto store = make_posix_store(std::make_shared<FaultySystemCalls>(plan), &counters);
  const size_t before = open_descriptors();
  Status status = work(*store, folder);
  EXPECT_EQ(open_descriptors(), before) << faults;
  const auto plain = make_posix_store();
  return {std::move(status), plan->all_calls(), counters.retries, contents(*plain, folder / "final")};
}

// One call after the other, up to the last that a run without faults makes.
template <typename Check>
void at_every_call(const std::string& operation, const std::string& effect, Check&& check) {
  const uint64_t calls = run("").calls;
  ASSERT_GT(calls, 8u);
  for (uint64_t k = 1; k <= calls; ++k) {
    const std::string faults = operation + ":" + std::to_string(k) + "=" + effect;
    check(run(faults), faults);
  }
}

TEST(PosixFaults, InterruptionsAreContinued) {
  for (const char* operation : {"open", "read", "write", "truncate", "sync", "lock", "close"}) {
    at_every_call(operation, "EINTR", [](const Outcome& outcome, const std::string& faults) {
      EXPECT_TRUE(outcome.status.ok()) << faults << ": " << outcome.status.text();
      EXPECT_EQ(outcome.final_text, k_text + "zzz") << faults;
    });
  }
}

TEST(PosixFaults, ShortTransfersAreContinued) {
  for (const char* faults : {"write:1=short", "write:2=short", "write:*2=short", "read:1=short",
                             "read:*2=short", "write:*3=short;read:*2=EINTR;write:*2=EINTR"}) {
    const Outcome outcome = run(faults);
    EXPECT_TRUE(outcome.status.ok()) << faults << ": " << outcome.status.text();
    EXPECT_EQ(outcome.final_text, k_text + "zzz") << faults;
  }
  EXPECT_EQ(run("write:1=short").retries, 1u);
  EXPECT_EQ(run("write:1=EINTR").retries, 1u);
  EXPECT_EQ(run("").retries, 0u);
}

TEST(PosixFaults, EveryFailureIsReportedAndNothingLeaks) {
  for (const auto& expected : {std::pair("EIO", Code::io), std::pair("ENOSPC", Code::no_space),
                               std::pair("EDQUOT", Code::no_space), std::pair("EROFS", Code::permission)}) {
    at_every_call("any", expected.first, [&expected](const Outcome& outcome, const std::string& faults) {
      EXPECT_EQ(outcome.status.code(), expected.second) << faults;
      EXPECT_TRUE(mentions(outcome.status, expected.first)) << faults << ": " << outcome.status.text();
      EXPECT_TRUE(outcome.final_text == "(absent)" || outcome.final_text == k_text + "zzz") << faults;
    });
  }
}

// Some network and user-space file systems cannot sync folders.
TEST(PosixFaults, AFolderThatCannotBeSyncedHasItsOwnOrder) {
  for (const char* error : {"EINVAL", "ENOTSUP"}) {
    const Outcome outcome = run(std::string("sync:2=") + error);
    EXPECT_TRUE(outcome.status.ok()) << error << ": " << outcome.status.text();
    EXPECT_EQ(Code::io, run(std::string("sync:1=") + error).status.code()) << "the file itself";
  }
}

TEST(PosixFaults, ACheckTellsWhatACloseWouldAndIsRepeatedWhenInterrupted) {
  const TemporaryFolder folder;
  const auto plan = *FaultPlan::parse("close:1=EDQUOT;close:2=EINTR");
  const auto store = make_posix_store(std::make_shared<FaultySystemCalls>(plan));
  const auto file = std::move(store->open(folder / "a", OpenMode::create_new)).value();
  const size_t before = open_descriptors();
  EXPECT_EQ(file->check_close().code(), Code::no_space);
  EXPECT_TRUE(file->check_close().ok());
  EXPECT_EQ(plan->calls(Operation::close), 3u);
  EXPECT_EQ(open_descriptors(), before);
}

// fsync tells the same.
TEST(PosixFaults, ACheckNeedsNoDescriptorThatIsNotThere) {
  class NoDescriptorLeft final : public FaultySystemCalls {
   public:
    using FaultySystemCalls::FaultySystemCalls;
    int duplicate(int) override {
      errno = EMFILE;
      return -1;
    }
  };
  const TemporaryFolder folder;
  const auto plan = *FaultPlan::parse("sync:1=EIO");
  const auto store = make_posix_store(std::make_shared<NoDescriptorLeft>(plan));
  const auto file = std::move(store->open(folder / "a", OpenMode::create_new)).value();
  EXPECT_EQ(file->check_close().code(), Code::io);
  EXPECT_TRUE(file->check_close().ok());
}

TEST(PosixFaults, FileSystemsWithoutLocksGrantThem) {
  for (const char* error : {"ENOLCK", "ENOTSUP", "EINVAL"}) {
    EXPECT_TRUE(run(std::string("lock:1=") + error).status.ok()) << error;
  }
  EXPECT_EQ(run("lock:1=EAGAIN").status.code(), Code::busy);
  EXPECT_EQ(run("lock:1=EACCES").status.code(), Code::busy);
  EXPECT_EQ(run("lock:1=EIO").status.code(), Code::io);
}

TEST(PosixFaults, KillEndsTheProcessAtEveryCall) {
  const uint64_t calls = run("").calls;
  for (uint64_t k = 1; k <= calls; ++k) {
    for (const char* effect : {"kill", "torn"}) {
      const TemporaryFolder folder;
      const pid_t child = ::fork();
      if (child == 0) {
        const auto plan = *FaultPlan::parse("any:" + std::to_string(k) + "=" + effect);
        static_cast<void>(work(*make_posix_store(std::make_shared<FaultySystemCalls>(plan)), folder).ok());
        ::_exit(0);
      }
      int state = 0;
      ASSERT_EQ(::waitpid(child, &state, 0), child);
      EXPECT_TRUE(WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL) << effect << " at call " << k;
      const std::string text = contents(*make_posix_store(), folder / "final");
      EXPECT_TRUE(text == "(absent)" || text == k_text + "zzz") << effect << " at call " << k;
    }
  }
}

}  // namespace
}  // namespace scorpio::storage::test
