// Between nodes, as on one node, puts wait for no write as long as there is staging memory: the workers begin
// when all puts have returned. A put that waited for one would never return.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "exchange/engine.h"
#include "exchange/interleaving.h"
#include "exchange/part_of_doubles.h"

namespace scorpio::test {
namespace {

constexpr uint64_t k_unit = 256;
constexpr int k_reserved = 4, k_common = 8, k_files = 2;

// Two files, on two nodes with as many ranks and an I/O rank each.
Shape shape_of(int ranks_of_a_node) {
  Shape shape;
  for (int node = 0; node < 2; ++node) {
    shape.io_ranks.push_back(static_cast<int>(shape.node_of_rank.size()));
    for (int r = 0; r < ranks_of_a_node; ++r) shape.node_of_rank.push_back(node);
  }
  shape.sizes = {.unit_bytes = k_unit,
                 .bitmap_bytes = k_unit / 8,
                 .slots = k_files * k_reserved + k_common + 1,
                 .scattered = k_files * k_reserved + k_common + 1,
                 .out_slots = 2 * k_files + 1,
                 .channels = k_files + 1,
                 .receives = k_files + 1,
                 .files = k_files,
                 .reserved = k_reserved};
  shape.files = k_files;
  shape.workers = true;
  return shape;
}

// Every rank puts its part of a variable of so many units: the first one if it is in order, or elements that
// alternate with those of the others.
void put(Rank& rank, int file, uint64_t units, bool alternating) {
  const Shape& shape = rank.shape();
  const auto ranks = static_cast<int64_t>(shape.ranks());
  const ByteRange all{0, units * k_unit};
  const auto elements = static_cast<int64_t>(all.end / sizeof(double)), mine = elements / ranks;
  const int64_t first = alternating ? rank.number() : rank.number() * mine, step = alternating ? ranks : 1;
  std::vector<double> values(static_cast<size_t>(mine));
  for (int64_t i = 0; i < mine; ++i) values[static_cast<size_t>(i)] = static_cast<double>(first + i * step);

  std::vector<decomp::Run> own;
  if (!alternating) own.push_back({first, 0, mine});
  for (int64_t i = 0; i < mine && alternating; ++i) own.push_back({first + i * step, i, 1});
  const PartOfDoubles part(own, values);

  const std::vector<ByteRange> halves{{0, all.end / 2}, {all.end / 2, all.end}}, both{all, all};
  exchange::Flow flow;
  flow.rule.unit_bytes = flow.rule.block_bytes = k_unit;
  flow.rule.io_ranks = static_cast<int>(shape.io_ranks.size());
  flow.variable = all;
  flow.touched = {&all, 1};
  flow.node_hulls = alternating ? both : halves;
  flow.parts = part.parts();
  const auto misfits = rank.file(file).put(flow);
  EXPECT_TRUE(misfits.ok()) << misfits.status().text();
}

std::vector<double> content(const Job& job, int file, uint64_t units) {
  const std::vector<std::byte> bytes = job.content(file, units * k_unit);
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

struct RoomTest : testing::TestWithParam<bool> {};

TEST_P(RoomTest, PutsFillTheSlotsInCommonBeforeAnythingIsWritten) {
  constexpr uint64_t k_most = 2 * (k_reserved + k_common), k_rest = 2 * k_reserved;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Shape shape = shape_of(2);
    Job job(shape, seed);
    std::atomic<int> returned{0};
    Interleaving interleaving({.seed = seed, .one_in = uint64_t{2} << seed % 4});
    interleaving.run(shape.ranks() + 2, [&](int number) {
      if (number >= shape.ranks()) {
        while (returned.load() < shape.ranks()) step_aside();
        return job.work(number - shape.ranks());
      }
      Rank rank(job, number);
      put(rank, 0, k_most, GetParam());
      put(rank, 1, k_rest, GetParam());  // what is reserved for this file
      ++returned;
      for (int file = 0; file < k_files; ++file) EXPECT_TRUE(rank.file(file).flush().ok());
      rank.largest(0);
    });
    for (int file = 0; file < k_files; ++file) {
      const uint64_t units = file == 0 ? k_most : k_rest;
      std::vector<double> expected(units * k_unit / sizeof(double));
      std::iota(expected.begin(), expected.end(), 0.0);
      EXPECT_EQ(expected, content(job, file, units)) << "file " << file;
    }
    EXPECT_TRUE(job.all_received());
  }
}

INSTANTIATE_TEST_SUITE_P(Elements, RoomTest, testing::Bool(),
                         [](const auto& one) { return one.param ? "ThatAlternate" : "InOrder"; });

}  // namespace
}  // namespace scorpio::test
