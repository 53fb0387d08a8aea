// What workers do of a posted close or sync while no call is made: files that existed before are complete
// without another call, a header never describes records that are not written, and a failure leaves what was
// there before.
#include "session/calls/posted_commit.h"

#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <thread>

#include "session/close_file.h"
#include "session/iosystem/posted_files.h"
#include "session/parts.h"
#include "storage/atomic_commit.h"
#include "storage/undo_journal.h"

namespace scorpio::test {
namespace {

using session::close_file;
using session::File;
using session::Move;
using session::Opening;
using session::sync_file;

constexpr int64_t k_elements = 2000;

double base_of(int64_t record) { return 1e5 * static_cast<double>(record + 1); }

uint64_t big_endian(std::span<const std::byte> bytes) {
  uint64_t value = 0;
  for (const std::byte byte : bytes) value = value << 8 | std::to_integer<uint64_t>(byte);
  return value;
}

class PostedCommitTest : public PartsTest {
 protected:
  OptionSet posted(const std::string& durable = "false") const {
    return options({{"asynchronous", "true"}, {"close", "post"}, {"sync", "post"}, {"durable", durable}});
  }
  OptionSet waited() const { return options({{"asynchronous", "true"}}); }

  static Status put(ThreadSystem& system, File& file, int64_t record) {
    const auto rows = system.rows({k_elements});
    const auto mine = values_for(*rows, base_of(record));
    return file.data().put(
        std::vector<Move>{{.variable = 0, .record = record, .from = mine.data(), .memory = k_double}},
        rows.get());
  }
  static std::unique_ptr<File> made(ThreadSystem& system, const OptionSet& given,
                                    const std::string& path = k_path) {
    auto file = File::open(system, Opening::Mode::create, path, given);
    EXPECT_TRUE(file.ok()) << file.status().text();
    EXPECT_TRUE((*file)->definitions().define_dimension("time", -1).ok());
    EXPECT_TRUE((*file)->definitions().define_dimension("x", k_elements).ok());
    EXPECT_TRUE((*file)->definitions().define_variable_on("v", k_double, {0, 1}).ok());
    return std::move(file).value();
  }
  // A file with one record.
  void make_old(ThreadSystem& system, const std::string& path = k_path) const {
    auto file = made(system, waited(), path);
    EXPECT_TRUE(put(system, *file, 0).ok());
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
  }
  static std::unique_ptr<File> opened_again(ThreadSystem& system, const OptionSet& given,
                                            const std::string& path = k_path) {
    auto file = File::open(system, Opening::Mode::write, path, given);
    EXPECT_TRUE(file.ok()) << file.status().text();
    return std::move(file).value();
  }

