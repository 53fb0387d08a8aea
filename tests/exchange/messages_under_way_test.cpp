// The number of messages of one rank that are in transit at a time: between nodes each takes some time, and
// the next one need not wait for it.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "exchange/between_nodes/leader_transfer.h"
#include "exchange/between_nodes/round_sizes.h"
#include "exchange/engine.h"
#include "exchange/images/message.h"
#include "exchange/link/stall_watch.h"
#include "exchange/link_rank.h"
#include "exchange/memory/staging.h"
#include "exchange/memory_messages.h"
#include "exchange/part_of_doubles.h"
#include "exchange/progress/arrivals.h"
#include "exchange/puts.h"

namespace scorpio::exchange {
namespace {

constexpr uint64_t k_unit = 4096;
constexpr int k_units = 6;

class NoIo final : public IoPhase {
 public:
  void write(FullSlot) override {}
  void read(const EmptySlot&) override {}
  bool progress() override { return false; }
  void drop(const FileIo&) override {}
};

// Ranks that are nodes of their own. Rank 0 is the I/O rank.
struct UnderWay : testing::Test {
  using Rank = test::LinkRank;

  UnderWay() {
    shape.node_of_rank = {0, 1, 2};
    shape.io_ranks = {0};
    shape.sizes = {.unit_bytes = k_unit,
                   .bitmap_bytes = k_unit / 8,
                   .slots = k_units + 1,
                   .scattered = k_units + 1,
                   .out_slots = k_units + 1,
                   .channels = 2,
                   .receives = 3};
  }

  // Every other element of unit i, whose bytes are all i + 1.
  Job job_of(int i, bool read) {
    const auto number = static_cast<uint64_t>(i);
    Job job;
    job.unit = {number, 0, {number * k_unit, (number + 1) * k_unit}};
    job.slot = job.out_slot = i;
    job.read = read;
    job.nodes = {1, 2};
    job.close = number;
    job.file_io = &file_io;
    return job;
  }
  void mark(Link& link, int i) {
    Slot slot = link.out_slot(i);
    std::memset(slot.bytes, i + 1, k_unit);
    for (uint64_t at = 0; at < k_unit; at += 16) slot.bitmap.set(at, at + 8);
  }
  static std::vector<std::byte> elements_of(int i) {
    return std::vector<std::byte>(k_unit / 2, static_cast<std::byte>(i + 1));
  }
  static size_t receive(test::MemoryMessages& messages, std::span<std::byte> buffer, int tag) {
    comm::Transfer transfer = messages.receive(buffer, 1, tag);
    size_t length = 0;
    for (int looks = 0; looks < 100 && transfer.under_way(); ++looks)
      EXPECT_TRUE(messages.test(transfer, &length).ok());
    EXPECT_FALSE(transfer.under_way()) << "no message came";
    return length;
  }
  // Waits until the I/O rank has as many messages as may be in transit at a time.
  void start(Rank& rank, LeaderTransfer& leader_transfer, bool read) {
    for (int i = 0; i < k_units; ++i) {
      mark(rank.link, i);
      if (read) std::memset(rank.link.out_slot(i).bytes, 0, k_unit);
      leader_transfer.push(job_of(i, read));
    }
    read ? rank.link.publish_wanted(k_units) : rank.link.publish_done(k_units);
    run(leader_transfer);
    EXPECT_EQ(post.waiting(0), 4u);
  }
  static void run(LeaderTransfer& leader_transfer) {
    for (int step = 0; step < 100; ++step) leader_transfer.progress();
  }

