// Closes that are posted: a later call completes the file, files are as without it, and every failure is told
// once, on all ranks.
#include "session/close_file.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "session/iosystem/posted_files.h"
#include "session/parts.h"
#include "storage/atomic_commit.h"
#include "support/latch.h"

namespace scorpio::test {
namespace {

using session::Box;
using session::close_file;
using session::File;
using session::Move;
using session::Opening;

constexpr int64_t k_posted_elements = 2000;

class PostedFilesTest : public PartsTest {
 protected:
  std::atomic<int> io_ranks_done_ = 0, others_done_ = 0;
  OptionSet posted(const std::string& most = "8") const {
    return options({{"asynchronous", "true"}, {"close", "post"}, {"async_files", most}});
  }
  static Status put(ThreadSystem& system, File& file, double base, int variable = 0) {
    const auto rows = system.rows({k_posted_elements});
    const auto mine = values_for(*rows, base);
    return file.data().put(std::vector<Move>{{.variable = variable, .from = mine.data(), .memory = k_double}},
                           rows.get());
  }
  // With `v` of {2000}, put and not closed.
  std::unique_ptr<File> made(ThreadSystem& system, double base, const std::string& path = k_path,
                             const std::string& most = "8") const {
    auto file = File::open(system, Opening::Mode::create, path, posted(most));
    EXPECT_TRUE(file.ok()) << file.status().text();
    EXPECT_TRUE((*file)->definitions().define_variable("v", k_double, {k_posted_elements}).ok());
    EXPECT_TRUE(put(system, **file, base).ok());
    return std::move(file).value();
  }
  void write(ThreadSystem& system, double base, const std::string& path = k_path,
             const std::string& most = "8") const {
    const Status status = close_file(made(system, base, path, most));
    EXPECT_EQ(Code::ok, agreed(system, status)) << status.text();
  }
  // A file whose first values are posted by a sync.
  std::unique_ptr<File> with_posted_sync(ThreadSystem& system, const model::ElementType& type) const {
    const OptionSet given = options({{"asynchronous", "true"}, {"sync", "post"}});
    auto file = File::open(system, Opening::Mode::create, std::string(k_path), given).value();
    EXPECT_TRUE(file->definitions().define_variable("v", type, {k_posted_elements}).ok());
    EXPECT_TRUE(put(system, *file, 1.0).ok());
    EXPECT_EQ(Code::ok, agreed(system, session::sync_file(*file)));
    return file;
  }
  static bool there(ThreadSystem& system, const std::string& path) {
    EXPECT_TRUE(system.comm().barrier().ok());
    const bool found = system.store().exists(path).value();
    EXPECT_TRUE(system.comm().barrier().ok());
    return found;
  }
  static Status wait(ThreadSystem& system, const std::string& path) {
    return system.posted_files().wait(Result<std::string>(path));
  }
  // What a reader finds, who opens the file as any other one.
  void expect_holds(ThreadSystem& system, double base, const std::string& path = k_path) const {
    auto file = File::open(system, Opening::Mode::read, path, posted());
    ASSERT_TRUE(file.ok()) << file.status().text();
    const auto rows = system.rows({k_posted_elements});
    const std::vector<double> mine = values_for(*rows, base);
    std::vector<double> back(mine.size());
    const int variable = (*file)->inquiry().find_variable("v").value();
    EXPECT_TRUE(
        (*file)
            ->data()
            .get(std::vector<Move>{{.variable = variable, .to = back.data(), .memory = k_double}}, rows.get())
            .ok());
    EXPECT_EQ(mine, back);
    EXPECT_TRUE(close_file(std::move(file).value()).ok());
  }
};

TEST_P(PostedFilesTest, ALaterCallCompletesIt) {
  job_.run([&](ThreadSystem& system) {
    auto file = made(system, 1.0);
    Cost cost(system);
    Status status = close_file(std::move(file));
    EXPECT_EQ(1u, cost.count());
    EXPECT_EQ(Code::ok, agreed(system, status)) << status.text();
    EXPECT_FALSE(system.posted_files().empty());
    EXPECT_TRUE(!two_nodes() || !there(system, k_path)) << "on one node a worker may have done it";
    EXPECT_TRUE(!two_nodes() || there(system, storage::temporary_name(k_path)));
    cost = Cost(system);
    status = wait(system, k_path);
    EXPECT_EQ(3u, cost.count());
    EXPECT_EQ(Code::ok, agreed(system, status)) << status.text();
    EXPECT_TRUE(system.posted_files().empty());
    EXPECT_TRUE(there(system, k_path));
    EXPECT_FALSE(there(system, storage::temporary_name(k_path)));
    EXPECT_TRUE(system.posted_files().test(k_path).value());
    expect_holds(system, 1.0);
  });
}

// On one node the workers do all but tell the ranks.
TEST_P(PostedFilesTest, HasItsNameWithoutAnotherCall) {
  if (two_nodes()) GTEST_SKIP() << "a rank does not see the I/O ranks of other nodes";
  for (const char* durable : {"false", "true"}) {
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      const OptionSet given = options({{"asynchronous", "true"}, {"close", "post"}, {"durable", durable}});
      auto file = File::open(system, Opening::Mode::create, std::string(k_path), given).value();
      EXPECT_TRUE(file->definitions().define_variable("v", k_double, {k_posted_elements}).ok());
      EXPECT_TRUE(put(system, *file, 3.0).ok());
      EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
      const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (!system.store().exists(k_path).value() && std::chrono::steady_clock::now() < limit)
        std::this_thread::yield();
      EXPECT_TRUE(system.store().exists(k_path).value());
      EXPECT_FALSE(there(system, storage::temporary_name(k_path)));
      const uint64_t renames = job.calls(storage::Operation::rename);
      EXPECT_FALSE(system.posted_files().empty());
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      EXPECT_EQ(renames, job.calls(storage::Operation::rename)) << "nothing is left to be done";
      expect_holds(system, 3.0);
    });
  }
}

