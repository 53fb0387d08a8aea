// Meetings of ranks that are threads: every rank gets the maxima and the sums of all, and who comes in
// another call is found out, however the ranks' accesses to shared memory follow each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/hash.h"
#include "comm/node_meeting.h"
#include "exchange/drawn_runs.h"
#include "exchange/engine.h"
#include "exchange/interleaving.h"
#include "exchange/memory_messages.h"

namespace scorpio::test {
namespace {

using comm::NodeMeeting;

struct Call {
  uint64_t label = 0;
  size_t values = 0, sums = 0;
  uint64_t drawn = 0;  // what the values are
  // What goes wrong, if anything.
  int odd_rank = -1;  // is in another call
  bool leaders_fail = false;

  static Call draw(Drawn& drawn, int ranks) {
    Call call;
    call.label = drawn.next();
    call.values = drawn.once_in(2) ? drawn.below(4) : drawn.below(NodeMeeting::k_most_values);
    call.sums = drawn.below(call.values + 1);
    call.drawn = drawn.next();
    if (ranks > 1 && drawn.once_in(8))
      call.odd_rank = static_cast<int>(drawn.below(static_cast<uint64_t>(ranks)));
    call.leaders_fail = call.odd_rank < 0 && drawn.once_in(12);
    return call;
  }
  Call other() const {
    Call call = *this;
    if (drawn % 3 == 0) {
      ++call.values;
    } else if (drawn % 3 == 1 && values > 0) {
      call.sums = (sums + 1) % (values + 1);
    } else {
      ++call.label;
    }
    return call;
  }
  std::vector<uint64_t> values_of(int rank) const {
    std::vector<uint64_t> brought(values);
    for (size_t i = 0; i < values; ++i) brought[i] = mixed(drawn + (static_cast<uint64_t>(rank) << 32) + i);
    return brought;
  }
  std::vector<uint64_t> result(int ranks) const {
    std::vector<uint64_t> all = values_of(0);
    for (int rank = 1; rank < ranks; ++rank) {
      const std::vector<uint64_t> theirs = values_of(rank);
      for (size_t i = 0; i < values; ++i)
        all[i] = i + sums < values ? std::max(all[i], theirs[i]) : all[i] + theirs[i];
    }
    return all;
  }
  Code code(const Shape& shape) const {
    if (leaders_fail && shape.nodes() > 1) return Code::mpi;
    return odd_rank >= 0 ? Code::mismatch : Code::ok;
  }
};

class DrawnLeaders final : public MemoryLeaders {
 public:
  using MemoryLeaders::MemoryLeaders;
  Status all_max(std::span<uint64_t> values, size_t sums) override {
    const Status reduced = MemoryLeaders::all_max(values, sums);
    return fail ? failure(Code::mpi, "drawn") : reduced;
  }
  bool fail = false;
};

// What ranks share, and what they have met with.
struct Place {
  Place(const Shape& s, uint64_t seed) : shape(s), leaders(s.nodes(), Post::Sending::at_once, seed) {
    for (int rank = 0; rank < shape.ranks(); ++rank) maps.push_back(node_map(shape, rank));
    for (int node = 0; node < shape.nodes(); ++node) {
      const size_t ranks = maps.front().ranks_of(node).size();
      memory.emplace_back(NodeMeeting::bytes(static_cast<int>(ranks)) / sizeof(Line));
    }
    for (std::vector<size_t>& calls : last_calls) calls.resize(static_cast<size_t>(shape.ranks()));
  }
  size_t& came(int rank, size_t call) { return last_calls[call % 2][static_cast<size_t>(rank)]; }

  struct alignas(64) Line {
    std::byte bytes[64];
  };
  Shape shape;
  std::vector<comm::NodeMap> maps;        // [ranks]
  std::vector<std::vector<Line>> memory;  // [nodes]
  Post leaders;
  // [even or odd calls][ranks] the last such call that the rank has come to. Only the meetings order them: a
  // rank comes to the call after the next one when all have left this one.
  std::array<std::vector<size_t>, 2> last_calls;
  std::atomic<uint64_t> times_ahead{0}, times_worked{0};
};

class Attendant {
 public:
  Attendant(Place& place, int rank, uint64_t seed)
      : place_(place),
        rank_(rank),
        nodes_(place.maps[static_cast<size_t>(rank)]),
        drawn_(mixed(seed) + static_cast<uint64_t>(rank)) {
    std::unique_ptr<DrawnLeaders> leaders;
    if (nodes_.nodes() > 1) leaders = std::make_unique<DrawnLeaders>(place.leaders, nodes_.my_node);
    leaders_ = leaders.get();
    meeting_ = NodeMeeting(nodes_, std::move(leaders),
                           place.memory[static_cast<size_t>(nodes_.my_node)].front().bytes);
    meeting_.while_waiting(&work_);
  }