  test::Shape shape;
  FileIo file_io{nullptr, 1};
  test::Post post{3, test::Post::Sending::when_received, 1};
};

TEST_F(UnderWay, ScatteredDataOfFourUnits) {
  Rank rank(shape, post, 1);
  test::MemoryMessages io_rank(post, 0);
  LeaderTransfer leader_transfer(rank.link);
  start(rank, leader_transfer, false);
  std::vector<std::byte> buffer(2 * k_unit);
  for (int i = 0; i < k_units; ++i) {
    const size_t length = receive(io_rank, buffer, rank.link.messages().tag(ChannelMessages::Tag::data));
    const auto parts = parts_of({buffer.data(), length}, k_unit / 8);
    ASSERT_TRUE(parts.ok()) << parts.status().text();
    EXPECT_EQ(std::vector(parts->bytes.begin(), parts->bytes.end()), elements_of(i)) << i;
    run(leader_transfer);
  }
  EXPECT_TRUE(leader_transfer.idle());
  EXPECT_EQ(rank.link.node_line().released.load(), static_cast<uint64_t>(k_units));
}

TEST_F(UnderWay, RequestsForFourUnits) {
  Rank rank(shape, post, 1);
  test::MemoryMessages io_rank(post, 0);
  LeaderTransfer leader_transfer(rank.link);
  start(rank, leader_transfer, true);
  EXPECT_EQ(rank.messages.receives(), 4u);
  std::vector<std::byte> buffer(2 * k_unit);
  for (int i = 0; i < k_units; ++i) {
    receive(io_rank, buffer, rank.link.messages().tag(ChannelMessages::Tag::request));
    const std::vector<std::byte> reply = elements_of(i);
    comm::Transfer sent = io_rank.send(reply, 1, rank.link.messages().tag(ChannelMessages::Tag::reply));
    run(leader_transfer);
    EXPECT_EQ(rank.link.node_line().delivered.load(), static_cast<uint64_t>(i) + 1);
    const Slot slot = rank.link.out_slot(i);
    slot.bitmap.for_each([&](uint64_t begin, uint64_t end) {
      for (uint64_t at = begin; at < end; ++at) EXPECT_EQ(slot.bytes[at], static_cast<std::byte>(i + 1));
    });
  }
  rank.link.publish_done(k_units);
  run(leader_transfer);
  EXPECT_TRUE(leader_transfer.idle());
}

TEST_F(UnderWay, TwoReceivesOfAnIoRank) {
  Rank rank(shape, post, 0);
  NoIo io;
  Arrivals arrivals(rank.link, io);
  for (int i = 0; i < 2; ++i) arrivals.push(job_of(i, false));
  while (arrivals.progress()) {
  }
  EXPECT_EQ(rank.messages.receives(), 2u);
  arrivals.cancel_receives();
}

// Units that one node fills: the message is their bytes alone, and is received in the slot, so that more of
// them than there are buffers are under way.
TEST_F(UnderWay, WhatOneNodePutsIsReceivedInTheSlot) {
  Rank sender(shape, post, 1), io_rank(shape, post, 0);
  NoIo io;
  Arrivals arrivals(io_rank.link, io);
  LeaderTransfer leader_transfer(sender.link);
  for (int i = 0; i < k_units; ++i) {
    Job job = job_of(i, false);
    job.nodes = {1};
    job.certain = job.charged = {{job.unit.bytes.begin + 8, job.unit.bytes.end}};
    Slot slot = sender.link.out_slot(i);
    std::memset(slot.bytes, i + 1, k_unit);
    slot.bitmap.set(8, k_unit);
    arrivals.push(job);
    leader_transfer.push(job);
  }
  while (arrivals.progress()) {
  }
  EXPECT_EQ(io_rank.messages.receives(), static_cast<size_t>(k_units)) << "three buffers";
  sender.link.publish_done(k_units);
  io_rank.link.publish_done(k_units);
  for (int step = 0; step < 100; ++step) {
    leader_transfer.progress();
    arrivals.progress();
  }
  EXPECT_TRUE(leader_transfer.idle());
  EXPECT_TRUE(arrivals.all_handed_on());
  EXPECT_TRUE(file_io.take_status().ok());
  for (int i = 0; i < k_units; ++i) {
    const std::byte* bytes = io_rank.link.slot(0, i).bytes;
    for (uint64_t at = 8; at < k_unit; ++at) ASSERT_EQ(bytes[at], static_cast<std::byte>(i + 1)) << i;
    EXPECT_EQ(bytes[0], std::byte{0}) << "not sent";
    EXPECT_EQ(sender.link.out_slot(i).bitmap.outline().bytes, 0u);
  }
}

// To ask MPI for a message takes time whatever the answer is.
TEST_F(UnderWay, OneMessageIsTestedAtATime) {
  Rank rank(shape, post, 1);
  LeaderTransfer leader_transfer(rank.link);
  constexpr int k_few = 3, k_steps = 50;
  for (int i = 0; i < k_few; ++i) {
    mark(rank.link, i);
    leader_transfer.push(job_of(i, false));
  }
  rank.link.publish_done(k_few);
  run(leader_transfer);
  ASSERT_EQ(post.waiting(0), static_cast<size_t>(k_few));
  const size_t before = rank.messages.looks();
  for (int step = 0; step < k_steps; ++step) leader_transfer.progress();
  EXPECT_EQ(rank.messages.looks() - before, static_cast<size_t>(k_steps));
}

// Questions of other ranks are rare; they are taken in while a rank waits, but not at each look.
TEST_F(UnderWay, AWaitingRankSeldomAsksForQuestions) {
  Rank rank(shape, post, 1);
  test::Post questions(3, test::Post::Sending::at_once, 1);
  test::MemoryMessages agreements(questions, 1);
  const comm::CallLog calls;
  StallWatch watch({agreements, calls, nullptr}, rank.nodes, shape.io_ranks, 1);
  ChannelContext context = rank.link.context();
  context.watch = &watch;
  Link link(context, rank.link.lease());
  NoIo io;
  Arrivals arrivals(link, io);
  LeaderTransfer leader_transfer(link);
  SlotBinder binder(link);
  RoundSizes rounds(link);
  Waiting waiting(link, io, arrivals, leader_transfer, binder, rounds);
  constexpr size_t k_looks = 320;
  for (size_t look = 0; look < k_looks; ++look) (void)waiting.progress();
  EXPECT_EQ(agreements.looks(), k_looks / 16);
}

// Within a put a rank does not wait until its messages are received, if it has slots for the next ones: units
// 1 to 4 are of another node, which uses its outgoing slots for the second time.
TEST_F(UnderWay, APutGoesOnToTheNextMessage) {
  constexpr int k_out_slots = 3;
  constexpr int64_t k_elements = k_unit / sizeof(double), k_last = (k_units - 1) * k_elements;
  shape.sizes.out_slots = k_out_slots + 1;
  Rank rank(shape, post, 1);
  ChannelState state(rank.link.context(), rank.link.lease(), std::make_unique<NoIo>());
  state.file_ios.push_back(&file_io);
  Puts puts(state);

  const ByteRange all{0, k_units * k_unit};
  const std::vector<ByteRange> hulls{{0, 0}, all, all};
  const std::vector<decomp::CoarseSet> sets{
      {}, {{{0, k_elements, 2, k_last}}, true}, {{{0, k_units * k_elements, 1, 0}}, true}};
  const plan::NodeSets node_sets(sets);
  const ArrayPlace place{0, sizeof(double)};
  const std::vector<double> values(2 * k_elements, 1.0);
  const test::PartOfDoubles part({{0, 0, k_elements}, {k_last, k_elements, k_elements}}, values);
  Flow flow;
  flow.rule.unit_bytes = flow.rule.block_bytes = k_unit;
  flow.variable = all;
  flow.touched = {&all, 1};
  flow.node_hulls = hulls;
  flow.node_sets = &node_sets;
  flow.places = {&place, 1};
  flow.parts = part.parts();

  std::thread caller([&] { EXPECT_EQ(puts.put(flow, file_io).status().code(), Code::aborted); });
  for (int looks = 0; looks < 5000 && post.waiting(0) < 2; ++looks)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(post.waiting(0), 2u);
  state.link.hear_failure();  // nobody receives: the end of the call would wait
  caller.join();
}

}  // namespace
}  // namespace scorpio::exchange