// What a file system says of written bytes only when the file is closed: no name is given, and the failure is
// not lost.
// The first close is that of the file that is replaced, after a look at its lock.
TEST_P(PostedFilesTest, AFailureOfAWorkerIsTold) {
  if (two_nodes()) GTEST_SKIP() << "a later call does it there";
  for (const char* fault : {"close:2=EIO", "rename:1=EACCES"}) {
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      write(system, 9.0);
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      job.fail(system, fault);
      write(system, 1.0);
      const Status status = system.posted_files().wait(std::nullopt);
      EXPECT_EQ(Code::posted, agreed(system, status)) << fault << ": " << status.text();
      EXPECT_TRUE(mentions(status, {"scorpio_file_close", k_path}));
      // Nothing but the name is missing of the file that cannot be renamed.
      EXPECT_EQ(std::string_view(fault).starts_with("rename"),
                there(system, std::string(k_path) + ".scorpio-complete"));
      EXPECT_FALSE(there(system, storage::temporary_name(k_path)));
      expect_holds(system, 9.0);
    });
  }
}

// Any call that creates, opens or closes a file completes those that are written.
TEST_P(PostedFilesTest, IsCompletedWhenItIsWritten) {
  if (two_nodes()) GTEST_SKIP() << "a rank does not see the I/O ranks of other nodes";
  job_.run([&](ThreadSystem& system) {
    write(system, 1.0);
    while (!system.posted_files().test(std::nullopt).value()) std::this_thread::yield();
    EXPECT_TRUE(system.posted_files().test(k_path).value());
    EXPECT_FALSE(system.posted_files().empty());
    auto other = made(system, 2.0, "/b");
    EXPECT_TRUE(system.posted_files().empty());
    EXPECT_TRUE(there(system, k_path));
    EXPECT_TRUE(close_file(std::move(other)).ok());
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    expect_holds(system, 2.0, "/b");
  });
}

