// Two ranks of a node compare the calls that they make, and find out which of them has left one out.
#include "exchange/link/call_order.h"

#include "exchange/one_node.h"

namespace scorpio::test {
namespace {

using exchange::CallOrder;
using exchange::NodeLines;

constexpr uint64_t k_put = 17, k_other_put = 18;

struct CallOrderTest : OneNode {
  CallOrderTest() : OneNode(2, {0}, 1), channel(stagings[0]->lend(1, false).channel) {}

  int channel;
  NodeLines first_lines{*stagings[0], maps[0], channel}, second_lines{*stagings[1], maps[1], channel};
  CallOrder first{first_lines}, second{second_lines};
};

TEST_F(CallOrderTest, EqualCallsAreNoDifference) {
  for (const uint64_t call : {k_put, k_other_put, k_put}) {
    first.enter(call);
    second.enter(call);
  }
  EXPECT_EQ(first.hash(), second.hash());
  EXPECT_FALSE(first.is_another_of(1));
  EXPECT_FALSE(second.is_another_of(0));
  EXPECT_FALSE(first.is_ahead(1));
  EXPECT_FALSE(first.is_behind(1));
}

TEST_F(CallOrderTest, AnotherCallIsFoundByTheRankThatHasMadeAsMany) {
  first.enter(k_put);
  EXPECT_FALSE(first.is_another_of(1)) << "the other rank has made none yet";
  second.enter(k_other_put);
  EXPECT_TRUE(first.is_another_of(1));
  EXPECT_TRUE(second.is_another_of(0));
}

// What an earlier call was remains visible in the keys of those that follow.
TEST_F(CallOrderTest, ARankThatIsAheadFindsAnEarlierDifference) {
  second.enter(k_other_put);
  first.enter(k_put);
  first.enter(k_put);
  EXPECT_TRUE(first.is_another_of(1));
  EXPECT_FALSE(second.is_another_of(0)) << "a rank with fewer calls leaves the comparison to the other one";
}

TEST_F(CallOrderTest, ARankThatFlushesWithoutACallHasMissedIt) {
  first.enter(k_put);
  EXPECT_FALSE(first.is_missed_by(1));
  second.enter_flush();
  EXPECT_TRUE(first.is_missed_by(1));
  EXPECT_FALSE(second.is_missed_by(0));
}

TEST_F(CallOrderTest, AFlushWakesWhoSleepsInACallThatItsRankHasLeftOut) {
  first.enter(k_put);
  first_lines.mine().sleeping.store(1);
  second.enter_flush();
  EXPECT_EQ(0u, first_lines.mine().sleeping.load());
}

TEST_F(CallOrderTest, ACallThatAllRanksSkipIsNoDifference) {
  bool same = false;
  first.enter_skipped();
  EXPECT_FALSE(first.all_entered(same));
  second.enter_skipped();
  ASSERT_TRUE(first.all_entered(same));
  EXPECT_TRUE(same);
  for (CallOrder* rank : {&first, &second}) {
    rank->leave_skipped();
    rank->name_skipped();
  }
  EXPECT_FALSE(first.is_another_of(1));
  EXPECT_EQ(0u, first_lines.node().skipping.load());
}

TEST_F(CallOrderTest, ACallThatOneRankSkipsIsADifference) {
  bool same = true;
  first.enter_skipped();
  second.enter(k_put);
  ASSERT_TRUE(first.all_entered(same));
  EXPECT_FALSE(same);
}

}  // namespace
}  // namespace scorpio::test
