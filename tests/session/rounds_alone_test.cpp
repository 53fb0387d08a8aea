// Placement rounds without a file: their channel, the other I/O ranks, the chunks and the threads are those
// of the test, which says what happens when.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "session/state/chunk_rounds.h"
#include "support/latch.h"

namespace scorpio::session {
namespace {

using Addressed = std::pair<uint64_t, uint64_t>;  // number of a round, and an address or bytes

// Runs work when the test says so.
class Steps final : public async::Executor {
 public:
  void submit(async::Work& work) override { queue_.push_back(&work); }
  void attend(async::Work& work) override {
    if (std::find(attended_.begin(), attended_.end(), &work) == attended_.end()) attended_.push_back(&work);
  }
  void withdraw(async::Work& work) override {
    std::erase(queue_, &work);
    std::erase(attended_, &work);
  }
  // Like a worker that is woken up once.
  bool progress() override {
    const std::vector<async::Work*> attended = attended_;
    for (async::Work* const work : attended) work->run();
    const bool any = !attended.empty() || !queue_.empty();
    while (!queue_.empty()) {
      async::Work* const next = queue_.front();
      queue_.pop_front();
      next->run();
    }
    return any;
  }

 private:
  std::deque<async::Work*> queue_;
  std::vector<async::Work*> attended_;
};

// The other I/O ranks say what the test makes them say.
struct Others final : exchange::PlacementRounds {
  void ended(uint64_t number) override { last_ended = number; }
  void tell(uint64_t number, uint64_t own) override { told.emplace_back(number, own); }
  std::optional<std::vector<uint64_t>> all_of(uint64_t number) override {
    const auto at = bytes.find(number);
    return at == bytes.end() ? std::nullopt : std::optional(at->second);
  }
  uint64_t most_under_way() const override { return several_nodes ? ~uint64_t{0} : 1; }
  bool has(uint64_t) const override {
    if (asked != nullptr) asked->release();
    return true;
  }
  void leave() override { takes_part = false; }
  void take_part() override { takes_part = true; }
  bool are_known() const override { return true; }
  void exchange() override {}
  void pass_on(uint64_t number, bool wait) override {
    passed_on.emplace_back(number, wait);
    if (wait) arrive();
  }

  bool several_nodes = false;
  std::map<uint64_t, std::vector<uint64_t>> bytes;  // by the number of the round
  uint64_t last_ended = 0;
  std::vector<Addressed> told;
  bool takes_part = true;
  scorpio::test::Latch* asked = nullptr;  // released by has()
  std::vector<std::pair<uint64_t, bool>> passed_on;
  std::function<void()> arrive;  // what happens while a put waits for the bytes of the others
};

// All units are those of one slot, which is closed again and again.
struct Units final : RoundChannel {
  explicit Units(Others& others) : peers(others) {}
  uint64_t closes() const override { return closed; }
  uint64_t reused() const override { return used_again; }
  void set_round(uint64_t number) override { round = number; }
  Slots delivered_here() const override { return {{.slot = 0, .use = closed, .close = closed}}; }
  bool written(const Slots& slots) const override { return slots.front().close <= stored; }
  bool failed() const override { return false; }
  bool ever_failed() const override { return file_failed; }
  void note(const Status& done, const observe::Counters&) override {
    file_failed = file_failed || !done.ok();
  }
  bool several_nodes() const override { return peers.several_nodes; }
  exchange::PlacementRounds& others() const override { return peers; }
  std::chrono::seconds longest_wait() const override { return {}; }

  Others& peers;
  uint64_t closed = 0;
  uint64_t used_again = 0;
  uint64_t stored = 0;  // of the closed ones
  uint64_t round = 0;
  std::atomic<bool> file_failed = false;
};

struct Chunks final : storage::RoundChunks {
  void begin_round(uint64_t number) override { begun = std::max(begun, number); }
  uint64_t round() const override { return begun; }
  uint64_t round_bytes(uint64_t number) const override { return encoded.at(number); }
  Status place_round(uint64_t number, uint64_t address) override {
    placed.emplace_back(number, address);
    if (!fails) unplaced -= encoded.at(number);
    return fails ? failure(Code::io, "the device is full") : Status();
  }
  uint64_t unplaced_bytes() const override { return unplaced; }

