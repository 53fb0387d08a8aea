// The shapes of chunks that the library chooses, and the bounds that they keep for any variable.
#include "format/chunk_planner.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace scorpio::format {
namespace {

using Extents = std::vector<int64_t>;
constexpr int64_t k_kib = 1 << 10, k_mib = 1 << 20;

model::Variable variable(Extents dims, bool records, uint32_t bytes = 4) {
  model::Variable made;
  made.path = "/v";
  made.type = model::native(bytes == 4 ? model::Kind::float32 : model::Kind::float64);
  made.dims = std::move(dims);
  made.records = records;
  return made;
}

Extents shape(const Extents& dims, bool records, const ChunkWishes& wishes) {
  return plan_chunk(variable(dims, records), wishes).shape;
}

ChunkWishes wishes(ChunkGoal goal, int64_t expected = 0, int64_t workers = 1) {
  return {goal, expected, workers};
}

constexpr auto k_write = ChunkGoal::write, k_map = ChunkGoal::map, k_series = ChunkGoal::timeseries;

TEST(ChunkPlanner, WriteFollowsTheRecord) {
  EXPECT_EQ((Extents{1, 100, 100}), shape({0, 100, 100}, true, wishes(k_write)));
  EXPECT_EQ((Extents{512, 2}), shape({0, 2}, true, wishes(k_write)));
  EXPECT_EQ((Extents{10, 100}), shape({0, 100}, true, wishes(k_write)));
  EXPECT_EQ((Extents{7, 100}), shape({0, 100}, true, wishes(k_write, 7)));
  EXPECT_EQ((Extents{1, 3, 1}), shape({0, 3, 0}, true, wishes(k_write)));
  EXPECT_EQ((Extents{30, 100}), shape({30, 100}, false, wishes(k_write)));
}

// Unlimited dimensions other than the first are supposed to have 256 indices together, whatever they have
// now.
TEST(ChunkPlanner, InnerUnlimitedDimensions) {
  const auto of = [](Extents dims, bool records, uint32_t inner, const ChunkWishes& wishes) {
    model::Variable made = variable(std::move(dims), records);
    made.inner_unlimited = inner;
    return plan_chunk(made, wishes);
  };
  EXPECT_EQ((Extents{1, 100, 256}), of({0, 100, 0}, true, 4, wishes(k_write)).shape);
  EXPECT_EQ((Extents{4, 256}), of({3, 7000}, true, 2, wishes(k_write)).shape);
  EXPECT_EQ((Extents{1, 100, 16, 16}), of({0, 100, 0, 0}, true, 12, wishes(k_write)).shape);
  EXPECT_EQ((Extents{30, 256}), of({30, 0}, false, 2, wishes(k_write)).shape);
  EXPECT_EQ((Extents{1, 100, 256}), of({0, 100, 0}, true, 4, wishes(k_map)).shape);
  EXPECT_NE(std::string::npos, of({30, 0}, false, 2, wishes(k_write)).why.find("a length of 256"));
}

// 32 MiB: 8 chunks of 4 MiB for up to two workers, 16 of 2 MiB for four, and no smaller ones for more.
TEST(ChunkPlanner, LargeRecordsAreDividedForTheWorkers) {
  const Extents dims{0, 32, 512, 512};
  EXPECT_EQ((Extents{1, 4, 512, 512}), shape(dims, true, wishes(k_write, 0, 1)));
  EXPECT_EQ((Extents{1, 4, 512, 512}), shape(dims, true, wishes(k_write, 0, 2)));
  EXPECT_EQ((Extents{1, 2, 512, 512}), shape(dims, true, wishes(k_write, 0, 4)));
  EXPECT_EQ((Extents{1, 2, 512, 512}), shape(dims, true, wishes(k_write, 0, 400)));
}

TEST(ChunkPlanner, OneDimensionalRecords) {
  EXPECT_EQ((Extents{512}), shape({0}, true, wishes(k_write)));
  EXPECT_EQ((Extents{12}), shape({0}, true, wishes(k_write, 12)));
  EXPECT_EQ((Extents{200000}), shape({0}, true, wishes(k_write, 200000)));
  EXPECT_EQ((Extents{250000}), shape({0}, true, wishes(k_write, 1000000)));
  EXPECT_EQ((Extents{1000000}), shape({0}, true, wishes(k_series, 1000000)));
  EXPECT_EQ((Extents{512}), shape({0}, true, wishes(k_map)));
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_LE(shape({0}, true, wishes(k_series, most))[0], k_mib);
}

TEST(ChunkPlanner, AMapIsOneHorizontalField) {
  EXPECT_EQ((Extents{1, 1, 180, 360}), shape({0, 26, 180, 360}, true, wishes(k_map)));
  EXPECT_EQ((Extents{1, 1, 48602}), shape({0, 72, 48602}, true, wishes(k_map)));
  EXPECT_EQ((Extents{1, 180, 360}), shape({0, 180, 360}, true, wishes(k_map)));
  EXPECT_EQ((Extents{1, 48602}), shape({0, 48602}, true, wishes(k_map)));
  EXPECT_EQ((Extents{1, 180, 360}), shape({26, 180, 360}, false, wishes(k_map)));
  EXPECT_EQ((Extents{1, 1, 258, 3600}), shape({0, 26, 1800, 3600}, true, wishes(k_map, 0, 40)))
      << "a field of 25 MB is divided";
  EXPECT_EQ((Extents{512, 2}), shape({0, 2}, true, wishes(k_map))) << "too small for a field";
}

TEST(ChunkPlanner, ATimeSeriesIsLongInTheUnlimitedDimension) {
  EXPECT_EQ((Extents{512, 1, 2, 360}), shape({0, 26, 180, 360}, true, wishes(k_series, 0, 1000)));
  EXPECT_EQ((Extents{100000, 1, 10}), shape({0, 72, 48602}, true, wishes(k_series, 100000)));
  EXPECT_EQ((Extents{12, 100, 100}), shape({0, 100, 100}, true, wishes(k_series, 12)));
  EXPECT_EQ((Extents{512, 3}), shape({0, 3}, true, wishes(k_series)));
  EXPECT_EQ(shape({300, 4000}, false, wishes(k_write)), shape({300, 4000}, false, wishes(k_series)));
}

TEST(ChunkPlanner, TheReasonHasTheNumbers) {
  const auto why = [](const Extents& dims, const ChunkWishes& wished) {
    return plan_chunk(variable(dims, true), wished).why;
  };
  EXPECT_NE(std::string::npos, why({0, 32, 512, 512}, wishes(k_write, 0, 4)).find("32 MiB"));
  EXPECT_NE(std::string::npos, why({0, 32, 512, 512}, wishes(k_write, 0, 4)).find("4 workers"));
  EXPECT_NE(std::string::npos, why({0}, wishes(k_write, 12)).find("12 records are expected"));
  EXPECT_NE(std::string::npos, why({0, 64, 64}, wishes(k_map)).find("horizontal field of 16 KiB"));
  EXPECT_NE(std::string::npos, why({0, 64, 64}, wishes(k_series)).find("512 records"));
}

int64_t product(const Extents& lengths, size_t first = 0) {
  int64_t all = 1;
  for (size_t d = first; d < lengths.size(); ++d) all *= lengths[d];
  return all;
}

int64_t parts(const Extents& dims, const Extents& chunk, size_t first) {
  int64_t all = 1;
  for (size_t d = first; d < dims.size(); ++d) all *= (dims[d] + chunk[d] - 1) / chunk[d];
  return all;
}

RC_GTEST_PROP(ChunkPlanner, KeepsItsBounds, ()) {
  const auto goal = *rc::gen::element(k_write, k_map, k_series);
  const bool records = *rc::gen::arbitrary<bool>();
  Extents dims = *rc::gen::container<Extents>(
      *rc::gen::inRange<size_t>(1, 5), rc::gen::element<int64_t>(1, 2, 3, 7, 31, 72, 180, 361, 512, 777));
  const auto bytes = *rc::gen::element<uint32_t>(4, 8);
  const auto expected = *rc::gen::element<int64_t>(0, 1, 12, 365, 100000, int64_t{1} << 40);
  const auto workers = *rc::gen::element<int64_t>(1, 2, 16, 300);
  const ChunkPlan plan = plan_chunk(variable(dims, records, bytes), {goal, expected, workers});
  RC_ASSERT(plan.shape.size() == dims.size());
  RC_ASSERT(!plan.why.empty());
  const size_t fixed = records ? 1 : 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    RC_ASSERT(plan.shape[d] >= 1);
    RC_ASSERT(d < fixed || plan.shape[d] <= dims[d]);
  }
  const int64_t chunk_bytes = product(plan.shape) * bytes, slab = product(dims, fixed) * bytes;
  RC_ASSERT(chunk_bytes <= 4 * k_mib);
  RC_ASSERT((!records || expected == 0 || plan.shape[0] <= expected));
  if (goal != k_write || (records && dims.size() == 1)) return;
  // A record that is divided has parts of 1 MiB or more; one that is not divided is a chunk.
  const bool divided = parts(dims, plan.shape, fixed) > 1;
  RC_ASSERT((divided && chunk_bytes >= k_mib) || (!divided && slab <= 4 * k_mib));
  RC_ASSERT((slab < 8 * k_mib * workers || parts(dims, plan.shape, fixed) >= 4 * workers));
  RC_ASSERT((!records || plan.shape[0] == 1 || chunk_bytes <= 4 * k_kib));
}

}  // namespace
}  // namespace scorpio::format