  // ---- what is in storage, as this rank alone finds it ----
  // The number of records in the header; -1: there is no such file.
  int64_t records_there(ThreadSystem& system, const std::string& path = k_path) const {
    auto file = system.store().open(path, storage::OpenMode::read);
    if (!file.ok()) return -1;
    std::array<std::byte, 12> start{};
    EXPECT_TRUE((*file)->read_at(start, 0).ok());
    const size_t bytes = std::string_view(GetParam().format) == "cdf5" ? 8 : 4;
    return static_cast<int64_t>(big_endian(std::span(start).subspan(4, bytes)));
  }
  bool reaches(ThreadSystem& system, int64_t records, const std::string& path = k_path) const {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (records_there(system, path) < records) {
      if (std::chrono::steady_clock::now() > limit) return false;
      std::this_thread::yield();
    }
    return true;
  }
  // All records that the header describes are there.
  void expect_whole(ThreadSystem& system, const File& file) const {
    const int64_t records = records_there(system);
    const auto stored = system.store().open(k_path, storage::OpenMode::read);
    for (int64_t record = 0; record < records; ++record) {
      std::vector<std::byte> bytes(k_elements * sizeof(double));
      const uint64_t address = file.layout().placement(0).address_of(record);
      EXPECT_EQ(bytes.size(), (*stored)->read_at(bytes, address).value());
      for (size_t i = 0; i < k_elements; ++i) {
        const auto value = std::bit_cast<double>(big_endian(std::span(bytes).subspan(8 * i, 8)));
        ASSERT_EQ(base_of(record) + static_cast<double>(i), value)
            << "record " << record << " of " << records;
      }
    }
  }
  // What a reader finds, who opens the file. Collective.
  void expect_holds(ThreadSystem& system, int64_t at_least, int64_t at_most,
                    const std::string& path = k_path) const {
    auto file = File::open(system, Opening::Mode::read, path, waited());
    ASSERT_TRUE(file.ok()) << file.status().text();
    const int64_t records = (*file)->schema().dimensions().records();
    EXPECT_LE(at_least, records);
    EXPECT_GE(at_most, records);
    const auto rows = system.rows({k_elements});
    for (int64_t record = 0; record < records; ++record) {
      const std::vector<double> mine = values_for(*rows, base_of(record));
      std::vector<double> back(mine.size());
      EXPECT_TRUE(
          (*file)
              ->data()
              .get(
                  std::vector<Move>{{.variable = 0, .record = record, .to = back.data(), .memory = k_double}},
                  rows.get())
              .ok());
      EXPECT_EQ(mine, back) << record;
    }
    EXPECT_TRUE(close_file(std::move(file).value()).ok());
  }
};

TEST_P(PostedCommitTest, AFileThatExistedIsCompleteWithoutAnotherCall) {
  if (two_nodes() || !classic()) GTEST_SKIP() << "a later call does it";
  for (const char* durable : {"false", "true"}) {
    FaultyJob job(GetParam().shape, "write:1+=1ms");
    job.run([&](ThreadSystem& system) {
      make_old(system);
      auto file = opened_again(system, posted(durable));
      EXPECT_TRUE(put(system, *file, 1).ok());
      EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
      EXPECT_TRUE(reaches(system, 2));
      EXPECT_FALSE(system.posted_files().empty());
      while (!system.posted_files().test(k_path).value()) std::this_thread::yield();
      EXPECT_TRUE(system.comm().barrier().ok());
      const uint64_t writes = job.calls(storage::Operation::write);
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      EXPECT_EQ(writes, job.calls(storage::Operation::write)) << "nothing is left to be done";
      expect_holds(system, 2, 2);
    });
  }
}

// The header changes in more than the number of records: the worker keeps a journal meanwhile.
// The library's image of a file is memory until the worker has written it.
TEST_P(PostedCommitTest, TheImageOfAFileThatExistedIsCounted) {
  if (two_nodes() || classic()) GTEST_SKIP() << "no image is kept";
  FaultyJob job(GetParam().shape, "write:1+=1ms");
  job.run([&](ThreadSystem& system) {
    auto file = File::open(system, Opening::Mode::create, std::string(k_path), waited()).value();
    EXPECT_TRUE(file->definitions().define_dimension("x", k_elements).ok());
    EXPECT_TRUE(file->definitions().define_variable_on("v", k_double, {0}).ok());
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    file = opened_again(system, posted());
    EXPECT_TRUE(file->definitions().define_variable_on("w", k_double, {0}).ok());
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    while (!system.posted_files().test(k_path).value())
      std::this_thread::yield();  // else the wait may write it
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    const auto samples = system.records().backlog->samples();
    EXPECT_EQ(system.is_metadata_rank(), !samples.empty());
    for (const auto& sample : samples) EXPECT_LT(500u, sample.most.image_bytes);
    EXPECT_EQ(0u, system.records().backlog->now().image_bytes);
  });
}

TEST_P(PostedCommitTest, OtherDefinitionsAreWrittenUnderAJournal) {
  if (!classic()) GTEST_SKIP() << "a later call does it";
  job_.run([&](ThreadSystem& system) {
    OptionSet roomy = waited();
    EXPECT_TRUE(roomy.set("header_free", "4k").ok());
    {
      auto file = made(system, roomy);
      EXPECT_TRUE(put(system, *file, 0).ok());
      EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    }
    auto file = opened_again(system, posted());
    EXPECT_TRUE(file->begin_definitions().ok());
    EXPECT_TRUE(file->definitions().define_dimension("y", 7).ok());
    EXPECT_TRUE(put(system, *file, 1).ok());
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    EXPECT_TRUE(two_nodes() || reaches(system, 2));
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    EXPECT_FALSE(system.store().exists(storage::journal_name(k_path)).value());
    expect_holds(system, 2, 2);
    const auto again = opened<CoreAlone>(system, false, waited());
    EXPECT_TRUE(again->core->contents.schema().dimensions().find("y").has_value());
    drop(*again->core);
  });
}

// At whatever call on the store it fails: what was there stays, and the failure is told once.
TEST_P(PostedCommitTest, EachCallOfTheStoreFails) {
  for (int call = 1;; ++call) {
    bool reached = false;
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      make_old(system);
      job.fail(system, fmt::format("any:{}=EIO", call));
      auto file = File::open(system, Opening::Mode::write, std::string(k_path), posted());
      int told = file.ok() ? 0 : 1;
      if (file.ok()) {
        (void)put(system, **file, 1);
        const Status synced = sync_file(**file);
        told += agreed(system, synced) == Code::ok ? 0 : 1;
        (void)put(system, **file, 2);
        const Status closed = close_file(std::move(file).value());
        told += agreed(system, closed) == Code::ok ? 0 : 1;
        const Status waited_for = system.posted_files().wait(std::nullopt);
        told += agreed(system, waited_for) == Code::ok ? 0 : 1;
      }
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      uint64_t calls = 0;
      for (size_t i = 0; i < storage::k_operation_names.size(); ++i)
        calls += job.calls(static_cast<storage::Operation>(i));
      if (system.rank() == 0) reached = calls >= static_cast<uint64_t>(call);
      job.fail(system, "");
      expect_holds(system, told == 0 ? 3 : 1, 3);
    });
    if (!reached || HasFailure()) break;
    ASSERT_GT(1000, call);
  }
}

