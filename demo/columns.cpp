#include "columns.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "common/value.h"

namespace demo {
namespace {

constexpr int64_t k_neighbours = 2;  // chunks that lie side by side
constexpr int64_t k_pairs = 2;       // of such chunks, a rank

std::vector<int64_t> columns_in_line(int rank, const std::string& file) {
  std::ifstream in(file);
  std::string line;
  for (int i = 0; i <= rank; ++i) {
    if (!std::getline(in, line))
      throw std::runtime_error(file + " has no line for rank " + std::to_string(rank));
  }
  std::vector<int64_t> columns;
  std::istringstream words(line);
  for (int64_t column = 0; words >> column;) columns.push_back(column);
  std::sort(columns.begin(), columns.end());
  return columns;
}

}  // namespace

int64_t columns_job_bytes() {
  return (k_flat_variables + k_deep_variables * k_levels) * k_columns * static_cast<int64_t>(sizeof(float));
}

std::string variable_name(int variable) {
  return (is_deep(variable) ? "deep_" : "flat_") + std::to_string(variable);
}

std::vector<int64_t> columns_of(int rank, int ranks, const std::string& file) {
  if (!file.empty()) return columns_in_line(rank, file);
  const int64_t chunks = k_neighbours * k_pairs * ranks;
  std::vector<int64_t> columns;
  for (int64_t column = 0; column < k_columns; ++column) {
    if (column % chunks / k_neighbours % ranks == rank) columns.push_back(column);
  }
  return columns;
}

std::vector<int64_t> elements_of(const std::vector<int64_t>& columns, bool deep) {
  std::vector<int64_t> elements;
  for (int64_t level = 0; level < (deep ? k_levels : 1); ++level) {
    for (const int64_t column : columns) elements.push_back(level * k_columns + column);
  }
  return elements;
}

std::vector<std::vector<float>> values_of(const std::vector<int64_t>& columns) {
  const std::vector<int64_t> flat = elements_of(columns, false);
  const std::vector<int64_t> deep = elements_of(columns, true);
  std::vector<std::vector<float>> values(k_variables);
  for (int v = 0; v < k_variables; ++v) {
    const uint64_t seed = bench::element_seed(static_cast<uint32_t>(v), 0);
    for (const int64_t element : is_deep(v) ? deep : flat) {
      values[static_cast<size_t>(v)].push_back(
          bench::element_value<float>(seed, static_cast<uint64_t>(element)));
    }
  }
  return values;
}

}  // namespace demo
