#include "common/workload.h"

#include <mpi.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace bench {
namespace {

int64_t product(const std::vector<int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), int64_t{1}, std::multiplies<>());
}

int64_t or_default(int64_t value, int64_t otherwise) { return value > 0 ? value : otherwise; }

std::vector<Variable> same_variables(int count) {
  std::vector<Variable> variables;
  for (int i = 0; i < count; ++i) variables.push_back({"v" + std::to_string(i), Type::float64});
  return variables;
}

Workload sparse_workload(int64_t extent) {
  constexpr int64_t k_int_limit = int64_t{1} << 31;
  constexpr int64_t k_window = 1'000'000;
  if (extent < k_int_limit + k_window) {
    throw std::invalid_argument("a sparse dataset of " + std::to_string(extent) +
                                " elements does not reach across 2^31; choose 2500000000");
  }
  return {{extent},
          {{"sparse", Type::int32}},
          {{0, k_window}, {k_int_limit - k_window / 2, k_window}, {extent - k_window, k_window}}};
}

}  // namespace

int64_t Box::elements() const { return product(count); }

int64_t Workload::bytes() const {
  int64_t bytes_per_element = 0;
  for (const Variable& variable : variables)
    bytes_per_element += static_cast<int64_t>(bytes_of(variable.type));
  int64_t elements = 0;
  for (const Share& window : windows) elements += window.count;
  return (windows.empty() ? product(dims) : elements) * bytes_per_element;
}

Workload make_workload(const std::string& name, int64_t extent, int variables) {
  if (name == "w1") {
    return {{or_default(extent, 480 * 480 * 120)},
            {{"cell_ids", Type::int32}, {"permeability", Type::float64}},
            {}};
  }
  if (name == "w2d") {
    const int64_t n = or_default(extent, 192);
    return {{n, n, n}, same_variables(variables > 0 ? variables : 8), {}};
  }
  if (name == "memory") {
    return {{or_default(extent, int64_t{1} << 21)}, same_variables(variables > 0 ? variables : 64), {}};
  }
  if (name == "big") return {{or_default(extent, (int64_t{1} << 31) + 17)}, {{"bytes", Type::uint8}}, {}};
  if (name == "sparse") return sparse_workload(or_default(extent, 2'500'000'000));
  throw std::invalid_argument("no workload is named \"" + name +
                              "\"; there are w1, w2d, memory, big, sparse");
}

Share share_of(int64_t n, int part, int parts) {
  const int64_t each = n / parts;
  const int64_t more = n % parts;
  return {each * part + std::min<int64_t>(part, more), each + (part < more ? 1 : 0)};
}

Box part_of(const Workload& workload, int rank, int ranks) {
  if (!workload.windows.empty()) {
    const auto mine = static_cast<size_t>(rank);
    const Share window = mine < workload.windows.size() ? workload.windows[mine] : Share{};
    return {{window.start}, {window.count}};
  }
  const int ndims = static_cast<int>(workload.dims.size());
  std::vector<int> grid(static_cast<size_t>(ndims), 0);
  MPI_Dims_create(ranks, ndims, grid.data());
  Box box{workload.dims, workload.dims};
  for (size_t d = grid.size(); d-- > 0;) {
    const Share share = share_of(workload.dims[d], rank % grid[d], grid[d]);
    box.start[d] = share.start;
    box.count[d] = share.count;
    rank /= grid[d];
  }
  return box;
}

}  // namespace bench