// I/O ranks that have left their puts first make no call until what the others put later is written.
TEST_P(PostedFilesTest, WhatBecomesFullLaterIsWrittenWithoutACallOfTheIoRank) {
  constexpr int64_t k_few = 512;  // so that no put waits for a slot
  const JobShape& shape = GetParam().shape;
  if (two_nodes() || shape.ranks == shape.io_ranks) GTEST_SKIP() << "of a node with other ranks";
  Latch others_may_put, written;
  job_.run([&](ThreadSystem& system) {
    auto file = std::move(File::open(system, Opening::Mode::create, std::string(k_path), posted())).value();
    for (const char* name : {"v", "w"})
      EXPECT_TRUE(file->definitions().define_variable(name, k_double, {k_few}).ok());
    const auto rows = system.rows({k_few});
    const auto mine = values_for(*rows, 1.0);
    const auto put_to = [&](int variable) {
      return file->data().put(
          std::vector<Move>{{.variable = variable, .from = mine.data(), .memory = k_double}}, rows.get());
    };
    EXPECT_TRUE(put_to(0).ok());
    if (system.my_owner() < 0) others_may_put.wait();
    EXPECT_TRUE(put_to(1).ok());
    if (system.my_owner() >= 0 && ++io_ranks_done_ == shape.io_ranks) others_may_put.release();
    if (system.my_owner() < 0) {
      const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (!file->sync_point().written() && std::chrono::steady_clock::now() < limit)
        std::this_thread::yield();
      EXPECT_TRUE(file->sync_point().written());
      if (++others_done_ == shape.ranks - shape.io_ranks) written.release();
    }
    written.wait();
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
  });
}

// A put that has to wait for slots does not wait until the files that were put before are written.
TEST_P(PostedFilesTest, WhatIsWaitedForIsWrittenFirst) {
  const JobShape& shape = GetParam().shape;
  if (two_nodes() || shape.io_ranks > 1) GTEST_SKIP() << "of an I/O rank that writes several slots";
  FaultyJob job(shape, "write:1+=50ms");
  job.run([&](ThreadSystem& system) {
    bool before_the_others = false;
    for (int i = 0; i < 5 && !before_the_others; ++i) {  // the machine may be too busy to see it
      auto second = File::open(system, Opening::Mode::create, std::string("/b"), posted()).value();
      EXPECT_TRUE(second->definitions().define_variable("v", k_double, {k_posted_elements}).ok());
      write(system, 1.0);
      EXPECT_TRUE(put(system, *second, 2.0).ok());
      const bool mine = system.my_owner() < 0 || !system.posted_files().test(k_path).value();
      before_the_others = agreed(system, mine ? Status() : Status(Code::state, "late")) == Code::ok;
      EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(second))));
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    }
    EXPECT_TRUE(before_the_others);
    expect_holds(system, 1.0);
    expect_holds(system, 2.0, "/b");
  });
}

TEST_P(PostedFilesTest, SeveralAreUnderWay) {
  FaultyJob job(GetParam().shape, "write:1+=2ms");
  job.run([&](ThreadSystem& system) {
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 5; ++i) write(system, 10.0 * round + i, fmt::format("/f{}", i));
      for (int i = 4; i >= 0; --i) expect_holds(system, 10.0 * round + i, fmt::format("/f{}", i));
    }
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
  });
}

TEST_P(PostedFilesTest, IsCompleteBeforeItIsOpenedOrReplaced) {
  FaultyJob job(GetParam().shape, "write:1+=2ms");
  job.run([&](ThreadSystem& system) {
    write(system, 1.0);
    expect_holds(system, 1.0);
    write(system, 2.0);
    write(system, 3.0);
    expect_holds(system, 3.0);
    write(system, 4.0);
    {
      auto file = File::open(system, Opening::Mode::write, std::string(k_path), posted());
      ASSERT_TRUE(file.ok()) << file.status().text();
      EXPECT_TRUE(put(system, **file, 5.0).ok());
      EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file).value())));
      EXPECT_FALSE(system.posted_files().empty());
    }
    expect_holds(system, 5.0);
    EXPECT_TRUE(system.posted_files().empty());
  });
}

