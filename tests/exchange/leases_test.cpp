// Which slots the files of a job on several nodes get: what no further file can use belongs to those that are
// open.
#include "exchange/memory/leases.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace scorpio::exchange {
namespace {

constexpr uint64_t k_mib = uint64_t{1} << 20;

size_t size_of(int number) { return static_cast<size_t>(number); }

// The default: the memory has room for one file with slots of its own.
TEST(Leases, TheOnlyFileGetsAllButWhatFurtherFilesShare) {
  const StagingSizes sizes =
      divide_budget(16 * k_mib, k_mib, {.several_nodes = true, .ranks_per_io_rank = 8}).value();
  ASSERT_EQ(sizes.channels, 2);
  EXPECT_EQ(sizes.unit_bytes, k_mib);
  for (const int files : {0, 1, 2, 7}) {
    Leases leases(sizes);
    const Lease first = leases.lend(files, false);
    EXPECT_GE(first.slots.size(), 3u);
    EXPECT_EQ(first.slots.size(), size_of(sizes.slots - 1)) << files;
    EXPECT_EQ(first.out_slots.size(), size_of(sizes.out_slots - 1)) << files;
    EXPECT_EQ(first.receives.size(), size_of(sizes.receives - 1)) << files;
    const Lease second = leases.lend(files, false);
    EXPECT_TRUE(second.shared);
    EXPECT_EQ(second.slots, std::vector<int>{sizes.slots - 1});
    EXPECT_EQ(second.out_slots, std::vector<int>{0});
    EXPECT_EQ(second.receives, std::vector<int>{0});
    leases.take_back(second);
    leases.take_back(first);
    EXPECT_EQ(leases.lend(files, false).slots, first.slots);
  }
}

TEST(Leases, FilesDivideTheBuffersForMessagesAsTheSlots) {
  for (uint64_t budget = k_mib; budget <= 512 * k_mib; budget *= 2) {
    const StagingSizes sizes =
        divide_budget(budget, 4096, {.several_nodes = true, .ranks_per_io_rank = 8}).value();
    Leases leases(sizes);
    std::vector<char> used(size_of(sizes.receives), 0), used_slots(size_of(sizes.slots), 0);
    size_t before = size_of(sizes.receives), last = 0;
    int own = 0;
    for (;; ++own) {
      const Lease lease = leases.lend(0, false);
      for (const int buffer : lease.receives) ++used[size_of(buffer)];
      for (const int slot : lease.slots) ++used_slots[size_of(slot)];
      if (lease.shared) break;
      ASSERT_GE(lease.slots.size(), 2u);
      ASSERT_GE(lease.out_slots.size(), 1u);
      ASSERT_GE(lease.receives.size(), 1u);
      if (own < sizes.channels - 2) {
        EXPECT_LE(lease.receives.size(), before) << own;
      }
      before = lease.receives.size();
      last = lease.slots.size();
    }
    EXPECT_GT(last, 0u);
    EXPECT_LE(own, sizes.channels - 1);
    for (const char times : used) EXPECT_LE(times, 1);
    for (const char times : used_slots) EXPECT_LE(times, 1);
    if (own < sizes.channels - 1) continue;
    for (const char times : used) EXPECT_EQ(times, 1) << "all channels are in use: no buffer is left over";
    for (const char times : used_slots) EXPECT_EQ(times, 1);
  }
}

// What is reserved for a file is not lent to another one; the rest is in common, also between nodes.
TEST(Leases, FilesThatAreWrittenInTheBackgroundHaveSlotsInCommonBetweenNodes) {
  constexpr int k_files = 3;
  const StagingSizes sizes =
      divide_budget(16 * k_mib, k_mib, {.several_nodes = true, .ranks_per_io_rank = 8, .files = k_files})
          .value();
  for (const int files : {0, k_files}) {
    Leases leases(sizes);
    std::vector<char> used(size_of(sizes.slots), 0), used_out(size_of(sizes.out_slots), 0),
        used_buffers(size_of(sizes.receives), 0);
    for (int file = 0; file < k_files; ++file) {
      const Lease lease = leases.lend(files, true);
      EXPECT_FALSE(lease.shared);
      EXPECT_EQ(lease.slots.size(), size_of(sizes.reserved));
      EXPECT_EQ(lease.common, sizes.common());
      EXPECT_GE(lease.out_slots.size(), 2u);
      EXPECT_GE(lease.receives.size(), 1u);
      for (const int slot : lease.slots) ++used[size_of(slot)];
      for (const int slot : lease.out_slots) ++used_out[size_of(slot)];
      for (const int buffer : lease.receives) ++used_buffers[size_of(buffer)];
    }
    EXPECT_TRUE(leases.lend(files, true).shared);
    for (const auto* all : {&used, &used_out, &used_buffers}) {
      for (const char times : *all) EXPECT_LE(times, 1);
    }
  }
  EXPECT_EQ(Leases(sizes).lend(0, false).common, 0) << "files of other policies have their reserve alone";
}

}  // namespace
}  // namespace scorpio::exchange
