// Channels of an I/O system's files: how the staging memory is dealt, and what files that share a slot do to
// each other.
#include "session/channels.h"

#include <deque>

#include "session/parts.h"

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

  static std::unique_ptr<Settling> made(ThreadSystem& system, const OptionSet& given,
                                        const std::string& path) {
    auto file = created<Settling>(system, given, path);
    EXPECT_TRUE(file->definitions.define_variable("v", k_double, {2000}).ok());
    EXPECT_TRUE(file->define_mode.ready_for_data().ok());
    return file;
  }
  static Status put(Settling& file, const session::Decomposition& part, double base, int variable = 0) {
    const auto mine = values_for(part, base);
    return file.data.put(std::vector<Move>{{.variable = variable, .from = mine.data()}}, &part, k_double);
  }
};

TEST_P(ChannelsTest, FilesTakeHalfOfWhatIsLeftAndThenShare) {
  job_.run([&](ThreadSystem& system) {
    session::Channels& channels = system.channels();
    auto first = channels.open(1), second = channels.open(2), third = channels.open(3),
         fourth = channels.open(4);
    EXPECT_EQ(4, channels.open_files());
    EXPECT_EQ(2u, first->lease().slots.size());
    EXPECT_EQ(2u, second->lease().slots.size());
    EXPECT_NE(first->lease().slots, second->lease().slots);
    for (const auto* shared : {&third, &fourth}) {
      EXPECT_TRUE((*shared)->lease().shared);
      EXPECT_EQ(1u, (*shared)->lease().slots.size());
      EXPECT_FALSE((*shared)->alone());
    }
    EXPECT_TRUE(first->alone());
    channels.close(std::move(first));
    channels.close(std::move(third));
    EXPECT_TRUE(fourth->alone());
    auto fifth = channels.open(5);
    EXPECT_FALSE(fifth->lease().shared) << "what the first gave back";
    EXPECT_TRUE(system.comm().barrier().ok());
    for (auto* last : {&second, &fourth, &fifth}) channels.close(std::move(*last));
    EXPECT_EQ(0, channels.open_files());
  });
}

TEST_P(ChannelsTest, FilesOfAGivenNumberHaveEvenShares) {
  ThreadJob job(with(1));
  job.run([&](ThreadSystem& system) {
    session::Channels& channels = system.channels();
    auto first = channels.open(1), second = channels.open(2);
    EXPECT_EQ(5u, first->lease().slots.size()) << "all but the one that is shared";
    EXPECT_TRUE(second->lease().shared);
    EXPECT_TRUE(system.comm().barrier().ok());
    channels.close(std::move(first));
    channels.close(std::move(second));
  });
}

// Calls on files that share a slot, by turns.
TEST_P(ChannelsTest, FilesThatShareDoNotMix) {
  ThreadJob job(with(1));
  job.run([&](ThreadSystem& system) {
    const auto rows = system.rows({2000}), scattered = each(system, 2000, 1);
    std::deque<std::unique_ptr<Settling>> files;
    for (int f = 0; f < 4; ++f) files.push_back(made(system, options(), fmt::format("/f{}", f)));
    for (int round = 0; round < 3; ++round) {
      for (size_t f = 0; f < files.size(); ++f)
        EXPECT_TRUE(
            put(*files[f], round == 1 ? *scattered : *rows, 10000.0 * static_cast<double>(f) + round).ok());
    }
    EXPECT_TRUE(files[2]->core->account()->shares_slot);
    EXPECT_FALSE(files[0]->core->account()->shares_slot);
    for (size_t f = 0; f < files.size(); ++f) {
      EXPECT_EQ(numbers(2000, 10000.0 * static_cast<double>(f) + 2.0), stored(*files[f]->core, 0));
      const Status closed = files[f]->sync_point.close();
      EXPECT_EQ(Code::ok, agreed(system, closed)) << closed.text();
    }
  });
}

TEST_P(ChannelsTest, FilesInAnotherOrderAreNamed) {
  if (!several()) GTEST_SKIP() << "one rank has no other order";
  ThreadJob job(with(1));
  job.run([&](ThreadSystem& system) {
    const auto rows = system.rows({2000});
    std::deque<std::unique_ptr<Settling>> files;
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

}  // namespace
}  // namespace scorpio::test