TEST_P(PostedFilesTest, TheOldestIsCompletedWhereThereAreTooMany) {
  job_.run([&](ThreadSystem& system) {
    auto first = made(system, 1.0, "/a", "1"), second = made(system, 2.0, "/b", "1");
    EXPECT_TRUE(close_file(std::move(first)).ok());
    EXPECT_TRUE(!two_nodes() || !there(system, "/a"));
    EXPECT_TRUE(close_file(std::move(second)).ok());
    EXPECT_TRUE(there(system, "/a"));
    EXPECT_TRUE(!two_nodes() || !there(system, "/b"));
    EXPECT_FALSE(system.posted_files().empty());
    system.posted_files().complete_all();
    EXPECT_TRUE(there(system, "/b"));
  });
}

// A failure of the last step is met by the call that completes the file: told once, by whichever call that
// is, which does its own work.
TEST_P(PostedFilesTest, AFailureIsToldOnce) {
  for (const char* call : {"wait", "close", "create"}) {
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      job.fail(system, "rename:1=EACCES");
      const std::string_view how(call);
      std::unique_ptr<File> other;
      if (how == "close") other = made(system, 7.0, "/b");
      write(system, 1.0, k_path, "1");
      Status status;
      if (how == "wait") {
        status = wait(system, k_path);
      } else if (how == "close") {
        system.posted_files().complete_all();
        status = close_file(std::move(other));
      } else {
        other = made(system, 7.0, k_path);
        status = system.posted_files().take_failure();
      }
      EXPECT_EQ(Code::posted, agreed(system, status)) << call << ": " << status.text();
      EXPECT_TRUE(mentions(status, {"scorpio_file_close", "/a"}));
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt))) << "once";
      EXPECT_TRUE(how == "create" || !there(system, k_path));
      EXPECT_TRUE(there(system, std::string(k_path) + ".scorpio-complete"));
      EXPECT_FALSE(how == "wait" && there(system, storage::temporary_name(k_path))) << "nothing is left over";
      EXPECT_TRUE(other == nullptr || close_file(std::move(other)).ok());
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      if (how == "close") expect_holds(system, 7.0, "/b");
      if (how == "create") expect_holds(system, 7.0);
    });
  }
}

// At whatever call on the store it fails: the old file stays or the new one is there, and it is told once.
TEST_P(PostedFilesTest, EachCallOfTheStoreFails) {
  for (int call = 1;; ++call) {
    bool reached = false;
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      write(system, 9.0);
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      job.fail(system, fmt::format("any:{}=EIO", call));
      auto file = File::open(system, Opening::Mode::create, std::string(k_path), posted());
      int told = file.ok() ? 0 : 1;
      if (file.ok()) {
        (void)(*file)->definitions().define_variable("v", k_double, {k_posted_elements});
        (void)put(system, **file, 1.0);
        const Status closed = close_file(std::move(file).value());
        told += agreed(system, closed) == Code::ok ? 0 : 1;
        const Status waited = system.posted_files().wait(std::nullopt);
        told += agreed(system, waited) == Code::ok ? 0 : 1;
        EXPECT_TRUE(waited.ok() || waited.code() == Code::posted) << waited.text();
      }
      EXPECT_GE(1, told) << call;
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      uint64_t made = 0;
      for (size_t i = 0; i < storage::k_operation_names.size(); ++i)
        made += job.calls(static_cast<storage::Operation>(i));
      if (system.rank() == 0) reached = made >= static_cast<uint64_t>(call);
      job.fail(system, "");
      expect_holds(system, told == 0 ? 1.0 : 9.0);
    });
    if (!reached || HasFailure()) break;
    ASSERT_GT(1000, call);
  }
}

