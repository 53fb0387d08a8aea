// Data that cross between two nodes in rounds, from a rank to the I/O rank of the other node: what a slot
// waits for, and what ranks notice that have made different calls.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include "exchange/engine.h"
#include "exchange/interleaving.h"
#include "exchange/part_of_doubles.h"

namespace scorpio::test {
namespace {

constexpr uint64_t k_bytes_of_unit = 256, k_half_unit = k_bytes_of_unit / 2, k_units_of_file = 8;

// A node of rank 0, which is the I/O rank, and one of rank 1. The file has four outgoing slots, of which two
// may be open, and as many buffers.
Shape shape_in_rounds(exchange::Transfer way) {
  Shape shape;
  shape.node_of_rank = {0, 1};
  shape.io_ranks = {0};
  shape.sizes = {.unit_bytes = k_bytes_of_unit,
                 .bitmap_bytes = k_bytes_of_unit / 8,
                 .slots = 9,
                 .scattered = 9,
                 .out_slots = 5,
                 .channels = 2,
                 .receives = 5};
  shape.transfer = way;
  shape.patience = std::chrono::hours(1);  // no rank asks others what they do: only rounds tell
  return shape;
}

// Rank 1 puts these bytes of the file: every element has its number as value.
Status put_bytes(Rank& rank, const std::vector<ByteRange>& touched) {
  std::vector<decomp::Run> own;
  std::vector<double> values;
  for (const ByteRange& range : touched) {
    const auto first = static_cast<int64_t>(range.begin / sizeof(double));
    const auto count = static_cast<int64_t>(range.size() / sizeof(double));
    own.push_back({first, static_cast<int64_t>(values.size()), count});
    for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(first + i));
  }
  const PartOfDoubles part(own, values);

  const std::vector<ByteRange> hulls{{0, 0}, {touched.front().begin, touched.back().end}};
  exchange::Flow flow;
  flow.rule.unit_bytes = flow.rule.block_bytes = k_bytes_of_unit;
  flow.rule.io_ranks = 1;
  flow.variable = {0, k_units_of_file * k_bytes_of_unit};
  flow.touched = touched;
  flow.node_hulls = hulls;
  if (rank.number() == 1) flow.parts = part.parts();
  return rank.file(0).put(flow).status();
}

// The bytes of the file, where these were put and nothing else was.
std::vector<std::byte> file_with(const std::vector<ByteRange>& put) {
  std::vector<std::byte> bytes(k_units_of_file * k_bytes_of_unit);
  for (const ByteRange& range : put) {
    for (uint64_t at = range.begin; at < range.end; at += sizeof(double)) {
      const auto value = static_cast<double>(at / sizeof(double));
      std::memcpy(bytes.data() + at, &value, sizeof value);
    }
  }
  return bytes;
}

struct RoundsTest : testing::TestWithParam<exchange::Transfer> {
  static constexpr uint64_t k_seeds = 10;

  // Both ranks of a file that must hold `expected` then.
  void run(const std::function<void(Rank&)>& body, const std::vector<ByteRange>& expected) {
    for (uint64_t seed = 1; seed <= k_seeds; ++seed) {
      const Shape shape = shape_in_rounds(GetParam());
      Job job(shape, seed);
      Interleaving interleaving({.seed = seed, .one_in = uint64_t{2} << seed % 4, .naps_end = true});
      interleaving.run(shape.ranks(), [&](int number) {
        Rank rank(job, number);
        body(rank);
        rank.largest(0);
      });
      EXPECT_EQ(file_with(expected), job.content(0, k_units_of_file * k_bytes_of_unit)) << "seed " << seed;
      EXPECT_TRUE(job.all_received()) << "seed " << seed;
    }
  }
};

// The last put fills unit 0, which crosses in a round with units 1 to 3, and has a small part of unit 4,
// whose outgoing slot is that of unit 1: a rank that copied both parts in one pass would wait for itself.
TEST_P(RoundsTest, AUnitIsPublishedBeforeASlotOfItsRoundIsWaitedFor) {
  const std::vector<std::vector<ByteRange>> puts{
      {{0, k_half_unit}},
      {{k_bytes_of_unit, 4 * k_bytes_of_unit}},
      {{k_half_unit, k_bytes_of_unit}, {4 * k_bytes_of_unit + k_half_unit, 5 * k_bytes_of_unit}}};
  const auto all = [&](Rank& rank) {
    for (const std::vector<ByteRange>& touched : puts) {
      come_to("a put");
      const Status status = put_bytes(rank, touched);
      EXPECT_TRUE(status.ok()) << status.text();
    }
    come_to("the flush");
    EXPECT_TRUE(rank.file(0).flush().ok());
    EXPECT_EQ(rank.counters().collective_transfers, 4u);
  };
  run(all, {{0, 4 * k_bytes_of_unit}, {4 * k_bytes_of_unit + k_half_unit, 5 * k_bytes_of_unit}});
}

// Both ranks find one message of the same length in the round, but of another unit.
TEST_P(RoundsTest, RanksThatPutOtherUnitsAreToldAndNothingIsWritten) {
  const auto other_unit = [](Rank& rank) {
    const uint64_t unit = rank.number() == 0 ? 0 : 3;
    come_to("a put");
    const Status put = put_bytes(rank, {{unit * k_bytes_of_unit, (unit + 1) * k_bytes_of_unit}});
    const Status flushed = rank.file(0).flush();
    const Status failure = put.ok() ? flushed : put;
    EXPECT_TRUE(failure.code() == Code::mismatch || failure.code() == Code::aborted) << failure.text();
    EXPECT_TRUE(rank.file(0).failed());
    const bool told = failure.code() == Code::mismatch;
    EXPECT_TRUE(!told || failure.text().find("rank 1 put or got other data than rank 0") != std::string::npos)
        << failure.text();
    EXPECT_EQ(rank.largest(told ? 1 : 0), 1) << "nobody says why";
    rank.recover(0);
    EXPECT_TRUE(put_bytes(rank, {{k_bytes_of_unit, 2 * k_bytes_of_unit}}).ok());
    EXPECT_TRUE(rank.file(0).flush().ok());
  };
  run(other_unit, {{k_bytes_of_unit, 2 * k_bytes_of_unit}});
}

INSTANTIATE_TEST_SUITE_P(Ways, RoundsTest,
                         testing::Values(exchange::Transfer::all_to_all, exchange::Transfer::neighbors),
                         [](const auto& one) {
                           return one.param == exchange::Transfer::neighbors ? "Neighbors" : "AllToAll";
                         });

}  // namespace
}  // namespace scorpio::test
