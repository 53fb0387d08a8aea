// Which nodes exchange messages for a unit: those that have elements in it, and no others if the elements of
// the nodes are known exactly.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "decomp/coarse_set.h"
#include "exchange/copies/batch.h"
#include "transfer/slab_flow.h"

namespace scorpio::transfer {
namespace {

using decomp::CoarseSet;
using decomp::Interval;

plan::DomainRule rule_of(uint64_t unit_bytes) {
  plan::DomainRule rule;
  rule.unit_bytes = rule.block_bytes = unit_bytes;
  rule.io_ranks = 2;
  return rule;
}

// For each unit the nodes of its cut.
std::vector<std::pair<exchange::Cut, std::vector<int>>> nodes_of_units(const exchange::Flow& flow) {
  std::vector<std::pair<exchange::Cut, std::vector<int>>> all;
  plan::UnitWalk walk(flow.rule, flow.variable, flow.touched);
  for (plan::Unit unit; walk.next(unit);) {
    const exchange::Cut cut = exchange::Cut::of(flow, unit);
    all.emplace_back(cut, cut.nodes(flow));
  }
  return all;
}

// Two nodes hold alternate rows of 4 elements of 4 bytes, and the third one has elements at both ends only.
TEST(NodesOfUnits, AreThoseThatHaveElements) {
  const std::vector<CoarseSet> each{
      {{{4, 4, 7, 8}}, true}, {{{8, 4, 7, 8}}, true}, {{{0, 4, 1, 0}, {60, 4, 1, 0}}, true}};
  const plan::NodeSets nodes(each);
  const std::vector<Interval> touched{{0, 64}};
  const SlabFlow flow({{32, 4, {32, 288}}}, {touched, true, nodes}, rule_of(16), {});
  const auto units = nodes_of_units(flow.flow());
  ASSERT_EQ(16u, units.size());
  for (size_t u = 0; u < units.size(); ++u) {
    const bool at_an_end = u == 0 || u == 15;
    EXPECT_EQ(std::vector<int>{at_an_end ? 2 : u % 2 == 1 ? 0 : 1}, units[u].second) << "unit " << u;
  }
}

// A unit with several records: the ends of two of them, and complete ones between.
TEST(NodesOfUnits, AreThoseOfAllArraysInTheUnit) {
  const std::vector<CoarseSet> each{{{{0, 1, 1, 0}}, true}, {{{3, 1, 1, 0}}, true}, {}};
  const plan::NodeSets nodes(each);
  const std::vector<Interval> touched{{0, 4}};
  std::vector<Slab> slabs;
  for (uint64_t r = 0; r < 6; ++r) slabs.push_back({r * 20, 4, {r * 20, r * 20 + 16}});
  const SlabFlow small(slabs, {touched, true, nodes}, rule_of(8), {});
  const auto units = nodes_of_units(small.flow());
  for (const auto& [cut, of_unit] : units) {
    const auto hull = cut.hull;
    std::vector<int> expected;
    for (const int node : {0, 1}) {
      const uint64_t element = node == 0 ? 0 : 3;
      const auto inside = [&](uint64_t r) {
        return r * 20 + element * 4 < hull.end && r * 20 + element * 4 + 4 > hull.begin;
      };
      bool any = false;
      for (uint64_t r = 0; r < 6; ++r) any = any || inside(r);
      if (any) expected.push_back(node);
    }
    EXPECT_EQ(expected, of_unit) << "bytes from " << cut.hull.begin;
  }
  const SlabFlow large(slabs, {touched, true, nodes}, rule_of(64), {});
  for (const auto& [cut, of_unit] : nodes_of_units(large.flow()))
    EXPECT_EQ((std::vector<int>{0, 1}), of_unit) << "bytes from " << cut.hull.begin;
}

TEST(NodesOfUnits, AreNotKnownOfASingleNode) {
  const std::vector<CoarseSet> all{{{{0, 64, 1, 0}}, true}};
  const plan::NodeSets nodes(all);
  const std::vector<Interval> touched{{0, 64}};
  const SlabFlow flow({{32, 4, {32, 288}}}, {touched, true, nodes}, rule_of(16), {});
  EXPECT_TRUE(flow.flow().node_hulls.empty());
  for (const auto& [cut, of_unit] : nodes_of_units(flow.flow())) EXPECT_TRUE(of_unit.empty());
}

RC_GTEST_PROP(NodesOfUnits, LeaveOutNoNodeWithElements, ()) {
  const int elements = *rc::gen::inRange(1, 80), nodes = *rc::gen::inRange(2, 5);
  const auto most = *rc::gen::inRange<size_t>(1, 20);
  const auto size = *rc::gen::element<size_t>(1, 2, 4, 8);
  std::vector<std::vector<decomp::Run>> held(static_cast<size_t>(nodes));
  for (int e = 0; e < elements; ++e) {
    const int holder = *rc::gen::inRange(-1, nodes);
    if (holder >= 0) held[static_cast<size_t>(holder)].push_back({e, e, 1});
  }
  std::vector<CoarseSet> sets;
  std::vector<decomp::RunList> lists;
  for (const auto& runs : held) {
    lists.emplace_back(runs);
    sets.push_back(decomp::coarse_set(lists.back(), most));
  }
  const plan::NodeSets node_sets(sets);
  const std::vector<Interval> touched{{0, elements}};
  std::vector<Slab> slabs;
  uint64_t at = *rc::gen::inRange<uint64_t>(0, 30);
  for (int n = *rc::gen::inRange(1, 5); n > 0; --n) {
    const uint64_t bytes = static_cast<uint64_t>(elements) * size;
    slabs.push_back({at, size, {at, at + bytes}});
    at += bytes + *rc::gen::inRange<uint64_t>(0, 20);
  }
  const SlabFlow flow(slabs, {touched, true, node_sets}, rule_of(uint64_t{1} << *rc::gen::inRange(3, 8)), {});
  for (const auto& [cut, of_unit] : nodes_of_units(flow.flow())) {
    for (int n = 0; n < nodes; ++n) {
      bool has = false;
      for (const Slab& slab : slabs) {
        lists[static_cast<size_t>(n)].for_each([&, hull = cut.hull](const decomp::Run& run) {
          const uint64_t begin = slab.begin + static_cast<uint64_t>(run.global) * size;
          const uint64_t end = begin + static_cast<uint64_t>(run.length) * size;
          has = has || (begin < hull.end && end > hull.begin);
        });
      }
      const bool named = std::ranges::count(of_unit, n) == 1;
      RC_ASSERT(named || !has);
      if (sets[static_cast<size_t>(n)].exact) RC_ASSERT(named == has);
    }
  }
}

}  // namespace
}  // namespace scorpio::transfer