// What a rank has to tell at the close is told by the close, which waits then.
TEST_P(PostedFilesTest, IsNotPostedWhereThereIsSomethingToTell) {
  job_.run([&](ThreadSystem& system) {
    auto file = made(system, 1.0);
    (void)put(system, *file, 2.0, culprit(system) ? 44 : 0);
    const Status status = close_file(std::move(file));
    EXPECT_EQ(Code::handle, agreed(system, status)) << status.text();
    EXPECT_TRUE(system.posted_files().empty());
    // Clipped values are no loss: they are told, and the rest is left for later.
    file = File::open(system, Opening::Mode::create, std::string(k_path), posted()).value();
    EXPECT_TRUE(file->definitions().define_variable("v", k_short, {k_posted_elements}).ok());
    (void)put(system, *file, culprit(system) ? 1e6 : 0.0);
    EXPECT_EQ(Code::range, agreed(system, close_file(std::move(file))));
    EXPECT_FALSE(system.posted_files().empty());
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    EXPECT_TRUE(there(system, k_path));
  });
}

TEST_P(PostedFilesTest, RequestsThatNobodyWaitedForAreCarriedOut) {
  job_.run([&](ThreadSystem& system) {
    auto file = made(system, 1.0);
    std::vector<double> mine(10, -8.0);
    const std::vector<int64_t> start{10 * system.rank()}, count{10};
    const Box box{start, {}, count, {}};
    EXPECT_TRUE(
        file->requests().post(session::RequestCalls::Kind::put, 0, {&box, 1}, k_double, mine.data()).ok());
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    EXPECT_TRUE(system.posted_files().empty());
    EXPECT_TRUE(there(system, k_path));
  });
}

TEST_P(PostedFilesTest, AFileThatWasNeverWrittenCannotBeWaitedFor) {
  job_.run([&](ThreadSystem& system) {
    const Status status = wait(system, "/never");
    EXPECT_EQ(Code::not_found, agreed(system, status));
    EXPECT_TRUE(mentions(status, {"no file /never was written"}));
    EXPECT_EQ(Code::not_found, system.posted_files().test("/never").status().code());
    write(system, 1.0);
    EXPECT_EQ(Code::ok, agreed(system, wait(system, "/../a"))) << "another spelling";
    EXPECT_EQ(Code::ok, agreed(system, wait(system, "/./a"))) << "it is complete";
    if (!several()) return;
    const Status differs = wait(system, culprit(system) ? "/b" : "/a");
    EXPECT_EQ(Code::mismatch, agreed(system, differs));
  });
}

// A sync that is posted is made by a later call, of the file as it is then, and only once.
TEST_P(PostedFilesTest, ASyncIsLeftForLater) {
  FaultyJob job(GetParam().shape, "write:1+=50ms");
  job.run([&](ThreadSystem& system) {
    auto file = with_posted_sync(system, k_double);
    EXPECT_FALSE(system.posted_files().empty()) << "the delays last longer";
    EXPECT_FALSE(there(system, k_path));
    EXPECT_TRUE(put(system, *file, 2.0).ok());
    EXPECT_EQ(Code::ok, agreed(system, wait(system, k_path)));
    EXPECT_TRUE(there(system, k_path));
    EXPECT_TRUE(system.posted_files().empty());
    // Where all is written already a sync is made at once.
    EXPECT_EQ(Code::ok, agreed(system, session::sync_file(*file)));
    EXPECT_TRUE(system.posted_files().empty());
    EXPECT_TRUE(put(system, *file, 3.0).ok());
    EXPECT_EQ(Code::ok, agreed(system, session::sync_file(*file)));
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    EXPECT_TRUE(system.posted_files().empty()) << "the close has made it";
    expect_holds(system, 3.0);
  });
}