// The failure of a write is returned by a get, and is not forgotten by the worker that comes after it.
TEST_P(PostedCommitTest, ARecordThatIsNotWrittenIsNotDescribed) {
  if (!classic()) GTEST_SKIP() << "the test reads classic files itself";
  for (int i = 0; i < 20; ++i) {
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      make_old(system);
      job.fail(system, "write:1=EIO");
      auto file = opened_again(system, posted());
      EXPECT_TRUE(put(system, *file, 1).ok());
      (void)sync_file(*file);
      const auto rows = system.rows({k_elements});
      std::vector<double> back(static_cast<size_t>(rows->part().local_elements));
      const std::vector<Move> moves{{.variable = 0, .to = back.data(), .memory = k_double}};
      (void)file->data().get(moves, rows.get());
      const Status closed = close_file(std::move(file));
      (void)agreed(system, closed);
      const Status waited_for = system.posted_files().wait(std::nullopt);
      (void)agreed(system, waited_for);
      EXPECT_EQ(1, records_there(system));
    });
  }
}

// A program that syncs after each record: each is in the file without another call.
TEST_P(PostedCommitTest, ASyncIsMadeByWorkers) {
  if (two_nodes() || !classic()) GTEST_SKIP() << "a later call does it";
  for (const char* name : {"sync", "close"}) {
    FaultyJob job(GetParam().shape, "write:1+=20ms");
    job.run([&](ThreadSystem& system) {
      OptionSet given = posted();
      EXPECT_TRUE(given.set("file_name", name).ok());
      const bool named = std::string_view(name) == "sync";
      auto file = made(system, given);
      for (int64_t record = 0; record < 4; ++record) {
        EXPECT_TRUE(put(system, *file, record).ok());
        EXPECT_EQ(Code::ok, agreed(system, sync_file(*file)));
        EXPECT_FALSE(system.posted_files().empty()) << "the delays last longer";
        EXPECT_TRUE(reaches(system, record + 1, named ? k_path : storage::temporary_name(k_path)));
        EXPECT_TRUE(system.comm().barrier().ok());
      }
      EXPECT_EQ(named, system.store().exists(k_path).value());
      EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      expect_holds(system, 4, 4);
    });
  }
}

// Whenever somebody looks, also while later records are written.
TEST_P(PostedCommitTest, AHeaderDescribesNothingThatIsNotWritten) {
  if (!classic()) GTEST_SKIP() << "the test reads classic files itself";
  FaultyJob job(GetParam().shape, "write:*3=3ms");
  job.run([&](ThreadSystem& system) {
    make_old(system);
    auto file = opened_again(system, posted());
    for (int64_t record = 1; record < 12; ++record) {
      EXPECT_TRUE(put(system, *file, record).ok());
      if (record % 3 != 0) {
        EXPECT_EQ(Code::ok, agreed(system, sync_file(*file)));
      }
      if (system.rank() == 0) {
        for (int i = 0; i < 5; ++i) expect_whole(system, *file);
      }
    }
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    expect_holds(system, 12, 12);
  });
}