  uint64_t begun = 0;
  std::map<uint64_t, uint64_t> encoded;  // bytes by round, from 0 on
  std::atomic<uint64_t> unplaced = 0;
  std::vector<Addressed> placed;
  bool fails = false;
};

constexpr uint64_t k_block = 4096, k_begin = 2 * k_block, k_most_bytes = 10000;
using Placed = std::vector<Addressed>;

// One I/O rank of two. A round ends after four units.
struct Rounds {
  explicit Rounds(size_t my_owner = 1, bool with_writer = false)
      : rounds(units, {.chunks = chunks,
                       .worker = worker,
                       .writer = [this, with_writer] { return with_writer ? &writer : nullptr; },
                       .number = 1,
                       .my_owner = my_owner,
                       .block_bytes = k_block,
                       .limits = {.closes = 4, .most_bytes = k_most_bytes, .most_rounds = 1},
                       .priority = 0}) {
    rounds.use(k_begin);
  }
  // An operation of a put that closes four units, with so many encoded bytes of this I/O rank.
  void put(uint64_t bytes) {
    units.closed += 4;
    chunks.encoded[next_++] = bytes;
    chunks.unplaced += bytes;
    rounds.after_operation();
  }
  void store_all() { units.stored = units.closed; }

  Others others;
  Units units{others};
  Chunks chunks;
  Steps worker, writer;
  ChunkRounds rounds;

