// File domains: each accessed unit is visited once, a block has the same owner on all ranks, and boundaries
// between owners are boundaries of blocks.
#include "plan/domains.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace scorpio::plan {
namespace {

std::vector<Unit> units_of(const DomainRule& rule, ByteRange variable,
                           const std::vector<ByteRange>& touched) {
  UnitWalk walk(rule, variable, touched);
  std::vector<Unit> units;
  for (Unit unit; walk.next(unit);) units.push_back(unit);
  return units;
}

std::vector<int> counts_by_owner(const std::vector<Unit>& units, int io_ranks) {
  std::vector<int> counts(static_cast<size_t>(io_ranks), 0);
  for (const Unit& unit : units) ++counts[static_cast<size_t>(unit.owner)];
  return counts;
}

DomainRule random_rule() {
  DomainRule rule;
  rule.unit_bytes = uint64_t{1} << *rc::gen::inRange(9, 15);
  rule.block_bytes = uint64_t{1} << *rc::gen::inRange(9, 15);
  rule.io_ranks = *rc::gen::inRange(1, 20);
  rule.contiguous = *rc::gen::arbitrary<bool>();
  rule.ranges = *rc::gen::inRange(1, 9);
  return rule;
}

// Variables one after the other, with and without gaps.
std::vector<ByteRange> random_variables() {
  std::vector<ByteRange> variables;
  uint64_t at = *rc::gen::inRange<uint64_t>(0, 100000);
  const int n = *rc::gen::inRange(1, 5);
  for (int i = 0; i < n; ++i) {
    const uint64_t bytes = *rc::gen::inRange<uint64_t>(1, 300000);
    variables.push_back({at, at + bytes});
    at += bytes + *rc::gen::element<uint64_t>(0, 0, 8, 5000);
  }
  return variables;
}

std::vector<ByteRange> random_parts(ByteRange variable) {
  std::vector<ByteRange> parts;
  for (uint64_t at = variable.begin; at < variable.end;) {
    const uint64_t begin = at + *rc::gen::inRange<uint64_t>(0, 50000);
    const uint64_t end = std::min(variable.end, begin + *rc::gen::inRange<uint64_t>(1, 50000));
    if (begin < end) parts.push_back({begin, end});
    at = end + 1;
  }
  return parts;
}

RC_GTEST_PROP(Domains, EachTouchedUnitIsVisitedOnce, ()) {
  const DomainRule rule = random_rule();
  const ByteRange variable = random_variables().back();
  const auto parts = random_parts(variable);
  std::set<uint64_t> expected;
  for (const ByteRange& part : parts) {
    for (uint64_t n = part.begin / rule.unit_bytes; n * rule.unit_bytes < part.end; ++n) expected.insert(n);
  }
  std::set<uint64_t> visited;
  for (const Unit& unit : units_of(rule, variable, parts)) {
    RC_ASSERT(visited.insert(unit.number).second);
    RC_ASSERT(unit.owner >= 0 && unit.owner < rule.io_ranks);
    RC_ASSERT(unit.bytes.begin == unit.number * rule.unit_bytes);
    RC_ASSERT(unit.bytes.size() == rule.unit_bytes);
  }
  RC_ASSERT(visited == expected);
}

// HDF5 metadata and small variables share it: the first I/O rank is the metadata rank.
RC_GTEST_PROP(Domains, TheFirstBlockIsTheFirstIoRanks, ()) {
  const DomainRule rule = random_rule();
  const uint64_t begin = *rc::gen::inRange<uint64_t>(1, rule.block_bytes);
  const ByteRange variable{begin, begin + *rc::gen::inRange<uint64_t>(1, 300000)};
  for (const Unit& unit : units_of(rule, variable, {variable})) {
    RC_ASSERT(unit.number * rule.unit_bytes >= rule.block_bytes || unit.owner == 0);
  }
}

RC_GTEST_PROP(Domains, ABlockHasOneOwnerWhoeverAsks, ()) {
  const DomainRule rule = random_rule();
  std::map<uint64_t, int> owner_of_block;
  for (const ByteRange& variable : random_variables()) {
    for (const auto& touched : {std::vector<ByteRange>{variable}, random_parts(variable)}) {
      for (const Unit& unit : units_of(rule, variable, touched)) {
        const auto [begin, end] = unit.bytes;
        for (uint64_t b = begin / rule.block_bytes; b * rule.block_bytes < end; ++b) {
          const auto [at, fresh] = owner_of_block.try_emplace(b, unit.owner);
          RC_ASSERT(fresh || at->second == unit.owner);
        }
      }
    }
  }
}

// Whatever the size of chunks is, in whichever variable, and whatever was to be contiguous.
RC_GTEST_PROP(Domains, AChunkHasOneOwnerWhereRulesAreUndivided, ()) {
  DomainRule asked = random_rule();
  asked.unit_bytes = *rc::gen::element<uint64_t>(uint64_t{asked.unit_bytes}, uint64_t{3000});
  const uint64_t chunk = *rc::gen::inRange<uint64_t>(1000, 100000);
  const DomainRule rule = undivided(asked, chunk);
  RC_ASSERT(rule.unit_bytes == asked.unit_bytes && rule.io_ranks == asked.io_ranks);
  std::map<uint64_t, int> owner_of_chunk;
  for (const ByteRange& variable : random_variables()) {
    for (const auto& touched : {std::vector<ByteRange>{variable}, random_parts(variable)}) {
      for (const Unit& unit : units_of(rule, variable, touched)) {
        const auto [begin, end] = unit.bytes;
        for (uint64_t c = begin / chunk; c * chunk < end; ++c) {
          const auto [at, fresh] = owner_of_chunk.try_emplace(c, unit.owner);
          RC_ASSERT(fresh || at->second == unit.owner);
        }
      }
    }
  }
}

TEST(Domains, WithoutChunksARuleIsUndividedAlready) {
  const DomainRule rule{1u << 16, 1u << 20, 5, true};
  const DomainRule same = undivided(rule, 1);
  EXPECT_EQ(same.block_bytes, rule.block_bytes);
  EXPECT_TRUE(same.contiguous);
}

// Owners still alternate from block to block, and chunks of three units from chunk to chunk.
TEST(Domains, UndividedChunksAreDealtOut) {
  const ByteRange variable{0, 12u << 16};
  const auto owners = [&](uint64_t chunk) {
    std::string text;
    for (const Unit& unit : units_of(undivided({1u << 16, 1u << 16, 2, true}, chunk), variable, {variable}))
      text += std::to_string(unit.owner);
    return text;
  };
  EXPECT_EQ(owners(1024), "010101010101");
  EXPECT_EQ(owners(3u << 16), "000111000111");
  EXPECT_EQ(owners((uint64_t{1} << 61) - 1), "000000000000");
}

// R004-08: nothing is shared, however bytes and ranks divide.
TEST(Domains, NoBlockIsSharedWhereBalancedDomainsWouldShareMost) {
  for (const auto& [blocks, ranks] : {std::pair{260u, 256}, {384u, 256}, {17u, 3}, {33u, 8}}) {
    for (const bool contiguous : {false, true}) {
      const DomainRule rule{1u << 20, 1u << 20, ranks, contiguous};
      const ByteRange variable{1u << 20, uint64_t{blocks + 1} << 20};
      const auto units = units_of(rule, variable, {variable});
      ASSERT_EQ(blocks, units.size());
      const auto counts = counts_by_owner(units, ranks);
      const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
      EXPECT_LE(*most - *least, 1);
    }
  }
}

// R004-09: 17 blocks on 3 ranks are 5, 6 and 6, each share in one piece.
TEST(Domains, ContiguousSharesLieTogether) {
  const DomainRule rule{1u << 20, 1u << 20, 3, true};
  const ByteRange variable{0, 17u << 20};
  auto units = units_of(rule, variable, {variable});
  auto counts = counts_by_owner(units, 3);
  std::sort(counts.begin(), counts.end());
  EXPECT_EQ((std::vector<int>{5, 6, 6}), counts);
  std::set<int> first_three;
  for (size_t i = 0; i < 3; ++i) first_three.insert(units[i].owner);
  EXPECT_EQ(3u, first_three.size()) << "all owners start at once";
  std::sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.number < b.number; });
  int changes = 0;
  for (size_t i = 1; i < units.size(); ++i) changes += units[i].owner != units[i - 1].owner ? 1 : 0;
  EXPECT_EQ(2, changes);
}