// Other calls while a worker is at it: gets, and one that leads to a new channel.
TEST_P(PostedCommitTest, OtherCallsMayFollowAPostedSync) {
  FaultyJob job(GetParam().shape, "write:*2=2ms");
  job.run([&](ThreadSystem& system) {
    auto file = made(system, posted());
    const auto rows = system.rows({k_elements});
    std::vector<double> back(static_cast<size_t>(rows->part().local_elements));
    for (int64_t record = 0; record < 6; ++record) {
      EXPECT_TRUE(put(system, *file, record).ok());
      EXPECT_EQ(Code::ok, agreed(system, sync_file(*file)));
      if (record % 2 == 0) {
        const std::vector<Move> moves{
            {.variable = 0, .record = record, .to = back.data(), .memory = k_double}};
        EXPECT_TRUE(file->data().get(moves, rows.get()).ok());
        EXPECT_EQ(values_for(*rows, base_of(record)), back);
      } else if (several()) {
        const std::vector<Move> moves{
            {.variable = culprit(system) ? 44 : 0, .record = record, .to = back.data(), .memory = k_double}};
        EXPECT_NE(Code::ok, agreed(system, file->data().get(moves, rows.get())));
      }
    }
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    expect_holds(system, 6, 6);
  });
}

TEST_P(PostedCommitTest, TwoFilesAreUnderWay) {
  FaultyJob job(GetParam().shape, "write:*3=2ms");
  job.run([&](ThreadSystem& system) {
    make_old(system, "/old");
    auto old = opened_again(system, posted(), "/old");
    auto fresh = made(system, posted(), "/new");
    for (int64_t record = 1; record < 4; ++record) {
      EXPECT_TRUE(put(system, *old, record).ok());
      EXPECT_EQ(Code::ok, agreed(system, sync_file(*old)));
      EXPECT_TRUE(put(system, *fresh, record - 1).ok());
      EXPECT_EQ(Code::ok, agreed(system, sync_file(*fresh)));
    }
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(old))));
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(fresh))));
    // Right after the closes.
    old = opened_again(system, posted(), "/old");
    EXPECT_EQ(4, old->schema().dimensions().records());
    EXPECT_TRUE(put(system, *old, 4).ok());
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(old))));
    expect_holds(system, 3, 3, "/new");
    expect_holds(system, 5, 5, "/old");
  });
}

// On several nodes the metadata of a new file are in it before the call that gives the name.
TEST_P(PostedCommitTest, OnSeveralNodesMetadataComeFirst) {
  if (!two_nodes()) GTEST_SKIP() << "on one node the name comes, too";
  job_.run([&](ThreadSystem& system) {
    auto file = File::open(system, Opening::Mode::create, std::string(k_path), posted()).value();
    EXPECT_TRUE(file->definitions().define_variable("v", k_double, {k_elements}).ok());
    EXPECT_TRUE(put(system, *file, 0).ok());
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    const std::string_view mark = classic() ? "CDF" : "\x89HDF";
    std::string start(mark.size(), ' ');
    while (start != mark && std::chrono::steady_clock::now() < limit) {
      auto stored = system.store().open(storage::temporary_name(k_path), storage::OpenMode::read);
      EXPECT_TRUE(stored.ok() && (*stored)->read_at(std::as_writable_bytes(std::span(start)), 0).ok());
    }
    EXPECT_EQ(mark, start);
    EXPECT_FALSE(system.store().exists(k_path).value());
    EXPECT_TRUE(system.comm().barrier().ok());
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    const auto read = opened<CoreAlone>(system, false, waited());
    EXPECT_EQ(numbers(k_elements, base_of(0)), stored(*read->core, 0));
    drop(*read->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Formats, PostedCommitTest,
                         testing::ValuesIn(asynchronous_cases({"hdf5", "cdf1", "cdf5"}, "cdf5", 1)), name_of);

}  // namespace
}  // namespace scorpio::test
