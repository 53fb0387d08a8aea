// Posted closes of files with chunks: on one node the workers encode and write the chunks while no call is
// made, and the metadata when a later call has made them; the file is as without it, and every failure is
// told once.
#include "session/calls/posted_chunks.h"

#include <chrono>
#include <thread>

#include "session/close_file.h"
#include "session/iosystem/posted_files.h"
#include "session/parts.h"
#include "storage/atomic_commit.h"

namespace scorpio::test {
namespace {

using session::close_file;
using session::File;
using session::Move;
using session::Opening;

constexpr int64_t k_in_chunks = 3000;  // elements of a record

class PostedChunksTest : public PartsTest {
 protected:
  OptionSet posted(const std::string& close = "post", const std::string& durable = "false") const {
    return options({{"asynchronous", "true"}, {"close", close}, {"sync", "wait"}, {"durable", durable}});
  }
  static double base(int64_t record) { return 1e4 * static_cast<double>(record + 1); }
  // Variables `v` of records in chunks, with filters, and `w`, contiguous.
  static std::unique_ptr<File> made(ThreadSystem& system, const OptionSet& given,
                                    const std::string& path = k_path) {
    auto file = File::open(system, Opening::Mode::create, path, given);
    EXPECT_TRUE(file.ok()) << file.status().text();
    session::Definitions& definitions = (*file)->definitions();
    EXPECT_TRUE(definitions.define_dimension("time", -1).ok());
    EXPECT_TRUE(definitions.define_dimension("x", k_in_chunks).ok());
    EXPECT_TRUE(definitions.define_variable_on("v", k_double, {0, 1}).ok());
    EXPECT_TRUE(definitions.define_variable_on("w", k_double, {1}).ok());
    EXPECT_TRUE(definitions.define_chunks(0, {1, 700}).ok());
    EXPECT_TRUE(definitions.define_filters(0, {2, 1}, {0, 1}).ok());
    return std::move(file).value();
  }
  static Status put(ThreadSystem& system, File& file, int variable, int64_t record) {
    return put(system, file, variable, record, base(record));
  }
  static Status put(ThreadSystem& system, File& file, int variable, int64_t record, double first) {
    const auto rows = system.rows({k_in_chunks});
    const auto mine = values_for(*rows, first);
    return file.data().put(
        std::vector<Move>{{.variable = variable, .record = record, .from = mine.data(), .memory = k_double}},
        rows.get());
  }
  static void put_all(ThreadSystem& system, File& file, int64_t first = 0) {
    EXPECT_TRUE(put(system, file, 1, 0).ok());
    for (int64_t record = first; record < first + 2; ++record) EXPECT_TRUE(put(system, file, 0, record).ok());
  }
  void write(ThreadSystem& system, const OptionSet& given, const std::string& path = k_path) const {
    auto file = made(system, given, path);
    put_all(system, *file);
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
  }
  void expect_holds(ThreadSystem& system, int64_t at_least, const std::string& path = k_path,
                    int64_t more = 0) const {
    auto file = File::open(system, Opening::Mode::read, path, posted());
    ASSERT_TRUE(file.ok()) << file.status().text();
    const int64_t records = (*file)->schema().dimensions().records();
    EXPECT_LE(at_least, records);
    EXPECT_GE(at_least + more, records);
    const auto rows = system.rows({k_in_chunks});
    std::vector<double> back(static_cast<size_t>(rows->part().local_elements));
    const auto get = [&](const char* name, int64_t record) {
      const int variable = (*file)->inquiry().find_variable(name).value();
      const std::vector<Move> moves{
          {.variable = variable, .record = record, .to = back.data(), .memory = k_double}};
      EXPECT_TRUE((*file)->data().get(moves, rows.get()).ok());
      EXPECT_EQ(values_for(*rows, base(record)), back) << name << ", record " << record;
    };
    get("w", 0);
    for (int64_t record = 0; record < records; ++record) get("v", record);
    EXPECT_TRUE(close_file(std::move(file).value()).ok());
  }
  // On several nodes no rank knows it.
  static void until_written(ThreadSystem& system) {
    if (system.nodes().nodes() > 1) return;
    while (!system.posted_files().test(std::nullopt).value()) std::this_thread::yield();
    EXPECT_TRUE(system.comm().barrier().ok());
  }
  static bool appears(ThreadSystem& system, const std::string& path = k_path) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!system.store().exists(path).value()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      std::this_thread::yield();
    }
    return true;
  }
};

