// Which parts of units share a slot: every byte of a put is in one place of one slot.
#include "exchange/copies/put_walk.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "exchange/memory/leases.h"

namespace scorpio::exchange {
namespace {

constexpr uint64_t k_unit = uint64_t{128} << 10;

plan::DomainRule rule_of(int io_ranks) {
  return {.unit_bytes = k_unit, .block_bytes = uint64_t{1} << 20, .io_ranks = io_ranks};
}

Flow flow_of(const std::vector<ByteRange>& touched, const plan::DomainRule& rule) {
  Flow flow;
  flow.rule = rule;
  flow.variable = {touched.front().begin, touched.back().end};
  flow.touched = touched;
  return flow;
}

// One record of so many variables, which have 16 of them each.
std::vector<ByteRange> record_of(uint64_t variables, uint64_t bytes, uint64_t record) {
  std::vector<ByteRange> ranges;
  for (uint64_t v = 0; v < variables; ++v)
    ranges.push_back(ByteRange::at((uint64_t{1} << 20) + (16 * v + record) * bytes, bytes));
  return ranges;
}

class PutWalkTest : public testing::Test {
 protected:
  static plan::SlotLimits limits(uint64_t packed_bytes) {
    return {.io_ranks = 2, .slots = 100, .scattered = 100, .packed_bytes = packed_bytes};
  }
  // The number of slots that these puts use.
  static uint64_t slots_of(const std::vector<std::vector<ByteRange>>& puts, uint64_t packed_bytes) {
    plan::SlotSchedule schedule(limits(packed_bytes));
    uint64_t slots = 0;
    const auto on_close = [&](const plan::Activation&) { ++slots; };
    for (const std::vector<ByteRange>& touched : puts) {
      const Flow flow = flow_of(touched, rule_of(2));
      PutWalk walk(flow, 1, schedule);
      Cut cut;
      while (walk.next(cut)) schedule.close_if_full(walk.charge(cut, {}, on_close), on_close);
    }
    schedule.close_all(on_close);
    return slots;
  }
};

TEST_F(PutWalkTest, SmallRecordsOfManyVariablesShareSlots) {
  const auto record = record_of(80, 3464, 5);  // 277 kB, in 34 or 35 units
  EXPECT_GE(slots_of({record}, 0), 34u);
  EXPECT_LE(slots_of({record}, k_unit), 4u);
}

TEST_F(PutWalkTest, SoDoTheEndsOfLargerRecords) {
  const auto record = record_of(15, 249408, 3);  // 3.7 MB, 28.5 units
  EXPECT_GE(slots_of({record}, 0), 40u);
  EXPECT_LE(slots_of({record}, k_unit), 31u);
}

// The ends of the next variable are put beside them.
TEST_F(PutWalkTest, TheirSlotsStayOpenForTheNextPut) {
  const auto small = record_of(80, 3464, 5);
  std::vector<ByteRange> other = record_of(1, 2000, 0);
  other[0] = ByteRange::at(uint64_t{64} << 20, 2000);
  EXPECT_EQ(slots_of({small}, k_unit), slots_of({small, other}, k_unit));
  EXPECT_EQ(slots_of({small}, 0) + 1, slots_of({small, other}, 0));
}

TEST_F(PutWalkTest, ArraysThatFillTheirUnitsAreNotPacked) {
  plan::SlotSchedule schedule(limits(k_unit));
  const auto packs = [&](const std::vector<ByteRange>& touched, bool exact) {
    Flow flow = flow_of(touched, rule_of(2));
    flow.exact = exact;
    return PutWalk(flow, 1, schedule).packs();
  };
  const auto sparse = record_of(80, 3464, 5);
  EXPECT_TRUE(packs(sparse, true));
  EXPECT_FALSE(packs(sparse, false)) << "the bitmap of a slot is that of a unit";
  EXPECT_FALSE(packs({{1000, 50 * k_unit + 1000}}, true));
  std::vector<ByteRange> adjacent;
  for (uint64_t v = 0; v < 80; ++v) adjacent.push_back(ByteRange::at(5000 + v * 3464, 3464));
  EXPECT_FALSE(packs(adjacent, true));
  std::vector<ByteRange> chunks = sparse;
  for (ByteRange& range : chunks)
    range = {range.begin + plan::k_chunk_space, range.end + plan::k_chunk_space};
  EXPECT_FALSE(packs(chunks, true));
  std::vector<ByteRange> tiny;
  for (uint64_t i = 0; i < 1000; ++i) tiny.push_back(ByteRange::at(i * 9000, 8));
  EXPECT_FALSE(packs(tiny, true)) << "their lists are longer than they are";
}

// Units that are whole blocks are written as such.
TEST_F(PutWalkTest, WholeBlocksKeepTheirSlots) {
  plan::SlotSchedule schedule(limits(k_unit));
  plan::DomainRule rule = rule_of(2);
  rule.block_bytes = 4096;
  auto touched = record_of(80, 3464, 5);
  touched.push_back({1000 * k_unit, 1001 * k_unit});
  const Flow flow = flow_of(touched, rule);
  PutWalk walk(flow, 1, schedule);
  Cut cut;
  bool packed = true;
  while (walk.next(cut)) {
    if (cut.unit.number == 1000) packed = cut.packed;
    const auto on_close = [](const plan::Activation&) {};
    schedule.close_if_full(walk.charge(cut, {}, on_close), on_close);
  }
  EXPECT_FALSE(packed);
}

struct Place {
  int owner, slot;
  uint64_t use, at;
  friend auto operator<=>(const Place&, const Place&) = default;
};

RC_GTEST_PROP(PutWalk, EachByteHasOnePlaceInOneSlot, ()) {
  constexpr uint64_t k_small_unit = 64;
  const uint64_t packed_bytes = k_small_unit * *rc::gen::inRange<uint64_t>(1, 3);
  const int io_ranks = *rc::gen::inRange(1, 4);
  plan::SlotSchedule schedule(
      {.io_ranks = io_ranks, .slots = 12, .scattered = 12, .packed_bytes = packed_bytes});
  plan::DomainRule rule{.unit_bytes = k_small_unit,
                        .block_bytes = k_small_unit * *rc::gen::element<uint64_t>(1, 4),
                        .io_ranks = io_ranks};
  std::map<Place, uint64_t> places;  // the byte of the file
  std::vector<plan::Activation> closed;
  const auto on_close = [&](const plan::Activation& activation) { closed.push_back(activation); };
  for (int puts = *rc::gen::inRange(1, 5); puts > 0; --puts) {
    std::vector<ByteRange> touched;
    uint64_t at = *rc::gen::inRange<uint64_t>(0, 100);
    for (int n = *rc::gen::inRange(1, 40); n > 0; --n) {
      const uint64_t size = *rc::gen::inRange<uint64_t>(1, *rc::gen::element<uint64_t>(12, 200));
      touched.push_back(ByteRange::at(at, size));
      at += size + *rc::gen::inRange<uint64_t>(0, 150);
    }
    Flow flow = flow_of(touched, rule);
    flow.exact = *rc::gen::inRange(0, 5) > 0;
    PutWalk walk(flow, 1, schedule);
    std::vector<ByteRange> charged;
    Cut cut;
    while (walk.next(cut)) {
      plan::Activation& activation = walk.charge(cut, {}, on_close);
      RC_ASSERT(cut.packed == activation.is_packed());
      for (const ByteRange& range : cut.ranges) {
        charged.push_back(range);
        RC_ASSERT(range.begin - cut.image_begin + range.size() <= (cut.packed ? packed_bytes : k_small_unit));
        for (uint64_t byte = range.begin; byte < range.end; ++byte) {
          const Place place{activation.unit.owner, activation.slot, activation.use, byte - cut.image_begin};
          RC_ASSERT(places.try_emplace(place, byte).second);
        }
      }
      schedule.close_if_full(activation, on_close);
    }
    uint64_t sum = 0, all = 0;
    for (const ByteRange& range : charged) sum += range.size();
    for (const ByteRange& range : touched) all += range.size();
    RC_ASSERT(sum == all);
  }
  schedule.close_all(on_close);
  // What is written of a slot are these bytes, from these places.
  uint64_t written = 0;
  for (const plan::Activation& activation : closed) {
    for (const plan::Region& region : activation.regions) {
      for (const ByteRange& range : activation.certain) {
        const uint64_t begin = std::max(range.begin, region.bytes.begin);
        for (uint64_t byte = begin; byte < std::min(range.end, region.bytes.end); ++byte, ++written) {
          const auto at = places.find({activation.unit.owner, activation.slot, activation.use,
                                       region.at + (byte - region.bytes.begin)});
          RC_ASSERT(at != places.end());
          RC_ASSERT(at->second == byte);
        }
      }
    }
    if (activation.regions.empty() && activation.exact) {
      for (const ByteRange& range : activation.certain) written += range.size();
    }
  }
  uint64_t inexact = 0;
  for (const plan::Activation& activation : closed)
    inexact += activation.exact ? 0 : activation.charged_bytes;
  RC_ASSERT(written + inexact == places.size());
}

TEST(Leases, OfFilesThatWorkersWriteArePacked) {
  StagingSizes sizes{
      .unit_bytes = k_unit, .bitmap_bytes = k_unit / 8, .slots = 40, .scattered = 40, .channels = 3};
  EXPECT_EQ(0u, Leases(sizes).lend(2, false).packed_bytes);
  EXPECT_EQ(k_unit, Leases(sizes).lend(2, true).packed_bytes);
  sizes.out_slots = 40;
  sizes.receives = 2;
  EXPECT_EQ(0u, Leases(sizes).lend(2, true).packed_bytes) << "messages are of whole units";
}

}  // namespace
}  // namespace scorpio::exchange
