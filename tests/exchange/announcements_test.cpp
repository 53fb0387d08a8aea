// What two I/O ranks of a node announce to each other, and how long it is unknown.
#include "exchange/link/announcements.h"

#include "exchange/one_node.h"

namespace scorpio::test {
namespace {

using exchange::Announcements;
using exchange::NodeLines;
using exchange::StoredBytes;

// Rank 1 is no I/O rank.
struct AnnouncementsTest : OneNode {
  AnnouncementsTest() : OneNode(3, {2, 0}, 1), channel(stagings[0]->lend(1, false).channel) {}

  int channel;
  NodeLines lines_0{*stagings[0], maps[0], channel}, lines_2{*stagings[2], maps[2], channel};
  Announcements of_0{fabrics[0], lines_0}, of_2{fabrics[2], lines_2};
};

TEST_F(AnnouncementsTest, DataAreCompleteWhenAllIoRanksHaveSaidSo) {
  EXPECT_EQ(std::nullopt, of_0.all_complete(1));
  of_0.tell_complete(1, true);
  EXPECT_EQ(std::nullopt, of_0.all_complete(1));
  of_2.tell_complete(2, true);
  EXPECT_EQ(std::optional(true), of_0.all_complete(1));
  EXPECT_EQ(std::nullopt, of_0.all_complete(2));
}

TEST_F(AnnouncementsTest, OneIoRankThatCannotSaySoDecidesForAll) {
  of_2.tell_complete(1, false);
  EXPECT_EQ(std::optional(false), of_0.all_complete(1));
  EXPECT_EQ(std::optional(std::vector<StoredBytes>()), of_0.all_stored(1));
  EXPECT_EQ(std::optional(std::vector<uint64_t>()), of_0.all_of_round(1));
}

TEST_F(AnnouncementsTest, StoredChunksAreInTheOrderOfTheIoRanks) {
  of_0.tell_stored(1, {true, 0, 4096});
  EXPECT_EQ(std::nullopt, of_0.all_stored(1));
  of_2.tell_stored(1, {});
  const std::vector<StoredBytes> both{{}, {true, 0, 4096}};
  EXPECT_EQ(std::optional(both), of_0.all_stored(1));
}

// Those of the round before remain known while the next one is announced.
TEST_F(AnnouncementsTest, TwoRoundsAreKnownAtATime) {
  of_0.tell_round(1, 100);
  of_2.tell_round(1, 0);
  of_0.tell_round(2, 300);
  EXPECT_EQ(std::optional(std::vector<uint64_t>{0, 100}), of_2.all_of_round(1));
  EXPECT_EQ(std::nullopt, of_2.all_of_round(2));
  of_2.tell_round(2, 7);
  EXPECT_EQ(std::optional(std::vector<uint64_t>{7, 300}), of_2.all_of_round(2));
}

TEST_F(AnnouncementsTest, AnAnnouncementWakesTheWorkersOfTheNode) {
  exchange::WorkerBell& bell = stagings[0]->worker_bell(0);  // of rank 2
  bell.sleeping.store(1);
  const uint32_t rung = bell.rung.load();
  of_0.tell_complete(1, true);
  EXPECT_EQ(rung + 1, bell.rung.load());
}

}  // namespace
}  // namespace scorpio::test