// The data while no call is made, the metadata after the next call, and nothing in the one that completes the
// file.
TEST_P(PostedChunksTest, WorkersWriteAllOfANewFile) {
  if (two_nodes()) GTEST_SKIP() << "a later call does it";
  for (const char* durable : {"false", "true"}) {
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      write(system, posted("post", durable));
      until_written(system);
      const uint64_t data = job.calls(storage::Operation::write);
      EXPECT_LT(0u, data);
      EXPECT_FALSE(system.store().exists(k_path).value()) << "the metadata are missing";
      EXPECT_TRUE(system.comm().barrier().ok());
      system.posted_files().complete_written({});
      EXPECT_FALSE(system.posted_files().empty());
      EXPECT_TRUE(appears(system));
      until_written(system);
      const uint64_t all = job.calls(storage::Operation::write);
      EXPECT_GE(data + 3, all) << "metadata alone";
      EXPECT_TRUE(system.comm().barrier().ok());
      system.posted_files().complete_written({});
      EXPECT_TRUE(system.posted_files().empty());
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().take_failure()));
      EXPECT_EQ(all, job.calls(storage::Operation::write)) << "nothing is left to be done";
      expect_holds(system, 2);
    });
  }
}

TEST_P(PostedChunksTest, FilesAreAsWithoutIt) {
  job_.run([&](ThreadSystem& system) {
    write(system, posted("wait"), "/waited");
    write(system, posted(), "/at_once");
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    write(system, posted(), "/later");
    for (int i = 0; i < 2; ++i) {
      until_written(system);
      system.posted_files().complete_written({});
    }
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    const std::vector<std::byte> waited = bytes_of(system, "/waited");
    EXPECT_TRUE(waited == bytes_of(system, "/at_once"));
    EXPECT_TRUE(waited == bytes_of(system, "/later"));
    expect_holds(system, 2, "/later");
  });
}

// The next call comes at any moment of the workers' work.
TEST_P(PostedChunksTest, CallsFollowAtAnyTime) {
  FaultyJob job(GetParam().shape, "write:*3=2ms");
  job.run([&](ThreadSystem& system) {
    for (int round = 0; round < 12; ++round) {
      const std::string path = round % 2 == 0 ? k_path : "/b";
      write(system, posted(), path);
      std::this_thread::sleep_for(std::chrono::microseconds(700 * round));
      if (round % 3 == 0) system.posted_files().complete_written({});
      if (round % 4 == 1) expect_holds(system, 2, path);
    }
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    expect_holds(system, 2, k_path);
    expect_holds(system, 2, "/b");
  });
}

TEST_P(PostedChunksTest, AFileThatExistedIsContinued) {
  FaultyJob job(GetParam().shape, "write:*5=2ms");
  job.run([&](ThreadSystem& system) {
    write(system, posted("wait"));
    for (int64_t first = 1; first < 6; ++first) {
      auto file = File::open(system, Opening::Mode::write, std::string(k_path), posted());
      ASSERT_TRUE(file.ok()) << file.status().text();
      put_all(system, **file, first);
      EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file).value())));
      if (first % 2 == 0) until_written(system);
      if (first % 3 == 0) expect_holds(system, first + 2);
    }
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    expect_holds(system, 7);
  });
}

// Of one with chunks after the next call, of one without at once; a journal is kept meanwhile.
TEST_P(PostedChunksTest, WorkersWriteTheMetadataOfAFileThatExisted) {
  if (two_nodes()) GTEST_SKIP() << "a later call does it";
  for (const bool chunks : {true, false}) {
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      {
        auto file = File::open(system, Opening::Mode::create, std::string(k_path), posted("wait")).value();
        EXPECT_TRUE(file->definitions().define_dimension("x", k_in_chunks).ok());
        EXPECT_TRUE(file->definitions().define_variable_on("w", k_double, {0}).ok());
        EXPECT_TRUE(!chunks || file->definitions().define_chunks(0, {500}).ok());
        EXPECT_TRUE(put(system, *file, 0, 0).ok());
        EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
      }
      auto file = File::open(system, Opening::Mode::write, std::string(k_path), posted()).value();
      EXPECT_TRUE(file->definitions().define_variable_on("v", k_double, {0}).ok());
      EXPECT_TRUE(put(system, *file, 1, 0, base(5)).ok());
      const uint64_t before = job.calls(storage::Operation::write);
      EXPECT_TRUE(system.comm().barrier().ok());
      EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
      until_written(system);
      if (chunks) {
        system.posted_files().complete_written({});
        EXPECT_FALSE(system.posted_files().empty());
        until_written(system);
      }
      const uint64_t all = job.calls(storage::Operation::write);
      EXPECT_LT(before, all);
      EXPECT_TRUE(system.comm().barrier().ok());
      system.posted_files().complete_written({});
      EXPECT_TRUE(system.posted_files().empty());
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().take_failure()));
      EXPECT_EQ(all, job.calls(storage::Operation::write)) << "nothing is left to be done";
      auto read = File::open(system, Opening::Mode::read, std::string(k_path), posted()).value();
      const auto rows = system.rows({k_in_chunks});
      std::vector<double> back(static_cast<size_t>(rows->part().local_elements));
      for (const int variable : {0, 1}) {
        const std::vector<Move> moves{{.variable = variable, .to = back.data(), .memory = k_double}};
        EXPECT_TRUE(read->data().get(moves, rows.get()).ok());
        const bool old = read->schema().variables()[variable].path.back() == 'w';
        EXPECT_EQ(values_for(*rows, base(old ? 0 : 5)), back);
      }
      EXPECT_TRUE(close_file(std::move(read)).ok());
    });
  }
}

