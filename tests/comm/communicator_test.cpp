// The collective calls the library uses, with lengths that differ between ranks.
#include "comm/communicator.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "comm/gather_at.h"
#include "support/allocations.h"

namespace scorpio::comm {
namespace {

class Communicators : public testing::Test {
 protected:
  Communicators() : comm_(Communicator::duplicate(MPI_COMM_WORLD).value()) {}
  ~Communicators() override { EXPECT_TRUE(comm_.free().ok()); }
  int64_t rank() const { return comm_.rank(); }
  int64_t size() const { return comm_.size(); }

  Communicator comm_;
};

TEST_F(Communicators, GatherOfPartsOfAnyLength) {
  const std::vector<int64_t> own(static_cast<size_t>(rank()), rank());  // none on rank 0
  std::vector<int64_t> expected;
  for (int64_t r = 0; r < size(); ++r) expected.insert(expected.end(), static_cast<size_t>(r), r);
  EXPECT_EQ(expected, comm_.all_gather_parts(own).value());
}

TEST_F(Communicators, EveryPairExchangesItsOwn) {
  std::vector<std::vector<int64_t>> parts;
  for (int64_t r = 0; r < size(); ++r) {
    parts.emplace_back(static_cast<size_t>((rank() + r) % 3), 100 * rank() + r);
  }
  const auto received = comm_.all_to_all(parts).value();
  ASSERT_EQ(static_cast<size_t>(size()), received.size());
  for (int64_t r = 0; r < size(); ++r) {
    EXPECT_EQ(std::vector<int64_t>(static_cast<size_t>((rank() + r) % 3), 100 * r + rank()),
              received[static_cast<size_t>(r)]);
  }
}

std::vector<int64_t> list_of(int64_t rank, size_t length) {
  std::vector<int64_t> list(length);
  for (size_t i = 0; i < length; ++i) list[i] = rank * 1000003 + static_cast<int64_t>(i);
  return list;
}

// One list in the first message alone, or in several more.
TEST_F(Communicators, PairsSwapListsOfAnyLength) {
  const std::vector<size_t> lengths{0, 1, 510, 511, 512, 70000, (size_t{1} << 20) + 600, 3};
  for (size_t turn = 0; turn < lengths.size(); ++turn) {
    const int64_t partner = (rank() ^ 1) < size() ? rank() ^ 1 : rank();
    const auto length_of = [&](int64_t r) {
      return lengths[(turn + static_cast<size_t>(r) * 3) % lengths.size()];
    };
    const Result<std::vector<int64_t>> theirs =
        comm_.swap(list_of(rank(), length_of(rank())), static_cast<int>(partner));
    ASSERT_TRUE(theirs.ok()) << theirs.status().text();
    EXPECT_EQ(partner == rank() ? std::vector<int64_t>() : list_of(partner, length_of(partner)), *theirs)
        << "turn " << turn;
  }
}

// Lists of one pair do not overtake each other, whatever the ranks do in between.
TEST_F(Communicators, SwapsWithChangingPartnersAreInOrder) {
  for (int turn = 0; turn < 100; ++turn) {
    const int64_t partner = rank() ^ (int64_t{1} << turn % 3);
    if (partner >= size()) continue;
    const auto theirs =
        comm_.swap(list_of(rank() + turn, static_cast<size_t>(turn) * 7), static_cast<int>(partner));
    ASSERT_TRUE(theirs.ok());
    ASSERT_EQ(list_of(partner + turn, static_cast<size_t>(turn) * 7), *theirs) << "turn " << turn;
  }
}

// At every rank, with lists of any length, also of no rank at all.
TEST_F(Communicators, ListsAreGatheredAtOneRank) {
  for (int root = 0; root < comm_.size(); ++root) {
    for (const int64_t kind : {0, 1, 2}) {
      const auto length_of = [&](int64_t r) {
        return static_cast<size_t>(kind == 0 ? 0 : kind == 1 ? r % 3 : 400 * r);
      };
      const auto gathered = gather_at(comm_, root, list_of(rank(), length_of(rank())));
      ASSERT_TRUE(gathered.ok()) << gathered.status().text();
      std::map<int, std::vector<int64_t>> expected;
      for (int r = 0; rank() == root && r < comm_.size(); ++r) {
        if (length_of(r) > 0) expected[r] = list_of(r, length_of(r));
      }
      EXPECT_EQ(expected, *gathered) << "at rank " << root;
    }
  }
}

TEST_F(Communicators, SumOfLowerRanks) {
  EXPECT_EQ(rank() * (rank() + 1) / 2, comm_.exclusive_sum(rank() + 1).value());
}

TEST_F(Communicators, MaximumAtOneRankOnly) {
  std::vector<uint64_t> values{static_cast<uint64_t>(rank())};
  const int root = comm_.size() - 1;
  EXPECT_TRUE(comm_.max_at(values, root).ok());
  EXPECT_EQ(static_cast<uint64_t>(rank()), values[0]);  // rank `root` has the largest
}

TEST_F(Communicators, MaximaHaveAll64Bits) {
  const uint64_t small = 7, large = (uint64_t{1} << 63) + 5;
  const int root = comm_.size() - 1;
  std::vector<uint64_t> values{rank() == 0 ? large : small, ~(rank() == 0 ? large : small)};
  EXPECT_TRUE(comm_.all_max(values).ok());
  EXPECT_EQ(large, values[0]);
  EXPECT_EQ(comm_.size() > 1 ? ~small : ~large, values[1]);
  values = {rank() == 0 ? large : small};
  EXPECT_TRUE(comm_.max_at(values, root).ok());
  if (rank() == root) {
    EXPECT_EQ(large, values[0]);
  }
}

TEST_F(Communicators, BroadcastSetsTheLength) {
  const int root = comm_.size() - 1;
  std::vector<std::byte> bytes(comm_.rank() == root ? 100000 : 3, std::byte{5});
  if (comm_.rank() == root) bytes.back() = std::byte{9};
  EXPECT_TRUE(comm_.broadcast(bytes, root).ok());
  ASSERT_EQ(100000u, bytes.size());
  EXPECT_EQ(std::byte{9}, bytes.back());
  bytes.clear();
  EXPECT_TRUE(comm_.broadcast(bytes, 0).ok());
  EXPECT_TRUE(bytes.empty());
}

TEST_F(Communicators, MovedFromIsNotFreedTwice) {
  Communicator other = Communicator::duplicate(comm_.raw()).value();
  Communicator taken = std::move(other);
  EXPECT_EQ(MPI_COMM_NULL, other.raw());
  EXPECT_TRUE(other.free().ok());
  EXPECT_TRUE(taken.free().ok());
  EXPECT_TRUE(taken.free().ok());
}

// Both lists are longer than the first message. One of the two ranks has no memory for that of the other.
TEST_F(Communicators, AListWithoutMemoryForItLeavesTheOtherListAndTheNextOne) {
  const int64_t partner = rank() ^ 1;
  if (partner >= size()) return;
  constexpr size_t k_values = 300000;
  const std::vector<int64_t> own(k_values, rank());
  for (const int64_t failing : {0, 1}) {
    const bool fails = rank() % 2 == failing;
    const auto theirs = [&] {
      std::optional<scorpio::test::SmallAllocations> few;
      if (fails) few.emplace(8 * k_values - 1);
      return comm_.swap(own, static_cast<int>(partner));
    }();
    EXPECT_EQ(fails ? Code::memory : Code::ok, theirs.status().code());
    if (!fails) {
      EXPECT_EQ(std::vector<int64_t>(k_values, partner), theirs.value());
    }
    EXPECT_EQ(std::vector<int64_t>(k_values, partner), comm_.swap(own, static_cast<int>(partner)).value());
  }
}

}  // namespace
}  // namespace scorpio::comm
