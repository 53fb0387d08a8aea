// Placement rounds: chunks of a file that workers write are in the file before a synchronisation point, at
// addresses that depend on the calls alone.
#include "session/state/chunk_rounds.h"

#include <array>

#include "base/hash.h"
#include "session/chunk_rounds_case.h"

namespace scorpio::test {
namespace {

TEST_P(ChunkRoundsTest, ChunksAreWrittenWhileNoCallIsMade) {
  FaultyJob job(GetParam().shape);
  job.run([&](ThreadSystem& system) {
    auto file = made(system, given());
    put_all(system, *file);
    EXPECT_TRUE(gets_writes(system, job, 3));
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    expect_all(system);
  });
}

// Of a put of several variables, or records, each is an operation, after which a round may end.
TEST_P(ChunkRoundsTest, RoundsEndWithinAPut) {
  FaultyJob job(GetParam().shape);
  job.run([&](ThreadSystem& system) {
    auto file = made(system, given());
    const auto rows = system.rows({k_length});
    std::vector<std::vector<double>> values;
    std::vector<Move> moves;
    for (int64_t record = 0; record < k_records; ++record) {
      values.push_back(values_for(*rows, base(record)));
      moves.push_back({.variable = 0, .record = record, .from = values.back().data(), .memory = k_double});
    }
    EXPECT_TRUE(file->data().put(moves, rows.get()).ok());
    // The chunks of one round would be one write of each I/O rank.
    EXPECT_TRUE(gets_writes(system, job, 3 * static_cast<uint64_t>(GetParam().shape.io_ranks)));
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    expect_all(system);
  });
}

TEST_P(ChunkRoundsTest, BytesDoNotDependOnTime) {
  std::vector<std::byte> first;
  for (const char* faults : {"", "write:*3=1ms", "write:*2=2ms"}) {
    for (const char* close : {"wait", "post"}) {
      JobShape shape = GetParam().shape;
      shape.writer = std::string_view(faults) != "write:*3=1ms";
      FaultyJob job(shape, faults);
      job.run([&](ThreadSystem& system) {
        auto file = made(system, given(close));
        put_all(system, *file);
        EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
        EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
        expect_all(system);
        if (system.rank() != 0) return;
        const std::vector<std::byte> bytes = bytes_of(system, std::string(k_path));
        if (first.empty()) first = bytes;
        EXPECT_TRUE(first == bytes) << faults << ", " << close;
      });
    }
  }
}

// Chunks that are put again while an earlier state of them waits or is in the file, and gets between.
TEST_P(ChunkRoundsTest, TheLastPutIsRead) {
  FaultyJob job(GetParam().shape, "write:*4=1ms");
  job.run([&](ThreadSystem& system) {
    auto file = made(system, given(), 4);
    std::vector<double> last;
    for (int64_t i = 0; i < 60; ++i) {
      const int64_t record = i * 7 % 16;
      const double value = base(i);
      last.resize(std::max(last.size(), static_cast<size_t>(record) + 1), 0);
      last[static_cast<size_t>(record)] = value;
      EXPECT_TRUE(put(system, *file, record, value).ok());
      if (i % 13 == 5) expect_holds(system, *file, "v", record, value);
      if (i % 25 == 20) {
        EXPECT_EQ(Code::ok, agreed(system, sync_file(*file)));
      }
    }
    for (size_t record = 0; record < last.size(); ++record)
      expect_holds(system, *file, "v", static_cast<int64_t>(record), last[record]);
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    auto read = File::open(system, Opening::Mode::read, std::string(k_path), given()).value();
    for (size_t record = 0; record < last.size(); ++record)
      expect_holds(system, *read, "v", static_cast<int64_t>(record), last[record]);
    EXPECT_TRUE(close_file(std::move(read)).ok());
  });
}

// A get that differs between the ranks gives the file another channel.
TEST_P(ChunkRoundsTest, RoundsBeginAgainAfterAGetThatDiffers) {
  if (!several()) GTEST_SKIP() << "one rank differs from none";
  FaultyJob job(GetParam().shape);
  job.run([&](ThreadSystem& system) {
    auto file = made(system, given());
    for (int64_t record = 0; record < 8; ++record) EXPECT_TRUE(put(system, *file, record, base(record)).ok());
    EXPECT_EQ(Code::ok, agreed(system, sync_file(*file)))
        << "of puts since then the channel that is replaced may lose some";
    const auto rows = system.rows({k_length});
    std::vector<double> back(static_cast<size_t>(rows->part().local_elements));
    const std::vector<Move> differing{
        {.variable = 0, .record = culprit(system) ? 1 : 0, .to = back.data(), .memory = k_double}};
    EXPECT_EQ(Code::mismatch, agreed(system, file->data().get(differing, rows.get())));
    for (int64_t record = 8; record < 16; ++record)
      EXPECT_TRUE(put(system, *file, record, base(record)).ok());
    EXPECT_EQ(Code::ok, agreed(system, sync_file(*file)));
    const uint64_t before = job.calls(storage::Operation::write);
    EXPECT_TRUE(system.comm().barrier().ok());
    for (int64_t record = 16; record < k_records; ++record)
      EXPECT_TRUE(put(system, *file, record, base(record)).ok());
    EXPECT_TRUE(gets_writes(system, job, before + 2));
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    expect_all(system);
  });
}

// The chunks that were put before a posted sync are a round, however few they are.
TEST_P(ChunkRoundsTest, APostedSyncEndsARound) {
  if (!several()) GTEST_SKIP() << "a record is more than a round";
  FaultyJob job(GetParam().shape, "write:1+=2ms");
  job.run([&](ThreadSystem& system) {
    auto all = k_small;
    all.emplace_back("sync", "post");
    auto file = made(system, options(all));
    for (int64_t record = 0; record < 4; ++record) {
      // Workers may still write: all ranks wait for the same number, or one would wait for ranks in no call.
      std::array<uint64_t, 1> before{job.calls(storage::Operation::write)};
      EXPECT_TRUE(system.comm().all_max(before).ok());
      EXPECT_TRUE(put(system, *file, record, base(record)).ok());
      EXPECT_EQ(Code::ok, agreed(system, session::sync_file(*file)));
      EXPECT_TRUE(gets_writes(system, job, before[0] + 1));
    }
    for (int64_t record = 4; record < k_records; ++record) {
      EXPECT_TRUE(put(system, *file, record, base(record)).ok());
      if (record % 5 == 0) {
        EXPECT_EQ(Code::ok, agreed(system, session::sync_file(*file)));
      }
    }
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    expect_all(system);
  });
}

// What ranks that make different calls need not wait for, although rounds are under way.
TEST_P(ChunkRoundsTest, RanksInDifferentCallsPart) {
  if (!several()) GTEST_SKIP() << "one rank differs from none";
  FaultyJob job(GetParam().shape, "write:*3=1ms");
  job.run([&](ThreadSystem& system) {
    auto file = made(system, given());
    put_all(system, *file);
    if (!culprit(system)) {
      EXPECT_FALSE(sync_file(*file).ok());
    }
    EXPECT_FALSE(close_file(std::move(file)).ok());
  });
  EXPECT_FALSE(job.store().exists(std::string(k_path)).value());
}

TEST_P(ChunkRoundsTest, TwoFilesAreUnderWay) {
  const std::vector<std::string> paths = {"/one", "/two"};
  FaultyJob job(GetParam().shape, "write:*4=1ms");
  job.run([&](ThreadSystem& system) {
    for (const char* close : {"wait", "post"}) {
      std::vector<std::unique_ptr<File>> files;
      for (const std::string& path : paths) files.push_back(made(system, given(close), 1, path));
      for (int64_t record = 0; record < k_records; ++record) {
        for (const auto& file : files) EXPECT_TRUE(put(system, *file, record, base(record)).ok());
      }
      for (auto& file : files) EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      for (const std::string& path : paths) expect_all(system, path);
    }
  });
}

// Puts, gets, syncs and files that are opened again, in an order that a seed determines.
TEST_P(ChunkRoundsTest, RandomProgramsHoldWhatWasPut) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    JobShape shape = GetParam().shape;
    shape.writer = seed % 3 != 1;
    FaultyJob job(shape, seed % 2 == 0 ? "write:*3=1ms" : "");
    job.run([&](ThreadSystem& system) {
      std::vector<double> last;
      auto file = made(system, given(), 2);
      for (int64_t i = 0; i < 60; ++i) {
        const uint64_t drawn = mixed(1000 * seed + static_cast<uint64_t>(i));
        const auto record = static_cast<int64_t>(drawn % 20);
        const uint64_t what = drawn / 20 % 20;
        if (what == 0) {
          EXPECT_EQ(Code::ok, agreed(system, sync_file(*file)));
        } else if (what == 1) {
          EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
          file = File::open(system, Opening::Mode::write, std::string(k_path),
                            given(seed % 3 == 0 ? "post" : "wait"))
                     .value();
        } else if (what == 2 && record < static_cast<int64_t>(last.size()) &&
                   last[static_cast<size_t>(record)] != 0) {
          expect_holds(system, *file, "v", record, last[static_cast<size_t>(record)]);
        } else {
          last.resize(std::max(last.size(), static_cast<size_t>(record) + 1), 0);
          last[static_cast<size_t>(record)] = base(i);
          EXPECT_TRUE(put(system, *file, record, base(i)).ok());
        }
      }
      EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
      EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
      auto read = File::open(system, Opening::Mode::read, std::string(k_path), given()).value();
      for (size_t record = 0; record < last.size(); ++record) {
        if (last[record] != 0) expect_holds(system, *read, "v", static_cast<int64_t>(record), last[record]);
      }
      EXPECT_TRUE(close_file(std::move(read)).ok());
    });
  }
}

