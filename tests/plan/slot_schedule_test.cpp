// The slot schedule under random programs, against what its users rely on.
#include "plan/slot_schedule.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

namespace scorpio::plan {
namespace {

constexpr uint64_t k_unit_bytes = 1000;
const Unit k_first{0, 0, {0, k_unit_bytes}};

// Follows a schedule and checks each activation as it comes.
class Watched {
 public:
  explicit Watched(const SlotLimits& limits) : limits_(limits), schedule_(limits) {}

  void charge(uint64_t file, const Unit& unit, const std::vector<ByteRange>& ranges, bool exact,
              const std::vector<int>& nodes) {
    const Place place{file, unit.number};
    const uint64_t closes_before = schedule_.closes();
    const bool overlapped = overlaps_open(place, ranges);
    Activation& activation = schedule_.charge(file, unit, ranges, exact, nodes, closing());
    RC_ASSERT(activation.file == file);
    RC_ASSERT(activation.unit.number == unit.number);
    RC_ASSERT(!activation.read);
    if (!exact) RC_ASSERT(activation.slot >= limits_.slots - limits_.scattered);
    if (overlapped) RC_ASSERT(schedule_.closes() > closes_before);
    if (overlapped) RC_ASSERT(!open_.contains(place));
    const auto key = std::pair(unit.owner, activation.slot);
    const auto open = open_.find(place);
    if (open == open_.end()) {
      handed_out(activation);
      check_reserve(unit.owner);
      RC_ASSERT(busy_.insert(key).second);
    } else {
      RC_ASSERT(open->second.slot == activation.slot);
    }
    std::set<int> contributors(nodes.begin(), nodes.end());
    if (open != open_.end()) contributors.insert(open->second.nodes.begin(), open->second.nodes.end());
    RC_ASSERT(activation.nodes == std::vector<int>(contributors.begin(), contributors.end()));
    check_out_slot(open == open_.end() ? nullptr : &open->second, activation);
    auto& bytes = charged_[place];
    for (const ByteRange& range : ranges) {
      for (uint64_t b = range.begin; b < range.end; ++b) RC_ASSERT(bytes.insert(b).second);
    }
    RC_ASSERT(activation.charged_bytes == bytes.size());
    open_[place] = activation;
    const bool full = bytes.size() == k_unit_bytes;
    schedule_.close_if_full(activation, closing());
    RC_ASSERT(open_.contains(place) == !full);
    check_open_bound();
  }

  void read(uint64_t file, const Unit& unit, const std::vector<int>& nodes) {
    schedule_.close_all(closing());
    RC_ASSERT(open_.empty());
    RC_ASSERT(!schedule_.any_open());
    const Activation activation = schedule_.read(file, unit, nodes);
    RC_ASSERT(activation.file == file);
    RC_ASSERT(activation.read);
    RC_ASSERT(activation.nodes == nodes);
    handed_out(activation);
    check_out_slot(nullptr, activation);
    closed(activation);
  }

  void close_all() { schedule_.close_all(closing()); }
  const SlotSchedule& schedule() const { return schedule_; }
  // What two ranks must agree on, also if they are on different nodes.
  std::vector<std::tuple<uint64_t, int, int, uint64_t, uint64_t, uint64_t>> history;

 private:
  using Place = std::pair<uint64_t, uint64_t>;  // file, unit

  SlotSchedule::OnClose closing() {
    return [this](const Activation& activation) {
      const Place place{activation.file, activation.unit.number};
      RC_ASSERT(open_.erase(place) == 1u);
      RC_ASSERT(busy_.erase({activation.unit.owner, activation.slot}) == 1u);
      RC_ASSERT(activation.charged_bytes == charged_[place].size());
      charged_.erase(place);
      closed(activation);
    };
  }

  bool overlaps_open(const Place& place, const std::vector<ByteRange>& ranges) const {
    const auto at = charged_.find(place);
    if (at == charged_.end()) return false;
    return std::any_of(ranges.begin(), ranges.end(), [&](const ByteRange& range) {
      const auto next = at->second.lower_bound(range.begin);
      return next != at->second.end() && *next < range.end;
    });
  }

  // A slot waits for exactly its last close.
  void handed_out(const Activation& activation) {
    RC_ASSERT(activation.slot >= 0 && activation.slot < limits_.slots);
    const auto last = last_close_.find({activation.unit.owner, activation.slot});
    RC_ASSERT(activation.use == (last == last_close_.end() ? 0 : last->second.first + 1));
    RC_ASSERT(activation.free_after == (last == last_close_.end() ? k_never : last->second.second));
    if (last != last_close_.end()) RC_ASSERT(schedule_.reused() > last->second.second);
  }

