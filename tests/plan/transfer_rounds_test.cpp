// The rounds in which messages cross between nodes, made from a slot schedule under random programs, against
// what their users rely on.
#include "plan/transfer_rounds.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace scorpio::plan {
namespace {

constexpr uint64_t k_round_unit_bytes = 1000;

// What a rank on one node sees.
struct Planned {
  std::vector<TransferRound> rounds;
  std::vector<RoundMessage> messages;  // of all closed units, in order
};

class Planner {
 public:
  Planner(const SlotLimits& limits, TransferRounds::Limits of_rounds)
      : limits_(limits), schedule_(limits), rounds_(limits.node_of_owner, limits.nodes, of_rounds) {}

  Planned run(unsigned seed) {
    std::mt19937 random(seed);
    const DomainRule rule{k_round_unit_bytes, k_round_unit_bytes, limits_.io_ranks, false};
    for (int step = 0; step < 80; ++step) {
      const Unit unit = rule.unit_at(random() % 12 * k_round_unit_bytes);
      const unsigned what = random() % 12;
      if (what == 0) {
        schedule_.close_all(closing());
        rounds_.end_round();
      } else if (what < 4) {
        schedule_.close_all(closing());
        const Activation activation = schedule_.read(0, unit, nodes(random));
        charged(activation);
        closing()(activation);
      } else {
        const uint64_t begin = unit.bytes.begin + random() % 4 * 250;
        Activation& activation =
            schedule_.charge(0, unit, {{begin, begin + 250}}, random() % 3 != 0, nodes(random), closing());
        charged(activation);
        schedule_.close_if_full(activation, closing());
      }
    }
    schedule_.close_all(closing());
    rounds_.end_round();
    collect();
    return planned_;
  }

 private:
  SlotSchedule::OnClose closing() {
    return [this](const Activation& closed) {
      rounds_.add(closed);
      for (const int node : closed.nodes) {
        const int owner = closed.unit.owner;
        if (node != limits_.node_of_owner[static_cast<size_t>(owner)])
          planned_.messages.push_back({closed.close, node, owner});
      }
    };
  }

  // Whoever fills the slots of this activation waits for the units before: their messages must be in rounds
  // that have ended.
  void charged(const Activation& activation) {
    rounds_.reuse_before(schedule_.reused());
    collect();
    for (const uint64_t before : {activation.free_after, activation.out_free_after}) {
      if (before == k_never) continue;
      const auto unit_before = [&](const RoundMessage& message) { return message.close == before; };
      const auto due = std::ranges::count_if(planned_.messages, unit_before);
      int64_t ended = 0;
      for (const TransferRound& round : planned_.rounds)
        ended += std::ranges::count_if(round.messages, unit_before);
      RC_ASSERT(ended == due);
    }
  }

  void collect() {
    while (rounds_.any_ended()) planned_.rounds.push_back(rounds_.take());
  }

  std::vector<int> nodes(std::mt19937& random) const {
    std::vector<int> some;
    for (int node = 0; node < limits_.nodes; ++node) {
      if (random() % 2 == 0) some.push_back(node);
    }
    return some;
  }

  SlotLimits limits_;
  SlotSchedule schedule_;
  TransferRounds rounds_;
  Planned planned_;
};

RC_GTEST_PROP(TransferRounds, AreTheSameOnAllNodesAndBounded, ()) {
  SlotLimits limits;
  limits.io_ranks = *rc::gen::inRange(1, 5);
  limits.slots = *rc::gen::inRange(2, 7);
  limits.scattered = *rc::gen::inRange(1, limits.slots + 1);
  limits.out_slots = *rc::gen::inRange(1, 6);
  limits.nodes = *rc::gen::inRange(2, 6);
  for (int owner = 0; owner < limits.io_ranks; ++owner)
    limits.node_of_owner.push_back(*rc::gen::inRange(0, limits.nodes));
  const TransferRounds::Limits most{static_cast<size_t>(*rc::gen::inRange(1, 6)),
                                    static_cast<size_t>(*rc::gen::inRange(1, 6))};
  const auto seed = *rc::gen::arbitrary<unsigned>();
  SlotLimits elsewhere = limits;
  elsewhere.my_node = limits.nodes - 1;
  const Planned here = Planner(limits, most).run(seed), there = Planner(elsewhere, most).run(seed);
  RC_ASSERT(here.rounds.size() == there.rounds.size());
  std::vector<RoundMessage> all;
  for (size_t i = 0; i < here.rounds.size(); ++i) {
    const TransferRound& round = here.rounds[i];
    RC_ASSERT(round.messages == there.rounds[i].messages);
    RC_ASSERT(round.read == there.rounds[i].read);
    RC_ASSERT(!round.messages.empty());
    std::map<int, size_t> of_node, of_owner;
    for (const RoundMessage& message : round.messages) {
      RC_ASSERT(++of_node[message.node] <= most.of_node);
      RC_ASSERT(++of_owner[message.owner] <= most.of_owner);
      all.push_back(message);
    }
  }
  RC_ASSERT(all == here.messages);
}

TEST(TransferRounds, HaveMessagesOfSeveralUnits) {
  TransferRounds rounds({0, 1}, 2, {4, 4});
  for (uint64_t close = 0; close < 4; ++close) {
    Activation closed;
    closed.unit.owner = static_cast<int>(close % 2);
    closed.close = close;
    closed.nodes = {0, 1};
    rounds.add(closed);
  }
  EXPECT_FALSE(rounds.any_ended());
  rounds.reuse_before(1);
  ASSERT_TRUE(rounds.any_ended());
  EXPECT_EQ((std::vector<RoundMessage>{{0, 1, 0}, {1, 0, 1}, {2, 1, 0}, {3, 0, 1}}), rounds.take().messages);
  EXPECT_FALSE(rounds.any_ended());
}

}  // namespace
}  // namespace scorpio::plan