// A variable that is defined later lies after the chunks that are in the file by then.
TEST_P(ChunkRoundsTest, LaterVariablesGetOtherPlaces) {
  job_.run([&](ThreadSystem& system) {
    auto file = made(system, given());
    for (int i = 0; i < 3; ++i) {
      for (int64_t record = 8 * i; record < 8 * i + 8; ++record)
        EXPECT_TRUE(put(system, *file, record, base(record)).ok());
      EXPECT_EQ(Code::ok, agreed(system, file->begin_definitions()));
      const std::string name = fmt::format("w{}", i);
      EXPECT_TRUE(file->definitions().define_variable_on(name, k_double, {1}).ok());
      EXPECT_EQ(Code::ok, agreed(system, file->define_mode().end()));
      EXPECT_TRUE(put(system, *file, 0, -base(i), 1 + i).ok());
    }
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    expect_all(system);
    auto read = File::open(system, Opening::Mode::read, std::string(k_path), given()).value();
    for (int i = 0; i < 3; ++i) expect_holds(system, *read, fmt::format("w{}", i).c_str(), 0, -base(i));
    EXPECT_TRUE(close_file(std::move(read)).ok());
  });
}

TEST_P(ChunkRoundsTest, AFileThatExistedIsContinued) {
  FaultyJob job(GetParam().shape, "write:*5=1ms");
  job.run([&](ThreadSystem& system) {
    EXPECT_EQ(Code::ok, agreed(system, close_file(made(system, given()))));
    for (int64_t first = 0; first < k_records; first += 8) {
      auto file = File::open(system, Opening::Mode::write, std::string(k_path), given("post"));
      ASSERT_TRUE(file.ok()) << file.status().text();
      for (int64_t record = first; record < first + 8; ++record)
        EXPECT_TRUE(put(system, **file, record, base(record)).ok());
      EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file).value())));
    }
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    expect_all(system);
  });
}