// After a sync, and when only a part of a chunk was put, which is encoded at the close.
TEST_P(PostedChunksTest, PartsOfChunksAreEncodedByWorkers) {
  job_.run([&](ThreadSystem& system) {
    auto file = made(system, posted());
    put_all(system, *file);
    EXPECT_EQ(Code::ok, agreed(system, sync_file(*file)));
    const auto few = each(system, k_in_chunks, 5);
    const auto mine = values_for(*few, -7.0);
    const std::vector<Move> moves{{.variable = 0, .record = 1, .from = mine.data(), .memory = k_double}};
    EXPECT_TRUE(file->data().put(moves, few.get()).ok());
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    until_written(system);
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    auto read = File::open(system, Opening::Mode::read, std::string(k_path), posted()).value();
    std::vector<double> back(mine.size());
    const std::vector<Move> gets{{.variable = 0, .record = 1, .to = back.data(), .memory = k_double}};
    EXPECT_TRUE(read->data().get(gets, few.get()).ok());
    EXPECT_EQ(mine, back);
    EXPECT_TRUE(close_file(std::move(read)).ok());
  });
}

// At whatever call on the store it fails: the earlier file stays, and the failure is told once.
TEST_P(PostedChunksTest, EachCallOfTheStoreFails) {
  for (int call = 1;; ++call) {
    bool reached = false;
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      write(system, posted("wait"));
      job.fail(system, fmt::format("any:{}=EIO", call));
      auto file = File::open(system, Opening::Mode::create, std::string(k_path), posted());
      int told = file.ok() ? 0 : 1;
      if (file.ok()) {
        session::Definitions& definitions = (*file)->definitions();
        (void)definitions.define_dimension("time", -1);
        (void)definitions.define_dimension("x", k_in_chunks);
        (void)definitions.define_variable_on("v", k_double, {0, 1});
        (void)definitions.define_variable_on("w", k_double, {1});
        (void)definitions.define_chunks(0, {1, 700});
        (void)definitions.define_filters(0, {2, 1}, {0, 1});
        (void)put(system, **file, 1, 0);
        for (int64_t record = 0; record < 3; ++record) (void)put(system, **file, 0, record);
        const Status closed = close_file(std::move(file).value());
        told += agreed(system, closed) == Code::ok ? 0 : 1;
        if (call % 2 == 0) {
          until_written(system);
          system.posted_files().complete_written({});
        }
        const Status waited_for = system.posted_files().wait(std::nullopt);
        told += agreed(system, waited_for) == Code::ok ? 0 : 1;
      }
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      uint64_t calls = 0;
      for (size_t i = 0; i < storage::k_operation_names.size(); ++i)
        calls += job.calls(static_cast<storage::Operation>(i));
      if (system.rank() == 0) reached = calls >= static_cast<uint64_t>(call);
      job.fail(system, "");
      EXPECT_GE(1, told);
      expect_holds(system, told == 0 ? 3 : 2, k_path, told == 0 ? 0 : 1);
    });
    if (!reached || HasFailure()) break;
    ASSERT_GT(1000, call);
  }
}

// The failure of a worker after which another one waits for it.
// The first close is that of the file that is replaced, after a look at its lock.
TEST_P(PostedChunksTest, AWorkerThatFailsKeepsNobodyWaiting) {
  for (const char* fault : {"write:1=EIO", "write:2+=ENOSPC", "close:2=EIO", "rename:1=EACCES"}) {
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      write(system, posted("wait"));
      job.fail(system, fault);
      auto file = made(system, posted());
      (void)put(system, *file, 0, 0);
      const Status closed = close_file(std::move(file));
      const bool early = agreed(system, closed) != Code::ok;
      if (!early) {
        for (int i = 0; i < 2; ++i) {
          until_written(system);
          system.posted_files().complete_written({});
        }
      }
      const Status status = system.posted_files().wait(std::nullopt);  // or as the calls before have found it
      EXPECT_EQ(early ? Code::ok : Code::posted, agreed(system, status)) << fault << ": " << status.text();
      EXPECT_TRUE(early || mentions(status, {"scorpio_file_close", k_path})) << status.text();
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      job.fail(system, "");
      expect_holds(system, 2);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, PostedChunksTest,
                         testing::ValuesIn(asynchronous_cases({"hdf5", "netcdf4"}, "netcdf4", 3)), name_of);

}  // namespace
}  // namespace scorpio::test
