// The demonstration's second job, the same for both programs: one record of an E3SM atmosphere's output (case
// F of the E3SM I/O benchmark: 866 columns, 72 levels, 323 variables over columns and 63 over levels and
// columns), float32. Each rank holds columns that lie far apart, so that a run in the file is two elements
// long. Local; pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace demo {

inline constexpr int64_t k_columns = 866;
inline constexpr int64_t k_levels = 72;
inline constexpr int k_flat_variables = 323;
inline constexpr int k_deep_variables = 63;
inline constexpr int k_variables = k_flat_variables + k_deep_variables;

// Bytes of all variables.
int64_t columns_job_bytes();

std::string variable_name(int variable);  // the flat ones come first
inline bool is_deep(int variable) { return variable >= k_flat_variables; }

// The columns of a rank, ascending. The model balances day and night by dealing columns to chunks in turn,
// four chunks a rank, of which two are neighbours. With a file: line `rank` of it holds them instead. Throws
// std::runtime_error.
std::vector<int64_t> columns_of(int rank, int ranks, const std::string& file);

// Elements of the variables that hold these columns: the columns of level 0, then those of level 1, ...
std::vector<int64_t> elements_of(const std::vector<int64_t>& columns, bool deep);

// Values of this rank for each variable.
std::vector<std::vector<float>> values_of(const std::vector<int64_t>& columns);

}  // namespace demo