// Requests stay posted, clipped values are told by the next sync of the file.
TEST_P(PostedFilesTest, ASyncThatIsMadeLaterTakesNothingFromTheFile) {
  FaultyJob job(GetParam().shape, "write:1+=50ms");
  job.run([&](ThreadSystem& system) {
    auto file = with_posted_sync(system, k_short);
    (void)put(system, *file, culprit(system) ? 1e6 : 0.0);
    std::vector<double> mine(10, -8.0);
    const std::vector<int64_t> start{10 * system.rank()}, count{10};
    const Box box{start, {}, count, {}};
    EXPECT_TRUE(
        file->requests().post(session::RequestCalls::Kind::put, 0, {&box, 1}, k_double, mine.data()).ok());
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    EXPECT_FALSE(file->requests().pending().empty());
    std::map<int64_t, Code> outcomes;
    EXPECT_TRUE(file->requests().wait(nullptr, outcomes).ok());
    EXPECT_EQ(Code::range, agreed(system, session::sync_file(*file)));
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
  });
}

TEST_P(PostedFilesTest, ASyncThatFailsLaterIsToldByTheFileToo) {
  FaultyJob job(GetParam().shape, "write:1+=50ms;rename:1=EACCES");
  job.run([&](ThreadSystem& system) {
    auto file = with_posted_sync(system, k_double);
    const Status status = wait(system, k_path);
    EXPECT_EQ(Code::posted, agreed(system, status)) << status.text();
    EXPECT_TRUE(mentions(status, {"scorpio_file_sync", k_path}));
    EXPECT_EQ(Code::ok, agreed(system, wait(system, k_path)));
    EXPECT_EQ(Code::permission, agreed(system, close_file(std::move(file))));
    EXPECT_FALSE(there(system, k_path));
  });
}

// Without the option asynchronous, and where files share the last slot, a close waits.
TEST_P(PostedFilesTest, WaitsWhereNothingIsGained) {
  job_.run([&](ThreadSystem& system) {
    std::vector<std::unique_ptr<File>> files;
    for (int i = 0; i < 5; ++i) files.push_back(made(system, i, fmt::format("/f{}", i)));
    EXPECT_FALSE(system.channels().has_room());
    for (size_t i = 4; i > 1; --i) EXPECT_TRUE(close_file(std::move(files[i])).ok());
    EXPECT_TRUE(system.posted_files().empty());
    EXPECT_TRUE(there(system, "/f4"));
    EXPECT_TRUE(close_file(std::move(files[1])).ok());
    EXPECT_TRUE(close_file(std::move(files[0])).ok());
    EXPECT_FALSE(system.posted_files().empty());
    // A new file gets the staging memory of those that are closed.
    auto next = made(system, 1.0);
    EXPECT_TRUE(there(system, "/f1"));
    EXPECT_TRUE(close_file(std::move(next)).ok());
    const OptionSet plain = options({{"asynchronous", "false"}, {"close", "post"}});
    EXPECT_TRUE(
        close_file(File::open(system, Opening::Mode::create, std::string("/plain"), plain).value()).ok());
    EXPECT_TRUE(there(system, "/plain"));
    system.posted_files().complete_all();
  });
}

std::vector<Case> asynchronous_cases() {
  std::vector<Case> all;
  for (const Case& one : cases({"hdf5", "cdf1", "cdf2", "cdf5"})) {
    if (one.shape.options.values().contains(Option::asynchronous)) all.push_back(one);
  }
  for (const int ranks : {1, 2, 7}) {
    JobShape shape{ranks, 1, 1};
    EXPECT_TRUE(shape.options.set("asynchronous", "true").ok());
    all.push_back({"hdf5", shape});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Formats, PostedFilesTest, testing::ValuesIn(asynchronous_cases()), name_of);

}  // namespace
}  // namespace scorpio::test