  // An activation was opened, and the channel may have no other slots than these: one of them is not in use,
  // or its use ends before the owner and the leaders return.
  void check_reserve(int owner) const {
    if (limits_.reserved == 0) return;
    const auto of_owner = [owner](const auto& opened) { return opened.second.unit.owner == owner; };
    const auto not_due = [this](const auto& closed) { return closed.close >= schedule_.reused(); };
    const auto in_use = std::ranges::count_if(open_, of_owner) +
                        std::ranges::count_if(schedule_.closed_slots(owner), not_due);
    RC_ASSERT(in_use < limits_.reserved);
  }

  bool leaves(const Activation& activation, int node) const {
    return limits_.out_slots > 0 &&
           limits_.node_of_owner[static_cast<size_t>(activation.unit.owner)] != node &&
           std::ranges::binary_search(activation.nodes, node);
  }

  // Only a node that sends to the I/O rank takes a slot, and keeps it until the close.
  void check_out_slot(const Activation* before, const Activation& activation) {
    if (!leaves(activation, limits_.my_node)) return RC_ASSERT(activation.out_slot == -1);
    if (before != nullptr && leaves(*before, limits_.my_node))
      return RC_ASSERT(before->out_slot == activation.out_slot);
    RC_ASSERT(activation.out_slot >= 0 && activation.out_slot < limits_.out_slots);
    if (!activation.read) RC_ASSERT(busy_out_.insert(activation.out_slot).second);
    const auto out = last_out_close_.find(activation.out_slot);
    RC_ASSERT(activation.out_free_after == (out == last_out_close_.end() ? k_never : out->second));
    if (out != last_out_close_.end()) RC_ASSERT(schedule_.reused() > out->second);
  }

  void closed(const Activation& activation) {
    const int owner = activation.unit.owner;
    RC_ASSERT(activation.close == closes_++);
    const SlotSchedule::ClosedSlot& last = schedule_.closed_slots(owner).back();
    RC_ASSERT(last.slot == activation.slot);
    RC_ASSERT(last.use == activation.use);
    RC_ASSERT(last.close == activation.close);
    last_close_[{owner, activation.slot}] = {activation.use, activation.close};
    if (leaves(activation, limits_.my_node)) {
      RC_ASSERT(activation.read || busy_out_.erase(activation.out_slot) == 1u);
      last_out_close_[activation.out_slot] = activation.close;
    }
    history.emplace_back(activation.unit.number, owner, activation.slot, activation.free_after,
                         activation.close, schedule_.reused());
  }

  void check_open_bound() const {
    std::map<int, int> open_of;
    for (const auto& [place, activation] : open_) ++open_of[activation.unit.owner];
    for (const auto& [owner, n] : open_of) RC_ASSERT(n <= std::max(1, limits_.slots / 2));
    for (int node = 0; node < limits_.nodes && limits_.out_slots > 0; ++node) {
      const auto on_node =
          std::ranges::count_if(open_, [&](const auto& opened) { return leaves(opened.second, node); });
      RC_ASSERT(on_node <= std::max(1, limits_.out_slots / 2));
    }
  }

