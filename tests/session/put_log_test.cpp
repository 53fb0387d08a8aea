// Which put is the first that is not the same on all ranks, also of very many.
#include "session/state/put_log.h"

#include <gtest/gtest.h>

#include <thread>

#include "session/parts.h"
#include "session/thread_group.h"

namespace scorpio::test {
namespace {

using session::DataCall;
using session::Move;
using session::PutLog;

// Of more variables than this it is not kept which they were.
constexpr int k_most_targets = 1 << 16;

class PutLogTest : public testing::Test {
 protected:
  PutLogTest() {
    for (const char* name : {"/v", "/w"}) {
      model::Variable variable;
      variable.path = name;
      variable.type = k_double;
      variable.dims = {4};
      EXPECT_TRUE(schema_.add_variable(std::move(variable)).ok());
    }
  }
  static void put(PutLog& log, int variable, const void* fill = nullptr) {
    const std::vector<Move> moves{{.variable = variable, .fill = fill, .memory = k_double}};
    DataCall call;
    call.moves = moves;
    log.add(static_cast<uint64_t>(variable) + (fill == nullptr ? 1 : 100), &call);
  }
  // What two ranks are told.
  std::vector<Status> explained(const PutLog& first, const PutLog& second) const {
    MeetingPlace place(2);
    std::vector<Status> told(2);
    std::vector<std::thread> ranks;
    for (int rank = 0; rank < 2; ++rank) {
      ranks.emplace_back([&, rank] {
        const ThreadGroup comm(place, rank);
        told[static_cast<size_t>(rank)] = (rank == 0 ? first : second).explain(comm, schema_.variables());
      });
    }
    for (std::thread& rank : ranks) rank.join();
    EXPECT_EQ(told[0].text(), told[1].text());
    return told;
  }

  model::Schema schema_;
};

TEST_F(PutLogTest, ThatDiffersIsFound) {
  for (const int same : {0, 1, 7, 100}) {
    PutLog one, other;
    for (int i = 0; i < same; ++i) put(one, 0), put(other, 0);
    EXPECT_EQ(one.hash(), other.hash());
    put(one, 0);
    put(other, 1);
    for (int i = 0; i < 5; ++i) put(one, 0), put(other, 0);
    EXPECT_NE(one.hash(), other.hash());
    const Status told = explained(one, other).front();
    EXPECT_EQ(Code::mismatch, told.code());
    EXPECT_TRUE(
        mentions(told, {fmt::format("put {} of /v", same + 1), fmt::format("put {} of /w", same + 1)}))
        << told.text();
  }
}

TEST_F(PutLogTest, CountsFromTheLastSyncPoint) {
  PutLog one, other;
  put(one, 0), put(other, 0);
  one.start_again(), other.start_again();
  put(one, 0);
  const double fill = -1.0;
  put(other, 0, &fill);
  const Status told = explained(one, other).front();
  EXPECT_TRUE(mentions(told, {"put 1 of /v with decomposition 0", "put 1 of /v with fill bytes 00"}))
      << told.text();
  one.start_again(), other.start_again();
  put(one, 1);
  other.add(7, nullptr);
  EXPECT_TRUE(mentions(explained(one, other).front(), {"put 1 of /w", "refused put 1"}));
}

// Then it is told that they differ, with their number, and which is the first is not known.
TEST_F(PutLogTest, OfVeryManyOnlyTheNumberIsTold) {
  PutLog one, other;
  for (int i = 0; i < k_most_targets + 10; ++i) put(one, 0), put(other, 0);
  put(one, 0);
  put(other, 1), put(other, 1);
  const Status told = explained(one, other).front();
  EXPECT_EQ(Code::mismatch, told.code());
  EXPECT_TRUE(
      mentions(told, {"put 65536 or a later one, 65547 in all", "put 65536 or a later one, 65548 in all"}))
      << told.text();
}

}  // namespace
}  // namespace scorpio::test
