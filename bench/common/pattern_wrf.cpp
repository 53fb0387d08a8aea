// WRF-IO: a weather forecast's 202 record variables over a horizontal grid divided in two dimensions;
// staggered axes have one point more, held by the last rank along them; what has no horizontal axes is rank
// 0's alone.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <stdexcept>

#include "common/pattern_makers.h"
#include "common/workload.h"

namespace bench {
namespace {

enum AxisPlace : size_t {
  k_time,
  k_text,
  k_levels,
  k_levels_staggered,
  k_soil,
  k_seeds,
  k_south_north,
  k_south_north_staggered,
  k_west_east,
  k_west_east_staggered
};

struct Group {
  int count;
  Type type;
  std::vector<size_t> axes;  // after time
};

// How many variables have which type and shape in WRF 4.4's output, 202 together.
const std::vector<Group>& groups() {
  static const std::vector<Group> k_groups = {
      {1, Type::int8, {k_text}},
      {5, Type::int32, {}},
      {25, Type::float32, {}},
      {11, Type::float32, {k_levels}},
      {5, Type::float32, {k_levels_staggered}},
      {2, Type::float32, {k_soil}},
      {6, Type::int32, {k_seeds}},
      {2, Type::int32, {k_south_north, k_west_east}},
      {109, Type::float32, {k_south_north, k_west_east}},
      {6, Type::float32, {k_south_north_staggered, k_west_east}},
      {5, Type::float32, {k_south_north, k_west_east_staggered}},
      {14, Type::float32, {k_levels, k_south_north, k_west_east}},
      {1, Type::float32, {k_levels, k_south_north_staggered, k_west_east}},
      {1, Type::float32, {k_levels, k_south_north, k_west_east_staggered}},
      {5, Type::float32, {k_levels_staggered, k_south_north, k_west_east}},
      {4, Type::float32, {k_soil, k_south_north, k_west_east}},
  };
  return k_groups;
}

struct Grid {
  int64_t south_north = 0;
  int64_t west_east = 0;
};

Grid grid_of(const std::string& form) {
  if (form.empty()) return {100, 100};
  long long south_north = 0;
  long long west_east = 0;
  char rest = 0;
  if (std::sscanf(form.c_str(), "%lldx%lld%c", &south_north, &west_east, &rest) != 2 || south_north < 1 ||
      west_east < 1) {
    throw std::invalid_argument("the form of w7 is <south-north>x<west-east>, not \"" + form + "\"");
  }
  return {south_north, west_east};
}

// Of the two horizontal directions: this rank's points, and whether it holds the staggered one.
struct Held {
  Share share;
  bool last = false;
};

std::array<Held, 2> held_by(int rank, int ranks, const Grid& grid) {
  std::array<int, 2> processes{};
  MPI_Dims_create(ranks, 2, processes.data());
  const int along_sn = rank / processes[1];
  const int along_we = rank % processes[1];
  return {Held{share_of(grid.south_north, along_sn, processes[0]), along_sn == processes[0] - 1},
          Held{share_of(grid.west_east, along_we, processes[1]), along_we == processes[1] - 1}};
}

Share held_along(size_t axis, const std::array<Held, 2>& held, const Pattern& pattern) {
  if (axis < k_south_north) return {0, pattern.axes[axis].extent};
  const Held& direction = held[axis < k_west_east ? 0 : 1];
  const bool staggered = axis == k_south_north_staggered || axis == k_west_east_staggered;
  return {direction.share.start, direction.share.count + (staggered && direction.last ? 1 : 0)};
}

Part part_of_variable(Pattern& pattern, size_t array, int64_t record, bool mine,
                      const std::array<Held, 2>& held) {
  const std::vector<size_t>& axes = pattern.arrays[array].axes;
  std::vector<int64_t> start{record};
  std::vector<int64_t> count{1};
  for (size_t d = 1; d < axes.size(); ++d) {
    const Share share = held_along(axes[d], held, pattern);
    start.push_back(share.start);
    count.push_back(share.count);
    mine = mine && share.count > 0;
  }
  if (!mine) {
    start.assign(axes.size(), 0);
    count.assign(axes.size(), 0);
  }
  return pattern.dense_part(array, start, count);
}

}  // namespace

Pattern make_wrf_pattern(const PatternSizes& sizes, int rank, int ranks) {
  constexpr int k_records = 2;
  const Grid grid = grid_of(sizes.form);
  const auto held = held_by(rank, ranks, grid);
  const int records = sizes.steps > 0 ? sizes.steps : k_records;
  Pattern pattern;
  pattern.classic_version = 2;
  pattern.axes = {{"time", records, true},
                  {"text", 19},
                  {"levels", 34},
                  {"levels_staggered", 35},
                  {"soil", 4},
                  {"seeds", 8},
                  {"south_north", grid.south_north},
                  {"south_north_staggered", grid.south_north + 1},
                  {"west_east", grid.west_east},
                  {"west_east_staggered", grid.west_east + 1}};
  for (const Group& group : groups()) {
    std::vector<size_t> axes = group.axes;
    axes.insert(axes.begin(), k_time);
    for (int i = 0; i < group.count; ++i) {
      pattern.arrays.push_back({"v" + std::to_string(pattern.arrays.size()), group.type, axes});
    }
  }
  for (int record = 0; record < records; ++record) {
    pattern.steps.emplace_back();
    for (size_t a = 0; a < pattern.arrays.size(); ++a) {
      const bool divided = pattern.arrays[a].axes.back() >= k_south_north;
      pattern.steps.back().push_back(part_of_variable(pattern, a, record, divided || rank == 0, held));
    }
  }
  return pattern;
}

}  // namespace bench
