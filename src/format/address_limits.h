// What all formats demand of the addresses in their files.
#pragma once

#include <cstdint>

namespace scorpio::format {

constexpr uint64_t k_address_limit = uint64_t{1} << 62;
constexpr uint64_t k_alignment_bytes = 8;

}  // namespace scorpio::format
