// The I/O phase of a channel, from slots that are handed to it to their completion.
#include "transfer/slot_io.h"

#include <gtest/gtest.h>

#include <string>

#include "async/inline_executor.h"
#include "support/allocations.h"
#include "transfer/slots.h"

namespace scorpio::transfer {
namespace {

using Writes = std::vector<std::pair<uint64_t, uint64_t>>;
using Log = std::vector<std::pair<int, uint64_t>>;

struct SlotIoTest : testing::Test {
  Memory memory{4};
  RememberingSink sink;
  LetterSource source;
  exchange::FileIo file_io{&sink, 1};
  observe::Counters counters;
  async::InlineExecutor executor{2};
  SlotIo io{4, executor, counters};
};

TEST_F(SlotIoTest, NothingIsDoneBeforeProgress) {
  io.write(memory.full(3, file_io, 0, 'a', {{0, 10}}));
  EXPECT_TRUE(sink.writes.empty());
  EXPECT_TRUE(memory.user.log.empty());
  EXPECT_TRUE(io.progress());
  EXPECT_EQ((Writes{{0, 10}}), sink.writes);
  EXPECT_EQ((Log{{3, 2}}), memory.user.log);
  EXPECT_FALSE(io.progress());
}

TEST_F(SlotIoTest, OneUnitIsCarriedOutInTheOrderOfClosing) {
  io.write(memory.full(2, file_io, 0, 'o', {{0, 10}}));
  io.write(memory.full(0, file_io, 0, 'n', {{4, 6}}));
  io.progress();
  EXPECT_EQ("oooonnoooo", sink.content);
  EXPECT_EQ((Log{{2, 2}, {0, 2}}), memory.user.log);
}

TEST_F(SlotIoTest, ReadsComeAfterAllWrites) {
  io.write(memory.full(0, file_io, 0, 'a', {{0, 128}}));
  io.read(memory.empty(1, file_io, source, {130, 140}));
  io.write(memory.full(2, file_io, 1, 'b', {{128, 256}}));
  io.progress();
  EXPECT_EQ((Log{{0, 2}, {2, 2}, {1, 1}}), memory.user.log);
  for (uint64_t at = 130; at < 140; ++at) EXPECT_EQ(LetterSource::letter(at), memory.text(1)[at - 128]);
  EXPECT_EQ(1u, counters.rounds) << "they follow one another in the file";
}

TEST_F(SlotIoTest, OnlyTheNamedRangesAreRead) {
  std::fill(memory.images.begin(), memory.images.end(), std::byte{'-'});
  exchange::EmptySlot slot = memory.empty(1, file_io, source, {130, 132});
  slot.ranges.push_back({140, 141});
  io.read(slot);
  io.progress();
  EXPECT_EQ((std::vector<std::pair<uint64_t, uint64_t>>{{130, 132}, {140, 141}}), source.reads);
  EXPECT_EQ("--ab--------k---", memory.text(1).substr(0, 16));
}

TEST_F(SlotIoTest, AReadThatFailsGivesZerosAndTheStatus) {
  std::fill(memory.images.begin(), memory.images.end(), std::byte{'x'});
  source.fails = true;
  io.read(memory.empty(1, file_io, source, {130, 140}));
  io.progress();
  EXPECT_EQ(Code::io, file_io.take_read_status().code());
  EXPECT_EQ("xx" + std::string(10, '\0') + "x", memory.text(1).substr(0, 13));
  source.fails = false;
  source.throws = true;
  io.read(memory.empty(1, file_io, source, {130, 140}));
  io.progress();
  EXPECT_EQ(Code::memory, file_io.take_read_status().code());
  EXPECT_EQ((Log{{1, 1}, {1, 1}}), memory.user.log) << "who waits for the slot goes on";
}

using Calls = std::vector<std::string>;

// One slot is filled in a run, and those that are added meanwhile are announced before the next one.
TEST_F(SlotIoTest, ReadsAreAnnouncedBeforeTheFirstIsMade) {
  SharingSource sharing;
  io.read(memory.empty(0, file_io, sharing, {0, 128}));
  io.read(memory.empty(1, file_io, sharing, {128, 256}));
  EXPECT_TRUE(io.progress());
  EXPECT_EQ((Calls{"announce 0", "announce 128", "read 0"}), sharing.log);
  EXPECT_EQ((Log{{0, 1}}), memory.user.log);
  EXPECT_EQ(2u, memory.user.called);
  io.read(memory.empty(2, file_io, sharing, {256, 384}));
  EXPECT_TRUE(io.progress());
  EXPECT_TRUE(io.progress());
  EXPECT_FALSE(io.progress());
  EXPECT_EQ((Calls{"announce 0", "announce 128", "read 0", "announce 256", "read 128", "read 256"}),
            sharing.log);
  EXPECT_EQ((Log{{0, 1}, {1, 1}, {2, 1}}), memory.user.log);
}

TEST_F(SlotIoTest, ReadsAreAnnouncedAfterTheWrites) {
  SharingSource sharing;
  io.read(memory.empty(0, file_io, sharing, {0, 128}));
  io.write(memory.full(1, file_io, 1, 'a', {{128, 256}}));
  io.read(memory.empty(2, file_io, sharing, {128, 256}));
  EXPECT_TRUE(io.progress());
  EXPECT_EQ((Calls{"announce 0", "announce 128", "read 0"}), sharing.log);
  EXPECT_EQ((Writes{{128, 256}}), sink.writes);
  EXPECT_TRUE(io.progress());
  EXPECT_EQ((Calls{"announce 0", "announce 128", "read 0", "read 128"}), sharing.log);
  EXPECT_EQ((Log{{1, 2}, {0, 1}, {2, 1}}), memory.user.log);
}

TEST_F(SlotIoTest, NobodyWorksOnASlotWhoseReadFails) {
  SharingSource sharing;
  sharing.fails_at = 0;
  io.read(memory.empty(0, file_io, sharing, {0, 128}));
  io.read(memory.empty(1, file_io, sharing, {128, 256}));
  while (io.progress()) {
  }
  EXPECT_EQ((Calls{"announce 0", "announce 128", "read 0", "end", "read 128"}), sharing.log);
  EXPECT_EQ(Code::io, file_io.take_read_status().code());
  EXPECT_EQ('\0', memory.text(0)[0]);
  EXPECT_EQ('r', memory.text(1)[0]);
  sharing.announce_fails = true;
  io.read(memory.empty(2, file_io, sharing, {256, 384}));
  io.progress();
  EXPECT_EQ("a bad index", file_io.take_read_status().text()) << "it is not lost if the read then succeeds";
}

TEST_F(SlotIoTest, NobodyWorksOnSlotsThatWereDropped) {
  SharingSource sharing, other;
  exchange::FileIo another(&sink, 2);
  io.read(memory.empty(0, another, other, {0, 128}));
  io.read(memory.empty(1, file_io, sharing, {128, 256}));
  io.read(memory.empty(2, another, other, {256, 384}));
  io.progress();
  io.drop(file_io);
  EXPECT_EQ((Calls{"announce 128", "end"}), sharing.log);
  while (io.progress()) {
  }
  EXPECT_EQ((Calls{"announce 0", "announce 256", "read 0", "read 256"}), other.log);
  io.read(memory.empty(1, file_io, sharing, {128, 256}));
  io.drop(file_io);
  EXPECT_EQ((Calls{"announce 128", "end"}), sharing.log) << "it was not announced";
}

// One slot is written in a run, and those that are added meanwhile are announced before the next one. This
// rank encodes one chunk itself: the first time it needs one helper less.
TEST_F(SlotIoTest, ChunksAreAnnouncedBeforeTheFirstIsWritten) {
  SharingSink sharing;
  exchange::FileIo chunks(&sharing, 2);
  io.write(memory.chunk(0, chunks, 1));
  io.write(memory.chunk(1, chunks, 0));
  EXPECT_TRUE(io.progress());
  EXPECT_EQ((Calls{"announce 128", "announce 0", "write 128"}), sharing.log) << "in the order of closing";
  EXPECT_EQ((Log{{0, 2}}), memory.user.log) << "the slot is free before the next one is written";
  EXPECT_EQ(1u, memory.user.called);
  io.write(memory.chunk(2, chunks, 2));
  EXPECT_TRUE(io.progress());
  EXPECT_EQ(2u, memory.user.called);
  EXPECT_TRUE(io.progress());
  EXPECT_FALSE(io.progress());
  EXPECT_EQ((Calls{"announce 128", "announce 0", "write 128", "announce 256", "write 0", "write 256"}),
            sharing.log);
  EXPECT_EQ((Log{{0, 2}, {1, 2}, {2, 2}}), memory.user.log);
  EXPECT_EQ(3u, counters.rounds);
}

TEST_F(SlotIoTest, SlotsWithoutChunksAreWrittenTogetherUpToOneWithChunks) {
  SharingSink sharing;
  exchange::FileIo chunks(&sharing, 2);
  io.write(memory.full(0, file_io, 0, 'a', {{0, 128}}));
  io.write(memory.full(1, file_io, 1, 'b', {{128, 256}}));
  io.write(memory.chunk(2, chunks, 0));
  io.read(memory.empty(3, file_io, source, {256, 384}));
  EXPECT_TRUE(io.progress());
  EXPECT_EQ((Writes{{0, 256}}), sink.writes);
  EXPECT_EQ((Calls{"announce 0", "write 0"}), sharing.log);
  EXPECT_TRUE(source.reads.empty());
  EXPECT_TRUE(io.progress());
  EXPECT_EQ((Log{{0, 2}, {1, 2}, {2, 2}, {3, 1}}), memory.user.log);
}

TEST_F(SlotIoTest, NobodyEncodesAfterAFailure) {
  SharingSink sharing;
  exchange::FileIo chunks(&sharing, 2);
  sharing.fails_at = plan::k_chunk_space;
  io.write(memory.chunk(0, chunks, 0));
  io.write(memory.chunk(1, chunks, 1));
  io.progress();
  io.write(memory.chunk(2, chunks, 2));
  while (io.progress()) {
  }
  EXPECT_EQ((Calls{"announce 0", "announce 128", "write 0", "end", "end", "end"}), sharing.log);
  EXPECT_EQ(Code::io, chunks.take_status().code());
  EXPECT_EQ((Log{{0, 2}, {1, 2}, {2, 2}}), memory.user.log) << "who waits for the slots goes on";
  sharing.announce_throws = true;
  io.write(memory.chunk(0, chunks, 3));
  io.progress();
  EXPECT_EQ(Code::memory, chunks.take_status().code());
}

TEST_F(SlotIoTest, NobodyEncodesChunksOfSlotsThatWereDropped) {
  SharingSink sharing, other;
  exchange::FileIo chunks(&sharing, 2), another(&other, 3);
  io.write(memory.chunk(0, another, 0));
  io.write(memory.chunk(1, chunks, 1));
  io.write(memory.chunk(2, another, 2));
  io.progress();
  io.drop(chunks);
  EXPECT_EQ((Calls{"announce 128", "end"}), sharing.log);
  while (io.progress()) {
  }
  EXPECT_EQ((Calls{"announce 0", "announce 256", "write 0", "write 256"}), other.log);
  io.write(memory.chunk(1, chunks, 1));
  io.drop(chunks);
  EXPECT_EQ((Calls{"announce 128", "end"}), sharing.log) << "it was not announced";
}

TEST_F(SlotIoTest, AllSlotsMayWaitAndNothingIsAllocated) {
  std::vector<exchange::FullSlot> slots;
  for (size_t i = 0; i < 4; ++i) slots.push_back(memory.full(i, file_io, i, 'a', {{i * 128, i * 128 + 128}}));
  sink.writes.reserve(4);
  sink.content.resize(4 * k_slot_bytes);
  const uint64_t before = test::allocations();
  for (exchange::FullSlot& slot : slots) io.write(std::move(slot));
  for (size_t i = 0; i < 4; ++i) EXPECT_TRUE(i > 0 || io.progress());
  EXPECT_EQ(before, test::allocations());
  EXPECT_EQ((Writes{{0, 512}}), sink.writes);
}

TEST_F(SlotIoTest, WhatCeasesToBeLeavesNothingToRun) {
  {
    SlotIo gone(4, executor, counters);
    gone.write(memory.full(0, file_io, 0, 'a', {{0, 10}}));
  }
  io.write(memory.full(1, file_io, 1, 'b', {{128, 130}}));
  EXPECT_TRUE(io.progress());
  EXPECT_EQ((Writes{{128, 130}}), sink.writes);
}

}  // namespace
}  // namespace scorpio::transfer