TEST(Domains, CyclicOwnersAlternateInAscendingOrder) {
  const DomainRule rule{1u << 20, 1u << 20, 3, false};
  const ByteRange variable{5u << 20, 11u << 20};
  uint64_t number = 5;
  for (const Unit& unit : units_of(rule, variable, {variable})) {
    EXPECT_EQ(number, unit.number);
    EXPECT_EQ(static_cast<int>(number % 3), unit.owner);
    const Unit same = rule.unit_at(unit.bytes.end - 1);
    EXPECT_EQ(number, same.number);
    EXPECT_EQ(unit.owner, same.owner);
    EXPECT_EQ(unit.bytes, same.bytes);
    ++number;
  }
  EXPECT_EQ(11u, number);
}

// Four nodes hold a quarter of the variable each: each four units are of all of them, and of all I/O
// ranks.
TEST(Domains, RangesTakeTurns) {
  const DomainRule rule{.unit_bytes = 4096, .block_bytes = 8192, .io_ranks = 4, .ranges = 4};
  const uint64_t blocks = 80, quarter = blocks * rule.block_bytes / 4;
  const ByteRange variable{3 * rule.block_bytes, (3 + blocks) * rule.block_bytes};
  const auto units = units_of(rule, variable, {variable});
  ASSERT_EQ(units.size(), 2 * blocks);
  size_t good = 0;
  for (size_t turn = 0; turn < units.size(); turn += 4) {
    std::set<uint64_t> quarters;
    std::set<int> owners;
    for (size_t i = turn; i < turn + 4; ++i) {
      quarters.insert((units[i].bytes.begin - variable.begin) / quarter);
      owners.insert(units[i].owner);
    }
    good += quarters.size() == 4 && owners.size() == 4 ? 1 : 0;
  }
  EXPECT_GE(good, 34u) << "of 40";
}

