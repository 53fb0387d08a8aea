// Staging on a plain memory block: what several I/O ranks and channels have in it is apart, and its counters
// say when a slot may be used.
#include "exchange/memory/staging_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

namespace scorpio::exchange {
namespace {

constexpr int k_ranks = 3;

// I/O ranks 0 and 2 of three are of this node.
struct StagingMemoryTest : testing::Test {
  StagingMemoryTest() {
    sizes = divide_budget(uint64_t{256} << 10, 4096, {true, k_ranks}).value();
    const StagingLayout layout(sizes, k_ranks, 2);
    block.resize(layout.total_bytes() / sizeof(Page));
    lease.channel = 1;
    lease.slots = {1, 3};
    lease.scattered = 2;
    lease.out_slots = {1};
  }

  struct alignas(4096) Page {
    std::byte bytes[4096];
  };
  StagingMemory memory() { return {sizes, k_ranks, {0, -1, 1}, block.front().bytes}; }

  StagingSizes sizes;
  std::vector<Page> block;
  Lease lease;
};

TEST_F(StagingMemoryTest, SlotsOfAllAreApart) {
  const StagingMemory memory = this->memory();
  char letter = 'a';
  const auto fill = [&](const Slot& slot) { std::memset(slot.bytes, letter++, sizes.unit_bytes); };
  for (const int owner : {0, 2})
    for (int s = 0; s < sizes.slots; ++s) fill(memory.slot(owner, s));
  for (int s = 0; s < sizes.out_slots; ++s) fill(memory.out_slot(s));
  letter = 'a';
  const auto check = [&](const Slot& slot) {
    const std::vector<std::byte> expected(sizes.unit_bytes, static_cast<std::byte>(letter++));
    EXPECT_EQ(0, std::memcmp(expected.data(), slot.bytes, expected.size()));
    slot.bitmap.for_each([](uint64_t begin, uint64_t end) { ADD_FAILURE() << begin << " " << end; });
  };
  for (const int owner : {0, 2})
    for (int s = 0; s < sizes.slots; ++s) check(memory.slot(owner, s));
  for (int s = 0; s < sizes.out_slots; ++s) check(memory.out_slot(s));
}

TEST_F(StagingMemoryTest, EachSlotHasACounterAndIoRanksShareNoLine) {
  const StagingMemory memory = this->memory();
  std::set<const void*> counters;
  std::set<uintptr_t> lines[2];
  for (const int owner : {0, 2}) {
    for (int s = 0; s < sizes.slots; ++s) {
      const SlotCounter& counter = memory.slot_counter(owner, s);
      EXPECT_EQ(0u, counter.value.load());
      EXPECT_TRUE(counters.insert(&counter).second);
      lines[owner / 2].insert(reinterpret_cast<uintptr_t>(&counter) / k_line_bytes);
    }
  }
  for (const uintptr_t line : lines[0]) EXPECT_FALSE(lines[1].contains(line));
  EXPECT_EQ((static_cast<size_t>(sizes.slots) + 7) / 8, lines[0].size());
}

TEST_F(StagingMemoryTest, ACounterFollowsTheUsesOfItsSlot) {
  SlotCounter& counter = memory().slot_counter(2, 1);
  EXPECT_TRUE(counter.reached(SlotCounter::free_for(0)));
  EXPECT_FALSE(counter.reached(SlotCounter::filled_in(0)));
  counter.value = SlotCounter::filled_in(0);
  EXPECT_TRUE(counter.reached(SlotCounter::filled_in(0)));
  EXPECT_FALSE(counter.reached(SlotCounter::end_of(0)));
  counter.value = SlotCounter::end_of(0);
  EXPECT_TRUE(counter.reached(SlotCounter::free_for(1)));
  EXPECT_FALSE(counter.reached(SlotCounter::filled_in(1))) << "the bytes of the use before do not count";
}

TEST_F(StagingMemoryTest, ResetTouchesOnlyWhatIsLent) {
  const StagingMemory memory = this->memory();
  for (const int owner : {0, 2})
    for (int s = 0; s < sizes.slots; ++s) memory.slot_counter(owner, s).value = 7;
  for (int channel = 0; channel < sizes.channels; ++channel) {
    for (int r = 0; r < k_ranks; ++r) memory.rank_line(channel, r).done = 9;
    memory.node_line(channel).released = 9;
  }
  memory.reset(lease);
  for (const int owner : {0, 2}) {
    for (int s = 0; s < sizes.slots; ++s)
      EXPECT_EQ(s == 1 || s == 3 ? 0u : 7u, memory.slot_counter(owner, s).value.load()) << owner << " " << s;
  }
  for (int channel = 0; channel < sizes.channels; ++channel) {
    const uint64_t expected = channel == 1 ? 0 : 9;
    for (int r = 0; r < k_ranks; ++r) EXPECT_EQ(expected, memory.rank_line(channel, r).done.load());
    EXPECT_EQ(expected, memory.node_line(channel).released.load());
  }
}

TEST_F(StagingMemoryTest, ClearedSlotsHoldNoData) {
  const StagingMemory memory = this->memory();
  const auto bits = [](const Slot& slot) {
    int runs = 0;
    slot.bitmap.for_each([&](uint64_t, uint64_t) { ++runs; });
    return runs;
  };
  for (const int slot : {1, 2}) memory.slot(2, slot).bitmap.set(5, 9);
  memory.out_slot(1).bitmap.set(0, 1);
  EXPECT_EQ(0u, memory.clear_slots(lease));
  EXPECT_EQ(0, bits(memory.slot(2, 1)));
  EXPECT_EQ(1, bits(memory.slot(2, 2)));
  EXPECT_EQ(0, bits(memory.out_slot(1)));
}

}  // namespace
}  // namespace scorpio::exchange
