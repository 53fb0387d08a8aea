// The progress thread between nodes, on ranks that are threads: messages, slots and placement rounds advance
// while no call is made, and calls exclude it (under the thread sanitizer, too).
#include "session/iosystem/ranks_between_nodes.h"

#include "async/progress_thread.h"
#include "session/chunk_rounds_case.h"

namespace scorpio::test {
namespace {

// The progress thread of a rank, if it has one.
class Between {
 public:
  explicit Between(ThreadSystem& system) {
    const auto ranks = session::ranks_between_nodes(system.nodes(), system.io_ranks(), system.rank());
    EXPECT_EQ(ranks.all.contains(system.rank()), !ranks.peers.empty());
    if (ranks.peers.empty()) return;
    thread_ = std::make_unique<async::ProgressThread>(system.channels());
    EXPECT_TRUE(thread_->start({}, nullptr).ok());
  }
  // As a public function.
  template <typename Body>
  auto call(Body&& body) {
    const Entered entered(thread_.get());
    return body();
  }

 private:
  class Entered {
   public:
    explicit Entered(async::ProgressThread* thread) : thread_(thread) {
      if (thread_ != nullptr) thread_->enter();
    }
    ~Entered() {
      if (thread_ != nullptr) thread_->leave();
    }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

   private:
    async::ProgressThread* thread_;
  };

  std::unique_ptr<async::ProgressThread> thread_;
};

class BetweenNodes : public ChunkRoundsTest {
 protected:
  // Without any call.
  static bool gets(const FaultyJob& job, uint64_t writes) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (job.calls(storage::Operation::write) < writes && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return job.calls(storage::Operation::write) >= writes;
  }
};

TEST_P(BetweenNodes, RoundsOfChunksArePlacedWhileNoCallIsMade) {
  FaultyJob job(GetParam().shape);
  job.run([&](ThreadSystem& system) {
    Between between(system);
    auto file = between.call([&] { return made(system, given()); });
    for (int64_t record = 0; record < k_records; ++record)
      EXPECT_TRUE(between.call([&] { return put(system, *file, record, base(record)); }).ok());
    EXPECT_TRUE(gets(job, 3));
    EXPECT_EQ(Code::ok, between.call([&] { return agreed(system, close_file(std::move(file))); }));
    between.call([&] { expect_all(system); });
  });
}

// Gets, syncs and puts of the same records in between.
TEST_P(BetweenNodes, WhatIsReadIsWhatWasPut) {
  FaultyJob job(GetParam().shape, "write:*3=1ms");
  job.run([&](ThreadSystem& system) {
    Between between(system);
    auto file = between.call([&] { return made(system, given(), 1, std::string(k_path), false); });
    for (int64_t i = 0; i < 3 * k_records; ++i) {
      const int64_t record = i % k_records;
      EXPECT_TRUE(between.call([&] { return put(system, *file, record, base(record)); }).ok());
      if (i % 7 == 6) between.call([&] { expect_holds(system, *file, "v", record, base(record)); });
    }
    EXPECT_EQ(Code::ok, between.call([&] { return agreed(system, close_file(std::move(file))); }));
    between.call([&] { expect_all(system); });
  });
}

TEST_P(BetweenNodes, AFailedStoreIsToldAtTheEnd) {
  FaultyJob job(GetParam().shape, "write:2+=EIO");
  job.run([&](ThreadSystem& system) {
    Between between(system);
    auto file = between.call([&] { return made(system, given()); });
    for (int64_t record = 0; record < k_records; ++record)
      (void)between.call([&] { return put(system, *file, record, base(record)); });
    EXPECT_EQ(Code::io, between.call([&] { return agreed(system, close_file(std::move(file))); }));
  });
}

JobShape on_nodes(int ranks, int nodes, int io_ranks) {
  JobShape shape{ranks, nodes, io_ranks};
  EXPECT_TRUE(shape.options.set("asynchronous", "true").ok());
  return shape;
}

INSTANTIATE_TEST_SUITE_P(Formats, BetweenNodes,
                         testing::Values(Case{"netcdf4", on_nodes(5, 2, 4)},
                                         Case{"netcdf4", on_nodes(4, 4, 1)}),
                         name_of);

TEST(RanksBetweenNodes, AreLeadersAndIoRanksOfDifferentNodes) {
  const auto ranks_of = [](int rank, const std::vector<int>& io_ranks) {
    const std::vector<int64_t> nodes{0, 0, 0, 1, 1, 1};
    return session::ranks_between_nodes(comm::node_map(nodes, rank), io_ranks, rank);
  };
  EXPECT_EQ((std::set<int>{1, 3}), ranks_of(1, {1}).all) << "the leader of the I/O rank's node sends nothing";
  EXPECT_EQ((std::set<int>{3}), ranks_of(1, {1}).peers);
  EXPECT_EQ((std::set<int>{1}), ranks_of(3, {1}).peers);
  EXPECT_TRUE(ranks_of(0, {1}).peers.empty());
  EXPECT_EQ((std::set<int>{0, 1, 3, 4}), ranks_of(0, {1, 4}).all);
}

}  // namespace
}  // namespace scorpio::test