TEST(Domains, UnitsOfABlockShareItsOwner) {
  const DomainRule rule{4096, 65536, 2, false};
  const ByteRange variable{0, 4 * 65536};
  for (const Unit& unit : units_of(rule, variable, {variable})) {
    EXPECT_EQ(static_cast<int>(unit.number / 16 % 2), unit.owner);
  }
}

TEST(Domains, NothingTouchedNothingVisited) {
  EXPECT_TRUE(units_of({}, {0, 1u << 30}, {}).empty());
  EXPECT_TRUE(units_of({1u << 20, 1u << 20, 4, true}, {0, 1u << 30}, {}).empty());
}

// The space of chunks: a chunk that is longer than a unit has one owner, also where domains are contiguous.
TEST(ChunkSpace, EachStretchHasOneOwner) {
  for (const bool contiguous : {false, true}) {
    const DomainRule rule{
        .unit_bytes = 1 << 16, .block_bytes = 1 << 20, .io_ranks = 3, .contiguous = contiguous};
    for (const uint64_t range : {0, 1, 3, 9}) {
      const uint64_t stretch = rule.unit_bytes << range;
      const uint64_t base = k_chunk_space + range * k_chunk_range_bytes;
      const uint64_t begin = (base + stretch - 1) / stretch * stretch;
      const ByteRange all{begin, begin + 7 * stretch};
      const auto units = units_of(rule, all, {all});
      ASSERT_EQ(7u << range, units.size());
      std::set<int> owners;
      for (const Unit& unit : units) {
        EXPECT_EQ(static_cast<int>(unit.bytes.begin / stretch % 3), unit.owner);
        owners.insert(unit.owner);
      }
      EXPECT_EQ(3u, owners.size());
    }
  }
}

// Contiguous domains divide the variable exactly if each I/O rank gets a unit of its own; otherwise all units
// have the owners that alternating domains give them, so that the choice can still be made.
RC_GTEST_PROP(Domains, WhatContiguousDomainsDivide, ()) {
  DomainRule rule = random_rule();
  rule.contiguous = true;
  const ByteRange variable = random_variables().front();
  const ByteRange inner = rule.divided_part(variable);
  const std::vector<Unit> units = units_of(rule, variable, {variable});
  const bool same = std::ranges::all_of(
      units, [&](const Unit& unit) { return unit.owner == rule.owner_by_number(unit.number); });
  if (inner.size() == 0) {
    RC_ASSERT(same);
    return;
  }
  RC_ASSERT(inner.begin >= variable.begin && inner.end <= variable.end);
  RC_ASSERT(inner.begin % rule.owned_bytes() == 0 && inner.end % rule.owned_bytes() == 0);
  std::set<int> owners;
  for (const Unit& unit : units) {
    if (unit.bytes.begin >= inner.begin && unit.bytes.end <= inner.end) owners.insert(unit.owner);
  }
  RC_ASSERT(owners.size() == static_cast<size_t>(rule.io_ranks));
}

// A part of the I/O ranks has the units: those at equal distances, from the first one on.
RC_GTEST_PROP(Domains, OwnersAreMultiplesOfTheStep, ()) {
  DomainRule rule = random_rule();
  const std::vector<ByteRange> touched = random_parts({0, 300000});
  const std::vector<Unit> all = units_of(rule, {0, 300000}, touched);
  rule.owner_step = *rc::gen::inRange(1, 9);
  const std::vector<Unit> some = units_of(rule, {0, 300000}, touched);
  RC_ASSERT(all.size() == some.size());
  for (size_t i = 0; i < all.size(); ++i) {
    RC_ASSERT(some[i].number == all[i].number);
    RC_ASSERT(some[i].owner == all[i].owner * rule.owner_step);
  }
}

}  // namespace
}  // namespace scorpio::plan
