// Arrays in blocks of three dimensions, as ROMIO's coll_perf divides them: equal blocks per rank (w2), or one
// size of array for any number of ranks (w2v).
#include <mpi.h>

#include <array>

#include "common/pattern_makers.h"
#include "common/workload.h"

namespace bench {
namespace {

struct Division {
  int64_t extent = 0;
  Share mine;
};

std::array<Division, 3> divide(const PatternSizes& sizes, bool per_rank, int rank, int ranks) {
  constexpr int64_t k_extent = 32;
  const int64_t extent = sizes.extent > 0 ? sizes.extent : k_extent;
  std::array<int, 3> grid{};
  MPI_Dims_create(ranks, 3, grid.data());
  std::array<Division, 3> division;
  for (size_t d = division.size(); d-- > 0;) {
    const int64_t along = per_rank ? extent * grid[d] : extent;
    division[d] = {along, share_of(along, rank % grid[d], grid[d])};
    rank /= grid[d];
  }
  return division;
}

}  // namespace

Pattern make_blocks_pattern(const PatternSizes& sizes, int rank, int ranks) {
  const bool per_rank = sizes.workload == "w2";
  const bool records = form_among(sizes, per_rank ? std::vector<std::string>{"fixed", "record"}
                                                  : std::vector<std::string>{"fixed"}) == "record";
  const auto division = divide(sizes, per_rank, rank, ranks);
  Pattern pattern;
  pattern.axes = {{"z", division[0].extent, records}, {"y", division[1].extent}, {"x", division[2].extent}};
  std::vector<int64_t> start;
  std::vector<int64_t> count;
  for (const Division& along : division) {
    start.push_back(along.mine.start);
    count.push_back(along.mine.count);
  }
  const int variables = sizes.variables > 0 ? sizes.variables : per_rank ? 10 : 40;
  pattern.steps.emplace_back();
  for (int v = 0; v < variables; ++v) {
    const Type type = per_rank ? Type::int32 : Type::float64;
    pattern.arrays.push_back({"v" + std::to_string(v), type, {0, 1, 2}});
    pattern.steps[0].push_back(pattern.dense_part(static_cast<size_t>(v), start, count));
  }
  return pattern;
}

}  // namespace bench