  SlotLimits limits_;
  SlotSchedule schedule_;
  std::map<Place, Activation> open_;
  std::map<Place, std::set<uint64_t>> charged_;  // bytes
  std::set<std::pair<int, int>> busy_;           // owner, slot
  std::set<int> busy_out_;
  std::map<std::pair<int, int>, std::pair<uint64_t, uint64_t>> last_close_;  // use, close
  std::map<int, uint64_t> last_out_close_;
  uint64_t closes_ = 0;
};

std::vector<ByteRange> random_ranges(const Unit& unit, std::mt19937& random) {
  std::vector<ByteRange> ranges;
  const auto [begin, end] = unit.bytes;
  if (random() % 4 == 0) return {{begin, end}};
  for (uint64_t at = begin + random() % 400; at < end; at += 1 + random() % 400) {
    const uint64_t last = std::min<uint64_t>(end, at + 1 + random() % 300);
    ranges.push_back({at, last});
    at = last;
  }
  return ranges.empty() ? std::vector<ByteRange>{{begin, begin + 1}} : ranges;
}

std::vector<int> random_nodes(int nodes, std::mt19937& random) {
  std::vector<int> some;
  for (int node = 0; node < nodes; ++node) {
    if (random() % 3 == 0) some.push_back(node);
  }
  return some;
}

void run(Watched& watched, const SlotLimits& limits, unsigned seed) {
  std::mt19937 random(seed);
  const DomainRule rule{k_unit_bytes, k_unit_bytes, limits.io_ranks, false};
  for (int step = 0; step < 60; ++step) {
    const uint64_t number = random() % 12;
    const Unit unit = rule.unit_at(number * k_unit_bytes);
    const uint64_t file = random() % 4 == 0 ? 1 : 0;
    const unsigned what = random() % 20;
    if (what == 0) {
      watched.close_all();
    } else if (what == 1) {
      watched.read(file, unit, random_nodes(limits.nodes, random));
    } else {
      const std::vector<ByteRange> ranges = random_ranges(unit, random);
      const bool exact = random() % 3 != 0;
      watched.charge(file, unit, ranges, exact, random_nodes(limits.nodes, random));
    }
  }
  watched.close_all();
}

RC_GTEST_PROP(SlotSchedule, KeepsItsPromisesUnderRandomPrograms, ()) {
  SlotLimits limits;
  limits.io_ranks = *rc::gen::inRange(1, 5);
  limits.slots = *rc::gen::inRange(1, 7);
  limits.scattered = *rc::gen::inRange(1, limits.slots + 1);
  limits.out_slots = *rc::gen::inRange(0, 6);
  limits.nodes = *rc::gen::inRange(1, 5);
  if (limits.slots >= 2 && *rc::gen::arbitrary<bool>()) {
    limits.reserved = *rc::gen::inRange(2, limits.slots + 1);
    limits.most_open = limits.reserved / 2;
  }
  for (int owner = 0; owner < limits.io_ranks; ++owner)
    limits.node_of_owner.push_back(*rc::gen::inRange(0, limits.nodes));
  SlotLimits elsewhere = limits;
  elsewhere.my_node = limits.nodes - 1;
  const auto seed = *rc::gen::arbitrary<unsigned>();
  Watched first(limits), second(elsewhere);
  run(first, limits, seed);
  run(second, elsewhere, seed);
  RC_ASSERT(first.history == second.history);
  RC_ASSERT(!first.schedule().any_open());
}

TEST(SlotSchedule, CertainAndChargedAreApart) {
  SlotSchedule schedule({.io_ranks = 1, .slots = 4, .scattered = 4, .out_slots = 0});
  std::vector<Activation> closed;
  const auto on_close = [&](const Activation& activation) { closed.push_back(activation); };
  schedule.charge(0, k_first, {{0, 10}, {20, 30}}, true, {}, on_close);
  schedule.charge(0, k_first, {{10, 20}}, true, {}, on_close);
  Activation& activation = schedule.charge(0, k_first, {{40, 50}}, false, {}, on_close);
  EXPECT_EQ((std::vector<ByteRange>{{0, 30}}), activation.certain);
  EXPECT_EQ((std::vector<ByteRange>{{0, 30}, {40, 50}}), activation.charged);
  EXPECT_FALSE(activation.exact);
  EXPECT_TRUE(closed.empty());
  schedule.charge(0, k_first, {{29, 31}}, true, {}, on_close);
  ASSERT_EQ(1u, closed.size()) << "the same bytes again";
  EXPECT_EQ((std::vector<ByteRange>{{0, 30}, {40, 50}}), closed[0].charged);
}

TEST(SlotSchedule, FilesDoNotShareASlotNorCloseEachOthers) {
  SlotSchedule schedule({.io_ranks = 1, .slots = 4, .scattered = 4, .out_slots = 0});
  std::vector<Activation> closed;
  const auto on_close = [&](const Activation& activation) { closed.push_back(activation); };
  const int slot_of_first = schedule.charge(1, k_first, {{0, 10}}, true, {}, on_close).slot;
  const Activation& second = schedule.charge(2, k_first, {{0, 10}}, true, {}, on_close);
  EXPECT_EQ(2u, second.file);
  EXPECT_NE(slot_of_first, second.slot);
  EXPECT_EQ(slot_of_first, schedule.charge(1, k_first, {{10, 20}}, true, {}, on_close).slot);
  EXPECT_TRUE(closed.empty());
  schedule.charge(3, k_first, {{0, 10}}, true, {}, on_close);
  ASSERT_EQ(1u, closed.size()) << "half of the slots may be open";
  EXPECT_EQ(1u, closed[0].file);
}

// Four nodes hold a quarter of the units each, and the units of the quarters take turns: none of them waits
// for another one, as it would if each unit took a slot of every node.
TEST(SlotSchedule, EachNodeHasAllItsSlotsForItsOwnUnits) {
  constexpr int k_nodes = 4, k_slots = 3;
  SlotLimits limits{.io_ranks = k_nodes, .slots = 12, .scattered = 12, .out_slots = k_slots};
  limits.node_of_owner = {0, 1, 2, 3};
  limits.nodes = k_nodes;
  SlotSchedule schedule(limits);
  for (uint64_t number = 0; number < k_nodes * k_slots; ++number) {
    const int node = static_cast<int>(number % k_nodes), owner = (node + 1) % k_nodes;
    const Unit unit{number, owner, {number * k_unit_bytes, (number + 1) * k_unit_bytes}};
    const Activation activation = schedule.read(0, unit, {node});
    EXPECT_EQ(node == 0 ? static_cast<int>(number / k_nodes) : -1, activation.out_slot) << number;
  }
  EXPECT_EQ(0u, schedule.reused());
  const Unit next{100, 1, {100 * k_unit_bytes, 101 * k_unit_bytes}};
  EXPECT_EQ(0u, schedule.read(0, next, {0}).out_free_after);
  EXPECT_EQ(1u, schedule.reused());
}

// Every fourth, third and second byte that is left, and the rest: lists of many ranges between those of
// earlier ones.
// A channel that can count on four of its slots: what others must send or receive before they return depends
// on these alone.
TEST(SlotSchedule, WhatIsDueDependsOnTheReservedSlots) {
  SlotLimits limits{.slots = 12, .scattered = 12, .most_open = 2, .reserved = 4};
  SlotSchedule schedule(limits);
  for (uint64_t number = 0; number < 12; ++number) {
    const Unit unit{number, 0, {number * k_unit_bytes, (number + 1) * k_unit_bytes}};
    Activation& opened = schedule.charge(1, unit, {unit.bytes}, true, {}, [](const Activation&) {});
    EXPECT_EQ(k_never, opened.free_after);
    schedule.close_if_full(opened, [](const Activation&) {});
    EXPECT_EQ(number < 4 ? 0 : number - 3, schedule.reused());
  }
}

TEST(SlotSchedule, ChargesListsOfManyRanges) {
  SlotSchedule schedule({.io_ranks = 1, .slots = 2});
  constexpr uint64_t k_unit = 240;
  const Unit unit{0, 0, {0, k_unit}};
  std::vector<bool> charged(k_unit, false);
  for (const uint64_t step : {4, 3, 2, 1}) {
    std::vector<ByteRange> ranges;
    for (uint64_t byte = 0; byte < k_unit; byte += step) {
      if (charged[byte]) continue;
      ranges.push_back({byte, byte + 1});
      charged[byte] = true;
    }
    const Activation& activation =
        schedule.charge(0, unit, ranges, true, {}, [](const Activation&) { FAIL(); });
    std::vector<bool> listed(k_unit, false);
    uint64_t end = 0;
    for (const ByteRange& range : activation.charged) {
      EXPECT_TRUE(range.begin > end || (range.begin == 0 && end == 0)) << "touching ranges are one";
      end = range.end;
      for (uint64_t byte = range.begin; byte < range.end; ++byte) listed[byte] = true;
    }
    EXPECT_EQ(charged, listed) << step;
    EXPECT_EQ(activation.charged, activation.certain) << step;
  }
}

// ---- parts of several units in one slot ----

struct Packing : testing::Test {
  static constexpr uint64_t k_slot = 640;
  static Unit unit(uint64_t number) {
    return {number, 0, {number * k_unit_bytes, (number + 1) * k_unit_bytes}};
  }
  Activation& pack(uint64_t number, const std::vector<ByteRange>& ranges) {
    return schedule.pack(1, unit(number), ranges, on_close);
  }
  static std::vector<std::tuple<uint64_t, uint64_t, uint64_t>> list(const std::vector<Region>& regions) {
    std::vector<std::tuple<uint64_t, uint64_t, uint64_t>> listed;
    for (const Region& region : regions) listed.emplace_back(region.bytes.begin, region.bytes.end, region.at);
    return listed;
  }

