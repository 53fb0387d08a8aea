// Limits that options of several subjects have in common.
#pragma once

#include <cstdint>
#include <limits>

namespace scorpio {

inline constexpr int64_t k_any_option_value = std::numeric_limits<int64_t>::max();
inline constexpr int64_t k_max_option_ranks = std::numeric_limits<int32_t>::max();

}  // namespace scorpio
