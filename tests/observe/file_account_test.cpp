// What a file cost is what the counters gained in calls for it.
#include "observe/file_account.h"

#include <gtest/gtest.h>

namespace scorpio::observe {
namespace {

uint64_t calls(const FileAccount& account, FileCall call) { return account.calls[static_cast<size_t>(call)]; }

TEST(FileAccounts, GainsOfACallAreTheFiles) {
  FileAccounts accounts;
  accounts.keep();
  Counters running;
  running.writes = 7;
  const auto first = accounts.make("create"), second = accounts.make("read");
  {
    const AccountScope scope(*first, running, FileCall::put);
    running.writes += 2;
    const AccountScope inner(*first, running, FileCall::sync);
    running.writes += 1;
  }
  running.writes += 100;
  {
    const AccountScope scope(*second, running, FileCall::get);
    running.reads += 5;
  }
  EXPECT_EQ(3u, first->counters.writes);
  EXPECT_EQ(1u, calls(*first, FileCall::put));
  EXPECT_EQ(0u, calls(*first, FileCall::sync));
  EXPECT_EQ(0u, second->counters.writes);
  EXPECT_EQ(5u, second->counters.reads);
}

TEST(FileAccounts, WaitsAreThoseOfTheKindOfCall) {
  FileAccounts accounts;
  accounts.keep();
  Counters running;
  const auto file = accounts.make("create");
  const auto call = [&](std::optional<FileCall> kind) {
    const AccountScope scope(*file, running, kind);
    running.time_exchange_ns += 1;
    running.time_wait_ns += 10;
    running.time_agree_ns += 100;
    running.time_close_ns += 1000;
  };
  for (const FileCall kind : {FileCall::put, FileCall::wait, FileCall::get, FileCall::sync}) call(kind);
  call(std::nullopt);
  const auto wait = [&](FileWait what) { return file->waits_ns[static_cast<size_t>(what)]; };
  EXPECT_EQ(3u, wait(FileWait::copy));
  EXPECT_EQ(20u, wait(FileWait::back_pressure));
  EXPECT_EQ(10u, wait(FileWait::reading));
  EXPECT_EQ(300u, wait(FileWait::agreement));
  EXPECT_EQ(2000u, wait(FileWait::end));
  EXPECT_EQ(50u, file->counters.time_wait_ns);
}

TEST(FileAccounts, NothingIsKeptWhereNobodyAsked) {
  FileAccounts accounts;
  Counters running;
  const auto file = accounts.make("create");
  accounts.opened(file);
  EXPECT_EQ(1u, accounts.open().size());
  {
    const AccountScope scope(*file, running, FileCall::put);
    running.writes += 2;
  }
  accounts.closed(file);
  EXPECT_EQ(0u, file->counters.writes);
  EXPECT_TRUE(accounts.open().empty());
  EXPECT_TRUE(accounts.closed().empty());
}

TEST(FileAccounts, CallsAreRecordedForTheirFile) {
  Trace trace;
  FileAccounts accounts;
  accounts.record(trace);
  Counters running;
  const auto file = accounts.make("create");
  {
    const AccountScope scope(*file, running);
    file->number = 5;  // a file gets its number in the call that creates it
    file->path = "/data/f";
    accounts.opened(file);
  }
  {
    const AccountScope scope(*file, running, FileCall::put);
    const AccountScope inner(*file, running, FileCall::sync);
  }
  ASSERT_EQ(2u, trace.calls().size());
  EXPECT_EQ(Activity::other_call, trace.calls().at(0).what);
  EXPECT_EQ(Activity::put, trace.calls().at(1).what);
  for (const size_t i : {0u, 1u}) EXPECT_EQ(5u, trace.calls().at(i).file);
  EXPECT_EQ("/data/f", trace.name_of(5));
}

TEST(FileAccounts, BeyondManyFilesTheOthersAreSummedUp) {
  FileAccounts accounts;
  accounts.keep();
  Counters running;
  const size_t n = FileAccounts::k_most_closed + 10;
  for (size_t i = 0; i < n; ++i) {
    const auto file = accounts.make("create");
    accounts.opened(file);
    const AccountScope scope(*file, running, FileCall::put);
    accounts.closed(file);
    running.bytes_written += 1000;  // behind what closes it
  }
  ASSERT_EQ(FileAccounts::k_most_closed, accounts.closed().size());
  EXPECT_EQ(10u, accounts.others());
  uint64_t bytes = accounts.sum_of_others().counters.bytes_written;
  EXPECT_EQ(10000u, bytes);
  EXPECT_EQ(10u, calls(accounts.sum_of_others(), FileCall::put));
  for (const auto& file : accounts.closed()) bytes += file->counters.bytes_written;
  EXPECT_EQ(1000 * n, bytes);
}

}  // namespace
}  // namespace scorpio::observe