// Whichever call on the store fails: nobody waits for ever, and the failure is told. Jobs of many ranks,
// which take long, try a third of the calls each.
TEST_P(ChunkRoundsTest, EachCallOfTheStoreFails) {
  const int ranks = GetParam().shape.ranks, step = ranks > 4 ? 3 : 1;
  for (int call = ranks > 5 ? 2 : 1;; call += step) {
    bool reached = false;
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      {
        auto file = made(system, given());
        put_all(system, *file);
        EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
      }
      job.fail(system, fmt::format("any:{}=EIO", call));
      Status status;
      auto file = File::open(system, Opening::Mode::write, std::string(k_path), given());
      if (file.ok()) {
        for (int64_t record = 0; record < 8; ++record) {
          (void)put(system, **file, k_records + record, base(record));
          if (record == 5 && call % 2 == 0) status = sync_file(**file);
        }
        status = first_failure(status, close_file(std::move(file).value()));
      } else {
        status = file.status();
      }
      uint64_t calls = 0;
      for (size_t i = 0; i < storage::k_operation_names.size(); ++i)
        calls += job.calls(static_cast<storage::Operation>(i));
      const bool failed = agreed(system, status) != Code::ok;
      if (system.rank() == 0) reached = calls >= static_cast<uint64_t>(call);
      EXPECT_TRUE(system.comm().barrier().ok());
      job.fail(system, "");
      auto read = File::open(system, Opening::Mode::read, std::string(k_path), given());
      ASSERT_TRUE(read.ok()) << read.status().text();
      if (!failed) {
        EXPECT_EQ(k_records + 8, (*read)->schema().dimensions().records());
      }
      for (int64_t record = 0; record < k_records; record += 5)
        expect_holds(system, **read, "v", record, base(record));
      EXPECT_TRUE(close_file(std::move(read).value()).ok());
    });
    if (!reached || HasFailure()) break;
    ASSERT_GT(1000, call);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ChunkRoundsTest,
                         testing::ValuesIn(asynchronous_cases({"netcdf4"}, "netcdf4", 3)), name_of);

}  // namespace
}  // namespace scorpio::test
