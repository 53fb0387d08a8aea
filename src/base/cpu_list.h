// The numbers of CPUs of a node, written as in `0-3,8`. Pure.
#pragma once

#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace scorpio {

// The size of the C library's type for sets of CPUs.
inline constexpr size_t k_most_cpus = 1024;
using CpuSet = std::bitset<k_most_cpus>;

// The values of option worker_cpus that are no list.
inline constexpr std::string_view k_free_cpus = "free", k_cpus_of_rank = "rank";

// Numbers and ranges of numbers, separated by commas; at least one. Code::argument for any other text.
Result<CpuSet> parse_cpus(std::string_view list);
// The shortest such list; "none" for an empty set.
std::string cpus_text(const CpuSet& cpus);

}  // namespace scorpio
