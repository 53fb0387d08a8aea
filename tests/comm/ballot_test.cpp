// Fields that ranks agree on: alone, reduced as a reduction by maximum would, and over all ranks.
#include "comm/ballot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "comm/communicator.h"

namespace scorpio::comm::test {
namespace {

struct Sample {
  Any failed{};
  Same calls{};
  Most bytes{};
  auto fields() { return std::tie(failed, calls, bytes); }
};

using Words = std::array<uint64_t, k_words_of<Sample>>;

Words words_of(Sample ballot) {
  Words words{};
  write_words(ballot, words);
  return words;
}

// What rank 0 learns of what all ranks bring.
Sample reduced_by_hand(const std::vector<Sample>& ranks) {
  Words most{};
  for (const Sample& rank : ranks) {
    const Words words = words_of(rank);
    std::transform(most.begin(), most.end(), words.begin(), most.begin(),
                   [](uint64_t a, uint64_t b) { return std::max(a, b); });
  }
  Sample all = ranks.front();
  read_words(all, most);
  return all;
}

TEST(Ballot, HasAWordForEachFieldAndTwoForWhatMustBeTheSame) {
  EXPECT_EQ(k_words_of<Sample>, 4u);
  EXPECT_EQ(words_of({.failed = {true}, .calls = {5}, .bytes = {7}}), (Words{1, 5, ~uint64_t{5}, 7}));
}

TEST(Ballot, AnyIsTrueWhereOneRankSaysSo) {
  EXPECT_FALSE(reduced_by_hand({{}, {}, {}}).failed);
  EXPECT_TRUE(reduced_by_hand({{}, {.failed = {true}}, {}}).failed);
  EXPECT_TRUE(reduced_by_hand({{.failed = {true}}, {}}).failed);
}

TEST(Ballot, SameDiffersWhereOneRankHasAnother) {
  for (const uint64_t value : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}, uint64_t{1} << 63}) {
    const Sample same{.calls = {value}}, less{.calls = {value - 1}}, more{.calls = {value + 1}};
    EXPECT_FALSE(reduced_by_hand({same, same, same}).calls.differs) << value;
    EXPECT_TRUE(reduced_by_hand({same, less, same}).calls.differs) << value;
    EXPECT_TRUE(reduced_by_hand({same, same, more}).calls.differs) << value;
    EXPECT_EQ(reduced_by_hand({same, more}).calls.value, value);
  }
}

TEST(Ballot, MostIsTheLargest) {
  EXPECT_EQ(reduced_by_hand({{.bytes = {3}}, {.bytes = {9}}, {}}).bytes.value, 9u);
}

Communicator world() {
  auto duplicated = Communicator::duplicate(MPI_COMM_WORLD);
  EXPECT_TRUE(duplicated.ok());
  return std::move(duplicated).value();
}

Sample of_this_rank(const Communicator& comm) {
  const auto rank = static_cast<uint64_t>(comm.rank());
  return {.failed = {comm.rank() == comm.size() - 1}, .calls = {rank}, .bytes = {10 + rank}};
}

TEST(Ballot, IsReducedOverAllRanks) {
  Communicator comm = world();
  Sample all = of_this_rank(comm);
  ASSERT_TRUE(collect(comm, all).ok());
  EXPECT_TRUE(all.failed);
  EXPECT_EQ(all.calls.differs, comm.size() > 1);
  EXPECT_EQ(all.bytes.value, 10 + static_cast<uint64_t>(comm.size() - 1));
  ASSERT_TRUE(comm.free().ok());
}

TEST(Ballot, IsCollectedAtOneRankAlone) {
  Communicator comm = world();
  const Sample mine = of_this_rank(comm);
  Sample all = mine;
  ASSERT_TRUE(collect_at(comm, comm.size() - 1, all).ok());
  const bool root = comm.rank() == comm.size() - 1;
  EXPECT_EQ(all.calls.differs, root && comm.size() > 1);
  EXPECT_EQ(all.bytes.value, root ? 10 + static_cast<uint64_t>(comm.size() - 1) : mine.bytes.value);
  ASSERT_TRUE(comm.free().ok());
}

TEST(Ballot, GoesWithAStatus) {
  Communicator comm = world();
  Sample all = of_this_rank(comm);
  const Status own = comm.rank() == 0 ? failure(Code::io, "the disk of rank 0") : Status();
  const Status agreed = agree(comm, own, all);
  EXPECT_EQ(agreed.code(), Code::io);
  EXPECT_EQ(agreed.origin(), 0);
  EXPECT_EQ(all.bytes.value, 10 + static_cast<uint64_t>(comm.size() - 1));
  ASSERT_TRUE(comm.free().ok());
}

TEST(Ballot, MoreValuesGoWithIt) {
  Communicator comm = world();
  for (const size_t more : {0, 3, 200}) {
    Sample all = of_this_rank(comm);
    const RoomFor<Sample> room(more);
    std::ranges::fill(room.more(), 5 + static_cast<uint64_t>(comm.rank()));
    const Status own = comm.rank() == 0 ? failure(Code::io, "the disk of rank 0") : Status();
    EXPECT_EQ(agree(comm, own, all, room).code(), Code::io);
    EXPECT_EQ(all.bytes.value, 10 + static_cast<uint64_t>(comm.size() - 1));
    EXPECT_EQ(static_cast<std::ptrdiff_t>(more),
              std::ranges::count(room.more(), 5 + static_cast<uint64_t>(comm.size() - 1)));
  }
  ASSERT_TRUE(comm.free().ok());
}

}  // namespace
}  // namespace scorpio::comm::test