 private:
  uint64_t next_ = 0;
};

TEST(RoundsAlone, ARoundEndsAfterSoManyUnits) {
  Rounds rank;
  rank.units.closed = 3;
  rank.rounds.after_operation();
  EXPECT_EQ(0u, rank.others.last_ended);
  EXPECT_FALSE(rank.rounds.under_way());
  rank.units.closed = 4;
  rank.rounds.after_operation();
  EXPECT_EQ(1u, rank.others.last_ended);
  EXPECT_EQ(1u, rank.units.round);
  EXPECT_TRUE(rank.rounds.under_way());

  rank.rounds.end_now();  // no unit was closed since then
  EXPECT_EQ(1u, rank.others.last_ended);
  ++rank.units.closed;
  rank.rounds.end_now();
  EXPECT_EQ(2u, rank.others.last_ended);
}

// Without an address for the chunks there is none.
TEST(RoundsAlone, ThereIsNoneBeforeThereAreChunks) {
  Rounds rank;
  rank.rounds.use(0);
  rank.units.closed = 8;
  rank.rounds.after_operation();
  rank.rounds.end_now();
  EXPECT_EQ(0u, rank.others.last_ended);
}

// The other I/O ranks are told when the slots are written, of one round at a time on a node.
TEST(RoundsAlone, BytesAreToldWhenSlotsAreWritten) {
  Rounds rank;
  rank.put(3000);
  rank.put(200);
  rank.worker.progress();
  EXPECT_EQ(0u, rank.chunks.begun);
  EXPECT_EQ(Placed(), rank.others.told);
  rank.units.stored = 4;
  rank.worker.progress();
  EXPECT_EQ(1u, rank.chunks.begun);
  EXPECT_EQ((Placed{{1, 3000}}), rank.others.told);
  rank.store_all();
  rank.worker.progress();
  EXPECT_EQ(2u, rank.chunks.begun);
  EXPECT_EQ((Placed{{1, 3000}}), rank.others.told);
  EXPECT_EQ(Placed(), rank.chunks.placed);
  EXPECT_TRUE(rank.rounds.under_way());

  rank.others.bytes[1] = {5000, 3000};
  rank.worker.progress();
  EXPECT_EQ((Placed{{1, 3000}, {2, 200}}), rank.others.told);
}

// The chunks of a round follow each other by I/O rank, and rounds follow each other: 8192 + 5000, 16384 +
// 3000, 19384 + 100, 20480 + 200. I/O ranks have blocks of their own unless the gaps become too large.
TEST(RoundsAlone, IoRanksPlaceTheirChunksBesideEachOther) {
  const std::vector<Placed> expected{{{0, k_begin}, {1, 19384}}, {{0, 4 * k_block}, {1, 5 * k_block}}};
  for (const size_t owner : {0, 1}) {
    Rounds rank(owner);
    rank.others.bytes = {{1, {5000, 3000}}, {2, {100, 200}}};
    for (const uint64_t number : {1, 2}) rank.put(rank.others.bytes[number][owner]);
    rank.store_all();
    EXPECT_TRUE(rank.rounds.advance());
    EXPECT_EQ(expected[owner], rank.chunks.placed);
    EXPECT_FALSE(rank.rounds.under_way());
  }
}

TEST(RoundsAlone, AnIoRankThatTakesNoPartEndsThem) {
  Rounds rank;
  rank.others.bytes = {{1, {}}, {2, {100, 200}}};
  rank.put(3000);
  rank.store_all();
  rank.worker.progress();
  EXPECT_FALSE(rank.others.takes_part);
  EXPECT_FALSE(rank.rounds.under_way());
  rank.put(200);
  rank.store_all();
  rank.worker.progress();
  EXPECT_EQ((Placed{{1, 3000}}), rank.others.told);
  EXPECT_EQ(Placed(), rank.chunks.placed);

  rank.rounds.begin_again();  // at a synchronisation point
  EXPECT_TRUE(rank.others.takes_part);
  EXPECT_EQ(2u, rank.units.round);
  rank.rounds.use(k_begin);
  rank.others.bytes[3] = {100, 700};
  rank.put(700);
  rank.store_all();
  rank.worker.progress();
  EXPECT_EQ((Placed{{1, 3000}, {3, 700}}), rank.others.told);
  EXPECT_EQ(1u, rank.chunks.placed.size());
}

TEST(RoundsAlone, AWriteThatFailsEndsThem) {
  Rounds rank;
  rank.others.bytes = {{1, {0, 3000}}, {2, {0, 200}}};
  rank.chunks.fails = true;
  rank.put(3000);
  rank.put(200);
  rank.store_all();
  EXPECT_TRUE(rank.rounds.advance());
  EXPECT_TRUE(rank.units.file_failed);
  EXPECT_FALSE(rank.others.takes_part);
  EXPECT_EQ(1u, rank.chunks.placed.size());
  rank.rounds.begin_again();
  EXPECT_FALSE(rank.others.takes_part);
}

// A rank that waits for nothing else writes while the worker encodes.
TEST(RoundsAlone, AWriterWritesBesideTheWorker) {
  Rounds rank(1, true);
  rank.others.bytes[1] = {0, 3000};
  rank.put(3000);
  rank.store_all();
  rank.worker.progress();
  EXPECT_EQ(Placed(), rank.chunks.placed);
  EXPECT_FALSE(rank.rounds.advance());
  EXPECT_TRUE(rank.writer.progress());
  EXPECT_EQ((Placed{{0, k_begin}}), rank.chunks.placed);
  EXPECT_TRUE(rank.rounds.advance());
}

TEST(RoundsAlone, AfterStopNothingIsWritten) {
  Rounds rank(1, true);
  rank.others.bytes[1] = {0, 3000};
  rank.put(3000);
  rank.store_all();
  rank.worker.progress();
  rank.rounds.stop();
  EXPECT_FALSE(rank.worker.progress());
  EXPECT_FALSE(rank.writer.progress());
  EXPECT_EQ(Placed(), rank.chunks.placed);
  EXPECT_FALSE(rank.rounds.under_way());
  EXPECT_TRUE(rank.others.takes_part);  // on one node the others are told nothing
}

// A put waits for the round before the last one if chunks of more than the limit have no address.
TEST(RoundsAlone, APutWaitsWhereMemoryIsUsedUp) {
  Rounds rank;
  rank.put(k_most_bytes / 2);
  rank.put(k_most_bytes / 2);  // the limit
  rank.others.bytes = {{1, {0, k_most_bytes / 2}}, {2, {0, k_most_bytes / 2}}};
  scorpio::test::Latch asked;
  rank.others.asked = &asked;
  uint64_t unplaced = 0;
  std::thread calls([&] {
    rank.put(1);
    unplaced = rank.chunks.unplaced;
    asked.release();  // if the put has not waited
  });
  asked.wait();
  rank.store_all();
  rank.worker.progress();
  calls.join();
  EXPECT_LE(unplaced, k_most_bytes);
}

// On several nodes all I/O ranks have told the bytes of a round, and pass them on, in the put in which its
// units are sure to be written: when their slots are used again. A put waits for bytes if memory is used up.
TEST(RoundsAlone, BetweenNodesRoundsThatAreDueArePassedOn) {
  Rounds rank;
  rank.others.several_nodes = true;
  rank.put(3000);
  rank.store_all();
  rank.worker.progress();
  rank.put(200);
  rank.store_all();
  rank.worker.progress();
  EXPECT_EQ((Placed{{1, 3000}, {2, 200}}), rank.others.told);
  rank.others.arrive = [&rank] {
    rank.others.bytes = {{1, {0, 3000}}, {2, {0, 200}}, {3, {0, k_most_bytes}}};
    rank.store_all();
    rank.worker.progress();
  };
  rank.units.used_again = 4;
  rank.put(k_most_bytes);
  rank.units.used_again = 8;
  rank.put(1);
  const std::vector<std::pair<uint64_t, bool>> expected{{0, false}, {0, false}, {1, true}, {2, false}};
  EXPECT_EQ(expected, rank.others.passed_on);
  EXPECT_EQ(3u, rank.chunks.placed.size());
  rank.rounds.stop();
  EXPECT_FALSE(rank.others.takes_part);
}

}  // namespace
}  // namespace scorpio::session
