// NAS BT-IO: diagonal multi-partitioning. Each of q^2 ranks holds q cells on a diagonal of the q^3 cells of
// the grid, each with two ghost points on every side; a dump writes all cells as one record.
#include <cmath>
#include <stdexcept>

#include "common/pattern_makers.h"
#include "common/workload.h"

namespace bench {
namespace {

constexpr int64_t k_components = 5;
constexpr int64_t k_ghosts = 2;

int side_of_grid(int ranks) {
  const int q = static_cast<int>(std::lround(std::sqrt(static_cast<double>(ranks))));
  if (q * q != ranks) {
    throw std::invalid_argument("BT-IO runs on a square number of ranks, not on " + std::to_string(ranks));
  }
  return q;
}

Part cell_part(Pattern& pattern, int64_t points, int rank, int q, int cell, int64_t dump) {
  const int x = (rank % q + cell) % q;
  const int y = ((rank / q - cell) % q + q) % q;
  Part part;
  part.start = {dump};
  part.count = {1};
  for (const int place : {cell, y, x}) {
    const Share share = share_of(points, place, q);
    part.start.push_back(share.start);
    part.count.push_back(share.count);
    part.memory.dims.push_back(share.count + 2 * k_ghosts);
    part.memory.start.push_back(k_ghosts);
    part.memory.count.push_back(share.count);
  }
  part.start.push_back(0);
  part.count.push_back(k_components);
  part.memory.dims.push_back(k_components);
  part.memory.start.push_back(0);
  part.memory.count.push_back(k_components);
  part.memory.first_byte = pattern.reserve(Type::float64, part.memory.dims);
  return part;
}

}  // namespace

Pattern make_btio_pattern(const PatternSizes& sizes, int rank, int ranks) {
  constexpr int64_t k_points_class_a = 64;
  constexpr int k_dumps = 40;
  form_among(sizes, {"dumps"});
  const int q = side_of_grid(ranks);
  const int64_t points = sizes.extent > 0 ? sizes.extent : k_points_class_a;
  const int dumps = sizes.steps > 0 ? sizes.steps : k_dumps;
  Pattern pattern;
  pattern.axes = {
      {"step", dumps, true}, {"z", points}, {"y", points}, {"x", points}, {"component", k_components}};
  pattern.arrays = {{"u", Type::float64, {0, 1, 2, 3, 4}}};
  for (int dump = 0; dump < dumps; ++dump) {
    pattern.steps.emplace_back();
    for (int cell = 0; cell < q; ++cell) {
      pattern.steps.back().push_back(cell_part(pattern, points, rank, q, cell, dump));
    }
  }
  return pattern;
}

}  // namespace bench
