// Which writes full slots become.
#include "transfer/writer.h"

#include <gtest/gtest.h>

#include <string>

#include "transfer/slots.h"

namespace scorpio::transfer {
namespace {

using Writes = std::vector<std::pair<uint64_t, uint64_t>>;

struct WriterTest : testing::Test {
  void add(exchange::FullSlot slot) { writer.add(slot); }

  Memory memory{4};
  RememberingSink sink, other_sink;
  exchange::FileIo file_io{&sink, 1}, other{&other_sink, 2};
  observe::Counters counters;
  Writer writer{&counters};
};

TEST_F(WriterTest, NeighboursInMemoryAndInTheFileAreOneWrite) {
  add(memory.full(0, file_io, 5, 'a', {{640, 768}}));
  add(memory.full(1, file_io, 6, 'b', {{768, 800}, {810, 896}}));
  add(memory.full(2, file_io, 7, 'c', {{896, 900}}));
  writer.finish();
  EXPECT_EQ((Writes{{640, 800}, {810, 900}}), sink.writes);
  EXPECT_EQ(
      std::string(128, 'a') + std::string(32, 'b') + std::string(10, '.') + std::string(86, 'b') + "cccc",
      sink.content.substr(640));
  EXPECT_EQ(1u, counters.rounds);
}

TEST_F(WriterTest, NeighboursInTheFileOnlyAreOneWriteOfTwoParts) {
  add(memory.full(1, file_io, 5, 'a', {{640, 768}}));
  add(memory.full(0, file_io, 6, 'b', {{768, 896}}));
  writer.finish();
  EXPECT_EQ((Writes{{640, 896}}), sink.writes);
  EXPECT_EQ(2u, sink.most_parts);
  EXPECT_EQ(std::string(128, 'a') + std::string(128, 'b'), sink.content.substr(640));
}

TEST_F(WriterTest, AWriteHasABoundedNumberOfParts) {
  constexpr uint64_t k_parts = 70;
  for (uint64_t i = 0; i < k_parts; ++i) {
    const uint64_t from = 128 * i;
    add(memory.full(static_cast<int>(i % 2 * 2), file_io, i, 'a', {{from, from + 128}}));
  }
  writer.finish();
  EXPECT_EQ((Writes{{0, 64 * 128}, {64 * 128, k_parts * 128}}), sink.writes);
  EXPECT_EQ(64u, sink.most_parts);
}

TEST_F(WriterTest, AWriteOfSeveralPartsHasABoundedLength) {
  std::vector<std::byte> one(exchange::k_joined_write_bytes / 2), two(one.size());
  for (int i = 0; i < 3; ++i) {
    exchange::FullSlot slot;
    slot.file_io = &file_io;
    slot.unit = {uint64_t(i), 0, ByteRange::at(uint64_t(i) * one.size(), one.size())};
    slot.slot.bytes = i == 1 ? two.data() : one.data();
    slot.certain = {slot.unit.bytes};
    add(slot);
  }
  writer.finish();
  EXPECT_EQ((Writes{{0, 2 * one.size()}, {2 * one.size(), 3 * one.size()}}), sink.writes);
}

// Of a packed slot: the bytes of each region that hold data, and nothing of what is between them in the
// image.
TEST_F(WriterTest, APackedSlotHasPartsOfSeveralUnits) {
  exchange::FullSlot slot =
      memory.full(0, file_io, 5, '-', {{640, 650}, {652, 660}, {900, 910}, {1000, 1010}});
  slot.regions = {{{640, 660}, 0}, {{900, 905}, 24}, {{905, 910}, 40}, {{1000, 1010}, 45}};
  for (size_t i = 0; i < k_slot_bytes; ++i) memory.images[i] = static_cast<std::byte>(i);
  add(slot);
  writer.finish();
  EXPECT_EQ((Writes{{640, 650}, {652, 660}, {900, 910}, {1000, 1010}}), sink.writes);
  const auto at = [&](size_t byte) { return static_cast<int>(sink.content[byte]); };
  EXPECT_EQ(std::make_tuple(0, 19, 24, 28, 40, 44, 45, 54),
            std::make_tuple(at(640), at(659), at(900), at(904), at(905), at(909), at(1000), at(1009)));
}

TEST_F(WriterTest, FilesAreWrittenApart) {
  add(memory.full(0, file_io, 5, 'a', {{640, 768}}));
  add(memory.full(1, other, 6, 'b', {{768, 896}}));
  writer.finish();
  EXPECT_EQ((Writes{{640, 768}}), sink.writes);
  EXPECT_EQ((Writes{{768, 896}}), other_sink.writes);
}

TEST_F(WriterTest, TheBitmapTellsOfMoreAndIsCleared) {
  exchange::FullSlot slot = memory.full(2, file_io, 1, 'x', {{128, 130}});
  slot.exact = false;
  slot.slot.bitmap.set(2, 5);
  slot.slot.bitmap.set(70, 71);
  writer.add(slot);
  writer.finish();
  EXPECT_EQ((Writes{{128, 133}, {198, 199}}), sink.writes);
  int left = 0;
  slot.slot.bitmap.for_each([&](uint64_t, uint64_t) { ++left; });
  EXPECT_EQ(0, left);
}

TEST_F(WriterTest, AFileInErrorIsNotWrittenAndTheOthersAre) {
  sink.fails = true;
  add(memory.full(0, file_io, 0, 'a', {{0, 10}}));
  add(memory.full(1, other, 1, 'b', {{128, 256}}));
  writer.finish();
  EXPECT_TRUE(file_io.failed());
  EXPECT_EQ((Writes{{128, 256}}), other_sink.writes);
  sink.fails = false;
  add(memory.full(0, file_io, 0, 'a', {{0, 10}}));
  writer.finish();
  EXPECT_EQ(Writes{}, sink.writes) << "until its status is taken";
  EXPECT_EQ("the disk is full", file_io.take_status().text());
  add(memory.full(0, file_io, 0, 'a', {{0, 10}}));
  writer.finish();
  EXPECT_EQ((Writes{{0, 10}}), sink.writes);
  EXPECT_TRUE(file_io.take_status().ok());
}

TEST_F(WriterTest, WhatASinkThrowsIsAFailureOfItsFile) {
  sink.throws = true;
  add(memory.full(0, file_io, 0, 'a', {{0, 10}}));
  writer.finish();
  EXPECT_EQ(Code::memory, file_io.take_status().code());
}

}  // namespace
}  // namespace scorpio::transfer
