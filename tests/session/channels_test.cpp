// Channels of an I/O system's files: how the staging memory is dealt, and what files that share a slot do to
// each other.
#include "session/iosystem/channels.h"

#include <chrono>
#include <deque>
#include <numeric>
#include <thread>

#include "session/parts.h"
#include "support/latch.h"

namespace scorpio::test {
namespace {

using session::Move;

class ChannelsTest : public PartsTest {
 protected:
  JobShape with(int staging_files) const {
    JobShape shape = GetParam().shape;
    shape.staging_files = staging_files;
    return shape;
  }

  static std::unique_ptr<WithSyncPoint> made(ThreadSystem& system, const OptionSet& given,
                                             const std::string& path) {
    auto file = created<WithSyncPoint>(system, given, path);
    EXPECT_TRUE(file->definitions.define_variable("v", k_double, {2000}).ok());
    EXPECT_TRUE(file->define_mode.ready_for_data().ok());
    return file;
  }
  static Status put(WithSyncPoint& file, const session::Decomposition& part, double base, int variable = 0) {
    const auto mine = values_for(part, base);
    return file.data.put(std::vector<Move>{{.variable = variable, .from = mine.data(), .memory = k_double}},
                         &part);
  }
};

TEST_P(ChannelsTest, FilesTakeHalfOfWhatIsLeftTheLastTakesAllAndThenTheyShare) {
  job_.run([&](ThreadSystem& system) {
    session::Channels& channels = system.channels();
    auto first = channels.open(1, false), second = channels.open(2, false), third = channels.open(3, false),
         fourth = channels.open(4, false);
    EXPECT_EQ(4, channels.open_files());
    EXPECT_EQ(2u, first->lease().slots.size());
    EXPECT_EQ(3u, second->lease().slots.size()) << "no further file can have slots of its own";
    EXPECT_NE(first->lease().slots, second->lease().slots);
    for (const auto* shared : {&third, &fourth}) {
      EXPECT_TRUE((*shared)->lease().shared);
      EXPECT_EQ(1u, (*shared)->lease().slots.size());
      EXPECT_FALSE((*shared)->alone());
    }
    EXPECT_TRUE(first->alone());
    channels.close(std::move(first), true);
    channels.close(std::move(third), true);
    EXPECT_TRUE(fourth->alone());
    auto fifth = channels.open(5, false);
    EXPECT_FALSE(fifth->lease().shared) << "what the first gave back";
    EXPECT_TRUE(system.comm().barrier().ok());
    for (auto* last : {&second, &fourth, &fifth}) channels.close(std::move(*last), true);
    EXPECT_EQ(0, channels.open_files());
  });
}

TEST_P(ChannelsTest, FilesOfAGivenNumberHaveEvenShares) {
  ThreadJob job(with(1));
  job.run([&](ThreadSystem& system) {
    session::Channels& channels = system.channels();
    auto first = channels.open(1, false), second = channels.open(2, false);
    EXPECT_EQ(5u, first->lease().slots.size()) << "all but the one that is shared";
    EXPECT_TRUE(second->lease().shared);
    EXPECT_TRUE(system.comm().barrier().ok());
    channels.close(std::move(first), true);
    channels.close(std::move(second), true);
  });
}

// Calls on files that share a slot, by turns.
TEST_P(ChannelsTest, FilesThatShareDoNotMix) {
  ThreadJob job(with(1));
  job.run([&](ThreadSystem& system) {
    const auto rows = system.rows({2000}), scattered = each(system, 2000, 1);
    std::deque<std::unique_ptr<WithSyncPoint>> files;
    for (int f = 0; f < 4; ++f) files.push_back(made(system, options(), fmt::format("/f{}", f)));
    for (int round = 0; round < 3; ++round) {
      for (size_t f = 0; f < files.size(); ++f)
        EXPECT_TRUE(
            put(*files[f], round == 1 ? *scattered : *rows, 10000.0 * static_cast<double>(f) + round).ok());
    }
    EXPECT_TRUE(files[2]->core->setting.account()->shares_slot);
    EXPECT_FALSE(files[0]->core->setting.account()->shares_slot);
    for (size_t f = 0; f < files.size(); ++f) {
      EXPECT_EQ(numbers(2000, 10000.0 * static_cast<double>(f) + 2.0), stored(*files[f]->core, 0));
      const Status closed = files[f]->sync_point.close();
      EXPECT_EQ(Code::ok, agreed(system, closed)) << closed.text();
    }
  });
}

// One rank takes no part in a put on one file: it and those to which something was put since their last sync
// say so; the others have lost nothing, and what comes later goes well.
TEST_P(ChannelsTest, ARankThatTakesNoPartCostsOnlyWhatWasPutSinceTheLastSync) {
  if (!several()) GTEST_SKIP() << "one rank has nobody to wait for";
  ThreadJob job(with(1));
  job.run([&](ThreadSystem& system) {
    const auto rows = system.rows({2000});
    std::deque<std::unique_ptr<WithSyncPoint>> files;
    for (int f = 0; f < 4; ++f) files.push_back(made(system, options(), fmt::format("/f{}", f)));
    WithSyncPoint &own = *files[0], &wrong = *files[1], &unsynced = *files[2], &synced = *files[3];
    for (auto& file : files) EXPECT_TRUE(put(*file, *rows, 1.0).ok());
    EXPECT_EQ(Code::ok, agreed(system, synced.sync()));
    (void)put(wrong, *rows, 2.0, culprit(system) ? 50 : 0);
    EXPECT_TRUE(put(own, *rows, 2.0).ok());
    EXPECT_EQ(Code::ok, agreed(system, synced.sync()));
    Status status = wrong.sync();
    EXPECT_EQ(Code::handle, agreed(system, status)) << status.text();
    status = unsynced.sync();
    EXPECT_EQ(Code::aborted, agreed(system, status)) << status.text();
    EXPECT_TRUE(mentions(status, {"shares staging"}));
    EXPECT_TRUE(put(synced, *rows, 3.0).ok());
    EXPECT_EQ(numbers(2000, 3.0), stored(*synced.core, 0));
    EXPECT_EQ(numbers(2000, 2.0), stored(*own.core, 0));
    for (WithSyncPoint* file : {&own, &synced}) EXPECT_EQ(Code::ok, agreed(system, file->sync_point.close()));
    for (WithSyncPoint* file : {&wrong, &unsynced})
      EXPECT_NE(Code::ok, agreed(system, file->sync_point.close()));
    const auto again = made(system, options(), "/again");
    EXPECT_TRUE(put(*again, *rows, 4.0).ok());
    EXPECT_EQ(Code::ok, agreed(system, again->sync_point.close()));
  });
}

// One rank puts a longer variable than the others. Where the I/O rank waits for nobody, since the others are
// in the close already, it does not see that: what the one has marked in the slots goes with the file, and
// does not reach the next file that has them. Ranks mark what they put where the gaps are too many to be
// known.
TEST_P(ChannelsTest, MarksOfAPutThatTheOthersDidNotMakeReachNoOtherFile) {
  if (!several()) GTEST_SKIP() << "one rank makes the same calls as itself";
  if (!k_puts_may_differ) GTEST_SKIP() << "the thread sanitizer is there";
  JobShape shape = GetParam().shape;
  shape.io_ranks = 1;
  shape.unit_bytes = 1 << 18;
  constexpr int64_t short_extent = 140000, long_extent = 300000, next_extent = 400000;
  const auto put_bytes = [](WithSyncPoint& file, const session::Decomposition& part, int variable) {
    const std::vector<int8_t> mine(static_cast<size_t>(part.part().local_elements), 7);
    return file.data.put(std::vector<Move>{{.variable = variable, .from = mine.data(), .memory = k_byte}},
                         &part);
  };
  ThreadJob job(shape);
  job.run([&](ThreadSystem& system) {
    const auto odd = created<WithSyncPoint>(system, options(), "/odd");
    EXPECT_TRUE(odd->definitions.define_variable("short", k_byte, {short_extent}).ok());
    EXPECT_TRUE(odd->definitions.define_variable("long", k_byte, {long_extent}).ok());
    EXPECT_TRUE(odd->define_mode.ready_for_data().ok());
    const auto some = each(system, short_extent, 2), many = each(system, long_extent, 2);
    (void)put_bytes(*odd, culprit(system) ? *many : *some, culprit(system) ? 1 : 0);
    if (system.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const Status status = odd->sync_point.close();
    EXPECT_EQ(Code::mismatch, agreed(system, status)) << status.text();

    const auto next = created<WithSyncPoint>(system, options(), "/next");
    EXPECT_TRUE(next->definitions.define_variable("v", k_byte, {next_extent}).ok());
    EXPECT_TRUE(next->define_mode.ready_for_data().ok());
    EXPECT_TRUE(put_bytes(*next, *each(system, next_extent, 3), 0).ok());
    std::vector<double> expected(next_extent, 0.0);
    for (size_t i = 0; i < expected.size(); i += 3) expected[i] = 7;
    EXPECT_TRUE(expected == stored(*next->core, 0));
    EXPECT_EQ(Code::ok, agreed(system, next->sync_point.close()));
  });
}

TEST_P(ChannelsTest, FilesInAnotherOrderAreNamed) {
  if (!several()) GTEST_SKIP() << "one rank has no other order";
  ThreadJob job(with(1));
  job.run([&](ThreadSystem& system) {
    const auto rows = system.rows({2000});
    std::deque<std::unique_ptr<WithSyncPoint>> files;
    for (int f = 0; f < 3; ++f) files.push_back(made(system, options(), fmt::format("/f{}", f)));
    (void)put(*files[culprit(system) ? 2 : 1], *rows, 1.0);
    (void)put(*files[culprit(system) ? 1 : 2], *rows, 1.0);
    const Status status = files[1]->sync();
    EXPECT_NE(Code::ok, agreed(system, status)) << status.text();
    for (auto& file : files) (void)agreed(system, file->sync_point.close());
    const auto again = made(system, options(), "/again");
    EXPECT_TRUE(put(*again, *rows, 4.0).ok());
    EXPECT_EQ(numbers(2000, 4.0), stored(*again->core, 0));
    EXPECT_EQ(Code::ok, agreed(system, again->sync_point.close()));
  });
}

INSTANTIATE_TEST_SUITE_P(Files, ChannelsTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);
// Each rank alone on its node: it leaves out a call without having to wait for anybody.
// The I/O rank has left its put when the other rank of its node makes its own; those of the other node have
// no elements. The worker calls no MPI, but no message is needed.
TEST(WorkerBetweenNodes, TakesWhatItsNodeHasFilledWithoutACallOfTheIoRank) {
  constexpr int64_t k_of_each = 384;  // a unit and a half in all, so that no put waits for a slot
  JobShape shape{4, 2, 1};
  ASSERT_TRUE(shape.options.set("asynchronous", "true").ok());
  Latch io_rank_has_put, written;
  ThreadJob(shape).run([&](ThreadSystem& system) {
    const bool has_some = system.rank() < 2, is_io_rank = system.rank() == 0;
    std::vector<int64_t> mine(has_some ? k_of_each : 0);
    std::iota(mine.begin(), mine.end(), system.rank() * k_of_each);
    const auto part = session::Decomposition::create(
        system, decomp::map(std::vector<int64_t>{2 * k_of_each}, std::move(mine)));
    auto file = created<WithSyncPoint>(system, options("hdf5"), k_path);
    EXPECT_TRUE(file->definitions.define_variable("v", k_double, {2 * k_of_each}).ok());
    EXPECT_TRUE(file->define_mode.ready_for_data().ok());
    const auto values = values_for(**part, 1.0);
    if (has_some && !is_io_rank) io_rank_has_put.wait();
    EXPECT_TRUE(
        file->data
            .put(std::vector<Move>{{.variable = 0, .from = values.data(), .memory = k_double}}, part->get())
            .ok());
    if (is_io_rank) io_rank_has_put.release();
    if (has_some && !is_io_rank) {
      const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      const auto are_written = [&] { return file->sync_point.written(); };
      while (!are_written() && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
      EXPECT_TRUE(are_written());
      written.release();
    }
    written.wait();
    EXPECT_TRUE(file->sync_point.close().ok());
  });
}

INSTANTIATE_TEST_SUITE_P(Alone, ChannelsTest,
                         testing::Values(Case{"hdf5", {2, 2, 2}}, Case{"cdf5", {3, 3, 2}}), name_of);

}  // namespace
}  // namespace scorpio::test
