#include "common/chunked.h"

#include <mpi.h>

#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "common/buffers.h"
#include "common/value.h"

namespace bench {

namespace {

constexpr int64_t k_element_bytes = sizeof(float);

int64_t product(const std::vector<int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

// "2:0,1:1": shuffle, and deflate of level 1.
std::vector<ChunkFilter> filters_of(const std::string& text) {
  std::vector<ChunkFilter> filters;
  std::istringstream list(text);
  for (std::string one; std::getline(list, one, ',');) {
    const size_t colon = one.find(':');
    if (colon == std::string::npos) throw std::invalid_argument("a filter is number:parameter");
    filters.push_back({std::stoi(one.substr(0, colon)), std::stoi(one.substr(colon + 1))});
  }
  return filters;
}

Chunked form_of(const Arguments& arguments) {
  const auto steps = arguments.steps > 0 ? arguments.steps : 40;
  const auto variables = [&](int usual) { return arguments.variables > 0 ? arguments.variables : usual; };
  if (arguments.form == "records")
    return {.dims = {1024, 1024}, .chunk = {1024, 1024}, .variables = variables(1), .records = steps};
  if (arguments.form == "whole") return {.dims = {steps, 1024, 1024}, .chunk = {1, 1024, 1024}};
  if (arguments.form == "filtered")
    return {.dims = {72, 96, 144}, .chunk = {18, 96, 144}, .variables = variables(50)};
  if (arguments.form == "index") {
    const int64_t chunks = arguments.extent > 0 ? arguments.extent : 100'000;
    const int n = variables(1);
    return {.dims = {chunks / n, 128}, .chunk = {1, 128}, .variables = n};
  }
  if (arguments.form == "variables") {
    return {.dims = {8, 16}, .chunk = {8, 16}, .variables = variables(5000), .records = 1, .attributes = 12};
  }
  throw std::invalid_argument("no form is named \"" + arguments.form +
                              "\"; there are records, whole, filtered, index, variables");
}

// Waves along each of the last two dimensions; [2][extent].
std::array<std::vector<float>, 2> waves_of(const Chunked& job, int variable) {
  std::array<std::vector<float>, 2> waves;
  for (size_t k = 0; k < waves.size(); ++k) {
    const int64_t extent = job.dims[job.dims.size() - 2 + k];
    for (int64_t i = 0; i < extent; ++i) {
      const double turn = static_cast<double>(i) / static_cast<double>(extent);
      const double waves_of_extent = k == 0 ? 1 : 3;
      waves[k].push_back(static_cast<float>(std::sin(6.283185307 * turn * waves_of_extent + variable)));
    }
  }
  return waves;
}

// Calls visit(offset in the box, value) for each element.
template <class Visit>
void for_each_value(const Chunked& job, const Box& box, int variable, Visit&& visit) {
  constexpr float k_mean = 240, k_by_level = 0.7F, k_amplitude = 25, k_noise = 0.02F;
  const auto waves = waves_of(job, variable);
  const uint64_t seed = element_seed(static_cast<uint32_t>(variable), 0);
  const int64_t rows = job.dims[job.dims.size() - 2], columns = job.dims.back();
  for_each_run(job.dims, box, [&](int64_t offset, int64_t global, int64_t run) {
    const int64_t level = global / columns / rows, row = global / columns % rows, column = global % columns;
    const float along = k_mean + k_by_level * static_cast<float>(level);
    const float across = k_amplitude * waves[0][static_cast<size_t>(row)];
    for (int64_t i = 0; i < run; ++i) {
      const auto noise = static_cast<float>(mix(seed ^ static_cast<uint64_t>(global + i)) >> 40) * 0x1p-24F;
      visit(offset + i, along + across * waves[1][static_cast<size_t>(column + i)] + k_noise * noise);
    }
  });
}

}  // namespace

int64_t Chunked::elements() const { return product(dims); }

int64_t Chunked::bytes() const { return elements() * steps() * variables * k_element_bytes; }

std::vector<int64_t> Chunked::file_dims() const {
  std::vector<int64_t> all = dims;
  if (records > 0) all.insert(all.begin(), records);
  return all;
}

std::vector<int64_t> Chunked::file_chunk() const {
  std::vector<int64_t> all = chunk;
  if (records > 0) all.insert(all.begin(), 1);
  return all;
}

Chunked chunked_of(const Arguments& arguments, int ranks) {
  Chunked job = form_of(arguments);
  job.filters = filters_of(arguments.filters);
  job.keep_bits = arguments.keep_bits;
  if (arguments.chunk == "block") job.chunk = block_of(job, 0, ranks).count;
  return job;
}

Box block_of(const Chunked& job, int rank, int ranks) {
  std::array<int, 2> grid{};
  MPI_Dims_create(ranks, 2, grid.data());
  Box box{std::vector<int64_t>(job.dims.size(), 0), job.dims};
  const size_t row = job.dims.size() - 2;
  const Share rows = share_of(job.dims[row], rank / grid[1], grid[0]);
  const Share columns = share_of(job.dims[row + 1], rank % grid[1], grid[1]);
  box.start[row] = rows.start;
  box.count[row] = rows.count;
  box.start[row + 1] = columns.start;
  box.count[row + 1] = columns.count;
  return box;
}

void fill_field(const Chunked& job, const Box& box, int variable, std::span<float> out) {
  for_each_value(job, box, variable, [&](int64_t at, float value) { out[static_cast<size_t>(at)] = value; });
}

int64_t count_wrong(const Chunked& job, const Box& box, int variable, std::span<const float> values) {
  const float bound = job.keep_bits == 0 ? 0 : std::ldexp(1.0F, -(job.keep_bits + 1));
  int64_t wrong = 0;
  for_each_value(job, box, variable, [&](int64_t at, float value) {
    const float error = std::abs(values[static_cast<size_t>(at)] - value);
    if (!(error <= bound * std::abs(value))) ++wrong;  // also NaN
  });
  return wrong;
}

}  // namespace bench