  void attend(const Call& call) {
    come_to("a meeting");
    dawdle();
    look_at_others();
    if (leaders_ != nullptr) leaders_->fail = call.leaders_fail;
    ++calls_;
    place_.came(rank_, calls_) = calls_;
    const Call mine = call.odd_rank == rank_ ? call.other() : call;
    std::vector<uint64_t> values = mine.values_of(rank_);
    const Status met = meeting_.all_max(values, mine.sums, mine.label);
    EXPECT_EQ(call.code(place_.shape), met.code()) << "rank " << rank_ << ": " << met.text();
    if (met.ok()) {
      EXPECT_EQ(call.result(place_.shape.ranks()), values) << "rank " << rank_;
    }
    for (const int other : nodes_.local_ranks()) EXPECT_EQ(calls_, place_.came(other, calls_));
  }

 private:
  // Long enough, now and then, for the others to fall asleep.
  void dawdle() {
    for (uint64_t n = drawn_.once_in(8) ? drawn_.below(250) : 0; n > 0; --n) step_aside();
  }
  // Ranks wait for lower ones only.
  void look_at_others() {
    if (nodes_.my_local_rank == 0 || !drawn_.once_in(3)) return;
    const auto other = static_cast<int>(drawn_.below(static_cast<uint64_t>(nodes_.my_local_rank)));
    if (drawn_.once_in(4)) {
      while (!meeting_.is_ahead(other)) step_aside();
    }
    if (!meeting_.is_ahead(other)) return;
    place_.times_ahead.fetch_add(1, std::memory_order_relaxed);
    const int rank = nodes_.local_ranks()[static_cast<size_t>(other)];
    EXPECT_EQ(calls_ + 1, place_.came(rank, calls_ + 1));
  }

  Place& place_;
  int rank_;
  const comm::NodeMap& nodes_;
  Drawn drawn_;
  size_t calls_ = 0;
  DrawnLeaders* leaders_ = nullptr;
  const std::function<void()> work_ = [this] { place_.times_worked.fetch_add(1, std::memory_order_relaxed); };
  NodeMeeting meeting_;
};

struct MeetingKind {
  const char* name;
  Pace pace;
  bool several_nodes, stores_linger;
};

struct MeetingTest : testing::TestWithParam<MeetingKind> {};

TEST_P(MeetingTest, EveryRankGetsWhatAllHaveBrought) {
  const MeetingKind& kind = GetParam();
  uint64_t sleeps = 0, times_ahead = 0, times_worked = 0;
  const bool all_seeds = run_drawn([&](uint64_t seed) {
    Drawn drawn(seed);
    const int nodes = kind.several_nodes ? static_cast<int>(drawn.between(2, 3)) : 1;
    const int ranks = static_cast<int>(drawn.between(static_cast<uint64_t>(nodes), 7));
    Place place(Shape::draw(drawn, ranks, nodes), seed);
    std::vector<Call> calls(drawn.between(1, 30));
    for (Call& call : calls) call = Call::draw(drawn, ranks);
    Interleaving interleaving({seed, kind.pace, uint64_t{2} << drawn.below(7), kind.stores_linger});
    interleaving.run(ranks, [&](int rank) {
      Attendant attendant(place, rank, seed);
      for (const Call& call : calls) attendant.attend(call);
    });
    EXPECT_TRUE(place.leaders.empty()) << "messages were sent that nobody received";
    sleeps += interleaving.sleeps();
    times_ahead += place.times_ahead;
    times_worked += place.times_worked;
    return interleaving.draws();
  });
  if (!all_seeds) return;
  EXPECT_GT(times_ahead, 0u);
  // On several nodes ranks look for messages instead.
  EXPECT_EQ(!kind.several_nodes, sleeps > 0);
  EXPECT_EQ(kind.several_nodes, times_worked > 0);
}

INSTANTIATE_TEST_SUITE_P(Drawn, MeetingTest,
                         testing::Values(MeetingKind{"OnOneNode", Pace::one_at_a_time, false, false},
                                         MeetingKind{"BetweenNodes", Pace::one_at_a_time, true, false},
                                         MeetingKind{"WithLateStores", Pace::one_at_a_time, false, true},
                                         MeetingKind{"BetweenNodesWithLateStores", Pace::one_at_a_time, true,
                                                     true},
                                         MeetingKind{"InParallel", Pace::parallel, false, false},
                                         MeetingKind{"BetweenNodesInParallel", Pace::parallel, true, false}),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace scorpio::test
