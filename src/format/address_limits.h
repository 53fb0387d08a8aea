// What all formats demand of the addresses in their files.
#pragma once

#include <cstdint>

#include "plan/domains.h"

namespace scorpio::format {

// At larger addresses, raw space holds chunks.
constexpr uint64_t k_address_limit = plan::k_chunk_space;
constexpr uint64_t k_alignment_bytes = 8;

}  // namespace scorpio::format
