// The thread that writes encoded chunks beside the worker: storage that stops delays neither the encoding of
// later chunks nor calls, memory is bounded, and what was put last is what the file has.
#include <atomic>

#include "base/hash.h"
#include "session/chunk_rounds_case.h"
#include "session/state/chunk_rounds.h"
#include "storage/memory_store.h"
#include "storage/traced_store.h"
#include "support/latch.h"

namespace scorpio::test {
namespace {

// A job whose first write to storage does not return before it is released.
class HeldJob : public ThreadJob {
 public:
  explicit HeldJob(const JobShape& shape) : ThreadJob(shape) {
    set_store(storage::make_traced_store(
        storage::make_memory_store(), counters_, [this](const storage::Trace& trace) {
          if (trace.operation != storage::Operation::write || begun_.exchange(true)) return;
          held.release();
          release.wait();
        }));
  }
  Latch held, release;

 private:
  observe::Counters counters_;  // of opens and closes
  std::atomic<bool> begun_ = false;
};

class ChunkWriterTest : public ChunkRoundsTest {
 protected:
  // Many times what the staging memory holds, and little when it is encoded.
  static constexpr int64_t k_many = 12;

  // The same value for all elements.
  static Status put_level(ThreadSystem& system, File& file, int64_t record, double value) {
    const auto rows = system.rows({k_length});
    const std::vector<double> mine(static_cast<size_t>(rows->part().local_elements), value);
    return file.data().put(
        std::vector<Move>{{.variable = 0, .record = record, .from = mine.data(), .memory = k_double}},
        rows.get());
  }
  static void expect_level(ThreadSystem& system, File& file, int64_t record, double value) {
    const auto rows = system.rows({k_length});
    std::vector<double> back(static_cast<size_t>(rows->part().local_elements));
    const std::vector<Move> moves{{.variable = 0, .record = record, .to = back.data(), .memory = k_double}};
    EXPECT_EQ(Code::ok, agreed(system, file.data().get(moves, rows.get())));
    EXPECT_EQ(std::vector<double>(back.size(), value), back) << "record " << record;
  }
  static void put_levels(ThreadSystem& system, File& file) {
    for (int64_t record = 0; record < k_many; ++record)
      EXPECT_TRUE(put_level(system, file, record, base(record)).ok());
  }
  static void release(ThreadSystem& system, HeldJob& job) {
    job.held.wait();
    EXPECT_TRUE(system.comm().barrier().ok());
    job.release.release();
  }
};

// If the worker wrote, the puts would wait for slots for ever.
TEST_P(ChunkWriterTest, AWriteThatLastsDelaysNoPutAndNoGet) {
  if (two_nodes()) GTEST_SKIP() << "rounds wait for calls";
  HeldJob job(GetParam().shape);
  job.run([&](ThreadSystem& system) {
    auto file = made(system, given());
    put_levels(system, *file);
    job.held.wait();
    for (int64_t record = 0; record < k_many; ++record) expect_level(system, *file, record, base(record));
    release(system, job);
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    auto read = File::open(system, Opening::Mode::read, std::string(k_path), given()).value();
    for (int64_t record = 0; record < k_many; ++record) expect_level(system, *read, record, base(record));
    EXPECT_TRUE(close_file(std::move(read)).ok());
  });
}

TEST_P(ChunkWriterTest, AWriteThatLastsDelaysNoPostedClose) {
  if (two_nodes()) GTEST_SKIP() << "rounds wait for calls";
  HeldJob job(GetParam().shape);
  job.run([&](ThreadSystem& system) {
    auto file = made(system, given("post"));
    put_levels(system, *file);
    EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
    release(system, job);
    EXPECT_EQ(Code::ok, agreed(system, system.posted_files().wait(std::nullopt)));
    auto read = File::open(system, Opening::Mode::read, std::string(k_path), given()).value();
    for (int64_t record = 0; record < k_many; ++record) expect_level(system, *read, record, base(record));
    EXPECT_TRUE(close_file(std::move(read)).ok());
  });
}

// A chunk that is put again while its first state is being written, with filters and without. Rounds end
// before, and the chunks of all puts until the release have less than chunk_bytes: a put that waited for
// memory would wait for the release.
TEST_P(ChunkWriterTest, TheLaterPutWins) {
  if (two_nodes()) GTEST_SKIP() << "rounds wait for calls";
  for (const bool filters : {true, false}) {
    HeldJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      auto file = made(system, given(), 1, k_path, filters);
      const int64_t few = several() ? 2 : 1;
      for (int64_t record = 0; record < few; ++record)
        EXPECT_TRUE(put_level(system, *file, record, base(record)).ok());
      job.held.wait();
      EXPECT_TRUE(put_level(system, *file, 0, -1).ok());
      expect_level(system, *file, 0, -1);
      release(system, job);
      EXPECT_TRUE(put_level(system, *file, few, -2).ok());
      const Status synced = sync_file(*file);
      EXPECT_EQ(Code::ok, agreed(system, synced)) << synced.text() << (filters ? ", filters" : "");
      EXPECT_TRUE(put_level(system, *file, few, -3).ok());
      EXPECT_EQ(Code::ok, agreed(system, close_file(std::move(file))));
      auto read = File::open(system, Opening::Mode::read, std::string(k_path), given()).value();
      expect_level(system, *read, 0, -1);
      for (int64_t record = 1; record < few; ++record) expect_level(system, *read, record, base(record));
      expect_level(system, *read, few, -3);
      EXPECT_TRUE(close_file(std::move(read)).ok());
    });
  }
}