  SlotSchedule schedule{{.io_ranks = 1, .slots = 8, .scattered = 8, .packed_bytes = k_slot}};
  std::vector<Activation> closed;
  SlotSchedule::OnClose on_close = [this](const Activation& activation) { closed.push_back(activation); };
};

TEST_F(Packing, PartsOfUnitsFollowEachOtherInASlot) {
  EXPECT_FALSE(schedule.any_packed_open(1));
  EXPECT_EQ(k_slot - 3, schedule.room_for(1, 0, 1003));
  const int slot = pack(1, {{1003, 1010}, {1012, 1020}}).slot;
  EXPECT_EQ(slot, pack(5, {{5000, 5100}}).slot);
  const Activation& last = pack(5, {{5100, 5101}});
  EXPECT_TRUE(last.is_packed());
  EXPECT_EQ(list({{{1003, 1020}, 3}, {{5000, 5101}, 24}}), list(last.regions))
      << "aligned in the image as in the file";
  EXPECT_EQ((std::vector<ByteRange>{{1003, 1010}, {1012, 1020}, {5000, 5101}}), last.certain);
  EXPECT_EQ(1u, last.unit.number);
  EXPECT_TRUE(schedule.any_packed_open(1));
  EXPECT_FALSE(schedule.any_packed_open(2));
  EXPECT_FALSE(schedule.is_open(1, unit(1)));
  EXPECT_EQ(k_slot - 128, schedule.room_for(1, 0, 6000));
  EXPECT_TRUE(closed.empty());
}

TEST_F(Packing, ASlotIsClosedWhenItHasHardlyAnyRoom) {
  schedule.close_if_full(pack(1, {{1000, 1600}}), on_close);
  EXPECT_TRUE(closed.empty());
  schedule.close_if_full(pack(1, {{1600, 1625}}), on_close);
  ASSERT_EQ(1u, closed.size());
  EXPECT_EQ(list({{{1000, 1625}, 0}}), list(closed[0].regions));
  EXPECT_FALSE(schedule.any_packed_open(1));
}

// Later data of the same bytes are written after the earlier ones, in whichever slots they are.
TEST_F(Packing, TheSameBytesAgainCloseTheSlot) {
  pack(1, {{1000, 1010}, {1020, 1030}});
  schedule.charge(1, unit(1), {{1030, 1040}}, true, {}, on_close);
  EXPECT_TRUE(closed.empty());
  EXPECT_TRUE(schedule.is_open(1, unit(1)));
  schedule.charge(2, unit(1), {{1000, 1040}}, true, {}, on_close);
  EXPECT_TRUE(closed.empty()) << "bytes of another file";
  schedule.charge(1, unit(1), {{1005, 1006}}, false, {}, on_close);
  ASSERT_EQ(1u, closed.size());
  EXPECT_TRUE(closed[0].is_packed());
  pack(2, {{2000, 2010}, {2020, 2030}});
  pack(2, {{2012, 2014}});
  ASSERT_EQ(2u, closed.size()) << "the bytes between the ranges are in the image";
  EXPECT_EQ(list({{{2000, 2030}, 0}}), list(closed[1].regions));
}

TEST_F(Packing, PackedSlotsCountAmongThoseThatAreOpen) {
  pack(1, {{1000, 1010}});
  for (uint64_t number = 2; number < 5; ++number)
    schedule.charge(1, unit(number), {{number * k_unit_bytes, number * k_unit_bytes + 1}}, true, {},
                    on_close);
  EXPECT_TRUE(closed.empty());
  schedule.charge(1, unit(5), {{5000, 5001}}, true, {}, on_close);
  ASSERT_EQ(1u, closed.size()) << "half of the slots may be open";
  EXPECT_TRUE(closed[0].is_packed());
  pack(1, {{1000, 1010}});
  ASSERT_EQ(2u, closed.size());
  schedule.close_all(on_close);
  EXPECT_EQ(6u, closed.size());
}

TEST(MergeDisjoint, JoinsNeighboursAndRefusesOverlaps) {
  std::vector<ByteRange> ranges{{10, 20}, {30, 40}};
  EXPECT_FALSE(merge_disjoint(ranges, {19, 25}));
  EXPECT_FALSE(merge_disjoint(ranges, {5, 11}));
  EXPECT_FALSE(merge_disjoint(ranges, {0, 100}));
  EXPECT_EQ((std::vector<ByteRange>{{10, 20}, {30, 40}}), ranges);
  EXPECT_TRUE(merge_disjoint(ranges, {20, 30}));
  EXPECT_EQ((std::vector<ByteRange>{{10, 40}}), ranges);
  EXPECT_TRUE(merge_disjoint(ranges, {0, 5}));
  EXPECT_TRUE(merge_disjoint(ranges, {5, 6}));
  EXPECT_TRUE(merge_disjoint(ranges, {50, 60}));
  EXPECT_EQ((std::vector<ByteRange>{{0, 6}, {10, 40}, {50, 60}}), ranges);
}

}  // namespace
}  // namespace scorpio::plan