// Chunks that no filter makes smaller, and storage that is slower than the program.
TEST_P(ChunkWriterTest, MemoryIsBounded) {
  if (two_nodes()) GTEST_SKIP() << "of a node";
  constexpr uint64_t k_chunk_bytes = 64 << 10, k_round = 16 << 10, k_staging = 6 * 4096;
  constexpr uint64_t k_record = k_length * sizeof(double);
  FaultyJob job(GetParam().shape, "write:1+=2ms");
  job.run([&](ThreadSystem& system) {
    auto core = created<WithSyncPoint>(system, given());
    session::Definitions& definitions = core->definitions;
    EXPECT_TRUE(definitions.define_dimension("time", -1).ok());
    EXPECT_TRUE(definitions.define_dimension("x", k_length).ok());
    EXPECT_TRUE(definitions.define_variable_on("v", k_double, {0, 1}).ok());
    EXPECT_TRUE(definitions.define_chunks(0, {1, 700}).ok());
    EXPECT_TRUE(definitions.define_filters(0, {2, 1}, {0, 1}).ok());
    const auto rows = system.rows({k_length});
    std::vector<double> mine(static_cast<size_t>(rows->part().local_elements));
    uint64_t most = 0;
    for (int64_t record = 0; record < k_records; ++record) {
      for (size_t i = 0; i < mine.size(); ++i)
        mine[i] = static_cast<double>(mixed(1000 * static_cast<uint64_t>(record) + i));
      const std::vector<Move> moves{
          {.variable = 0, .record = record, .from = mine.data(), .memory = k_double}};
      EXPECT_TRUE(core->data.put(moves, rows.get()).ok());
      most = std::max(most, core->core->transfer.placement().unplaced_bytes());
    }
    // What a put waits for, what was in slots then, and the rounds that it does not wait for.
    EXPECT_GE(k_chunk_bytes + k_staging + 2 * (k_round + k_record), most);
    EXPECT_EQ(Code::ok, agreed(system, core->sync()));
    drop(*core->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Formats, ChunkWriterTest,
                         testing::ValuesIn(asynchronous_cases({"netcdf4"}, "netcdf4", 3)), name_of);

}  // namespace
}  // namespace scorpio::test
